// SPDX-License-Identifier: Apache-2.0
// A fault plan on the links of a system: which links repeat what is damaged, and what is damaged on them
// (docs/network.md, Links with faults).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "faults/plan.h"
#include "network/dead_lanes.h"
#include "network/planned_links.h"
#include "network/wiring.h"

namespace tilefly::network {

/// What goes wrong in one direction of a link.
struct DirectionPlan {
  /// Whether both ends must retry: something goes wrong in this direction.
  bool damages() const { return damages_words() || damages_slots() || goes_down(); }
  bool goes_down() const { return !down_by.empty(); }
  bool damages_lanes() const { return !dead_lanes.empty(); }
  bool damages_words() const {
    return rates.word_ber + rates.word.drop + rates.word.repeat + rates.word.noise > 0 || !events.empty() ||
           damages_lanes();
  }
  bool damages_slots() const {
    return rates.slot_ber + rates.slot.drop + rates.slot.repeat > 0 || !slot_events.empty() || damages_lanes();
  }

  /// What damages it or takes it down, in words: the line of the plan, or the option.
  const std::string& origin() const {
    if (goes_down()) return down_by;
    if (!events.empty()) return events.front().origin;
    if (!slot_events.empty()) return slot_events.front().origin;
    return dead_lanes.empty() ? rates_by : dead_lanes.front().origin;
  }

  std::string down_by;   ///< what takes the whole link down first; empty: nothing does
  std::string rates_by;  ///< where `rates` come from
  Cycle retrain = faults::kRetrain;  ///< cycles that the whole link is down when an end has given it up
  std::uint64_t seed = 0;
  std::uint32_t direction = 0;  ///< number that tells its draws from those of other directions
  faults::Rates rates;
  std::vector<faults::PlannedEvent> events;       ///< of words, by cycle of traffic
  std::vector<faults::PlannedEvent> slot_events;  ///< of control slots, and of the receiver of the other direction
  std::vector<DeadLane> dead_lanes;               ///< SerDes lanes
};

class PlannedFaults {
 public:
  /// `plan`: null: none. `fail_links`: links that go down beside the plan. `retry`: links repeat. `seed`: of the draws,
  /// where the plan has none. `nic_lanes`: SerDes lanes of the NICs' links. Throws UsageError for what the system has
  /// not, and for what it cannot do.
  PlannedFaults(std::shared_ptr<const faults::Plan> plan, const std::vector<LinkFault>& fail_links, bool retry,
                std::uint64_t seed, const topology::Topology& topology, const Wiring& wiring, int nic_lanes);

  /// Whether links repeat somewhere.
  bool any() const { return !into_.empty(); }
  /// Whether control slots may be damaged somewhere, and acks lost with them.
  bool loses_acks() const { return loses_acks_; }
  /// The registers RETRY and LANES of the ports whose links repeat, and of their far ends.
  PortRetry retry_register() const { return plan_ == nullptr ? PortRetry() : plan_->retry; }
  PortLanes lanes_register() const { return plan_ == nullptr ? PortLanes() : plan_->lanes; }
  /// Whether words or slots of the port's link may be damaged, in one direction or in both.
  bool Damages(int node, int port) const;
  /// Then: what does so, or takes the link down, in words.
  std::string WhatDamages(int node, int port) const;
  /// When links are down, by the plan.
  const std::vector<LinkFault>& downs() const { return downs_; }
  /// The manager that writes tables; null: there is none.
  const faults::Manager* manager() const { return faults::WritesTables(plan_.get()) ? &*plan_->manager : nullptr; }
  /// Registers that are written while traffic runs.
  const std::vector<PlannedWrite>& writes() const { return writes_; }
  /// What goes wrong on the way into the port, and into the NIC at the port.
  const DirectionPlan& Into(int node, int port) const { return into_[Place(node, port)]; }
  const DirectionPlan& IntoNic(int node, int port) const { return into_nic_[Place(node, port)]; }

 private:
  std::size_t Place(int node, int port) const {
    return static_cast<std::size_t>(node) * static_cast<std::size_t>(wiring_.ports()) + static_cast<std::size_t>(port);
  }
  template <typename Visit>
  void ForEachDirection(const faults::LinkName& link, faults::Direction direction, const std::string& origin, Visit&& visit);
  const DirectionPlan& Out(int node, int port) const;
  void CheckDelays() const;
  void Check(bool retry) const;
  void AddLaneEvent(const faults::PlannedEvent& event, int cable, DirectionPlan* one) const;
  void AddDowns(const std::vector<LinkFault>& downs);
  void AddDirections(std::uint64_t seed);
  void AddDirection(std::uint64_t seed, int direction, DirectionPlan* one) const;
  bool CheckDamages(bool retry);

  std::shared_ptr<const faults::Plan> plan_;
  const topology::Topology& topology_;
  const Wiring& wiring_;
  const int nic_lanes_;
  std::vector<LinkFault> downs_;
  std::vector<PlannedWrite> writes_;
  bool loses_acks_ = false;
  std::vector<DirectionPlan> into_;      ///< by node and port; empty: no words are damaged
  std::vector<DirectionPlan> into_nic_;  ///< likewise, of ports with NICs
};

}  // namespace tilefly::network
