// SPDX-License-Identifier: Apache-2.0
// What an ack is and where it goes (docs/blocks/acks.md). On a link it is in the control slot, inside a switch a
// message of the ack crossbar; the fields are the same.
#pragma once

#include <cstdint>

#include "generated/wire.h"
#include "golden/common/types.h"

namespace tilefly::golden {

/// Most switches after the first that a packet may pass and still have a way back: its path has room for no more.
inline constexpr int kMostAckHops = 5;

/// The port by which an ack leaves a switch that received it at `port` with `hops`, or that makes it there. The switch
/// may have no port of this number.
constexpr int PortOfAck(int hops, int port, std::uint32_t path) {
  return hops == 0 ? port : static_cast<int>(path >> kPortBits * (hops - 1) & (kMaxPorts - 1));
}

/// The ack of a control slot; the slot must have one.
inline Ack AckOf(const Ctrl& ctrl) {
  Ack ack;
  ack.share = ctrl.ack_share;
  ack.by_class = ctrl.ack_by_class;
  ack.gen = ctrl.ack_gen;
  ack.tc = ctrl.ack_tc;
  ack.dst = ctrl.ack_dst;
  ack.mark = ctrl.ack_mark;
  ack.load = ctrl.ack_load;
  ack.flow = ctrl.ack_flow;
  ack.cells = ctrl.ack_cells;
  ack.hops = ctrl.ack_hops;
  ack.port = ctrl.ack_port;
  ack.path = ctrl.ack_path;
  return ack;
}

/// Puts the ack into a control slot.
inline void PutAck(const Ack& ack, Ctrl* ctrl) {
  ctrl->ack_valid = true;
  ctrl->ack_share = ack.share;
  ctrl->ack_by_class = ack.by_class;
  ctrl->ack_gen = ack.gen;
  ctrl->ack_tc = ack.tc;
  ctrl->ack_dst = ack.dst;
  ctrl->ack_mark = ack.mark;
  ctrl->ack_load = ack.load;
  ctrl->ack_flow = ack.flow;
  ctrl->ack_cells = ack.cells;
  ctrl->ack_hops = ack.hops;
  ctrl->ack_port = ack.port;
  ctrl->ack_path = ack.path;
}

}  // namespace tilefly::golden
