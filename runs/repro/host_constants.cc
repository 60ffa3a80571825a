// SPDX-License-Identifier: Apache-2.0
#include "runs/repro/host_constants.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "runs/repro/sharp.h"

namespace tilefly::runs {
namespace {

constexpr double kNear = 0.01;
constexpr int kMostTries = 12;

}  // namespace

workload::HostCosts FixHostCosts(const HostTargets& targets, const TimeOf& time) {
  workload::HostCosts costs;
  const double free = time(PingPong(SharpTree(), targets.ping_pong_bytes), costs);
  if (free > targets.ping_pong_ns) {
    throw NoConstants(
        fmt::format("host-send and host-receive would be negative: a ping-pong of {} B between hosts that take no time "
                    "needs {:.1f} ns, "
                    "more than the {:.1f} ns of --ping-pong-ns; give more",
                    targets.ping_pong_bytes, free, targets.ping_pong_ns));
  }
  costs.send_ns = costs.receive_ns = static_cast<std::int64_t>((targets.ping_pong_ns - free) / 2);
  const double wanted =
      targets.times_rabenseifner * time(AllReduce(SharpTree(), "sharp", targets.largest_bytes), costs);
  const StudyRun rabenseifner = AllReduce(SharpTree(), "rabenseifner", targets.largest_bytes);
  const double least = time(rabenseifner, costs);
  if (least > wanted * (1 + kNear)) {
    throw NoConstants(
        fmt::format("host-reduce would be negative: Rabenseifner's all-reduce of {} B takes {:.0f} ns when hosts "
                    "reduce in no time, "
                    "more than {:.1f} times the streamed tree's, {:.0f} ns",
                    targets.largest_bytes, least, targets.times_rabenseifner, wanted));
  }
  // A host reduces nearly as much as the vector has, so the first guess is near; what the reduction adds to the time is
  // nearly proportional to the constant.
  double ns_per_kib = (wanted - least) / (static_cast<double>(targets.largest_bytes) / kKiB);
  for (int tries = 0; tries < kMostTries; ++tries) {
    costs.reduce_ns_per_kib = std::llround(ns_per_kib);
    const double ns = time(rabenseifner, costs);
    if (std::abs(ns / wanted - 1) <= kNear) return costs;
    if (ns > least) ns_per_kib *= (wanted - least) / (ns - least);
  }
  throw NoConstants(
      fmt::format("host-reduce: {} tries did not come within {:.0f} % of {:.0f} ns", kMostTries, 100 * kNear, wanted));
}

}  // namespace tilefly::runs
