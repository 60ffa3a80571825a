// SPDX-License-Identifier: Apache-2.0
#include "network/lane_ends.h"

#include <algorithm>

namespace tilefly::network {
namespace {

constexpr Cycle kEpoch = Cycle{1} << golden::SerdesLanes::kEpochBits;

}  // namespace

/// Lanes whose next error changes something: of a lane that is not bad each one counts up to `fail`, of a bad lane the
/// first of an epoch.
unsigned LaneJudge::Open() const {
  unsigned open = 0;
  for (int lane = 0; lane < cable_; ++lane) {
    const bool bad = (lanes_.bad() >> lane & 1) != 0;
    if (lanes_.errors(lane) < (bad ? 1 : int{registers_.fail})) open |= 1u << lane;
  }
  return open;
}

Cycle LaneJudge::Due(Cycle now) const {
  if (lanes_.lanes_due()) return now;
  bool counts = lanes_.bad() != 0;
  const unsigned good = ((1u << cable_) - 1) & ~lanes_.bad() & ~registers_.off;
  for (int lane = 0; lane < cable_; ++lane) {
    const unsigned bit = 1u << lane;
    counts = counts || lanes_.errors(lane) > 0;
    const bool fails = registers_.fail > 0 && lanes_.errors(lane) >= registers_.fail && (lanes_.bad() & bit) == 0;
    if (fails && (good & ~bit) != 0) return now;  // behind another lane that failed in the same cycle
  }
  const Cycle epoch = counts ? (now + kEpoch - 1) / kEpoch * kEpoch : kNever;
  return std::min(epoch, wire_.NextError(now, Open()));
}

LaneMask LaneJudge::Step(Cycle now, bool up, bool reports, RetryCounts* counts) {
  golden::SerdesLanes::Inputs in;
  in.retry = true;
  in.link_up = up;
  in.lanes = cable_;
  in.fail = registers_.fail;
  in.back = registers_.back;
  in.off = registers_.off;
  in.lane_err = wire_.Errors(now);
  in.report_out = reports;
  const golden::SerdesLanes::Outputs out = lanes_.Step(now, in);
  counts->lanes_failed += __builtin_popcount(out.failed);
  counts->lanes_back += __builtin_popcount(out.back);
  return {out.lanes_valid, static_cast<std::uint8_t>(out.lanes_bad)};
}

golden::RetryReport LaneChoice::Step(Cycle now, bool up, bool mac_empty, const LinkReport& heard) {
  golden::SerdesLanes::Inputs in;
  in.retry = true;
  in.link_up = up;
  in.lanes = cable_;
  in.avoid_valid = up && heard.mask.valid;
  in.avoid = heard.mask.bad;
  in.report_valid = up && heard.report.valid;
  in.report_seq = heard.report.seq;
  in.mac_empty = mac_empty;
  const golden::SerdesLanes::Outputs out = lanes_.Step(now, in);
  if (take_ok()) {
    const unsigned wanted = ((1u << cable_) - 1) & ~lanes_.avoid();
    used_ = wanted == 0 ? 1 : wanted;
  }
  if (out.nack) return {true, true, static_cast<std::uint16_t>(out.nack_seq)};
  return in.report_valid ? heard.report : golden::RetryReport();
}

}  // namespace tilefly::network
