// SPDX-License-Identifier: Apache-2.0
// The manager of the fabric (docs/blocks/link_retry.md, In a system): some time after a link between two switches has
// gone down or come up, it writes the routing tables of what is left of the system. All processes of a run have the
// same manager, which knows the same changes.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "generated/wire.h"
#include "network/link_states.h"
#include "network/messages.h"
#include "network/state_tables.h"

namespace tilefly::network {

/// What the manager did for the changes of one cycle.
struct ManagerAct {
  Cycle change;                ///< cycle in which the links went down or came up
  Cycle from;                  ///< cycle of the first write on the register buses
  Cycle till;                  ///< first cycle in which all writes have been on their buses
  std::vector<int> links;      ///< that changed, by their numbers in the topology
  std::int64_t writes = 0;     ///< of registers, in all switches
  int switches = 0;            ///< to which it wrote
  std::int64_t cut_pairs = 0;  ///< see LeftTables
  std::string refusal{};       ///< why it wrote nothing, so that the tables stay as they are; empty: it wrote
};

class FabricManager {
 public:
  /// Puts register writes on the register bus of a switch, one in each cycle from `bus` on.
  using Writer = std::function<void(int node, const std::vector<Cfg>& writes, Cycle bus)>;

  /// `delay`: cycles from a change to the first write. `tables` must outlive the manager.
  FabricManager(const topology::Topology& topology, StateTables* tables, Cycle delay)
      : tables_(*tables), delay_(delay), states_(topology), free_(topology.switches.size(), 0) {}

  /// Traffic begins in cycle `begin`, and these links go down and come up then.
  void Begin(Cycle begin, const std::vector<LinkFault>& downs);
  /// An end has given its link up. Everybody must know it before cycle `from` + `delay` of the news.
  void Learn(const DownNews& news);
  /// The cycle of the first write that is not told yet; kNever: there is none.
  Cycle due() const;
  /// Tells all writes for the changes whose first write is in a cycle before `end`.
  void Act(Cycle end, const Writer& write);
  const std::vector<ManagerAct>& acts() const { return acts_; }

  /// State between two rounds. After loading comes Resume.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(states_, done_);
  }
  /// After a state was loaded: finds what the manager did and wrote, which follows from the changes of links.
  void Resume();

 private:
  void ActOn(Cycle change, const Writer& write);
  std::vector<std::vector<Cfg>> WritesBetween(const LeftTables& before, const LeftTables& after) const;

  StateTables& tables_;
  const Cycle delay_;
  Cycle begin_ = 0;
  LinkStates states_;
  Cycle done_ = 0;           ///< changes before this cycle have been acted on
  std::set<int> written_;    ///< links that the latest tables leave out
  std::vector<Cycle> free_;  ///< by switch: first cycle in which its register bus has none of these writes
  std::vector<ManagerAct> acts_;
};

}  // namespace tilefly::network
