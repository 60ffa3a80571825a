// SPDX-License-Identifier: Apache-2.0
// The way of one packet through a system, stage by stage (docs/network.md, Journeys).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "golden/egress/link_statistics.h"
#include "golden/state/stage_probe.h"
#include "network/messages.h"

namespace tilefly::network {

/// The way of a packet through one switch, or one of its ways: a packet that an output gives back is routed again. A
/// cycle is -1 when the packet did not come so far.
struct JourneyHop {
  std::int32_t node;
  std::uint8_t in_port;
  std::uint8_t out_port = 0;
  std::uint8_t lane = 0;    ///< lane on the link behind the switch
  bool decided = false;     ///< true: routing chose between minimal and non-minimal paths
  bool nonminimal = false;  ///< true: it took a non-minimal path
  bool again = false;       ///< true: routed again; the way before ends with `rerouted`
  Cycle throttled = 0;  ///< cycles for which a flow channel held it; less than 0: it is held
  Cycle tried = -1;    ///< first word of the first attempt on the link of `in_port`; without retry `first`
  Cycle first = -1;    ///< first word on the link of `in_port`, of the attempt that was accepted
  Cycle trigger = -1;  ///< word that sets the packet off: the first of a packet that is cut through, else the last
  std::array<Cycle, golden::kStages> stages{-1, -1, -1, -1, -1, -1, -1};
  Cycle earliest_pick = -1;      ///< of a packet that is cut through: first cycle from which its words come in time
  golden::LinkStatistics::Waits waits{0, 0};  ///< waits between request stored and grant
  Cycle rerouted = -1;  ///< the grant with `reroute` is at the input; the stage `granted` is that of this grant
  Cycle held = 0;       ///< cycles between the first cell at the output and `taken` in which retry held it
  Cycle taken = -1;     ///< the link of `out_port` takes it
};

struct Journey {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(record, number, tc, length, ready, held, throttled, tried, first, last, dropped, attempt, hops);
  }
  bool delivered() const { return last >= 0; }
  Cycle latency() const { return last - record.created; }
  /// How many switches it came to.
  std::int64_t switches() const {
    return std::count_if(hops.begin(), hops.end(), [](const JourneyHop& hop) { return !hop.again; });
  }

  PacketRecord record{};
  std::int64_t number = 0;  ///< number among the packets of its source, from 1; 0: nobody follows the packet
  int tc = 0;
  int length = 0;
  Cycle ready = -1;  ///< the words of the packet before are gone from the source's link
  Cycle held = 0;    ///< of the cycles between `ready` and the start: those in which retry held it
  Cycle throttled = 0;  ///< of these cycles, those in which ready packets waited for nothing but the end of pauses
  Cycle tried = -1;  ///< first word of the first attempt on the link that it is on, or on the one to the destination
  Cycle first = -1;  ///< first word at the destination, of the attempt that was accepted
  Cycle last = -1;   ///< last word at the destination
  bool dropped = false;
  bool attempt = false;  ///< true: it may be accepted already, and have gone on
  std::vector<JourneyHop> hops;
};

// Whoever adds a member adds it to Serialize.
static_assert(sizeof(Journey) == sizeof(PacketRecord) + 9 * sizeof(std::int64_t) + sizeof(std::vector<JourneyHop>));

}  // namespace tilefly::network
