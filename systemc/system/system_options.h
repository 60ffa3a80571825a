// SPDX-License-Identifier: Apache-2.0
// The options of a system, and which of them are possible (docs/systemc.md, Platform side).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "network/routing_options.h"
#include "systemc/fabric/packet_pool.h"
#include "systemc/switch/switch_node.h"

namespace tilefly::systemc {

/// Makes switch `node` of a system. The switch makes its packets from `pool`.
using SwitchMaker = std::function<std::unique_ptr<SwitchNode>(const char* name, int node, const Profile& profile,
                                                              fabric::PacketPool* pool)>;

struct SystemOptions {
  network::RoutingOptions routing;
  int tc = 0;              ///< traffic class of all messages, 0 to 7
  int nic_lanes = 4;       ///< lanes of a NIC's link: 2 (100 Gb/s) or 4
  int window = 64;         ///< transactions that a NIC may have outstanding
  bool checked = false;    ///< a protocol checker on every link
  bool loosely_timed = false;  ///< packets go by `b_transport`; hosts that also use it may run ahead
  double word_ber = 0;     ///< bit errors that the FEC leaves in words between switches, whose links then have retry; 0: none
  std::uint64_t seed = 1;  ///< seed of routing, and of the errors
  SwitchMaker make_switch;  ///< for what it returns null for, and without one: a `Switch`
};

/// Throws UsageError for options that are not possible for the System named `system`. Its message also names the CCI
/// parameters. The NICs judge the window.
void CheckOptions(const std::string& system, const SystemOptions& options);

}  // namespace tilefly::systemc
