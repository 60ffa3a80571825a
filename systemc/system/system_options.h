// SPDX-License-Identifier: Apache-2.0
// What a system is built of, and what of it can be (docs/systemc.md, Platform side).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "network/routing_options.h"
#include "systemc/fabric/packet_pool.h"
#include "systemc/switch/switch_node.h"

namespace tilefly::systemc {

/// Makes switch `node` of a system, whose packets are of `pool`.
using SwitchMaker = std::function<std::unique_ptr<SwitchNode>(const char* name, int node, const Profile& profile,
                                                              fabric::PacketPool* pool)>;

struct SystemOptions {
  network::RoutingOptions routing;
  int tc = 0;              ///< traffic class of all messages, 0 to 7
  int nic_lanes = 4;       ///< of a NIC's link: 2 (100 Gb/s) or 4
  int window = 64;         ///< transactions that a NIC may have outstanding
  bool checked = false;    ///< a protocol checker on every link
  bool loosely_timed = false;  ///< packets go by `b_transport`: hosts that call it, too, may run ahead
  std::uint64_t seed = 1;  ///< of routing
  SwitchMaker make_switch;  ///< for what it returns null for, and without one: a `Switch`
};

/// Throws UsageError for options that the System of the name `system` cannot have; their parameters of CCI are named,
/// too. The window is the NICs' to judge.
void CheckOptions(const std::string& system, const SystemOptions& options);

}  // namespace tilefly::systemc
