// SPDX-License-Identifier: Apache-2.0
// Eight AXI-Streams around the switch of tile8 in RTL, wired as tilefly_axis_switch does: random Ethernet traffic from stream to
// stream, with receivers that stall, and the books of it (docs/blocks/axis.md, "A switch of streams").
#pragma once

#include <gtest/gtest.h>
#include <verilated.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "cosim/setup/switch_setup.h"
#include "cosim/verilated/verilated_array.h"
#include "golden/common/register_write.h"
#include "golden/link/control_frame.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/port_bits.h"
#include "testbenches/bench/wire_packet.h"

namespace tilefly::bench {

template <typename Model>
class SwitchOfStreams {
 public:
  /// Streams of `beat_bytes` bytes; with FCS, or without and padded, as the model was made.
  SwitchOfStreams(int beat_bytes, bool has_fcs, double of_tier)
      : beat_bytes_(static_cast<std::size_t>(beat_bytes)),
        has_fcs_(has_fcs),
        setup_(kTile8, std::vector<cosim::PortKind>(kPorts, cosim::PortKind::kStandard), 4),
        device_(kTile8, {}),
        run_({of_tier, 25, 0, kDrainCycles}),
        dut_(&run_) {
    setup_.SetFloods(0, setup_.all_ports(), 0);
    setup_.SetPause(200, 150);
    idle_.links.resize(kPorts);
    idle_.link_up.assign(kPorts, true);
    dut_->s_axis_tvalid_i = dut_->s_axis_tlast_i = dut_->s_axis_tuser_i = dut_->m_axis_tready_i = 0;
    Clear(&dut_->s_axis_tdata_i);
    Clear(&dut_->s_axis_tkeep_i);
    Clear(&dut_->link_i);
    dut_->cycle_i = 0;
    dut_.Reset();
    for (const Cfg& write : setup_.Writes()) Configure(write);
    for (int i = 0; i < 16; ++i) Configure({});
  }

  ~SwitchOfStreams() { UseOwnContext(); }

  void Run() {
    const Bin by_switch = run_.AddBin("the switch pauses a stream", 5);
    const Bin by_stream = run_.AddBin("a stream pauses the switch", 2);
    const Bin bad = run_.AddBin("a bad frame comes in", 3);
    const Bin broadcast = run_.AddBin("a frame to everybody", 5);
    const Bin deep = run_.AddBin("a receiver has stalled for 500 cycles", 1);
    while (run_.Next()) {
      for (int p = 0; p < kPorts; ++p) DriveIn(p, bad, broadcast);
      for (int p = 0; p < kPorts; ++p) {
        const bool ready = run_.draining() || Ready(p);
        Put(&dut_->m_axis_tready_i, p, 1, ready);
        stalled_[p] = ready ? 0 : stalled_[p] + 1;
        run_.Hit(deep, stalled_[p] == 500);
      }
      const std::vector<Link>& outputs = device_.Outputs();
      for (int p = 0; p < kPorts; ++p) {
        const Word& word = outputs[static_cast<std::size_t>(p)].word;
        PutStruct(&dut_->link_i, Link::kWidth * p, outputs[static_cast<std::size_t>(p)]);
        run_.Hit(by_switch, Begins(word) && golden::IsControl(word.data.data()));
      }
      dut_->cycle_i = static_cast<QData>(run_.cycle());
      UseOwnContext();
      dut_.Settle();
      cosim::Device::Inputs inputs = idle_;
      for (int p = 0; p < kPorts; ++p) {
        const Word word = GetStruct<Word>(dut_->link_o, Link::kWidth * p);
        inputs.links[static_cast<std::size_t>(p)].word = word;
        run_.Hit(by_stream, Begins(word) && golden::IsControl(word.data.data()));
        pauses_ += Begins(word) && golden::IsControl(word.data.data());
        Receive(p);
        const bool taken = Get(dut_->s_axis_tvalid_i, p, 1) != 0 && Get(dut_->s_axis_tready_o, p, 1) != 0;
        if (taken) Taken(p);
      }
      run_.Compare("lost", dut_->lost_o, 0);
      run_.DrainUntil(Empty() && dut_->quiescent_o != 0);
      dut_.Edge();
      device_.Step(inputs);
    }
    if (!run_.failed()) CheckBooks();
  }

 private:
  static constexpr int kPorts = 8;
  static constexpr Cycle kDrainCycles = 1000;
  using Bytes = std::vector<std::uint8_t>;
  /// A transmitter: the frame it sends, and the beat that it shows.
  struct In {
    Bytes frame;
    std::size_t at = 0;  ///< bytes that were taken
    bool bad = false, shown = false;
    std::uint64_t outputs = 0;
  };

  /// What an assertion of the streams says is theirs, not the device's.
  void UseOwnContext() { Verilated::threadContextp(dut_->contextp()); }
  static bool Begins(const Word& word) { return word.valid && word.sop; }

  /// Nearly all frames go to port 0, whose receiver stands: its store fills, then the switch.
  bool jammed() const { return run_.cycle() % 6000 >= 500 && run_.cycle() % 6000 < 4500; }
  /// Receivers stand for long stretches now and then, and stall for cycles otherwise.
  bool Ready(int p) const {
    if (p == 0 && jammed()) return false;
    const auto index = static_cast<std::uint32_t>(p);
    const Stimulus& random = run_.stimulus();
    return !random.Chance(48, "receiver stands", run_.cycle() / 800, index) && random.Chance(200, "receiver", run_.cycle(), index);
  }

  void Configure(const Cfg& cfg) {
    cosim::Device::Inputs inputs = idle_;
    inputs.cfg = cfg;
    device_.Outputs();
    device_.Step(inputs);
  }

  /// A frame from port `p` to one port or to all others.
  void Make(int p, In* in) {
    const auto index = static_cast<std::uint32_t>(p);
    const Stimulus& random = run_.stimulus();
    const Cycle now = run_.cycle();
    const bool everybody = random.Chance(8, "to everybody", now, index);
    const int to = jammed() && random.Chance(220, "to port 0", now, index) ? 0 : static_cast<int>(random.Below(kPorts, "to", now, index));
    const int fcs = has_fcs_ ? 4 : 0;
    const int length = RandomLength(random, has_fcs_ ? 64 : 18, kTile8.mtu_bytes - 4 + fcs, now * kPorts + p);
    WirePacket packet = MakeBare(random, now * kPorts + p, length, [&](std::uint8_t* frame) {
      const cosim::Mac destination = setup_.PortMac(to), source = setup_.PortMac(p);
      for (std::size_t i = 0; i < 6; ++i) {
        frame[i] = everybody ? 0xff : destination[i];
        frame[6 + i] = source[i];
      }
      frame[12] = 0x88;
      frame[13] = 0xb5;
    });
    *in = In{};
    in->frame = std::move(packet.bytes);
    in->bad = random.Chance(16, "bad", now, index);
    in->outputs = everybody ? setup_.all_ports() & ~(std::uint64_t{1} << p) : std::uint64_t{1} << to;
  }

  void DriveIn(int p, Bin bad, Bin broadcast) {
    In& in = ins_[p];
    const auto index = static_cast<std::uint32_t>(p);
    const Stimulus& random = run_.stimulus();
    if (!in.shown) {
      if (in.at == in.frame.size()) {
        if (run_.draining() || run_.cycle() == 0 || !(jammed() || random.Spell("frame", run_.cycle(), index))) return Put(&dut_->s_axis_tvalid_i, p, 1, 0);
        Make(p, &in);
        run_.Hit(bad, in.bad);
        run_.Hit(broadcast, (in.outputs & (in.outputs - 1)) != 0);
      } else if (!random.Chance(240, "beat", run_.cycle(), index)) {
        return Put(&dut_->s_axis_tvalid_i, p, 1, 0);
      }
    }
    in.shown = true;
    const std::size_t size = std::min(beat_bytes_, in.frame.size() - in.at);
    const bool last = in.at + size == in.frame.size();
    const int beat = static_cast<int>(beat_bytes_);
    Put(&dut_->s_axis_tvalid_i, p, 1, 1);
    Put(&dut_->s_axis_tlast_i, p, 1, last);
    Put(&dut_->s_axis_tuser_i, p, 1, last && in.bad);
    for (std::size_t i = 0; i < beat_bytes_; ++i) {
      Put(&dut_->s_axis_tdata_i, 8 * (beat * p + static_cast<int>(i)), 8, i < size ? in.frame[in.at + i] : 0x5a);
      Put(&dut_->s_axis_tkeep_i, beat * p + static_cast<int>(i), 1, i < size);
    }
  }
  /// The beat of port `p` was taken; with the last one the frame is on its way.
  void Taken(int p) {
    In& in = ins_[p];
    in.shown = false;
    in.at = std::min(in.at + beat_bytes_, in.frame.size());
    if (in.at < in.frame.size()) return;
    run_.Event("frame in: port, bytes, bad", {p, static_cast<std::int64_t>(in.frame.size()), in.bad});
    bad_ += in.bad;
    if (in.bad) return;
    Bytes wanted = in.frame;
    if (wanted.size() < 60) wanted.resize(60);  // padded
    for (int output = 0; output < kPorts; ++output) {
      if ((in.outputs >> output & 1) != 0) due_[p][output].push_back(wanted);
    }
  }

  void Receive(int p) {
    if (Get(dut_->m_axis_tvalid_o, p, 1) == 0 || Get(dut_->m_axis_tready_i, p, 1) == 0) return;
    run_.Busy();
    const int beat = static_cast<int>(beat_bytes_);
    for (int i = 0; i < beat && Get(dut_->m_axis_tkeep_o, beat * p + i, 1) != 0; ++i) {
      outs_[p].push_back(static_cast<std::uint8_t>(Get(dut_->m_axis_tdata_o, 8 * (beat * p + i), 8)));
    }
    run_.Compare("tid", Get(dut_->m_axis_tid_o, 6 * p, 6), static_cast<std::uint64_t>(p));
    if (Get(dut_->m_axis_tlast_o, p, 1) == 0) return;
    run_.Compare("tuser", Get(dut_->m_axis_tuser_o, p, 1), 0);
    const Bytes frame = std::exchange(outs_[p], {});
    const int from = frame.size() < 12 ? kPorts : frame[11] & 63;
    run_.Event("frame out: port, bytes, from", {p, static_cast<std::int64_t>(frame.size()), from});
    if (from >= kPorts || due_[from][p].empty()) return run_.Fail("port " + std::to_string(p) + " shows a frame that nobody sent to it");
    if (frame != due_[from][p].front()) return run_.Fail("port " + std::to_string(p) + ": a frame of port " + std::to_string(from) + " differs from the one that is due");
    due_[from][p].pop_front();
    ++delivered_;
  }

  bool Empty() const {
    for (int p = 0; p < kPorts; ++p) {
      if (ins_[p].at < ins_[p].frame.size() || !outs_[p].empty()) return false;
      for (int output = 0; output < kPorts; ++output) {
        if (!due_[p][output].empty()) return false;
      }
    }
    return true;
  }

  /// Everything is home in the switch, and it dropped bad frames and PAUSE frames only.
  void CheckBooks() {
    for (int i = 0; i < 400; ++i) Configure({});
    EXPECT_NO_THROW(device_.CheckDrained());
    std::uint64_t stomped = 0, control = 0;
    for (int p = 0; p < kPorts; ++p) {
      for (const Drop reason : kDropValues) {
        if (reason == Drop::kNone) continue;
        const std::uint64_t count = Count(p, static_cast<int>(reason));
        if (reason == Drop::kStomped) stomped += count;
        else if (reason == Drop::kControl) control += count;
        else EXPECT_EQ(count, 0u) << "port " << p << " dropped frames as " << ToString(reason);
      }
    }
    EXPECT_EQ(stomped, bad_);
    EXPECT_EQ(control, pauses_);
    EXPECT_GT(delivered_, 150) << "hardly anything went through";
  }
  std::uint64_t Count(int port, int index) {
    Configure(golden::ReadRegister(port, CfgSpace::kCounter, index));
    for (int i = 0; i < 16; ++i) Configure({});
    return device_.Counter(port, index);
  }

  std::size_t beat_bytes_;
  bool has_fcs_;
  cosim::SwitchSetup setup_;
  cosim::VerilatedArray device_;
  Comparison run_;
  Dut<Model> dut_;
  cosim::Device::Inputs idle_;
  In ins_[kPorts];
  Bytes outs_[kPorts];                     ///< of the frame that a receiver is given
  std::deque<Bytes> due_[kPorts][kPorts];  ///< by input and output, in order
  int stalled_[kPorts] = {};
  std::uint64_t bad_ = 0, pauses_ = 0;
  Cycle delivered_ = 0;
};

}  // namespace tilefly::bench
