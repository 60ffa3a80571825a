// SPDX-License-Identifier: Apache-2.0
// tilefly_axis_to_link at all widths against its reading (docs/blocks/axis.md: AXIS-8 to AXIS-12).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "Vrtl_to_links.h"
#include "conform/axis/to_link_reading.h"
#include "testbenches/bench/dut.h"

namespace tilefly::bench {

using conform::ToLinkReading;

namespace {

/// As to_links.sv has it.
ToLinkReading::Options OptionsOfToLink(int n) {
  return {BeatBytes(n), n % 2 == 1, n % 4 == 0, kTile8.mtu_words_std + 1 + (n % 3 == 0 ? 0 : 25 * n), kTile8.mtu_words_std};
}

/// Frames of all lengths up to some words beyond the MTU; on narrow streams, that take long for them, few are long.
StreamFrame FrameOfStream(const Stimulus& random, int n, Cycle now) {
  const auto index = static_cast<std::uint32_t>(n);
  const bool any = n >= 3 || random.Chance(48, "frame: any length", now, index);
  const int most = any ? kTile8.mtu_bytes + 100 : 200;
  StreamFrame frame;
  frame.bytes.resize(static_cast<std::size_t>(RandomLength(random, 1, most, now + n)));
  for (std::size_t i = 0; i < frame.bytes.size(); ++i) {
    frame.bytes[i] = static_cast<std::uint8_t>(random.Bits("frame: byte", now, index + 8 * static_cast<std::uint32_t>(i / 8)) >> 8 * (i % 8));
  }
  frame.bad = random.Chance(40, "frame: bad", now, index);
  return frame;
}

class ToLinkTest {
 public:
  ToLinkTest(PowerUp power_up, double of_tier)
      : run_({of_tier, 25, 0, kDrain, power_up, power_up.start == 0}), dut_(&run_) {
    for (int n = 0; n < kStreams; ++n) {
      readings_.emplace_back(OptionsOfToLink(n));
      sources_.emplace_back(run_.stimulus(), n, BeatBytes(n), [this, n](Cycle now) { return FrameOfStream(run_.stimulus(), n, now); });
    }
    dut_->tvalid_i = dut_->tlast_i = dut_->tuser_i = dut_->hold_i = dut_->pause_due_i = 0;
    Clear(&dut_->tdata_i);
    Clear(&dut_->tkeep_i);
    Clear(&dut_->pause_quanta_i);
    dut_.Reset();
  }

  void Compare() {
    full_ = run_.AddBin("a store is full", 100);
    held_ = run_.AddBin("a frame waits for a PAUSE to end", 100);
    pause_ = run_.AddBin("a PAUSE frame is taken", 100);
    bad_ = run_.AddBin("a bad frame is stomped", 20);
    padded_ = run_.AddBin("a frame is padded", 20);
    cut_ = run_.AddBin("a frame longer than the MTU is cut", 1);
    alone_ = run_.AddBin("a word has FCS only", 5);
    while (run_.Next()) {
      const Cycle now = run_.cycle();
      std::vector<const Beat*> beats;
      for (int n = 0; n < kStreams; ++n) beats.push_back(Drive(now, n));
      dut_.Settle();
      bool empty = true;
      for (int n = 0; n < kStreams; ++n) empty = CompareStream(now, n, beats[static_cast<std::size_t>(n)]) && empty;
      run_.DrainUntil(empty);
      dut_.Edge();
    }
  }

 private:
  struct Asked {
    bool hold = false, due = false;
    std::uint16_t quanta = 0;
  };

  const Beat* Drive(Cycle now, int n) {
    const Stimulus& random = run_.stimulus();
    const auto index = static_cast<std::uint32_t>(n);
    const Beat* beat = sources_[index].Show(now, run_.draining());
    PutBeat(dut_.operator->(), n, beat);
    Put(&dut_->tuser_i, n, 1, beat != nullptr && beat->bad);
    Asked& asked = asked_[index];
    asked.hold = !run_.draining() && random.Chance(96, "hold", now / 128, index);
    // A request stands until it is taken.
    if (!asked.due && !run_.draining() && random.Chance(4, "pause", now, index)) {
      asked.due = true;
      asked.quanta = static_cast<std::uint16_t>(random.Bits("quanta", now, index));
    }
    Put(&dut_->hold_i, n, 1, asked.hold);
    Put(&dut_->pause_due_i, n, 1, asked.due);
    Put(&dut_->pause_quanta_i, 16 * n, 16, asked.quanta);
    return beat;
  }

  /// Whether nothing is inside or to come.
  bool CompareStream(Cycle now, int n, const Beat* beat) {
    const auto index = static_cast<std::size_t>(n);
    ToLinkReading& reading = readings_[index];
    Asked& asked = asked_[index];
    const Word word = reading.Output(now);
    const bool takes_pause = reading.TakesPause(now, asked.due);
    const bool idle = reading.quiescent(asked.due);
    run_.Compare("tready", Get(dut_->tready_o, n, 1), reading.tready());
    run_.CompareStruct("word", GetStruct<Word>(dut_->word_o, Word::kWidth * n), word);
    run_.Compare("pause_taken", Get(dut_->pause_taken_o, n, 1), takes_pause);
    if (idle) run_.Compare("quiescent", Get(dut_->quiescent_o, n, 1), 1);
    if (word.valid) run_.Busy();
    run_.Hit(full_, reading.full());
    run_.Hit(held_, asked.hold && !asked.due && Get(dut_->quiescent_o, n, 1) == 0);
    const bool taken = beat != nullptr && reading.tready();
    const ToLinkReading::Events events = reading.Step(now, taken ? beat : nullptr, asked.hold, asked.due, asked.quanta);
    if (taken) {
      if (beat->last) run_.Event("a frame ends: stream", {n});
      sources_[index].Take();
    }
    if (events.took) run_.Event("take: stream", {n});
    run_.Hit(pause_, events.took_pause);
    run_.Hit(bad_, events.took_bad);
    run_.Hit(padded_, events.padded);
    run_.Hit(cut_, events.cut);
    run_.Hit(alone_, events.fcs_alone);
    if (takes_pause) asked.due = false;
    return idle && sources_[index].idle() && beat == nullptr;
  }

  Comparison run_;
  Dut<Vrtl_to_links> dut_;
  std::vector<ToLinkReading> readings_;
  std::vector<StreamSource> sources_;
  Asked asked_[kStreams];
  Bin full_{}, held_{}, pause_{}, bad_{}, padded_{}, cut_{}, alone_{};
};

TEST(AxisToLink, EqualsItsReadingInEveryCycle) { ToLinkTest(kZeros, 1).Compare(); }

TEST(AxisToLink, EqualsItsReadingFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { ToLinkTest(power_up, 0.05).Compare(); });
}

}  // namespace
}  // namespace tilefly::bench
