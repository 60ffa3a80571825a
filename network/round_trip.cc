// SPDX-License-Identifier: Apache-2.0
#include "network/round_trip.h"

#include <algorithm>

#include "golden/common/stage_times.h"
#include "golden/ingress/cut_through.h"

namespace tilefly::network {
namespace {

/// Links between switches of the longest path.
Cycle LinksOf(const Network& network) { return network.routes().longest() - 1; }

}  // namespace

Cycle QuietRoundTrip(const Network& network) {
  const Profile& profile = network.profile();
  Cycle terminal = 0, between = 0;
  for (int node = 0; node < network.nodes(); ++node) {
    for (int port = 0; port < profile.ports; ++port) {
      const FarEnd& far = network.wiring().far(node, port);
      if (!far.connected()) continue;
      Cycle& longest = far.node >= 0 ? between : terminal;
      longest = std::max<Cycle>(longest, far.delay);
    }
  }
  constexpr int kLanes = 4;  // of links between switches
  const int length = profile.mtu_words_enh * 32 - golden::HeaderBits::kBytes;
  // What the last words of a long packet add in a switch that cuts it through (docs/network.md, Cycles, `late`).
  const Cycle late = std::max<Cycle>(0, golden::StartOffset(length, kLanes) - (golden::kTriggerToPick + golden::kPickToLeave));
  const Cycle links = LinksOf(network);
  const Cycle there = terminal + golden::kQuietHop + links * (between + golden::kQuietHop + late);
  const Cycle made = there - golden::kTakeToWire + golden::kTakeToRead +
                     golden::WordOffset(profile.mtu_words_enh - 1, network.nics().lanes);
  constexpr Cycle kAckToLink = golden::kAckToLeave + golden::kCrossing + golden::kAckToWire;
  const Cycle back = kAckToLink + links * (between + golden::kWireToEvent + kAckToLink) + terminal;
  return made + back + 1;
}

Cycle LongestRepairs(const Network& network) { return LinksOf(network) * network.faults().retry_register().timer; }

}  // namespace tilefly::network
