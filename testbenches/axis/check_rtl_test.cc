// SPDX-License-Identifier: Apache-2.0
// tilefly_axis_check at all widths (docs/blocks/axis.md, "Rules of a stream": AXIS-1 to AXIS-7): silent while a stream keeps
// the rules, and each breach is told by the assertion of its rule and by no other.
#include <gtest/gtest.h>

#include <functional>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "Vrtl_axis_checks.h"
#include "testbenches/axis/beats.h"
#include "testbenches/bench/dut.h"

namespace tilefly::bench {
namespace {

/// As axis_checks.sv has them.
constexpr int kMinBytes = 3, kMaxBytes = 300;

void ClearStreams(Dut<Vrtl_axis_checks>* dut) {
  Vrtl_axis_checks* model = dut->operator->();
  model->tvalid_i = model->tready_i = model->tlast_i = 0;
  model->tuser_i = model->tdest_i = model->tid_i = 0;
  Clear(&model->tdata_i);
  Clear(&model->tkeep_i);
}

TEST(Check, AcceptsLegalTrafficOfAllWidths) {
  Comparison run;
  Dut<Vrtl_axis_checks> dut(&run);
  ClearStreams(&dut);
  dut.Reset();
  const Bin stalled = run.AddBin("a beat waits", 1000);
  const Bin shortest = run.AddBin("the shortest frame", 20);
  const Bin longest = run.AddBin("the longest frame", 20);
  const Stimulus& random = run.stimulus();
  std::vector<StreamSource> sources;
  int open[kStreams] = {};
  for (int n = 0; n < kStreams; ++n) {
    sources.emplace_back(random, n, BeatBytes(n), [&random, n](Cycle now) {
      const int draw = random.Between(0, 7, "length", now, static_cast<std::uint32_t>(n));
      const int length = draw == 0 ? kMinBytes : draw == 1 ? kMaxBytes : random.Between(kMinBytes, kMaxBytes, "bytes", now, static_cast<std::uint32_t>(n));
      return StreamFrame{std::vector<std::uint8_t>(static_cast<std::size_t>(length), static_cast<std::uint8_t>(now)), false};
    });
  }
  int side[kStreams] = {};  // tdest and tid of the frame
  while (run.Next()) {
    const Cycle now = run.cycle();
    const Beat* beats[kStreams];
    for (int n = 0; n < kStreams; ++n) {
      const auto index = static_cast<std::uint32_t>(n);
      const bool stands = Get(dut->tvalid_i, n, 1) != 0 && Get(dut->tready_i, n, 1) == 0;
      const bool begins = sources[index].idle() && !stands;
      beats[n] = sources[index].Show(now, false);
      PutBeat(dut.operator->(), n, beats[n]);
      if (begins) side[n] = static_cast<int>(random.Below(256, "tdest, tid", now, index));
      if (!stands) Put(&dut->tuser_i, 4 * n, 4, random.Below(16, "tuser", now, index));
      Put(&dut->tdest_i, 4 * n, 4, static_cast<std::uint64_t>(side[n] & 15));
      Put(&dut->tid_i, 4 * n, 4, static_cast<std::uint64_t>(side[n] >> 4));
      Put(&dut->tready_i, n, 1, random.Spell("ready", now, index));
    }
    dut.Settle();
    for (int n = 0; n < kStreams; ++n) {
      if (beats[n] == nullptr) continue;
      run.Busy();
      const bool taken = Get(dut->tready_i, n, 1) != 0;
      run.Compare("a beat that is shown", Get(dut->tvalid_i, n, 1), 1);
      run.Hit(stalled, !taken);
      if (!taken) continue;
      open[n] += static_cast<int>(beats[n]->bytes.size());
      if (beats[n]->last) {
        run.Hit(shortest, open[n] == kMinBytes);
        run.Hit(longest, open[n] == kMaxBytes);
        open[n] = 0;
      }
      sources[static_cast<std::size_t>(n)].Take();
    }
    dut.Edge();
  }
}

/// One cycle of a stream.
struct Shown {
  bool valid = true, ready = true, last = false;
  int bytes = -1;  ///< tkeep has so many ones; -1: all
  int data = 0x11, user = 0, dest = 2, id = 3;
  bool hole = false;  ///< byte 0 is not used
};

/// Labels of the assertions that fail when checker `n` sees these cycles after the reset, and an end of the frame if one is open.
std::set<std::string> Failing(int n, const std::vector<Shown>& cycles, bool shown_in_reset = false) {
  ::testing::internal::CaptureStdout();
  {
    Comparison run({1, 0, static_cast<Cycle>(cycles.size())});
    Dut<Vrtl_axis_checks> dut(&run);
    dut.ExpectAssertions();
    ClearStreams(&dut);
    if (shown_in_reset) Put(&dut->tvalid_i, n, 1, 1);
    for (int i = 0; shown_in_reset && i < 64; ++i) Put(&dut->tkeep_i, 64 * n + i, 1, 1);
    dut.Reset();
    while (run.Next()) {
      const Shown& shown = cycles[static_cast<std::size_t>(run.cycle())];
      Put(&dut->tvalid_i, n, 1, shown.valid);
      Put(&dut->tready_i, n, 1, shown.ready);
      Put(&dut->tlast_i, n, 1, shown.last);
      for (int i = 0; i < BeatBytes(n); ++i) {
        Put(&dut->tdata_i, 8 * (64 * n + i), 8, static_cast<std::uint64_t>(shown.data));
        Put(&dut->tkeep_i, 64 * n + i, 1, (shown.bytes < 0 || i < shown.bytes) && !(shown.hole && i == 0));
      }
      Put(&dut->tuser_i, 4 * n, 4, static_cast<std::uint64_t>(shown.user));
      Put(&dut->tdest_i, 4 * n, 4, static_cast<std::uint64_t>(shown.dest));
      Put(&dut->tid_i, 4 * n, 4, static_cast<std::uint64_t>(shown.id));
      dut.Settle();
      run.Compare("a cycle", 0, 0);
      dut.Edge();
    }
  }
  const std::string output = ::testing::internal::GetCapturedStdout();
  std::set<std::string> labels;
  const std::regex label("Assertion failed in \\S*\\.(AXIS_[0-9]+(?:_[a-z]+)?):");
  for (std::sregex_iterator found(output.begin(), output.end(), label), none; found != none; ++found) labels.insert((*found)[1]);
  return labels;
}

/// A frame of `beats` beats, all taken, with an idle cycle before, for the reset.
std::vector<Shown> FrameOf(int beats) {
  std::vector<Shown> cycles(static_cast<std::size_t>(beats) + 1);
  cycles.front().valid = false;
  cycles.back().last = true;
  return cycles;
}

TEST(Check, SaysWhichRuleIsBroken) {
  using Change = std::function<void(std::vector<Shown>*)>;
  // In a frame of four beats the second waits for a cycle: cycles 2 and 3.
  const auto stalled = [](const Change& change) {
    std::vector<Shown> cycles = FrameOf(5);
    cycles[2].ready = false;
    change(&cycles);
    return cycles;
  };
  struct Case {
    std::string label;
    std::vector<Shown> cycles;
    int narrowest;  ///< stream from which on it can be broken
  };
  const auto no_change = [](std::vector<Shown>*) {};
  const std::vector<Case> cases = {
      {"", stalled(no_change), 0},
      {"AXIS_1", stalled([](auto* c) { (*c)[3].valid = false; }), 0},
      {"AXIS_2_data", stalled([](auto* c) { (*c)[3].data = 0x12; }), 0},
      {"AXIS_2_keep", stalled([](auto* c) { for (int i : {2, 3}) (*c)[static_cast<std::size_t>(i)].last = true; (*c)[3].bytes = 1; c->resize(4); }), 1},
      {"AXIS_2_last", stalled([](auto* c) { (*c)[2].last = true; }), 2},
      {"AXIS_2_user", stalled([](auto* c) { (*c)[3].user = 1; }), 0},
      {"AXIS_2_dest", stalled([](auto* c) { for (std::size_t i = 3; i < 6; ++i) (*c)[i].dest = 5; }), 0},
      {"AXIS_2_id", stalled([](auto* c) { for (std::size_t i = 3; i < 6; ++i) (*c)[i].id = 5; }), 0},
      {"AXIS_3_contiguous", stalled([](auto* c) { (*c)[5].hole = true; }), 1},
      {"AXIS_3_full", stalled([](auto* c) { (*c)[4].bytes = 1; }), 1},
      {"AXIS_3_some", stalled([](auto* c) { (*c)[5].bytes = 0; }), 0},
      {"AXIS_4_dest", stalled([](auto* c) { for (std::size_t i = 4; i < 6; ++i) (*c)[i].dest = 5; }), 0},
      {"AXIS_4_id", stalled([](auto* c) { for (std::size_t i = 4; i < 6; ++i) (*c)[i].id = 5; }), 0},
  };
  for (int n = 0; n < kStreams; ++n) {
    for (const Case& broken : cases) {
      if (n < broken.narrowest) continue;
      SCOPED_TRACE("stream " + std::to_string(n) + ", " + broken.label);
      const std::set<std::string> wanted = broken.label.empty() ? std::set<std::string>{} : std::set<std::string>{broken.label};
      EXPECT_EQ(Failing(n, broken.cycles), wanted);
    }
    SCOPED_TRACE("stream " + std::to_string(n));
    const int most = (kMaxBytes + BeatBytes(n) - 1) / BeatBytes(n);  // beats of the longest frame
    std::vector<Shown> longest = FrameOf(most);
    longest.back().bytes = kMaxBytes - BeatBytes(n) * (most - 1);
    EXPECT_EQ(Failing(n, longest), std::set<std::string>{});
    std::vector<Shown> longer = FrameOf((kMaxBytes + BeatBytes(n)) / BeatBytes(n));
    longer.back().bytes = kMaxBytes + 1 - BeatBytes(n) * (static_cast<int>(longer.size()) - 2);
    EXPECT_EQ(Failing(n, longer), std::set<std::string>{"AXIS_5_most"});
    std::vector<Shown> least = FrameOf((kMinBytes + BeatBytes(n) - 1) / BeatBytes(n));
    least.back().bytes = kMinBytes - BeatBytes(n) * (static_cast<int>(least.size()) - 2);
    EXPECT_EQ(Failing(n, least), std::set<std::string>{});
    std::vector<Shown> shorter = FrameOf((kMinBytes - 1 + BeatBytes(n) - 1) / BeatBytes(n));
    shorter.back().bytes = kMinBytes - 1 - BeatBytes(n) * (static_cast<int>(shorter.size()) - 2);
    EXPECT_EQ(Failing(n, shorter), std::set<std::string>{"AXIS_5_least"});
    std::vector<Shown> too_soon = FrameOf(4);
    too_soon.erase(too_soon.begin());
    EXPECT_EQ(Failing(n, too_soon), std::set<std::string>{"AXIS_6"});
    std::vector<Shown> in_reset = FrameOf(4);
    EXPECT_EQ(Failing(n, in_reset, true), std::set<std::string>{"AXIS_6"});
  }
}

}  // namespace
}  // namespace tilefly::bench
