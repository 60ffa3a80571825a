// SPDX-License-Identifier: Apache-2.0
// Counters of one's own in systems, by name (docs/extending.md): they are told what happens to packets, and add up.
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

/// What happens to a packet. Cycles are counted from the begin of traffic on.
struct PacketEvent {
  Cycle cycle;     ///< first word on the link, last word at the NIC, or the drop
  int at;          ///< the switch
  int port;        ///< of the switch; of a drop its input, of a loss -1
  int source;      ///< endpoints
  int destination;
  int tc;
  int words;       ///< of 32 B, header included
  int hops;        ///< switches that it has passed, this one included; of a drop or loss -1: it is not known there
  Cycle created;
  Cycle sent;      ///< first word on the NIC's link, of the copy that was sent first
  bool measured;   ///< created in the measured cycles
};

/// `sums` has an element for each of Names(). They are all that a counter may change: threads and processes of a run add
/// theirs up, checkpoints hold them. Events come in no certain order. Packets of reductions in switches are not told.
class OwnCounter {
 public:
  using Sums = std::vector<std::int64_t>;

  virtual ~OwnCounter() = default;
  /// Of its sums, as results have them.
  virtual std::vector<std::string> Names() const = 0;

  /// A NIC puts it on its link, a copy that is sent again too.
  virtual void Start(const PacketEvent&, Sums&) const {}
  /// A switch puts it on a link, to another switch or to a NIC.
  virtual void Leave(const PacketEvent&, Sums&) const {}
  /// It is there, the first of its copies.
  virtual void Deliver(const PacketEvent&, Sums&) const {}
  virtual void Drop(const PacketEvent&, tilefly::Drop, Sums&) const {}
  /// It was on a link that went down.
  virtual void Lose(const PacketEvent&, Sums&) const {}
};

using CounterMaker = std::function<std::unique_ptr<OwnCounter>(const topology::Topology& topology)>;

/// Each counts in every run of a system.
Registry<CounterMaker>& Counters();

/// Those of a run.
class CounterBank {
 public:
  /// Throws ExtensionError for names of sums that results could not tell apart.
  explicit CounterBank(const topology::Topology& topology);

  /// Zeros, by counter.
  std::vector<OwnCounter::Sums> Zeros() const;
  /// Tells all of an event: `tell(counter, sums)`. Throws ExtensionError for a counter that changes their number.
  template <typename Tell>
  void ForEach(std::vector<OwnCounter::Sums>* sums, Tell&& tell) const {
    for (std::size_t c = 0; c < counters_.size(); ++c) {
      InExtension(Counters().kind(), NameOf(c), [&] { tell(*counters_[c], (*sums)[c]); });
      if ((*sums)[c].size() != names_[c].size()) ThrowResized(c, (*sums)[c].size());
    }
  }
  /// Of the sums of a counter, as it gave them when the run began.
  const std::vector<std::string>& NamesOf(std::size_t index) const { return names_[index]; }

 private:
  static const std::string& NameOf(std::size_t index) { return Counters().entries()[index].name; }
  [[noreturn]] static void ThrowResized(std::size_t index, std::size_t size);

  std::vector<std::unique_ptr<OwnCounter>> counters_;  ///< in the order of Counters()
  std::vector<std::vector<std::string>> names_;        ///< of the sums of each
};

}  // namespace tilefly::network
