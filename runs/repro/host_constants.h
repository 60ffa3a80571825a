// SPDX-License-Identifier: Apache-2.0
// The free constants of the SHARP studies: what the hosts take, which no switch decides. They are chosen so that two
// published points are met (docs/repro.md, Constants); nothing else is fitted.
#pragma once

#include <functional>
#include <stdexcept>

#include "runs/repro/study.h"
#include "workload/host_costs.h"

namespace tilefly::runs {

/// The published points.
struct HostTargets {
  double ping_pong_ns = 1200;  ///< half of the way there and back of `ping_pong_bytes`
  std::int64_t ping_pong_bytes = 8;
  double times_rabenseifner = 4.8;  ///< of the streamed tree, at the largest size
  std::int64_t largest_bytes = 0;
};

/// A host constant would have to be negative: no choice meets the point.
class NoConstants : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Time of an operation in ns when the hosts take `costs`.
using TimeOf = std::function<double(const StudyRun& run, const workload::HostCosts& costs)>;

/// host-send = host-receive = half of what a ping-pong of free hosts lacks; then host-reduce, until the other
/// point is met to 1 %. Throws NoConstants, and what `time` throws.
workload::HostCosts FixHostCosts(const HostTargets& targets, const TimeOf& time);

}  // namespace tilefly::runs
