// SPDX-License-Identifier: Apache-2.0
// Counters of a user's own in systems, by name (docs/extending.md). They are told what happens to packets, and add up.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "generated/registers.h"
#include "golden/common/cycle.h"
#include "support/extension_error.h"
#include "support/registry.h"
#include "topology/topology.h"

namespace tilefly::network {

/// Something that happens to a packet. Cycles are counted from the begin of traffic.
struct PacketEvent {
  Cycle cycle;     ///< of the first word on the link, of the last word at the NIC, or of the drop
  int at;          ///< the switch
  int port;        ///< of the switch; for a drop its input port, for a loss -1
  int source;      ///< endpoint; `destination` too
  int destination;
  int tc;
  int words;       ///< words of 32 B, header included
  int hops;        ///< switches passed, this one included; for a drop or loss -1, because it is not known there
  Cycle created;
  Cycle sent;      ///< first word on the source NIC's link, of the first copy
  bool measured;   ///< true: the packet was created in the measured cycles
};

/// A counter of a user's own. `sums` has an element for each of Names(), and is all that a counter may change: threads
/// and processes of a run add their sums up, and checkpoints have them. Events come in no particular order. Packets of
/// reductions in switches cause no events.
class OwnCounter {
 public:
  using Sums = std::vector<std::int64_t>;

  virtual ~OwnCounter() = default;
  /// The names of the sums, as results show them.
  virtual std::vector<std::string> Names() const = 0;

  /// A NIC puts the packet on its link. Copies that are sent again have this event too.
  virtual void Start(const PacketEvent&, Sums&) const {}
  /// A switch puts the packet on a link, to another switch or to a NIC.
  virtual void Leave(const PacketEvent&, Sums&) const {}
  /// The first copy of the packet has arrived at its destination.
  virtual void Deliver(const PacketEvent&, Sums&) const {}
  virtual void Drop(const PacketEvent&, tilefly::Drop, Sums&) const {}
  /// The packet was on a link that went down.
  virtual void Lose(const PacketEvent&, Sums&) const {}
};

using CounterMaker = std::function<std::unique_ptr<OwnCounter>(const topology::Topology& topology)>;

/// The registry of counters. Each counter counts in every run of a system.
Registry<CounterMaker>& Counters();

/// The counters of a run.
class CounterBank {
 public:
  /// Throws ExtensionError when results could not tell the names of two sums apart.
  explicit CounterBank(const topology::Topology& topology);

  /// By counter: its sums, all zero.
  std::vector<OwnCounter::Sums> Zeros() const;
  /// Calls `tell(counter, sums)` for every counter. Throws ExtensionError when a counter has changed the number of its
  /// sums.
  template <typename Tell>
  void ForEach(std::vector<OwnCounter::Sums>* sums, Tell&& tell) const {
    for (std::size_t c = 0; c < counters_.size(); ++c) {
      InExtension(Counters().kind(), NameOf(c), [&] { tell(*counters_[c], (*sums)[c]); });
      if ((*sums)[c].size() != names_[c].size()) ThrowResized(c, (*sums)[c].size());
    }
  }
  /// The names of the sums of a counter, as it gave them when the run began.
  const std::vector<std::string>& NamesOf(std::size_t index) const { return names_[index]; }

 private:
  static const std::string& NameOf(std::size_t index) { return Counters().entries()[index].name; }
  [[noreturn]] static void ThrowResized(std::size_t index, std::size_t size);

  std::vector<std::unique_ptr<OwnCounter>> counters_;  ///< in the order of Counters()
  std::vector<std::vector<std::string>> names_;        ///< by counter: the names of its sums
};

}  // namespace tilefly::network
