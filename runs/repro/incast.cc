// SPDX-License-Identifier: Apache-2.0
#include "runs/repro/incast.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "generated/profile.h"
#include "network/traffic.h"
#include "topology/builder.h"
#include "workload/segments.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kVictimLoad = 0.5;

/// The victim's messages, at half of the rate of its link, as long as the run is to last.
std::string VictimJob(const IncastPlaces& places, const StudyOptions& options) {
  const int words = network::WordsOf(workload::FrameOf(options.size, true));
  const double cycle_ns = 1e6 / FindProfile("rosetta64")->clock_khz;
  const auto every = static_cast<std::int64_t>(std::lround(words / kVictimLoad * cycle_ns));
  const std::int64_t messages = std::max<std::int64_t>(1, options.time_us * std::int64_t{1000} / every);
  return fmt::format("stream:bytes={},every={}ns,iterations={},at={}/{}", options.size, every, messages, places.victim,
                     places.victims_peer);
}

/// Two messages at a time keep a NIC busy, and few are left when the time of the incast is over.
std::string ContributorsJob(const IncastPlaces& places, const StudyOptions& options) {
  return fmt::format("+gather:put,bytes={},window=2,iterations=2,repeat={}ns,at={}/{}", options.size,
                     std::lround(1000 * IncastEndUs(options)), places.destination, fmt::join(places.contributors, "/"));
}

/// "s3.2->e17".
std::string LinkTo(const topology::Topology& system, int endpoint) {
  const topology::Port& port = system.endpoints[endpoint].port;
  return fmt::format("s{}.{}->e{}", port.at, port.port, endpoint);
}

}  // namespace

double IncastEndUs(const StudyOptions& options) { return 2 * options.time_us / 3.0; }

std::string LinkCurve(const std::string& run, int node, int port) { return fmt::format("{} s{}.{}", run, node, port); }

std::vector<StudyRun> IncastRuns(const StudyOptions& given) {
  const StudyOptions options = IncastOptions(given);
  const topology::Topology system = topology::Build(options.topology);
  const IncastPlaces places = DrawIncast(system, options);
  const std::string victim = VictimJob(places, options);
  const std::string all = victim + ContributorsJob(places, options);
  std::vector<StudyRun> runs;
  for (const char* name : {kIncastQuiet, kIncastOff, kIncastOn}) {
    const bool control = name == std::string(kIncastOn);
    StudyRun run{name,
                 static_cast<double>(options.contributors),
                 {system.name, "200Gbps"},
                 name == std::string(kIncastQuiet) ? victim : all};
    run.settings = {{"sample", "1us"}, {"stalls", "on"}, {"congestion_control", control ? "on" : "off"}};
    if (control) run.settings.emplace_back("worst_flows", std::to_string(options.contributors + 1));
    run.links = {LinkTo(system, places.destination), LinkTo(system, places.victims_peer)};
    runs.push_back(std::move(run));
  }
  return runs;
}

Json DescribeIncast(const StudyOptions& given) {
  const StudyOptions options = IncastOptions(given);
  const topology::Topology system = topology::Build(options.topology);
  const IncastPlaces places = DrawIncast(system, options);
  return {{"options",
           {{"contributors", options.contributors},
            {"topology", system.name},
            {"size", options.size},
            {"time", options.time_us}}},
          {"system",
           {{"topology", system.name},
            {"endpoints", system.endpoints.size()},
            {"switches", system.switches.size()},
            {"destination", places.destination},
            {"victim", places.victim},
            {"victims_peer", places.victims_peer},
            {"contributors", places.contributors}}}};
}

}  // namespace tilefly::runs
