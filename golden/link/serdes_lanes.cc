// SPDX-License-Identifier: Apache-2.0
#include "golden/link/serdes_lanes.h"

#include <algorithm>

namespace tilefly::golden {
namespace {

/// Bits of the lanes that the cable has.
unsigned LanesOf(int lanes) { return (1u << (lanes >= 1 && lanes <= SerdesLanes::kLanes ? lanes : SerdesLanes::kLanes)) - 1; }

int Wanted(unsigned used, unsigned avoid) { return std::max(1, __builtin_popcount(used & ~avoid)); }

}  // namespace

void SerdesLanes::Forget() {
  bad_ = 0;
  errors_ = quiet_ = {};
  due_ = false;
  avoid_ = 0;
  again_ = false;
  latest_ = 0;
}

void SerdesLanes::JudgeEpoch(const Inputs& in, unsigned used, Outputs* out) {
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto at = static_cast<std::size_t>(lane);
    const unsigned bit = 1u << lane;
    if ((used & bit) == 0) continue;
    if ((bad_ & bit) == 0) {
      errors_[at] = 0;
      continue;
    }
    quiet_[at] = errors_[at] == 0 ? std::min(kMost, quiet_[at] + 1) : 0;
    errors_[at] = 0;
    if (in.back == 0 || quiet_[at] < in.back) continue;
    quiet_[at] = 0;
    bad_ &= ~bit;
    out->back |= bit;
    due_ = true;
  }
}

/// The errors of this cycle, and the lowest lane that has too many of them, if another one is left.
void SerdesLanes::JudgeErrors(const Inputs& in, unsigned used, Outputs* out) {
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto at = static_cast<std::size_t>(lane);
    if ((used & in.lane_err) >> lane & 1) errors_[at] = std::min(kMost, errors_[at] + 1);
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto at = static_cast<std::size_t>(lane);
    const unsigned bit = 1u << lane;
    if ((used & ~bad_ & bit) == 0 || in.fail == 0 || errors_[at] < in.fail) continue;
    if ((used & ~bad_ & ~in.off & ~bit) != 0) {
      bad_ |= bit;
      errors_[at] = quiet_[at] = 0;
      out->failed |= bit;
      due_ = true;
    }
    return;  // one lane a cycle
  }
}

void SerdesLanes::Send(const Inputs& in, unsigned used, bool took_m, Outputs* out) {
  if (!took_m && in.mac_empty) {
    m_ = Wanted(used, avoid_);
  } else if (took_m && again_ && !in.report_valid) {
    out->nack = true;
    out->nack_seq = latest_;
    again_ = false;
  }
  if (in.report_valid) latest_ = in.report_seq;
  if (in.avoid_valid) {
    if ((in.avoid & ~avoid_ & used) != 0) again_ = true;
    avoid_ = in.avoid;
  }
}

SerdesLanes::Outputs SerdesLanes::Step(Cycle now, const Inputs& in) {
  const unsigned used = LanesOf(in.lanes);
  Outputs out;
  if (!in.retry) {
    Forget();
    out.m = good_ = __builtin_popcount(used);
    changed_amid_packet_ = out.m != m_ && !in.mac_empty;
    m_ = out.m;
    return out;
  }
  out.m = m_;
  out.take_ok = take_ok(in.lanes);
  out.lanes_valid = due_ || in.report_out;
  out.lanes_bad = out.lanes_valid ? bad_ | in.off : 0;
  const auto has = [](int count) { return count != 0; };
  out.quiescent = bad_ == 0 && std::none_of(errors_.begin(), errors_.end(), has) && !due_ && !again_ && out.take_ok;
  due_ = false;
  const int m_before = m_;
  Send(in, used, out.take_ok, &out);
  changed_amid_packet_ = m_ != m_before && !in.mac_empty;
  if (now % epoch_ == 0) JudgeEpoch(in, used, &out);
  JudgeErrors(in, used, &out);
  if (in.written) due_ = true;
  if (!in.link_up) {
    out.failed = out.back = 0;
    out.nack = false;
    out.nack_seq = 0;
    Forget();
  }
  good_ = __builtin_popcount(used & ~bad_);
  return out;
}

bool SerdesLanes::take_ok(int lanes) const { return m_ == Wanted(LanesOf(lanes), avoid_); }

void SerdesLanes::Check(int port, Audit* audit) const {
  audit->Require("LSV-5", !changed_amid_packet_, port, m_);
  audit->Require("LSV-6", good_ >= 1 && m_ >= 1, port, good_);
}

}  // namespace tilefly::golden
