// SPDX-License-Identifier: Apache-2.0
#include "workload/app_aware.h"

#include "workload/message_time.h"

namespace tilefly::workload {
namespace {

constexpr std::size_t At(Bias bias) { return static_cast<std::size_t>(bias); }
constexpr Bias Other(Bias bias) { return bias == Bias::kNone ? Bias::kHigh : Bias::kNone; }

}  // namespace

AppAwareOptions AppAwareOptions::Program() {
  AppAwareOptions options;
  options.quotient = options.whole_factor = options.same_message = true;
  return options;
}

Bias AppAwareRouting::Select(const NextMessage& message, const NicSample& sample) {
  if (!Decides(message)) {
    together_ += message.bytes;
    return Bias::kHigh;
  }
  together_ = 0;
  known_[At(current_)] = {sample, options_.fresh, message.bytes, message.target};
  if (OtherIsBetter(message, sample, OtherSample(message, sample))) current_ = Other(current_);
  return current_;
}

/// What is known of the other mode, or what is expected of it.
NicSample AppAwareRouting::OtherSample(const NextMessage& message, const NicSample& own) {
  Known& other = known_[At(Other(current_))];
  if (other.left > 0) --other.left;
  const bool same = !options_.same_message || (other.bytes == message.bytes && other.target == message.target);
  if (other.left > 0 && same) return other.sample;
  if (current_ == Bias::kNone) return {own.latency * options_.latency_scale, own.stall * options_.stall_scale};
  return {own.latency / options_.latency_scale, own.stall / options_.stall_scale};
}

bool AppAwareRouting::OtherIsBetter(const NextMessage& message, const NicSample& own, const NicSample& other) const {
  const auto packets = static_cast<double>(message.packets);
  const auto flits = static_cast<double>(message.flits);
  const double factor = options_.whole_factor ? WholeLatencyFactor(packets) : LatencyFactor(packets);
  if (!options_.quotient) {
    return MessageTime(factor, other.latency, flits, other.stall) < MessageTime(factor, own.latency, flits, own.stall);
  }
  const bool unbiased = current_ == Bias::kNone;
  const NicSample& none = unbiased ? own : other;
  const NicSample& high = unbiased ? other : own;
  const double limit = (none.latency - high.latency) / (high.stall - none.stall) * factor;
  return unbiased ? flits < limit : flits > limit;
}

}  // namespace tilefly::workload
