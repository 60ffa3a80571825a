// SPDX-License-Identifier: Apache-2.0
// Latency over sizes (figure 3b of the paper), and the cost of a lock over hosts (6a).
#include <fmt/format.h>

#include "runs/repro/sharp.h"

namespace tilefly::runs {
namespace {

const char* const kAlgorithms[] = {"sharp", "sharp,lock=each", "sharp-low", "rabenseifner"};
const char* const kCurves[] = {"sharp", "sharp lock=each", "sharp-low", "rabenseifner"};
/// What is timed to learn what a lock costs: small operations with and without one, and a barrier.
const std::string kFree = "small", kLocked = "small lock=each", kBarrier = "barrier";
constexpr std::int64_t kSmallBytes = 8;
constexpr int kAllHosts = 64;

StudyRun Small(const StudySystem& system, const std::string& curve, const std::string& algorithm, int hosts,
               const std::string& ranks) {
  StudyRun run = AllReduce(system, algorithm, kSmallBytes, ranks);
  run.curve = curve;
  run.x = hosts;
  return run;
}

void AddLocks(int hosts, std::vector<StudyRun>* runs) {
  const bool is_all = hosts == kAllHosts;
  const StudySystem system = is_all ? SharpTree() : SharpSwitch("100Gbps");
  const std::string ranks = is_all ? "" : fmt::format(",ranks={}", hosts);
  runs->push_back(Small(system, kFree, "sharp", hosts, ranks));
  runs->push_back(Small(system, kLocked, "sharp,lock=each", hosts, ranks));
  StudyRun barrier = Small(system, kBarrier, "sharp", hosts, ranks);
  barrier.traffic = BarrierTraffic(ranks);
  runs->push_back(std::move(barrier));
}

/// What a lock adds to an operation.
std::optional<double> LockOf(const StudyValues& times, double hosts) {
  const std::optional<double> locked = times.Of(kLocked, hosts), without = times.Of(kFree, hosts);
  if (!locked || !without) return std::nullopt;
  return *locked - *without;
}

}  // namespace

std::vector<StudyRun> SharpLatencyRuns(bool quick) {
  std::vector<StudyRun> runs;
  for (const std::int64_t bytes :
       quick ? std::vector<std::int64_t>{8, 4 * kKiB, 8 * kKiB, 16 * kKiB, 64 * kKiB} : Doubling(8, 64 * kKiB)) {
    for (const char* algorithm : kAlgorithms) runs.push_back(AllReduce(SharpTree(), algorithm, bytes));
  }
  for (const int hosts : quick ? std::vector<int>{2, 32, 64} : std::vector<int>{2, 4, 8, 16, 32, 64})
    AddLocks(hosts, &runs);
  return runs;
}

std::vector<Figure> SharpLatencyFigures(const StudyValues& times) {
  Figure latency{"latency", "all-reduce of 64 hosts at 100 Gb/s", "bytes", "ns", true, true, {}};
  Figure ratio{
      "of-low-latency", "all-reduce of 64 hosts: time over that of the low-latency mode", "bytes", "", true, true, {}};
  Figure lock{"lock", "a lock of the tree, and a barrier of the same hosts", "hosts", "ns", true, false, {}};
  Figure share{"lock-of-barrier", "a lock of the tree: time over that of a barrier", "hosts", "", true, false, {}};
  for (const char* curve : kCurves) {
    FigureCurve own{curve, {}}, over{curve, {}};
    for (const double x : times.XOf(curve)) {
      const double ns = *times.Of(curve, x);
      own.points.push_back({x, ns});
      if (const std::optional<double> low = times.Of("sharp-low", x)) over.points.push_back({x, ns / *low});
    }
    latency.curves.push_back(std::move(own));
    if (curve != std::string("sharp-low")) ratio.curves.push_back(std::move(over));
  }
  FigureCurve locks{"lock", {}}, barriers{kBarrier, {}}, shares{"lock", {}};
  for (const double hosts : times.XOf(kBarrier)) {
    const double barrier = *times.Of(kBarrier, hosts);
    barriers.points.push_back({hosts, barrier});
    const std::optional<double> cost = LockOf(times, hosts);
    if (!cost) continue;
    locks.points.push_back({hosts, *cost});
    shares.points.push_back({hosts, *cost / barrier});
  }
  lock.curves = {std::move(locks), std::move(barriers)};
  share.curves = {std::move(shares)};
  return {latency, ratio, lock, share};
}

}  // namespace tilefly::runs
