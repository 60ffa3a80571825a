// SPDX-License-Identifier: Apache-2.0
// tilefly_serdes_lanes against golden's SerdesLanes (docs/blocks/link_retry.md, "SerDes lanes"): every output in every
// cycle, from random inputs and registers, with counts of 8 bits that begin near their ends.
#include <gtest/gtest.h>

#include <array>
#include <type_traits>
#include <utility>

#include "Vrtl_serdes_lanes.h"
#include "Vrtl_serdes_lanes___024root.h"
#include "Vrtl_serdes_lanes_short.h"
#include "Vrtl_serdes_lanes_short___024root.h"
#include "golden/link/serdes_lanes.h"
#include "testbenches/bench/dut.h"
#include "testbenches/link/serdes_lanes_bins.h"

namespace tilefly::bench {
namespace {

using golden::SerdesLanes;

/// An epoch of a Verilated model (CMakeLists.txt) has 2^kBits numbers of cycles.
template <typename Model>
constexpr int kBits = 4;
template <>
constexpr int kBits<Vrtl_serdes_lanes> = SerdesLanes::kEpochBits;

/// Number of a run's cycle. Where an epoch has more numbers than a run has cycles for it, the others are left out: any
/// but its first.
template <typename Model>
Cycle NumberOf(const Stimulus& random, Cycle now) {
  constexpr Cycle kNumbers = Cycle{1} << kBits<Model>;
  if (kNumbers == kEpochCycles) return now;
  const auto place = 1 + random.Below(static_cast<std::uint64_t>(kNumbers - 1), "number of the cycle", now);
  return now / kEpochCycles * kNumbers + (now % kEpochCycles == 0 ? 0 : static_cast<Cycle>(place));
}

/// Registers of the RTL: set near the ends of the counts, and read for the bins.
template <typename Model>
class Registers {
 public:
  explicit Registers(Model& rtl) : root_(*rtl.rootp) {}
  unsigned bad() const { return root_.tilefly_serdes_lanes__DOT__bad_q; }
  bool again() const { return root_.tilefly_serdes_lanes__DOT__again_q != 0; }
  SerdesLanes::Counts errors() const { return Of(root_.tilefly_serdes_lanes__DOT__errors_q); }
  SerdesLanes::Counts quiet() const { return Of(root_.tilefly_serdes_lanes__DOT__quiet_q); }
  void Set(const SerdesLanes::Counts& errors, const SerdesLanes::Counts& quiet, unsigned bad) {
    root_.tilefly_serdes_lanes__DOT__errors_q = Packed(errors);
    root_.tilefly_serdes_lanes__DOT__quiet_q = Packed(quiet);
    root_.tilefly_serdes_lanes__DOT__bad_q = static_cast<CData>(bad);
  }

 private:
  /// Lane i in bits [8*i +: 8].
  static SerdesLanes::Counts Of(IData packed) {
    SerdesLanes::Counts counts{};
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = static_cast<int>(packed >> (8 * i) & 0xffu);
    return counts;
  }
  static IData Packed(const SerdesLanes::Counts& counts) {
    IData packed = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) packed |= static_cast<IData>(counts[i]) << (8 * i);
    return packed;
  }

  std::remove_reference_t<decltype(*Model::rootp)>& root_;
};

/// Inputs of a port, cycle after cycle.
class LanesSource {
 public:
  explicit LanesSource(const Stimulus& random) : random_(random) { in.retry = true; }

  const SerdesLanes::Inputs& Draw(Cycle now) {
    DrawLink(now);
    if (in.written) WriteLanes(now - 1);  // the write was an event of the cycle before
    in.written = random_.Chance(1, "LANES is written", now);
    in.lane_err = 0;
    for (std::uint32_t lane = 0; lane < SerdesLanes::kLanes; ++lane) {
      // A lane is silent for some epochs at a time, but for the first cycles of a few.
      const bool silent = random_.Chance(160, "silent", now / (3 * kEpochCycles), lane);
      const bool first = now % kEpochCycles == 0 && random_.Chance(24, "error of the first cycle", now, lane);
      if (first || (!silent && random_.Spell("error", now, lane))) in.lane_err |= 1u << lane;
    }
    in.report_out = in.retry && random_.Chance(20, "report out", now);
    in.avoid_valid = random_.Chance(12, "mask", now);
    in.avoid = static_cast<unsigned>(random_.Below(16, "avoided", now));
    if (!random_.Chance(64, "all avoided", now)) in.avoid &= static_cast<unsigned>(random_.Below(16, "some", now));
    in.report_valid = random_.Spell("report in", now);
    in.report_seq = static_cast<int>(random_.Below(2048, "number", now));
    in.mac_empty = mode_written_ || random_.Spell("the MAC is empty", now);
    return in;
  }
  SerdesLanes::Inputs in;

 private:
  /// MODE is written in the second cycle of a link down and behind it, while the MAC is empty.
  void DrawLink(Cycle now) {
    const bool was_up = in.link_up;
    if (in.link_up) {
      in.link_up = random_.Below(now % kEpochCycles == 0 ? 30 : 2000, "link down", now) != 0;
    } else if (random_.Chance(40, "link up", now)) {
      in.link_up = true;
    }
    const auto before = std::make_pair(in.lanes, in.retry);
    mode_written_ = false;
    if (was_up) return;
    if (random_.Chance(40, "MODE.lanes is written", now)) in.lanes = static_cast<int>(random_.Below(8, "lanes", now));
    if (random_.Chance(128, "MODE.retry is written", now)) in.retry = !random_.Chance(24, "no retry", now);
    mode_written_ = before != std::make_pair(in.lanes, in.retry);
  }
  void WriteLanes(Cycle now) {
    constexpr std::array kCounts = {0, 0, 1, 1, 2, 3, 254, 255};
    in.fail = kCounts[random_.Below(kCounts.size(), "fail", now)];
    in.back = kCounts[random_.Below(kCounts.size(), "back", now)];
    in.off = random_.Chance(100, "off", now) ? static_cast<unsigned>(random_.Below(16, "lanes off", now)) : 0;
  }

  const Stimulus& random_;
  bool mode_written_ = false;
};

template <typename Model>
void Drive(Model& rtl, Cycle now, const SerdesLanes::Inputs& in) {
  rtl.cycle_i = static_cast<QData>(now);
  rtl.retry_i = in.retry;
  rtl.link_up_i = in.link_up;
  rtl.lanes_i = static_cast<CData>(in.lanes);
  rtl.fail_i = static_cast<CData>(in.fail);
  rtl.back_i = static_cast<CData>(in.back);
  rtl.off_i = static_cast<CData>(in.off);
  rtl.written_i = in.written;
  rtl.lane_err_i = static_cast<CData>(in.lane_err);
  rtl.report_o_valid_i = in.report_out;
  rtl.avoid_valid_i = in.avoid_valid;
  rtl.avoid_i = static_cast<CData>(in.avoid);
  rtl.report_valid_i = in.report_valid;
  rtl.report_seq_i = static_cast<SData>(in.report_seq);
  rtl.mac_empty_i = in.mac_empty;
}

template <typename Model>
void CompareOutputs(Comparison* run, const Model& rtl, const SerdesLanes::Outputs& out) {
  run->Compare("lanes_valid", rtl.lanes_valid_o, out.lanes_valid);
  run->Compare("lanes_bad", rtl.lanes_bad_o, out.lanes_bad);
  run->Compare("m", rtl.m_o, static_cast<std::uint64_t>(out.m));
  run->Compare("take_ok", rtl.take_ok_o, out.take_ok);
  run->Compare("nack", rtl.nack_o, out.nack);
  run->Compare("nack_seq", rtl.nack_seq_o, static_cast<std::uint64_t>(out.nack_seq));
  run->Compare("failed", rtl.failed_o, out.failed);
  run->Compare("back", rtl.back_o, out.back);
  run->Compare("quiescent", rtl.quiescent_o, out.quiescent);
}

/// Counts near their ends, in both: at least a lane is good, errors that make lanes bad are to come, and only bad lanes
/// count quiet epochs.
template <typename Model>
void Preset(const Stimulus& random, Cycle now, unsigned present, Registers<Model>* rtl, SerdesLanes* golden) {
  SerdesLanes::Counts errors{}, quiet{};
  const unsigned keeps =
      1u << random.Below(static_cast<std::uint64_t>(__builtin_popcount(present)), "preset: good", now);
  const unsigned bad = present & ~keeps & static_cast<unsigned>(random.Below(16, "preset: bad", now));
  for (std::size_t lane = 0; lane < SerdesLanes::kLanes; ++lane) {
    const auto index = static_cast<std::uint32_t>(lane);
    if ((present >> lane & 1) == 0) continue;
    const bool is_bad = (bad >> lane & 1) != 0;
    if (random.Chance(is_bad ? 48 : 128, "preset: has errors", now, index)) {
      errors[lane] = random.Between(252, 255, "preset: errors", now, index);
    }
    if (is_bad) quiet[lane] = random.Between(253, 255, "preset: quiet", now, index);
  }
  rtl->Set(errors, quiet, bad);
  golden->Preset(errors, quiet, bad);
}

template <typename Model>
void CompareLanes(PowerUp power_up, double of_tier) {
  Comparison run({of_tier, 25, 0, 0, power_up});
  Dut<Model> dut(&run);
  Registers<Model> registers(*dut.operator->());
  Drive(*dut.operator->(), 0, SerdesLanes::Inputs());
  dut.Reset();
  SerdesLanes golden(kBits<Model>);
  const Stimulus& random = run.stimulus();
  LanesSource source(random);
  LanesBins bins(&run);
  while (run.Next()) {
    const Cycle now = run.cycle();
    const bool was_up = source.in.retry && source.in.link_up;
    const SerdesLanes::Inputs& in = source.Draw(now);
    if (was_up && in.link_up && random.Below(250, "preset", now) == 0) {
      Preset(random, now, PresentLanes(in.lanes), &registers, &golden);
    }
    const unsigned bad = registers.bad();
    const bool again = registers.again();
    const SerdesLanes::Counts errors = registers.errors(), quiet = registers.quiet();
    const Cycle number = NumberOf<Model>(random, now);
    const SerdesLanes::Outputs out = golden.Step(number, in);
    golden::Audit audit;
    golden.Check(0, &audit);
    run.Check(audit);
    Drive(*dut.operator->(), number, in);
    dut.Settle();
    CompareOutputs(&run, *dut.operator->(), out);
    if (in.lane_err != 0 || in.avoid_valid || out.lanes_valid || !out.take_ok) run.Busy();
    bins.Count(now, in, out, bad, again, errors, quiet);
    dut.Edge();
  }
}

TEST(SerdesLanesRtl, EqualGoldenInEveryCycle) { CompareLanes<Vrtl_serdes_lanes_short>(kZeros, 8); }
TEST(SerdesLanesRtl, EqualGoldenWithTheEpochsOfASwitch) { CompareLanes<Vrtl_serdes_lanes>(kZeros, 8); }

TEST(SerdesLanesRtl, EqualGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareLanes<Vrtl_serdes_lanes_short>(power_up, 0.1); });
}

}  // namespace
}  // namespace tilefly::bench
