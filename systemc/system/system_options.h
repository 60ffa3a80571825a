// SPDX-License-Identifier: Apache-2.0
// The options of a system, and which of them are possible (docs/systemc.md, Platform side).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "faults/plan.h"
#include "network/routing_options.h"
#include "systemc/fabric/packet_pool.h"
#include "systemc/switch/switch_node.h"

namespace tilefly::systemc {

/// Makes switch `node` of a system. The switch makes its packets from `pool`.
using SwitchMaker = std::function<std::unique_ptr<SwitchNode>(const char* name, int node, const Profile& profile,
                                                              fabric::PacketPool* pool)>;

/// A time in which a link between two switches is down, at both ends.
struct PlannedDown {
  int node = 0;             ///< switch of either end of the link
  int port = 0;             ///< its port
  Cycle from = 0;           ///< the first cycle
  Cycle cycles = kNever;    ///< as many, or more: see RetryLink::Down; kNever: until RetryLink::Up
};

struct SystemOptions {
  network::RoutingOptions routing;
  int tc = 0;              ///< traffic class of all messages, 0 to 7
  int nic_lanes = 4;       ///< lanes of a NIC's link: 2 (100 Gb/s) or 4
  int window = 64;         ///< transactions that a NIC may have outstanding
  bool checked = false;    ///< a protocol checker on every link
  bool loosely_timed = false;  ///< packets go by `b_transport`; hosts that also use it may run ahead
  double word_ber = 0;     ///< bit errors that the FEC leaves in words between switches, whose links then have retry; 0: none
  std::vector<PlannedDown> downs;  ///< when links are down; not empty: links between switches have retry, as with word_ber
  PortRetry retry{};       ///< register RETRY of both ends of the links with retry, but for the watchdog
  Cycle retrain = faults::kRetrain;  ///< cycles for which a link is down that an end has given up
  std::uint64_t seed = 1;  ///< seed of routing, and of the errors
  SwitchMaker make_switch;  ///< for what it returns null for, and without one: a `Switch`
};

/// Whether links between switches send damaged packets again, and may go down.
inline bool HasRetry(const SystemOptions& options) { return options.word_ber > 0 || !options.downs.empty(); }

/// Throws UsageError for options that are not possible for the System named `system`. Its message also names the CCI
/// parameters. The NICs judge the window.
void CheckOptions(const std::string& system, const SystemOptions& options);

}  // namespace tilefly::systemc
