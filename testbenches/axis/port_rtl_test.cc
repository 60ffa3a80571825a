// SPDX-License-Identifier: Apache-2.0
// tilefly_axis_port beside a switch that obeys PAUSE as late as it may (docs/blocks/axis.md, "Headroom": AXIS-13).
#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "Vrtl_axis_port.h"
#include "conform/axis/to_axis_reading.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/wire_packet.h"

namespace tilefly::bench {

using conform::ToAxisReading;

namespace {

/// As CMakeLists.txt has it.
constexpr int kBeatBytes = 64, kXoffWords = 300;

/// A switch's port that always has something to send: packets of one cell, which are two words each. Once it is paused it sends
/// what it has granted, all of its output buffer.
class EagerSwitch {
 public:
  explicit EagerSwitch(const Stimulus& random) : random_(random) {}

  /// What the adapter's word of cycle `now` tells it.
  void Hear(Cycle now, const Word& word) {
    if (word.valid && word.sop) control_ = golden::IsControl(word.data.data()), quanta_ = word.data[16] << 8 | word.data[17];
    if (word.valid && word.eop && control_) orders_.push_back({now + 4, quanta_ != 0});
  }
  /// Its word of cycle `now`; `starts` gets the frame that begins.
  Word Next(Cycle now, std::vector<std::uint8_t>* starts) {
    while (!orders_.empty() && orders_.front().first < now) {
      if (orders_.front().second && !paused_) granted_ = kTile8.obuf_cells;
      paused_ = orders_.front().second;
      orders_.pop_front();
    }
    if (k_ < packet_.words()) return packet_.MakeWord(k_++);
    if (now < free_from_ || (paused_ && granted_ == 0)) return {};
    if (paused_) --granted_;
    packet_ = MakeBare(random_, now, 64, [](std::uint8_t* frame) { frame[0] = 0x02; });
    free_from_ = now + 3;
    k_ = 1;
    *starts = packet_.bytes;
    return packet_.MakeWord(0);
  }
  bool paused() const { return paused_; }

 private:
  const Stimulus& random_;
  WirePacket packet_;
  int k_ = 0;
  Cycle free_from_ = 0;
  bool control_ = false, paused_ = false;
  int quanta_ = 0, granted_ = 0;
  std::deque<std::pair<Cycle, bool>> orders_;  ///< XOFF or XON, and its event
};

TEST(AxisPort, LosesNothingWhenTheSwitchObeys) {
  Comparison run;
  Dut<Vrtl_axis_port> dut(&run);
  dut->s_axis_tvalid_i = dut->m_axis_tready_i = dut->tdest_i = dut->tid_i = 0;
  dut->s_axis_tlast_i = dut->s_axis_tuser_i = 0;
  dut->cycle_i = 0;
  Clear(&dut->s_axis_tdata_i);
  Clear(&dut->word_i);
  for (int i = 0; i < kBeatBytes; ++i) Put(&dut->s_axis_tkeep_i, i, 1, 1);
  dut.Reset();
  const Bin paused = run.AddBin("cycles in which the switch is paused", 1000);
  const Bin deep = run.AddBin("cycles with four fifths of the headroom in use", 500);
  const Bin cut = run.AddBin("frames longer than the MTU go to the switch", 20);
  const Stimulus& random = run.stimulus();
  ToAxisReading reading(kTile8, {kBeatBytes, false, kXoffWords}, 0);
  EagerSwitch neighbour(random);
  std::deque<std::vector<std::uint8_t>> sent;
  const int headroom = kTile8.mtu_words_std + 19 + 2 * kTile8.obuf_cells;
  int beats = 0, words = 0;  // of the frame that comes in; of the one on the wire to the switch
  while (run.Next()) {
    const Cycle now = run.cycle();
    // The stream in has frames of the most words, without a pause; the stream out stands for a long time, then flows.
    ToAxisReading::Inputs inputs;
    dut->s_axis_tvalid_i = now > 0;
    dut->s_axis_tlast_i = beats == 70;
    inputs.tready = now / 2000 % 2 == 1 && !random.Chance(16, "not ready", now);
    dut->m_axis_tready_i = inputs.tready;
    dut->cycle_i = static_cast<QData>(now);
    std::vector<std::uint8_t> starts;
    inputs.word = neighbour.Next(now, &starts);
    if (!starts.empty()) sent.push_back(starts);
    PutStruct(&dut->word_i, 0, inputs.word);
    dut.Settle();
    run.Compare("lost", dut->lost_o, 0);
    run.Compare("tvalid", dut->m_axis_tvalid_o, reading.tvalid());
    if (reading.tvalid()) {
      run.Busy();
      ASSERT_FALSE(sent.empty());
      for (int i = 0; i < 60; ++i) {
        run.Compare("tdata", Get(dut->m_axis_tdata_o, 8 * i, 8), sent.front()[static_cast<std::size_t>(i)]);
      }
      run.Compare("tuser", dut->m_axis_tuser_o, 0);
      if (inputs.tready) sent.pop_front();
    }
    const Word word = GetStruct<Word>(dut->word_o);
    neighbour.Hear(now, word);
    reading.Step(now, inputs);
    run.Hit(paused, neighbour.paused());
    run.Hit(deep, reading.used() >= kXoffWords + headroom * 4 / 5);
    words = word.sop ? 1 : words + word.valid;
    run.Hit(cut, word.eop && words == kTile8.mtu_words_std + 1);
    if (dut->s_axis_tvalid_i != 0 && dut->s_axis_tready_o != 0) beats = beats == 70 ? 0 : beats + 1;
    dut.Edge();
  }
}

}  // namespace
}  // namespace tilefly::bench
