// SPDX-License-Identifier: Apache-2.0
// One golden input port with flow channels, and the packets and acks of its tests.
#pragma once

#include <algorithm>
#include <vector>

#include "golden/common/stage_times.h"
#include "testbenches/ingress/taken_back_rig.h"

namespace tilefly::golden {

struct FlowPortRig : TakenBackRig {
  static constexpr int kGroup = 1, kSwitch = 31;  ///< the own switch
  static constexpr int kLane = 5, kClass = 5;
  static constexpr int kCells = 3;                ///< of a packet of 100 B
  static constexpr Cycle kToFifo = 18, kToRequest = 21;  ///< from a packet's trigger
  static constexpr Cycle kToCell = 3 + 1 + 4;     ///< from a request's leave cycle, with grants 3 cycles later
  static constexpr Cycle kA0 = kFirst;

  explicit FlowPortRig(bool flows = true, bool cut_through = true) : TakenBackRig(cut_through, 4, true, flows) {
    Write(SwitchReg::kAddress, OwnAddress::Of(kSwitch, kGroup).ToBits());
    GrantAll(3);
  }

  /// A packet to a port of the own switch.
  static Header To(int port, int lane = kLane) { return HeaderTo(FabricAddress(kGroup, kSwitch, port), 100, lane); }
  /// Number of the first way of the key's set: the key's entry, where the set has no other.
  static int EntryOf(const Header& header) {
    const std::uint32_t key = std::uint32_t{header.tc} << 20 | header.dst;
    return static_cast<int>(((key ^ key >> 6 ^ key >> 12 ^ key >> 18) & 63) * 16);
  }
  static int ClassChannel(int tc = kClass) { return 1024 + tc; }
  static Ack AckOf(const Header& header, int cells, bool mark, int share, bool gen = false, bool by_class = false) {
    Ack ack;
    ack.tc = header.tc;
    ack.dst = header.dst;
    ack.cells = static_cast<std::uint8_t>(cells);
    ack.mark = mark;
    ack.share = static_cast<std::uint16_t>(share);
    ack.gen = gen;
    ack.by_class = by_class;
    return ack;
  }
  /// A packet is sent, and an ack of one of its cells throttles its channel to a window of 0: two cells are in flight.
  void Throttle(const Header& header, Cycle a0 = kA0) {
    Send(a0, header);
    Home(a0 + 30, AckOf(header, 1, true, 0));
  }
  std::vector<Cycle> PausedIn() const {
    std::vector<Cycle> cycles;
    for (const Paused& one : pauses) cycles.push_back(one.cycle);
    return cycles;
  }
  std::vector<Cycle> AskedIn() const {
    std::vector<Cycle> cycles;
    for (const Asked& one : asked) cycles.push_back(one.cycle);
    return cycles;
  }
};

}  // namespace tilefly::golden
