// SPDX-License-Identifier: Apache-2.0
// What the rules of the SerDes lanes did in a comparison (docs/blocks/link_retry.md, "SerDes lanes"): a bin for each.
#pragma once

#include <array>

#include "golden/link/serdes_lanes.h"
#include "testbenches/bench/comparison.h"

namespace tilefly::bench {

/// An epoch begins every so many cycles of a run.
inline constexpr Cycle kEpochCycles = 16;

/// Lanes < L, a bit each; `lanes` as in MODE.
inline unsigned PresentLanes(int lanes) {
  return (1u << (lanes >= 1 && lanes <= golden::SerdesLanes::kLanes ? lanes : golden::SerdesLanes::kLanes)) - 1;
}

class LanesBins {
 public:
  using SerdesLanes = golden::SerdesLanes;
  static constexpr int kLanes = SerdesLanes::kLanes;

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
    down_back_ = add("the link is down when a lane would come back", 1);
    plain_ = add("a port without retry", 50);
    for (std::size_t m = 0; m < kLanes; ++m) by_m_[m] = add(kByM[m], 100);
  }
  /// A cycle, with the state that it began with.
  void Count(Cycle now, const SerdesLanes::Inputs& in, const SerdesLanes::Outputs& out, unsigned bad, bool again,
             const SerdesLanes::Counts& errors, const SerdesLanes::Counts& quiet) {
    const bool works = in.retry && in.link_up;
    const bool epoch_begins = now % kEpochCycles == 0;
    if (works) CountErrors(now, in, out, bad, errors);
    if (works && epoch_begins) CountEpoch(in, out, bad, errors, quiet);
    if (in.retry && !works && epoch_begins) CountDown(in, bad, errors, quiet);
    Hit(out.lanes_valid && !in.report_out, mask_);
    Hit(out.lanes_valid && in.report_out, with_report_);
    Hit(out.lanes_valid && (in.off & ~bad) != 0, off_);
    Hit(in.retry && out.m < last_m_, fewer_);
    Hit(in.retry && out.m > last_m_, more_);
    Hit(!out.take_ok && !in.mac_empty, waits_);
    Hit(in.retry && out.m != last_m_ && all_avoided_, none_);
    Hit(out.nack, nack_);
    Hit(works && again && out.take_ok && in.report_valid, nack_waits_);
    Hit(out.nack && in.avoid_valid && (in.avoid & ~avoid_ & PresentLanes(in.lanes)) != 0, nack_and_lane_);
    Hit(in.retry && !in.link_up && bad != 0, down_);
    Hit(!in.retry, plain_);
    Hit(in.retry, by_m_[static_cast<std::size_t>(out.m - 1)]);
    last_m_ = out.m;
    if (!works)
      avoid_ = 0;
    else if (in.avoid_valid)
      avoid_ = in.avoid;
    all_avoided_ = (PresentLanes(in.lanes) & ~avoid_) == 0;
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
    const bool first = now % kEpochCycles == 0;
    const unsigned good = PresentLanes(in.lanes) & ~(bad & ~out.back);
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
      Hit(is_bad && errors[lane] == 0 && quiet[lane] == 255 && in.back == 0, quiet_full_);
    }
    Hit(out.back != 0, back_);
    Hit((out.back & out.failed) != 0, back_fails_);
  }

  void CountDown(const SerdesLanes::Inputs& in, unsigned bad, const SerdesLanes::Counts& errors,
                 const SerdesLanes::Counts& quiet) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      Hit((bad >> lane & 1) != 0 && errors[lane] == 0 && in.back > 0 && quiet[lane] + 1 >= in.back, down_back_);
    }
  }

  Comparison* run_;
  int last_m_ = kLanes;
  unsigned avoid_ = 0;
  bool all_avoided_ = false;
  Bin fails_, fails_first_, lowest_, last_, spared_, never_fails_, back_, back_fails_, anew_, forgets_, full_,
      quiet_full_, mask_, with_report_, off_, fewer_, more_, waits_, none_, nack_, nack_waits_, nack_and_lane_, down_,
      down_back_, plain_;
  std::array<Bin, kLanes> by_m_;
};

}  // namespace tilefly::bench
