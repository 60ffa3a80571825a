// SPDX-License-Identifier: Apache-2.0
#include "runs/repro/gpcnet.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "runs/repro/sharp.h"
#include "workload/patterns.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;

/// Samples of a test, at least.
constexpr int kSamples = 2000, kSamplesOfQuick = 200;
constexpr const char* kAll = "all";
constexpr bool kControls[] = {true, false};

/// A kind of congestors: its pattern, and how many iterations make a repetition.
struct Congestor {
  const char* name;
  const char* pattern;
  int iterations;
};
constexpr std::array<Congestor, 4> kCongestors = {{{"alltoall", "alltoall:order=random", 16},
                                                   {"incast", "gather:two-sided,window=8", 256},
                                                   {"rma-incast", "gather:put,window=64", 256},
                                                   {"get-bcast", "broadcast:get,window=8", 256}}};

std::string At(const std::vector<int>& endpoints) { return fmt::format("at={}", fmt::join(endpoints, "/")); }

/// "+JOB+JOB": the congestors of a run, by name.
std::string CongestorJobs(const std::string& name, const std::vector<int>& at) {
  if (name == kNoCongestor) return "";
  if (name != kAll) return "+" + CongestorJob(name, at);
  std::string jobs;
  auto begin = at.begin();
  for (std::size_t i = 0; i < kCongestors.size(); ++i) {
    const auto end =
        begin + workload::BlockBytes(static_cast<std::int64_t>(at.size()), kCongestors.size(), static_cast<int>(i));
    jobs += "+" + CongestorJob(kCongestors[i].name, {begin, end});
    begin = end;
  }
  return jobs;
}

const Json* JobOfVictims(const Json& results) {
  const auto jobs = results.find("jobs");
  return jobs == results.end() || jobs->empty() ? nullptr : &(*jobs)[0];
}

}  // namespace

const std::vector<GpcnetTest>& GpcnetTests() {
  static const std::vector<GpcnetTest> tests = {{"ring8", "ring:order=random,bytes=8", 0},
                                                {"ring128k", "ring:order=random,sync=yes,bytes=128KiB", 2 * 128 * kKiB},
                                                {"allreduce8", "allreduce:rabenseifner,bytes=8", 0}};
  return tests;
}

std::vector<std::string> GpcnetCongestors(bool quick) {
  if (quick) return {kAll, "incast"};
  std::vector<std::string> names = {kAll};
  for (const Congestor& one : kCongestors) names.push_back(one.name);
  return names;
}

std::string CongestorJob(const std::string& kind, const std::vector<int>& at) {
  for (const Congestor& one : kCongestors) {
    if (kind == one.name)
      return fmt::format("{},bytes=4096,iterations={},repeat=yes,{}", one.pattern, one.iterations, At(at));
  }
  throw std::logic_error("repro: no congestors " + kind);
}

std::string GpcnetCurve(const std::string& test, const std::string& congestor, bool control) {
  return fmt::format("{},{},{}", test, congestor, control ? "on" : "off");
}

std::vector<StudyRun> GpcnetRuns(const StudyOptions& options) {
  const topology::Topology system = GpcnetSystem(options);
  const int samples = options.quick ? kSamplesOfQuick : kSamples;
  const int iterations = (samples + options.victims - 1) / options.victims;
  std::vector<std::string> congestors = GpcnetCongestors(options.quick);
  congestors.insert(congestors.begin(), kNoCongestor);
  std::vector<StudyRun> runs;
  for (int seed = 1; seed <= options.seeds; ++seed) {
    const GpcnetPlaces places = DrawPlaces(system, options, static_cast<std::uint64_t>(seed));
    for (const GpcnetTest& test : GpcnetTests()) {
      for (const std::string& congestor : congestors) {
        for (const bool control : kControls) {
          StudyRun run{GpcnetCurve(test.name, congestor, control),
                       static_cast<double>(seed),
                       {system.name, "200Gbps"},
                       fmt::format("{},iterations={},{}{}", test.pattern, iterations, At(places.victims),
                                   CongestorJobs(congestor, places.congestors))};
          run.settings = {{"seed", std::to_string(seed)}, {"congestion_control", control ? "on" : "off"}};
          runs.push_back(std::move(run));
        }
      }
    }
  }
  return runs;
}

void MeasureGpcnet(const StudyRun& run, const Json& results, StudyValues* values) {
  const Json& victims = *JobOfVictims(results);
  values->Set(run.curve + " samples", run.x, victims.at("rank_iterations").get<double>());
  values->Set(run.curve + " mean", run.x, victims.at("rank_iteration_ns").at("mean").get<double>());
  values->Set(run.curve + " p99", run.x, victims.at("rank_iteration_ns").at("p99").get<double>());
}

std::string GpcnetSummary(const Json& results) {
  const Json* const victims = JobOfVictims(results);
  if (victims == nullptr || (*victims)["rank_iterations"] == 0) return "";
  const Json& time = (*victims)["rank_iteration_ns"];
  return fmt::format("iteration at a rank: mean {:.0f} ns, p99 {:.0f} ns", time["mean"].get<double>(),
                     time["p99"].get<double>());
}

Json DescribeGpcnet(const StudyOptions& options) {
  const topology::Topology system = GpcnetSystem(options);
  Json all = Json::array();
  for (int seed = 1; seed <= options.seeds; ++seed) {
    const GpcnetPlaces places = DrawPlaces(system, options, static_cast<std::uint64_t>(seed));
    all.push_back({{"seed", seed}, {"victims", places.victims}, {"congestors", places.congestors}});
  }
  return {
      {"options",
       {{"topology", system.name}, {"nodes", options.nodes}, {"victims", options.victims}, {"seeds", options.seeds}}},
      {"system",
       {{"topology", system.name},
        {"endpoints", system.endpoints.size()},
        {"switches", system.switches.size()},
        {"ranks_per_node", 1},
        {"places", std::move(all)}}}};
}

}  // namespace tilefly::runs
