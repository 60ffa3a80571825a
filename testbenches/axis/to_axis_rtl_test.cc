// SPDX-License-Identifier: Apache-2.0
// tilefly_link_to_axis at all widths against its reading (docs/blocks/axis.md: AXIS-1 to AXIS-6, AXIS-8, AXIS-9).
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "Vrtl_to_axes.h"
#include "conform/axis/to_axis_reading.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/edges.h"
#include "testbenches/bench/word_source.h"

namespace tilefly::bench {

using conform::ToAxisReading;

namespace {

/// How often frames come, as WordSource has it: as fast as narrow streams can take them, but for the second, which loses some.
constexpr int kLevels[kStreams] = {1, 12, 2, 8, -1, -1, -1};

/// As to_axes.sv has it.
ToAxisReading::Options OptionsOfToAxis(int n) { return {BeatBytes(n), n % 2 == 1, 40 + 30 * n}; }

/// Frames as a switch sends them, PAUSE and PFC frames, and what no switch sends: short, long, with the internal header.
WirePacket FrameOfSwitch(const Stimulus& random, Cycle now) {
  const std::uint64_t sort = random.Below(16, "sort", now);
  if (sort == 0) {
    return MakeBare(random, now, 64, [&](std::uint8_t* frame) {
      const std::uint8_t head[] = {0x01, 0x80, 0xc2, 0x00, 0x00, 0x01};
      std::memcpy(frame, head, sizeof head);
      const bool by_class = random.Chance(128, "PFC", now);
      const std::uint8_t type[] = {0x88, 0x08, static_cast<std::uint8_t>(by_class), 0x01};
      std::memcpy(frame + 12, type, sizeof type);
      if (!random.Chance(64, "long PAUSE", now)) {
        for (int i = 16; i < 34; i += 2) frame[i] = by_class && i == 16 ? frame[i] : 0;  // below 256 quanta
      }
    });
  }
  if (sort == 1 && random.Chance(64, "with header", now)) {
    Header header = Header::UnpackBytes(std::array<std::uint8_t, 16>{}.data());
    header.kind = static_cast<std::uint8_t>(Kind::kStd);
    header.len = static_cast<std::uint16_t>(random.Between(64, 200, "header: length", now));
    return MakeWithHeader(random, now, header);
  }
  const int least = random.Chance(16, "short", now) ? 1 : 64;
  const bool is_long = random.Chance(4, "long", now);
  return MakeBare(random, now, is_long ? kTile8.mtu_bytes + random.Between(1, 200, "too long", now) : RandomLength(random, least, kTile8.mtu_bytes, now),
                  [](std::uint8_t*) {});
}

class ToAxisTest {
 public:
  ToAxisTest(PowerUp power_up, double of_tier)
      : run_({of_tier, 25, 0, kDrain, power_up}), first_(FirstCycle(power_up)), dut_(&run_) {
    for (int n = 0; n < kStreams; ++n) {
      readings_.push_back(std::make_unique<ToAxisReading>(kTile8, OptionsOfToAxis(n), first_));
      sources_.emplace_back(run_.stimulus(), [this, n](Cycle now) { return FrameOfSwitch(run_.stimulus(), now * kStreams + n); }, 24, 1);
      sources_.back().set_level(kLevels[n]);
    }
    Clear(&dut_->word_i);
    dut_->cycle_i = 0;
    dut_->tdest_i = dut_->tid_i = 0;
    dut_->tready_i = dut_->pause_taken_i = 0;
    dut_.Reset();
  }

  void Compare() {
    lost_ = run_.AddBin("a frame is lost", 10);
    bad_ = run_.AddBin("a bad frame is shown", 20);
    held_ = run_.AddBin("cycles of a PAUSE of the switch", 100);
    xoff_ = run_.AddBin("XOFF is taken", 3);
    xon_ = run_.AddBin("XON is taken", 3);
    stalled_ = run_.AddBin("a last beat waits", 100);
    while (run_.Next()) {
      const Cycle now = run_.cycle();
      ToAxisReading::Inputs inputs[kStreams];
      for (int n = 0; n < kStreams; ++n) inputs[n] = Drive(now, n);
      dut_->cycle_i = static_cast<QData>(first_ + now);
      dut_.Settle();
      bool empty = true;
      for (int n = 0; n < kStreams; ++n) {
        CompareStream(now, n);
        ToAxisReading& reading = *readings_[static_cast<std::size_t>(n)];
        reading.Step(now, inputs[n]);
        empty = empty && reading.empty() && sources_[static_cast<std::size_t>(n)].idle();
      }
      run_.DrainUntil(empty);
      dut_.Edge();
    }
  }

 private:
  ToAxisReading::Inputs Drive(Cycle now, int n) {
    const Stimulus& random = run_.stimulus();
    const auto index = static_cast<std::uint32_t>(n);
    ToAxisReading& reading = *readings_[index];
    ToAxisReading::Inputs inputs;
    inputs.word = sources_[index].Next(now, run_.draining());
    inputs.tready = run_.draining() || random.Spell("ready", now, index);
    inputs.pause_taken = reading.pause_due(now) && random.Chance(64, "pause taken", now, index);
    inputs.tdest = static_cast<int>(random.Below(16, "tdest", now, index));
    inputs.tid = static_cast<int>(random.Below(16, "tid", now, index));
    if (inputs.pause_taken) run_.Hit(reading.xon() ? xon_ : xoff_);
    PutStruct(&dut_->word_i, Word::kWidth * n, inputs.word);
    Put(&dut_->tready_i, n, 1, inputs.tready);
    Put(&dut_->pause_taken_i, n, 1, inputs.pause_taken);
    Put(&dut_->tdest_i, 4 * n, 4, static_cast<std::uint64_t>(inputs.tdest));
    Put(&dut_->tid_i, 4 * n, 4, static_cast<std::uint64_t>(inputs.tid));
    return inputs;
  }

  void CompareStream(Cycle now, int n) {
    const ToAxisReading& reading = *readings_[static_cast<std::size_t>(n)];
    run_.Compare("tvalid", Get(dut_->tvalid_o, n, 1), reading.tvalid());
    run_.Compare("hold", Get(dut_->hold_o, n, 1), reading.hold(now));
    run_.Compare("pause_due", Get(dut_->pause_due_o, n, 1), reading.pause_due(now));
    run_.Compare("lost", Get(dut_->lost_o, n, 1), reading.lost());
    if (reading.pause_due(now)) run_.Compare("pause_quanta", Get(dut_->pause_quanta_o, 16 * n, 16), reading.xon() ? 0 : 0xffff);
    run_.Hit(lost_, reading.lost());
    run_.Hit(held_, reading.hold(now));
    if (!reading.tvalid()) return;
    run_.Busy();
    const Beat beat = reading.beat();
    run_.Compare("tlast", Get(dut_->tlast_o, n, 1), beat.last);
    run_.Compare("tuser", Get(dut_->tuser_o, n, 1), beat.bad);
    run_.Compare("tdest", Get(dut_->tdest_o, 4 * n, 4), static_cast<std::uint64_t>(reading.tdest()));
    run_.Compare("tid", Get(dut_->tid_o, 4 * n, 4), static_cast<std::uint64_t>(reading.tid()));
    for (int i = 0; i < BeatBytes(n); ++i) {
      const bool used = i < static_cast<int>(beat.bytes.size());
      run_.Compare("tkeep", Get(dut_->tkeep_o, 64 * n + i, 1), used);
      run_.Compare("tdata", Get(dut_->tdata_o, 8 * (64 * n + i), 8), used ? beat.bytes[static_cast<std::size_t>(i)] : 0);
    }
    if (beat.last) run_.Event("last beat shown: stream, bad", {n, beat.bad});
    run_.Hit(bad_, beat.bad);
    run_.Hit(stalled_, beat.last && Get(dut_->tready_i, n, 1) == 0);
  }

  Comparison run_;
  Cycle first_;  ///< number of the first cycle, for RTL and reading
  Dut<Vrtl_to_axes> dut_;
  std::vector<std::unique_ptr<ToAxisReading>> readings_;
  std::vector<WordSource> sources_;
  Bin lost_{}, bad_{}, held_{}, xoff_{}, xon_{}, stalled_{};
};

TEST(LinkToAxis, EqualsItsReadingInEveryCycle) { ToAxisTest(kZeros, 1).Compare(); }

TEST(LinkToAxis, EqualsItsReadingFromTheEdgesOfLongLivedState) {
  FromEdges([](PowerUp power_up) { ToAxisTest(power_up, 0.05).Compare(); });
}

TEST(LinkToAxis, EqualsItsReadingFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { ToAxisTest(power_up, 0.05).Compare(); });
}

}  // namespace
}  // namespace tilefly::bench
