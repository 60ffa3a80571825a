// SPDX-License-Identifier: Apache-2.0
// The ports of tilefly_flow_channels (docs/blocks/flow_channel.md, "Ports of the modules") as values of a cycle: what
// golden, the second reading of the page and the RTL are driven with, and what they answer.
#pragma once

#include <optional>

#include "golden/common/register_fields.h"
#include "golden/flows/flow_channels.h"

namespace tilefly::bench {

/// What is driven in a cycle.
struct FlowInputs {
  bool live = true;
  bool valid = false, enters = false;
  bool again = false;  ///< the packet was taken back, and has been counted
  std::uint8_t down = 0;  ///< ports that are down, of the 8 that the models have: see IsDown
  Header header;
  golden::Index packet = 0;
  int cells = 1;
  bool decides = false;
  std::uint8_t port_to = 0, pair_port = 0;
  std::uint16_t came_via = 0;
  std::uint8_t out_port = 0, out_lane = 0;
  bool home = false;
  Ack ack;
  Cfg write;  ///< on the register bus

  /// A packet that the page counts, if it enters.
  bool counted() const {
    return valid && header.hop == 0 && header.dst != 0xf'ffff && header.kind != static_cast<std::uint8_t>(Kind::kRed);
  }
  /// A packet enters that its channel counts now.
  bool is_new() const { return counted() && enters && !again; }
  /// Ports of packets are drawn of 6 bits, so that all bits of a path are: the models take the lowest 3 of them.
  bool IsDown(int port) const { return (down >> (port & 7) & 1) != 0; }
};

/// What a cycle answers. Fields behind a valid bit count only with it; `gen` and `by_class` only of a packet that is
/// sent.
struct FlowOutputs {
  std::optional<golden::FlowWay> instead;
  bool held = false, sent = false, gen = false, by_class = false;
  int channel = 0;
  std::optional<golden::FlowRelease> go;
  std::optional<golden::FlowPause> pause;
  bool full = false, throttled = false, stray = false, marked = false;
  int lost = 0;
  bool quiescent = true;
};

/// The registers with a write of the bus to `port`, as they are from the next cycle on.
inline golden::FlowRegisters Written(golden::FlowRegisters registers, const Cfg& write, int port) {
  if (!write.valid || write.read || static_cast<CfgSpace>(write.space) != CfgSpace::kPort) return registers;
  if (write.port != port && write.port != golden::kAllPorts) return registers;
  if (write.index == static_cast<int>(PortReg::kFlowMark)) registers.mark = FlowMark::FromBits(write.data);
  if (write.index == static_cast<int>(PortReg::kFlowChannel)) {
    registers.channel = tilefly::FlowChannel::FromBits(write.data);
  }
  return registers;
}

}  // namespace tilefly::bench
