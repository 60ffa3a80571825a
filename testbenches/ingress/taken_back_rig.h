// SPDX-License-Identifier: Apache-2.0
// One golden input port whose packets are granted, or taken back, and whose acks come home, in cycles that a test names,
// and what was seen of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <tuple>
#include <utility>
#include <vector>

#include "golden/common/register_write.h"
#include "golden/ingress/lookup.h"
#include "golden/ports/input_port.h"
#include "testbenches/bench/wire_packet.h"

namespace tilefly::golden {

class TakenBackRig {
 public:
  static constexpr int kInput = 3;
  static constexpr Cycle kFirst = 80;  ///< registers are written before

  /// A request that left the input.
  struct Asked {
    Cycle cycle;
    int output;
    int vl;
    friend bool operator==(const Asked& a, const Asked& b) {
      return std::tie(a.cycle, a.output, a.vl) == std::tie(b.cycle, b.output, b.vl);
    }
    friend std::ostream& operator<<(std::ostream& out, const Asked& one) {
      return out << "cycle " << one.cycle << ": output " << one.output << ", lane " << one.vl;
    }
  };
  struct Dropped {
    Cycle cycle;
    tilefly::Drop reason;
    friend bool operator==(const Dropped& a, const Dropped& b) { return a.cycle == b.cycle && a.reason == b.reason; }
    friend std::ostream& operator<<(std::ostream& out, const Dropped& one) {
      return out << "cycle " << one.cycle << ": " << ToString(one.reason);
    }
  };
  /// A first cell that left.
  struct Left {
    Cycle cycle;
    int output;
    Header header;
  };

  /// A port with credits and header, with these SerDes lanes.
  explicit TakenBackRig(bool cut_through = true, int lanes = 4, bool edge = false, bool flows = false)
      : port_(kTile8, kInput), lanes_(lanes) {
    mode_.enable = mode_.credits = true;
    mode_.cut_through = cut_through;
    mode_.acks = edge;
    mode_.flows = flows;
    mode_.std_format = false;
    mode_.pclass = 1;  // packets keep their lane
    mode_.lanes = static_cast<std::uint8_t>(lanes);
    Write(PortReg::kMode, mode_.ToBits());
  }

  /// A register write; its event is kWriteLatency behind the first cycle of the bus that is free.
  void Write(CfgSpace space, int index, std::uint64_t data, Cycle bus = 0) {
    while (writes_.count(bus) > 0) ++bus;
    writes_[bus] = WriteRegister(kAllPorts, space, index, data);
  }
  void Write(PortReg reg, std::uint64_t data) { Write(CfgSpace::kPort, static_cast<int>(reg), data); }
  void Write(SwitchReg reg, std::uint64_t data) { Write(CfgSpace::kSwitch, static_cast<int>(reg), data); }

  static Header HeaderTo(std::uint32_t destination, int bytes = 100, int vl = 5) {
    Header header;
    header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
    header.len = static_cast<std::uint16_t>(bytes);
    header.vl = header.tc = static_cast<std::uint8_t>(vl & 7);
    header.dst = destination;
    return header;
  }
  /// A packet with header from `a0` on. Returns the wire cycle of its last word.
  Cycle Send(Cycle a0, const Header& header) { return Put(a0, bench::MakeWithHeader(random_, a0, header), true); }
  /// A bare frame to this MAC.
  Cycle SendBare(Cycle a0, int bytes, std::uint64_t mac) {
    return Put(a0, bench::MakeBare(random_, a0, bytes, [&](std::uint8_t* frame) {
                 for (int i = 0; i < 6; ++i) frame[i] = static_cast<std::uint8_t>(mac >> 8 * (5 - i));
               }), false);
  }
  /// The word of this cycle does not come.
  void Lose(Cycle wire) { words_.erase(wire); }
  /// The grant that arrives in cycle `at`, with its request credit.
  void Grant(Cycle at, int output, int vl, bool reroute = false) { grants_[at] = {{output, vl}, reroute}; }
  void TakeBack(Cycle at, int output, int vl) { Grant(at, output, vl, true); }
  /// The ack that comes home in cycle `at`.
  void Home(Cycle at, const Ack& ack) { acks_[at] = ack; }
  /// `link_up_i` is 0 in cycles `from` to `to`, exclusive.
  void LinkDown(Cycle from, Cycle to) { link_down_ = {from, to}; }
  /// From now on each request is granted so many cycles behind its leave cycle.
  void GrantAll(Cycle after) { grant_after_ = after; }
  /// The ports that decisions of cycles `from` to `to`, exclusive, see as down.
  void Down(Cycle from, Cycle to, PortMask ports) {
    for (Cycle c = from; c < to; ++c) down_[c] = ports;
  }

  void RunTo(Cycle end) {
    for (; now < end; ++now) {
      InputPort::Inputs inputs;
      if (const auto found = words_.find(now); found != words_.end()) inputs.word = found->second;
      if (const auto found = writes_.find(now); found != writes_.end()) inputs.cfg = found->second;
      if (const auto found = grants_.find(now); found != grants_.end()) {
        inputs.grant = inputs.request_credit = found->second.first;
        inputs.reroute = found->second.second;
      }
      if (const auto found = down_.find(now + kLookUpToRouting); found != down_.end()) inputs.down = found->second;
      if (const auto found = acks_.find(now); found != acks_.end()) inputs.ack = found->second;
      inputs.link_up = now < link_down_.first || now >= link_down_.second;
      const InputPort::Outputs& outputs = port_.Step(now, inputs);
      if (outputs.request) {
        asked.push_back({now, outputs.request->destination, outputs.request->request.vl});
        if (grant_after_ > 0) Grant(now + grant_after_, outputs.request->destination, outputs.request->request.vl);
      }
      if (outputs.flow_pause) pauses.push_back({now, *outputs.flow_pause});
      if (outputs.held) holds.push_back({now, *outputs.held});
      if (outputs.released) goes.push_back({now, *outputs.released});
      if (outputs.cell && outputs.cell->cell.sop)
        left.push_back({now, outputs.cell->destination, Header::UnpackBytes(outputs.cell->cell.data.data())});
      if (outputs.credit) credits.push_back({now, outputs.credit->vl, outputs.credit->cells});
      for (const DropRecord& drop : outputs.drops) drops.push_back({now, drop.reason});
      if (outputs.shown_drop) shown_drops.push_back({now, *outputs.shown_drop});
      used.push_back(port_.used());
      Audit audit;
      port_.Check(now, &audit);
      ASSERT_TRUE(audit.broken().empty()) << audit.Message() << " in cycle " << now;
    }
  }
  std::uint64_t Count(Counter counter) const { return port_.Counter(static_cast<int>(counter)); }
  std::uint64_t Count(tilefly::Drop reason) const { return port_.Counter(static_cast<int>(reason)); }
  /// Cells of the input buffer behind the events of cycle `t`.
  int Used(Cycle t) const { return used[static_cast<std::size_t>(t)]; }
  const InputPort& port() const { return port_; }

  struct Credit {
    Cycle cycle;
    int vl;
    int cells;
  };
  /// A packet that a flow channel held, or released.
  using OfChannel = std::pair<Cycle, int>;
  struct Paused {
    Cycle cycle;
    FlowPause pause;
  };
  Cycle now = 0;
  std::vector<Asked> asked;
  std::vector<Left> left;
  std::vector<Dropped> drops;
  std::vector<Dropped> shown_drops;  ///< as the observation record has them
  std::vector<Credit> credits;
  std::vector<int> used;
  std::vector<OfChannel> holds, goes;
  std::vector<Paused> pauses;

 private:
  Cycle Put(Cycle a0, const bench::WirePacket& packet, bool enh) {
    Cycle last = a0;
    for (int k = 0; k < packet.words(); ++k) {
      last = a0 + 4 * k / lanes_;
      words_[last] = packet.MakeWord(k);
      words_[last].enh = enh;
    }
    return last;
  }

  InputPort port_;
  int lanes_;
  PortMode mode_;
  bench::Stimulus random_{7};
  std::map<Cycle, Word> words_;
  std::map<Cycle, Cfg> writes_;
  std::map<Cycle, std::pair<InputPort::QueueName, bool>> grants_;
  std::map<Cycle, PortMask> down_;
  std::map<Cycle, Ack> acks_;
  std::pair<Cycle, Cycle> link_down_{0, 0};
  Cycle grant_after_ = 0;
};

}  // namespace tilefly::golden
