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

namespace tilefly::bench {
namespace {

using golden::SerdesLanes;
constexpr int kLanes = SerdesLanes::kLanes;

/// An epoch begins every so many cycles of a run.
constexpr Cycle kEpoch = 16;

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
  if (kNumbers == kEpoch) return now;
  const auto place = 1 + random.Below(static_cast<std::uint64_t>(kNumbers - 1), "number of the cycle", now);
  return now / kEpoch * kNumbers + (now % kEpoch == 0 ? 0 : static_cast<Cycle>(place));
}

/// Registers of the RTL: set near the ends of the counts, and read for the bins.
template <typename Model>
class Registers {
 public:
  explicit Registers(Model& rtl) : root_(*rtl.rootp) {}
  unsigned bad() const { return root_.tilefly_serdes_lanes__DOT__bad_q; }
  bool again() const { return root_.tilefly_serdes_lanes__DOT__again_q != 0; }
  SerdesLanes::Counts errors() const { return Of(errors_); }
  SerdesLanes::Counts quiet() const { return Of(quiet_); }
  void Set(const SerdesLanes::Counts& errors, const SerdesLanes::Counts& quiet, unsigned bad) {
    for (std::size_t i = 0; i < kLanes; ++i) {
      *errors_[i] = static_cast<CData>(errors[i]);
      *quiet_[i] = static_cast<CData>(quiet[i]);
    }
    root_.tilefly_serdes_lanes__DOT__bad_q = static_cast<CData>(bad);
  }

 private:
  using Places = std::array<CData*, kLanes>;
  static SerdesLanes::Counts Of(const Places& places) { return {*places[0], *places[1], *places[2], *places[3]}; }

  std::remove_reference_t<decltype(*Model::rootp)>& root_;
  Places errors_ = {&root_.tilefly_serdes_lanes__DOT__gen_lane__BRA__0__KET____DOT__errors_q,
                    &root_.tilefly_serdes_lanes__DOT__gen_lane__BRA__1__KET____DOT__errors_q,
                    &root_.tilefly_serdes_lanes__DOT__gen_lane__BRA__2__KET____DOT__errors_q,
                    &root_.tilefly_serdes_lanes__DOT__gen_lane__BRA__3__KET____DOT__errors_q};
  Places quiet_ = {&root_.tilefly_serdes_lanes__DOT__gen_lane__BRA__0__KET____DOT__quiet_q,
                   &root_.tilefly_serdes_lanes__DOT__gen_lane__BRA__1__KET____DOT__quiet_q,
                   &root_.tilefly_serdes_lanes__DOT__gen_lane__BRA__2__KET____DOT__quiet_q,
                   &root_.tilefly_serdes_lanes__DOT__gen_lane__BRA__3__KET____DOT__quiet_q};
};

unsigned PresentOf(int lanes) { return lanes >= 1 && lanes <= kLanes ? (1u << lanes) - 1 : 15u; }

/// Inputs of a port, cycle after cycle.
class LanesSource {
 public:
  explicit LanesSource(const Stimulus& random) : random_(random) {}

  const SerdesLanes::Inputs& Draw(Cycle now) {
    DrawLink(now);
    if (in.written) WriteLanes(now - 1);  // the write was an event of the cycle before
    in.written = random_.Chance(1, "LANES is written", now);
    in.lane_err = 0;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      // A lane is silent for some epochs at a time, but for the first cycles of a few.
      const bool silent = random_.Chance(160, "silent", now / (3 * kEpoch), lane);
      const bool first = now % kEpoch == 0 && random_.Chance(24, "error of the first cycle", now, lane);
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
      in.link_up = random_.Below(1000, "link down", now) != 0;
    } else if (random_.Chance(40, "link up", now)) {
      in.link_up = true;
    }
    const auto before = std::make_pair(in.lanes, in.retry);
    mode_written_ = false;
    if (was_up) return;
    if (random_.Chance(40, "MODE.lanes is written", now)) in.lanes = static_cast<int>(random_.Below(8, "lanes", now));
    if (random_.Chance(40, "MODE.retry is written", now)) in.retry = !random_.Chance(40, "retry", now);
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

/// What the rules of the page did.
class LanesBins {
 public:
  explicit LanesBins(Comparison* run) : run_(run) {
    const auto add = [&](const char* name, int least) { return run->AddBin(name, least); };
    fails_ = add("a lane fails", 100);
    fails_first_ = add("a lane fails with the error of an epoch's first cycle", 5);
    lowest_ = add("two lanes have too many errors: the lowest fails", 20);
    last_ = add("the last lane does not fail", 50);
    spared_ = add("a lane does not fail because all others are off", 10);
    never_fails_ = add("fail is 0: an error of a lane with 255", 1);
    back_ = add("a lane comes back", 10);
    back_fails_ = add("a lane comes back and fails at once", 1);
    anew_ = add("an error begins the quiet epochs anew", 20);
    forgets_ = add("an epoch forgets errors of a good lane", 100);
    full_ = add("an error beyond 255", 20);
    quiet_full_ = add("a quiet epoch beyond 255", 1);
    mask_ = add("the slot has the mask without a report", 50);
    with_report_ = add("the slot has the mask with a report", 100);
    off_ = add("the mask has lanes that are off", 50);
    fewer_ = add("m falls", 50);
    more_ = add("m grows", 50);
    waits_ = add("takes stop until the MAC is empty", 100);
    none_ = add("all lanes avoided: m is 1", 10);
    nack_ = add("a nack of the port's own", 50);
    nack_waits_ = add("the own nack waits for a report", 20);
    nack_and_lane_ = add("another lane is avoided in the cycle of the nack", 1);
    down_ = add("the link goes down with a bad lane", 5);
    plain_ = add("a port without retry", 50);
    for (std::size_t m = 0; m < kLanes; ++m) by_m_[m] = add(kByM[m], 100);
  }
  /// A cycle, with the state that it began with.
  void Count(Cycle now, const SerdesLanes::Inputs& in, const SerdesLanes::Outputs& out, unsigned bad, bool again,
             const SerdesLanes::Counts& errors, const SerdesLanes::Counts& quiet) {
    const bool works = in.retry && in.link_up;
    if (works) {
      CountErrors(now, in, out, bad, errors);
      if (now % kEpoch == 0) CountEpoch(in, out, bad, errors, quiet);
    }
    Hit(out.lanes_valid && !in.report_out, mask_);
    Hit(out.lanes_valid && in.report_out, with_report_);
    Hit(out.lanes_valid && (in.off & ~bad) != 0, off_);
    Hit(in.retry && out.m < last_m_, fewer_);
    Hit(in.retry && out.m > last_m_, more_);
    Hit(!out.take_ok && !in.mac_empty, waits_);
    Hit(in.retry && out.m != last_m_ && all_avoided_, none_);
    Hit(out.nack, nack_);
    Hit(works && again && out.take_ok && in.report_valid, nack_waits_);
    Hit(out.nack && in.avoid_valid && (in.avoid & ~avoid_ & PresentOf(in.lanes)) != 0, nack_and_lane_);
    Hit(in.retry && !in.link_up && bad != 0, down_);
    Hit(!in.retry, plain_);
    Hit(in.retry, by_m_[static_cast<std::size_t>(out.m - 1)]);
    last_m_ = out.m;
    if (!works) avoid_ = 0;
    else if (in.avoid_valid) avoid_ = in.avoid;
    all_avoided_ = (PresentOf(in.lanes) & ~avoid_) == 0;
    if (out.failed != 0) run_->Event("lanes fail", {out.failed});
    if (out.back != 0) run_->Event("lanes come back", {out.back});
  }

 private:
  static constexpr std::array<const char*, kLanes> kByM = {"m is 1", "m is 2", "m is 3", "m is 4"};

  void Hit(bool what, Bin bin) {
    if (what) run_->Hit(bin);
  }
  void CountErrors(Cycle now, const SerdesLanes::Inputs& in, const SerdesLanes::Outputs& out, unsigned bad,
                   const SerdesLanes::Counts& errors) {
    const bool first = now % kEpoch == 0;
    const unsigned good = PresentOf(in.lanes) & ~(bad & ~out.back);
    int over = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const bool error = (in.lane_err >> lane & 1) != 0;
      const int count = (first ? 0 : errors[lane]) + (error ? 1 : 0);
      if ((good >> lane & 1) != 0 && in.fail > 0 && count >= in.fail) ++over;
      Hit(count > 255, full_);
      Hit(count > 255 && in.fail == 0, never_fails_);
    }
    Hit(out.failed != 0, fails_);
    Hit(out.failed != 0 && first, fails_first_);
    Hit(out.failed != 0 && over > 1, lowest_);
    const bool spared = over > 0 && out.failed == 0;
    Hit(spared && (good & (good - 1)) == 0, last_);
    Hit(spared && (good & (good - 1)) != 0, spared_);
  }
  void CountEpoch(const SerdesLanes::Inputs& in, const SerdesLanes::Outputs& out, unsigned bad,
                  const SerdesLanes::Counts& errors, const SerdesLanes::Counts& quiet) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const bool is_bad = (bad >> lane & 1) != 0;
      Hit(!is_bad && errors[lane] > 0, forgets_);
      Hit(is_bad && errors[lane] > 0 && quiet[lane] > 0, anew_);
      Hit(is_bad && errors[lane] == 0 && quiet[lane] == 255 && (in.back == 0), quiet_full_);
    }
    Hit(out.back != 0, back_);
    Hit((out.back & out.failed) != 0, back_fails_);
  }

  Comparison* run_;
  int last_m_ = kLanes;
  unsigned avoid_ = 0;
  bool all_avoided_ = false;
  Bin fails_, fails_first_, lowest_, last_, spared_, never_fails_, back_, back_fails_, anew_, forgets_, full_,
      quiet_full_, mask_, with_report_, off_, fewer_, more_, waits_, none_, nack_, nack_waits_, nack_and_lane_, down_,
      plain_;
  std::array<Bin, kLanes> by_m_;
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
  const unsigned keeps = 1u << random.Below(static_cast<std::uint64_t>(__builtin_popcount(present)), "preset: good", now);
  const unsigned bad = present & ~keeps & static_cast<unsigned>(random.Below(16, "preset: bad", now));
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
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
      Preset(random, now, PresentOf(in.lanes), &registers, &golden);
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
TEST(SerdesLanesRtl, EqualGoldenWithTheEpochsOfASwitch) { CompareLanes<Vrtl_serdes_lanes>(kZeros, 4); }

TEST(SerdesLanesRtl, EqualGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareLanes<Vrtl_serdes_lanes_short>(power_up, 0.1); });
}

}  // namespace
}  // namespace tilefly::bench
