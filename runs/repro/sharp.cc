// SPDX-License-Identifier: Apache-2.0
#include "runs/repro/sharp.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tilefly::runs {
namespace {

/// Of an operation, one after another; the first has the lock of the tree, so the median is of the others.
constexpr int kIterations = 3;

/// "sharp,lock=each": "sharp lock=each".
std::string CurveName(std::string algorithm) {
  std::replace(algorithm.begin(), algorithm.end(), ',', ' ');
  return algorithm;
}

}  // namespace

StudySystem SharpTree() { return {"fattree:leaves=4,hosts=16,uplinks=16", "100Gbps"}; }

StudySystem SharpSwitch(const std::string& nic_rate) { return {"fattree:leaves=1,hosts=63,uplinks=1", nic_rate}; }

StudyRun AllReduce(const StudySystem& system, const std::string& algorithm, std::int64_t bytes,
                   const std::string& ranks) {
  StudyRun run{CurveName(algorithm), static_cast<double>(bytes), system,
               fmt::format("allreduce:{},bytes={},iterations={}{}", algorithm, bytes, kIterations, ranks)};
  run.hosts_reduce = algorithm.compare(0, 5, "sharp") != 0;
  return run;
}

StudyRun PingPong(const StudySystem& system, std::int64_t bytes) {
  StudyRun run{"ping-pong", static_cast<double>(bytes), system,
               fmt::format("pingpong:bytes={},iterations={},at=0/1", bytes, kIterations)};
  run.operations = 2;
  return run;
}

std::string BarrierTraffic(const std::string& ranks) {
  return fmt::format("barrier:sharp,iterations={}{}", kIterations, ranks);
}

std::vector<std::int64_t> Doubling(std::int64_t from, std::int64_t to) {
  std::vector<std::int64_t> all;
  for (std::int64_t one = from; one <= to; one *= 2) all.push_back(one);
  return all;
}

std::int64_t LargestBytes(bool quick) { return quick ? kMiB : 64 * kMiB; }

double OperationNs(const StudyRun& run, const nlohmann::ordered_json& results) {
  return results.at("/jobs/0/iteration_ns/median"_json_pointer).get<double>() / run.operations;
}

void MeasureOperation(const StudyRun& run, const nlohmann::ordered_json& results, StudyValues* values) {
  values->Set(run, OperationNs(run, results));
}

std::string OperationSummary(const nlohmann::ordered_json& results) {
  const nlohmann::ordered_json median =
      results.value("/jobs/0/iteration_ns/median"_json_pointer, nlohmann::ordered_json());
  return median.is_number() ? fmt::format("{:.1f} ns", median.get<double>()) : "";
}

}  // namespace tilefly::runs
