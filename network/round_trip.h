// SPDX-License-Identifier: Apache-2.0
// How long a packet and its ack take at most in a system without other traffic (docs/network.md, Outstanding packets).
#pragma once

#include "network/network.h"

namespace tilefly::network {

/// Cycles from the last word of an MTU on the NIC's link to the first cycle in which the packet's ack counts, over the most
/// switches that a path has, and as if each link were as long as the longest of its kind.
Cycle QuietRoundTrip(const Network& network);

/// REPLAY_TIMER_MAX of every link on that way that sends again what is damaged.
Cycle LongestRepairs(const Network& network);

}  // namespace tilefly::network
