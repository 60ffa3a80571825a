// SPDX-License-Identifier: Apache-2.0
// Traffic of an edge port with flow channels: packets to few or many destinations, the acks that answer them (marked,
// lost, doubled, late, forged) and registers that are rewritten. What comes is drawn anew from phase to phase.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <map>

#include "golden/common/register_write.h"
#include "testbenches/bench/stimulus.h"
#include "testbenches/flows/flow_ports.h"

namespace tilefly::bench {

/// Sizes of the table that the traffic is for, and of its phases.
struct FlowScope {
  golden::FlowChannels::Parameters table;
  int port = 5;
  int packets = 2560;   ///< numbers of packets
  int cells = 2560;     ///< of the packets that are held
  Cycle phase = 6000;   ///< cycles
  bool losses = true;   ///< acks may be lost, doubled, late and forged
  bool hoards = false;  ///< few channels get all packets, and acks take hardly any of their cells
};

/// Of the model rtl_flow_channels_small (CMakeLists.txt).
inline FlowScope SmallScope() {
  FlowScope scope;
  scope.table = {1, 2, 2, 2};
  scope.packets = 128;
  scope.phase = 2000;
  return scope;
}

class FlowTraffic {
 public:
  FlowTraffic(const FlowScope& scope, const Stimulus& random) : scope_(scope), random_(random) {
    for (int packet = 0; packet < scope.packets; ++packet) free_.push_back(static_cast<golden::Index>(packet));
  }

  /// What comes in cycle `now`. Draining: no new packets, no faults, no marks.
  FlowInputs Draw(Cycle now, bool draining) {
    if (now % scope_.phase == 0) DrawPhase(now);
    FlowInputs in;
    in.live = draining || random_.Chance(phase_.live, "live", now / 64);
    DrawPacket(now, !draining, &in);
    DrawAck(now, draining, &in);
    in.write = DrawWrite(now, draining);
    return in;
  }
  /// What became of it.
  void See(Cycle now, const FlowInputs& in, const FlowOutputs& out) {
    if (in.is_new()) {
      const Flight flight{in.header.dst, in.header.tc, static_cast<std::uint8_t>(in.cells)};
      if (out.held) {
        held_[in.packet] = flight;
        held_cells_ += in.cells;
        free_.pop_front();
      } else {
        Answer(now, flight, out.gen, out.by_class);
      }
    }
    if (!out.go) return;
    const auto flight = held_.find(out.go->packet);
    if (flight == held_.end()) return;  // the comparison tells of it
    held_cells_ -= flight->second.cells;
    Answer(now, flight->second, out.go->gen, out.go->by_class);
    free_.push_back(out.go->packet);
    held_.erase(flight);
  }
  /// No packet is held, and no ack is on its way.
  bool drained() const { return held_.empty() && acks_.empty(); }

 private:
  struct Flight {
    std::uint32_t dst;
    std::uint8_t tc, cells;
  };
  struct Phase {
    int keys = 1, classes = 1, longest = 89, delay = 20, loss = 0, twice = 0, late = 0, forged = 0, mark = 0;
    int share = 0, ordered = 128, live = 256, rewrite = 0, again = 0, down = 0;
    bool one_set = false;
    bool dense = false;
  };

  int Below(int n, Purpose purpose, Cycle now) const {
    return static_cast<int>(random_.Below(static_cast<std::uint64_t>(n), purpose, now));
  }
  template <std::size_t N>
  int One(const std::array<int, N>& of, Purpose purpose, Cycle now) const {
    return of[random_.Below(N, purpose, now)];
  }
  void DrawPhase(Cycle now) {
    phase_.keys = One(std::array{1, 3, 24, 40, 300, 2000}, "keys", now);
    phase_.classes = One(std::array{1, 1, 2, 8}, "classes", now);
    phase_.longest = One(std::array{2, 12, 89, 89, 127}, "longest", now);
    phase_.delay = One(std::array{8, 40, 300, 1500}, "delay", now);
    phase_.one_set = phase_.keys > 3 && Below(2, "one set", now) == 0;
    phase_.dense = Below(2, "dense", now) == 0;
    phase_.mark = One(std::array{0, 20, 128, 250}, "mark", now);
    phase_.share = One(std::array{0, 1, 100, 400, 1400, 4095}, "share", now);
    phase_.ordered = One(std::array{0, 128, 230}, "ordered", now);
    phase_.live = One(std::array{128, 256, 256}, "live", now);
    phase_.rewrite = One(std::array{0, 0, 2, 12}, "rewrite", now);
    phase_.again = One(std::array{0, 0, 8, 64}, "again", now);
    phase_.down = One(std::array{0, 0, 0x11, 0xff}, "down", now);
    const bool faulty = scope_.losses && Below(3, "faulty", now) != 0;
    phase_.loss = faulty ? One(std::array{0, 4, 40, 200}, "loss", now) : 0;
    phase_.twice = faulty ? One(std::array{0, 16, 64}, "twice", now) : 0;
    phase_.late = faulty ? One(std::array{0, 16, 64}, "late", now) : 0;
    phase_.forged = faulty ? One(std::array{0, 8, 64}, "forged", now) : 0;
    if (scope_.hoards) DrawHoard();
    writes_ = 2;
  }
  /// Three keys of one set get all packets: in a small table two entries and a class channel. No packet is answered; forged
  /// acks of a few cells keep the older generation alive, but for a while now and then (HoardTurns), in which it is lost.
  void DrawHoard() {
    phase_.keys = 3;
    phase_.classes = 1;
    phase_.one_set = phase_.dense = true;
    phase_.loss = 256;
    phase_.forged = 64;
    phase_.mark = 8;
    phase_.share = 4095;
    phase_.again = 0;
    phase_.rewrite = 0;
  }

  bool HoardTurns(Cycle now) const { return scope_.hoards && now % 44000 < 1500; }

  /// Destinations of a phase; of one set: all in the set of the first.
  std::uint32_t Destination(int which, int tc, Cycle now) const {
    const auto base = static_cast<std::uint32_t>(random_.Bits("base", now / scope_.phase) & 0xf'ffff);
    auto dst = static_cast<std::uint32_t>(base + static_cast<std::uint32_t>(which) * 0x41u) & 0xf'ffff;
    if (!phase_.one_set) return static_cast<std::uint32_t>(base + static_cast<std::uint32_t>(which)) & 0xf'fffe;
    const std::uint32_t key = static_cast<std::uint32_t>(tc) << 20 | dst;
    std::uint32_t set = 0;
    for (int b = 0; b < 23; ++b) set ^= (key >> b & 1) << (b % scope_.table.set_bits);
    dst ^= (set ^ base) & ((1u << scope_.table.set_bits) - 1);
    return dst & 0xf'ffff;
  }

  void DrawPacket(Cycle now, bool comes, FlowInputs* in) {
    in->valid = comes && now >= next_packet_ && (phase_.dense || random_.Spell("packet", now));
    in->packet = free_.front();
    in->cells = scope_.hoards ? 127 - Below(2, "cells", now) : 1 + Below(phase_.longest, "cells", now);
    Header& header = in->header;
    header.tc = static_cast<std::uint8_t>(Below(std::min(phase_.classes, scope_.table.classes), "class", now));
    header.dst = Destination(Below(phase_.keys, "key", now), header.tc, now);
    if (random_.Chance(8, "replicated", now)) header.dst = 0xf'ffff;
    if (random_.Chance(8, "reduction", now)) header.kind = static_cast<std::uint8_t>(Kind::kRed);
    if (random_.Chance(8, "passes", now)) header.hop = static_cast<std::uint8_t>(1 + Below(15, "hop", now));
    header.ordered = random_.Chance(phase_.ordered, "is ordered", now);
    header.via = static_cast<std::uint16_t>(Below(1 << 14, "via", now));
    header.via_valid = random_.Chance(128, "via valid", now);
    header.flow = static_cast<std::uint16_t>(Below(1024, "flow", now));
    in->decides = random_.Chance(220, "decides", now);
    in->port_to = static_cast<std::uint8_t>(Below(64, "port", now));
    const std::uint64_t pair = Mix64(static_cast<std::uint64_t>(header.dst) << 3 | header.tc);
    in->pair_port = pair & 63;
    in->came_via = pair >> 6 & 0x3fff;
    in->out_port = static_cast<std::uint8_t>(Below(64, "output", now));
    in->out_lane = static_cast<std::uint8_t>(Below(16, "lane", now));
    in->down = static_cast<std::uint8_t>(random_.Bits("ports down", now / 64)) & phase_.down;
    in->enters = in->valid && held_cells_ + in->cells <= scope_.cells && free_.size() > 1 &&
                 random_.Chance(240, "enters", now);
    // Packets that enter have two words or more.
    if (in->enters) next_packet_ = now + 2;
    in->again = in->enters && random_.Chance(phase_.again, "taken back", now);
  }

  void Answer(Cycle now, const Flight& flight, bool gen, bool by_class) {
    if (random_.Chance(phase_.loss, "lost", now, flight.cells)) return;
    Ack ack;
    ack.tc = flight.tc;
    ack.dst = flight.dst;
    ack.cells = flight.cells;
    ack.gen = gen;
    ack.by_class = by_class;
    Cycle due = now + 1 + Below(phase_.delay, "ack's delay", now);
    if (random_.Chance(phase_.late, "late", now)) due += Below(6 << scope_.table.sweep_bits, "how late", now);
    acks_.emplace(due, ack);
    if (random_.Chance(phase_.twice, "twice", now)) acks_.emplace(due + Below(100, "again", now), ack);
  }

  void DrawAck(Cycle now, bool draining, FlowInputs* in) {
    if (!acks_.empty() && acks_.begin()->first <= now) {
      in->ack = acks_.begin()->second;
      acks_.erase(acks_.begin());
      in->home = true;
    } else if (!draining && !HoardTurns(now) && random_.Chance(phase_.forged, "forged", now)) {
      in->home = true;
      in->ack.tc = static_cast<std::uint8_t>(Below(scope_.table.classes, "forged: class", now));
      in->ack.dst = Destination(Below(phase_.keys, "forged: key", now), in->ack.tc, now);
      if (in->counted() && random_.Chance(96, "forged: for the packet of this cycle", now)) {
        in->ack.tc = in->header.tc;
        in->ack.dst = in->header.dst;
      }
      in->ack.by_class = random_.Chance(64, "forged: by class", now);
      in->ack.gen = random_.Chance(128, "forged: generation", now);
      in->ack.cells = static_cast<std::uint8_t>(Below(scope_.hoards ? 4 : 128, "forged: cells", now));
    }
    if (!in->home) return;
    in->ack.mark = !draining && random_.Chance(phase_.mark, "is marked", now / 8);
    in->ack.share = draining ? 4095 : static_cast<std::uint16_t>(Below(phase_.share + 1, "share", now));
    if (!draining && random_.Chance(16, "any share", now)) {
      in->ack.share = static_cast<std::uint16_t>(Below(4096, "share", now));
    }
    in->ack.load = static_cast<std::uint16_t>(Below(4096, "load", now));
    in->ack.flow = static_cast<std::uint16_t>(Below(1024, "ack's flow", now));
  }

  /// At a phase's begin, and before the drain, both registers are written; else now and then something is.
  Cfg DrawWrite(Cycle now, bool draining) {
    if (draining && !drain_written_) {
      drain_written_ = true;
      writes_ = 2;
    }
    if (writes_ == 0 && (draining || !random_.Chance(phase_.rewrite, "rewrites", now))) return {};
    const bool channel = writes_ > 0 ? writes_ == 1 : random_.Chance(128, "which register", now);
    const bool due = writes_ > 0;
    if (due) --writes_;
    const int port = due || random_.Chance(160, "own", now) ? scope_.port : Below(64, "port written", now);
    Cfg write = golden::WriteRegister(random_.Chance(32, "all", now) ? golden::kAllPorts : port, CfgSpace::kPort,
                                      static_cast<int>(channel ? PortReg::kFlowChannel : PortReg::kFlowMark),
                                      channel ? DrawChannel(now, draining).ToBits() : DrawMark(now).ToBits());
    write.read = !due && random_.Chance(32, "reads", now);
    if (!due && random_.Chance(32, "other space", now)) write.space = static_cast<std::uint8_t>(CfgSpace::kClass);
    return write;
  }
  FlowMark DrawMark(Cycle now) const {
    FlowMark mark;
    mark.full = static_cast<std::uint16_t>(One(std::array{0, 1, 90, 400, 1280, 4095}, "full", now));
    if (scope_.hoards) mark.full = 1000;
    else if (random_.Chance(85, "any full", now)) mark.full = static_cast<std::uint16_t>(Below(4096, "which full", now));
    return mark;
  }
  tilefly::FlowChannel DrawChannel(Cycle now, bool draining) const {
    tilefly::FlowChannel channel;
    channel.deadline = static_cast<std::uint8_t>(One(std::array{0, 1, 1, 2, 3, 32, 255}, "deadline", now));
    channel.idle = static_cast<std::uint8_t>(One(std::array{0, 1, 1, 2, 16, 255}, "idle", now));
    channel.grow = static_cast<std::uint8_t>(Below(8, "grow", now));
    channel.hold = static_cast<std::uint16_t>(One(std::array{0, 89, 300, 4095}, "hold", now));
    channel.period = static_cast<std::uint8_t>(Below(256, "period", now));
    channel.first = static_cast<std::uint16_t>(One(std::array{0, 0, 1, 20, 89, 4095}, "first", now));
    if (scope_.table.sweep_bits < 4 && random_.Chance(85, "any times", now)) {  // sweeps are short
      channel.deadline = static_cast<std::uint8_t>(Below(256, "any deadline", now));
      channel.idle = static_cast<std::uint8_t>(Below(256, "any idle", now));
      channel.hold = static_cast<std::uint16_t>(Below(4096, "any hold", now));
      channel.first = static_cast<std::uint16_t>(Below(4096, "any first", now));
    }
    if (scope_.hoards) channel.deadline = 255;
    if (draining) channel.deadline = channel.idle = 1;
    return channel;
  }

  FlowScope scope_;
  Stimulus random_;
  Phase phase_;
  std::deque<golden::Index> free_;  ///< numbers of packets
  std::map<golden::Index, Flight> held_;
  int held_cells_ = 0;
  std::multimap<Cycle, Ack> acks_;  ///< on their way, by the cycle in which they are home at the earliest
  Cycle next_packet_ = 0;
  int writes_ = 0;  ///< registers still to be written
  bool drain_written_ = false;
};

}  // namespace tilefly::bench
