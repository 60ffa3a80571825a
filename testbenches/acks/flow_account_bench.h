// SPDX-License-Identifier: Apache-2.0
// What comes to a flow account in a cycle, put on the pins of tilefly_flow_account and given to golden's, whose answers are
// compared (docs/blocks/acks.md, "Flow account"; docs/blocks/link_retry.md, "Deadline of the account").
#pragma once

#include <optional>

#include "Vrtl_flow_account.h"
#include "golden/acks/flow_account.h"
#include "golden/common/header_bits.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/port_bits.h"

namespace tilefly::bench {

inline constexpr int kAccountPort = 5;

inline constexpr std::uint32_t kReplicated = 0xf'ffff;

/// A packet at the end of the pipeline, as routed, an ack, an attempt that breaks off: what the test chooses in a cycle.
struct Stimuli {
  bool packet = false;
  Header header;
  int cells = 0;
  bool decides = false;
  bool enters = false;  ///< not dropped as CLASS_FULL
  int port = 0;
  int pair_port = 0;
  int came_via = 0;
  std::uint8_t down = 0;  ///< ports that are down; the block has 8
  bool ack = false;
  int ack_flow = 0;
  int ack_cells = 0;
  bool broken = false;
  int broken_flow = 0;
  int broken_cells = 0;
  std::optional<Cfg> write = {};  ///< on the delayed register bus

  /// The packet is of a flow that the account knows.
  bool counted() const { return packet && header.hop == 0 && header.dst != kReplicated; }
  bool ordered() const { return counted() && header.ordered && decides; }
};

inline void Drive(Dut<Vrtl_flow_account>* dut, Cycle now, const Stimuli& s) {
  Vrtl_flow_account& pins = *dut->operator->();
  pins.cycle_i = static_cast<QData>(now);
  pins.own_port_i = kAccountPort;
  PutStruct(&pins.cfg_i, 0, s.write.value_or(Cfg{}));
  pins.valid_i = s.packet;
  PutStruct(&pins.header_i, 0, s.header);
  pins.cells_i = static_cast<CData>(s.cells);
  pins.decides_i = s.decides;
  pins.port_i = static_cast<CData>(s.port);
  pins.pair_port_i = static_cast<CData>(s.pair_port);
  pins.came_via_i = static_cast<SData>(s.came_via);
  pins.down_i = s.down;
  pins.enters_i = s.enters && s.packet;
  pins.ack_i = s.ack;
  pins.ack_flow_i = static_cast<SData>(s.ack_flow);
  pins.ack_cells_i = static_cast<CData>(s.ack_cells);
  pins.broken_i = s.broken;
  pins.broken_flow_i = static_cast<SData>(s.broken_flow);
  pins.broken_cells_i = static_cast<CData>(s.broken_cells);
}

/// What the path of a packet is, by golden's account.
struct Kept {
  bool instead = false;  ///< the packet takes another path than it was given
  bool no_path = false;  ///< packets in flight leave none
  bool is_down = false;  ///< the flow's path is to a port that is down
  bool keeps = false;    ///< the flow's path
};

/// Compares the path of this cycle's packet with golden's.
inline Kept ComparePath(Comparison* comparison, Dut<Vrtl_flow_account>* dut, const golden::FlowAccount& golden,
                        const Stimuli& s) {
  Comparison& run = *comparison;
  Kept kept;
  const golden::FlowChannel* channel = golden.Find(kAccountPort, s.header.flow);
  kept.instead = s.ordered() && channel != nullptr;
  run.Compare("instead", (*dut)->instead_o, kept.instead);
  if (!kept.instead) return kept;
  run.Busy();
  const bool own = channel->path_valid && channel->path.destination == s.header.dst;
  kept.no_path = !channel->path_valid;
  kept.is_down = own && (s.down >> channel->path.port % 8 & 1) != 0;
  kept.keeps = own && !kept.is_down;
  run.Compare("port", (*dut)->port_o, static_cast<std::uint64_t>(kept.keeps ? channel->path.port : s.pair_port));
  run.Compare("via_valid", (*dut)->via_valid_o, kept.keeps && channel->path.via_valid);
  run.Compare("via", (*dut)->via_o, static_cast<std::uint64_t>(kept.keeps ? channel->path.via : s.came_via));
  return kept;
}

/// This cycle's events, in their order.
inline void Apply(Comparison* run, golden::FlowAccount* golden, const Stimuli& s) {
  if (s.counted() && s.enters) {
    const int flow = s.header.flow;
    const golden::FlowPath path = {s.header.dst, s.header.via, static_cast<std::uint8_t>(s.port), s.header.via_valid};
    golden->Enter(kAccountPort, flow, s.cells, s.ordered() ? &path : nullptr);
    run->Event("enters: flow, cells, ordered", {flow, s.cells, s.ordered()});
  }
  if (s.ack) {
    golden->Acknowledge(kAccountPort, s.ack_flow, s.ack_cells);
    run->Event("ack: flow, cells", {s.ack_flow, s.ack_cells});
  }
  if (s.broken) {
    golden->Uncount(kAccountPort, s.broken_flow, s.broken_cells);
    run->Event("breaks off: flow, cells", {s.broken_flow, s.broken_cells});
  }
}

}  // namespace tilefly::bench
