// SPDX-License-Identifier: Apache-2.0
#include "runs/system/job_results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "runs/common/figures.h"
#include "workload/bandwidth.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;
using network::Network;
using workload::Job;
using workload::JobStatistics;

constexpr double kWordBytes = 32;

double BytesPerSecond(const Network& network) { return kWordBytes * network.profile().clock_khz * 1e3; }

/// The group in which an endpoint's switch stands; of Aries one of the system's, not of the address.
int GroupOfEndpoint(const topology::Topology& topology, int endpoint) {
  const topology::Switch& one = topology.switches[topology.endpoints[endpoint].port.at];
  return one.place.empty() ? one.group : one.place.front();
}

/// Bytes a second that the global links between groups with ranks allow when every byte passes one of them at most, and
/// the NICs: of an all-to-all job, and of a bisection whose halves have no group in common.
std::optional<double> Bound(const Network& network, const Job& job) {
  const topology::Topology& topology = network.topology();
  const auto ranks = static_cast<int>(job.endpoints.size());
  std::map<int, std::array<double, 2>> groups;  // ranks of each half
  for (int r = 0; r < ranks; ++r) ++groups[GroupOfEndpoint(topology, job.endpoints[r])][r < ranks / 2 ? 0 : 1];
  const bool bisection = job.pattern == "bisection";
  if (!bisection && job.pattern != "alltoall") return std::nullopt;
  const auto part = [&](int group) { return !bisection ? group : groups.at(group)[0] > 0 ? -1 : -2; };
  double inside = 0;  // pairs of ranks in one group
  for (const auto& [group, halves] : groups) {
    if (bisection && halves[0] > 0 && halves[1] > 0) return std::nullopt;
    inside += (halves[0] + halves[1]) * (halves[0] + halves[1] - 1);
  }
  double links = 0;
  for (const topology::Link& link : topology.links) {
    if (link.kind != topology::LinkKind::kGlobal) continue;
    const auto group = [&](const topology::Port& port) {
      const topology::Switch& one = topology.switches[port.at];
      return one.place.empty() ? one.group : one.place.front();
    };
    const int a = group(link.a), b = group(link.b);
    if (groups.count(a) > 0 && groups.count(b) > 0 && part(a) != part(b)) links += 2;
  }
  const double share = bisection ? 1 : 1 - inside / (static_cast<double>(ranks) * (ranks - 1));
  const double nics = ranks * BytesPerSecond(network) * network.nics().lanes / 4;
  return links > 0 && share > 0 ? std::min(nics, links * BytesPerSecond(network) / share) : nics;
}

/// Operations of the job's schedule, by iteration.
std::vector<std::int64_t> OperationsOf(const Job& job) {
  std::vector<std::int64_t> operations(static_cast<std::size_t>(job.schedule.phases));
  for (const workload::Rank& rank : job.schedule.ranks) {
    for (const workload::Operation& one : rank.operations) ++operations[static_cast<std::size_t>(one.phase)];
  }
  return operations;
}

/// Messages of the job's schedule; of reductions in switches: operations of its ranks.
std::int64_t MessagesOf(const Job& job) {
  std::int64_t messages = 0;
  for (const workload::Rank& rank : job.schedule.ranks) {
    messages += std::count_if(rank.operations.begin(), rank.operations.end(), [](const workload::Operation& one) {
      return one.kind == workload::Kind::kSend || one.kind == workload::Kind::kReduce;
    });
  }
  return messages;
}

Json Times(const LatencyHistogram& histogram, double scale) {
  Json json = Quantiles(histogram, 0, scale);
  json.erase("packets");
  return json;
}

/// The first rank that failed, null: none has.
Json FailureJson(const Network& network, const workload::JobFailure& failure) {
  if (failure.cycle == workload::kNoCycle) return nullptr;
  return Json{{"rank", failure.rank},
              {"cycle", failure.cycle - network.nics().begin},
              {"code", ToString(static_cast<RedCode>(failure.code))}};
}

/// Algorithm and bus bandwidth of a job whose iterations took `seconds` together; null without a definition or a time.
void AddBandwidths(const Job& job, std::optional<double> seconds, Json* json) {
  const std::optional<workload::CollectiveSize> size = workload::CollectiveSizeOf(job);
  const bool known = size && seconds;
  const double algorithm = known ? size->bytes * job.schedule.phases / *seconds : 0;
  (*json)["algorithm_bytes_per_s"] = known ? Json(algorithm) : Json(nullptr);
  (*json)["bus_bytes_per_s"] = known ? Json(algorithm * size->factor) : Json(nullptr);
}

Json JobJson(const Network& network, std::size_t number, const Job& job, const JobStatistics& statistics) {
  const double cycle_ns = 1e6 / network.profile().clock_khz;
  const Cycle cycles = std::max<Cycle>(0, statistics.last - network.nics().begin);
  const bool done = statistics.ranks_done == static_cast<std::int64_t>(job.endpoints.size());
  const auto seconds = static_cast<double>(cycles) * cycle_ns * 1e-9;
  const bool repeats = job.schedule.repeats;
  LatencyHistogram iterations;
  for (const Cycle one : IterationsOf(network, job, statistics)) iterations.Add(one);
  Json json{{"job", number},
            {"pattern", job.pattern},
            {"text", job.text},
            {"ranks", job.endpoints.size()},
            {"at", fmt::format("{}", fmt::join(job.endpoints, "/"))},
            {"ranks_done", statistics.ranks_done},
            {"repeats", repeats},
            {"failed", FailureJson(network, statistics.failure)},
            {"completion_cycles", done ? Json(cycles) : Json(nullptr)},
            {"completion_ns", done ? Json(static_cast<double>(cycles) * cycle_ns) : Json(nullptr)},
            {"iterations", job.schedule.phases},
            {"iterations_done", iterations.count()},
            {"iteration_cycles", Times(iterations, 1)},
            {"iteration_ns", Times(iterations, cycle_ns)},
            {"iteration_dispersion", Dispersion(iterations)},
            {"rank_iterations", statistics.rank_iteration.count()},
            {"rank_iteration_cycles", Times(statistics.rank_iteration, 1)},
            {"rank_iteration_ns", Times(statistics.rank_iteration, cycle_ns)},
            {"messages", statistics.messages},
            {"messages_of_schedule", repeats ? Json(nullptr) : Json(MessagesOf(job))},
            {"bytes", statistics.bytes},
            {"message_latency_cycles", Times(statistics.message_latency, 1)},
            {"message_latency_ns", Times(statistics.message_latency, cycle_ns)},
            {"message_latency_dispersion", Dispersion(statistics.message_latency)}};
  const bool timed = done && seconds > 0;
  const double goodput = timed ? static_cast<double>(statistics.bytes) / seconds : 0;
  json["goodput_bytes_per_s"] = timed ? Json(goodput) : Json(nullptr);
  AddBandwidths(job, timed ? std::optional(seconds) : std::nullopt, &json);
  const std::optional<double> bound = Bound(network, job);
  json["bound_bytes_per_s"] = bound ? Json(*bound) : Json(nullptr);
  json["share_of_bound"] = bound && timed ? Json(goodput / *bound) : Json(nullptr);
  json["message_latency_histogram"] = Json::array();
  for (const auto& [latency, messages] : statistics.message_latency.Entries())
    json["message_latency_histogram"].push_back({latency, messages});
  return json;
}

}  // namespace

std::vector<Cycle> IterationsOf(const Network& network, const Job& job, const JobStatistics& statistics) {
  const std::vector<std::int64_t> operations = OperationsOf(job);
  std::vector<Cycle> cycles;
  Cycle before = network.nics().begin;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (statistics.phase_done[i] < operations[i]) break;
    // One without operations takes no time, nor does one that ends before the one before, as with a window.
    const Cycle end = operations[i] > 0 ? std::max(before, statistics.phase_end[i]) : before;
    cycles.push_back(end - before);
    before = end;
  }
  return cycles;
}

Json JobsJson(const Network& network, const std::vector<JobStatistics>& statistics) {
  Json jobs = Json::array();
  const workload::Workload& workload = *network.options().hosts.workload;
  for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
    if (!workload.jobs[j].idle) jobs.push_back(JobJson(network, j, workload.jobs[j], statistics[j]));
  }
  return jobs;
}

Json ReductionTreesJson(const Network& network) {
  Json trees = Json::array();
  const workload::Workload& workload = *network.options().hosts.workload;
  auto tree = network.trees().trees().begin();
  for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
    if (!workload.jobs[j].schedule.reduction) continue;
    trees.push_back(Json{{"job", j},
                         {"group", tree->group},
                         {"nodes", tree->nodes.size()},
                         {"depth", tree->depth()},
                         {"root", tree->root().at},
                         {"children", tree->root().children.size()}});
    ++tree;
  }
  return trees;
}

std::string FailedJobs(const Json& jobs) {
  std::string text;
  for (const Json& job : jobs) {
    const Json& failed = job["failed"];
    if (failed.is_null()) continue;
    text += fmt::format("{}job {} failed: rank {} in cycle {}, {}", text.empty() ? "" : "; ",
                        job["pattern"].get<std::string>(), failed["rank"].dump(), failed["cycle"].dump(),
                        failed["code"].get<std::string>());
  }
  return text;
}

Json CompletionOf(const Json& jobs) {
  double last = 0;
  for (const Json& job : jobs) {
    if (job["repeats"].get<bool>()) continue;
    if (job["completion_ns"].is_null()) return nullptr;
    last = std::max(last, job["completion_ns"].get<double>());
  }
  return last;
}

std::string JobsCsv(const Network& network, const std::vector<JobStatistics>& statistics) {
  const double cycle_ns = 1e6 / network.profile().clock_khz;
  std::string text = "job,pattern,iteration,end_cycles,cycles,ns\n";
  const workload::Workload& workload = *network.options().hosts.workload;
  for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
    if (workload.jobs[j].idle) continue;
    const std::vector<Cycle> cycles = IterationsOf(network, workload.jobs[j], statistics[j]);
    Cycle end = 0;
    for (std::size_t i = 0; i < cycles.size(); ++i) {
      end += cycles[i];
      text += fmt::format("{},{},{},{},{},{:.3f}\n", j, workload.jobs[j].pattern, i, end, cycles[i],
                          static_cast<double>(cycles[i]) * cycle_ns);
    }
  }
  return text;
}

std::vector<std::string> JobLines(const Json& jobs) {
  std::vector<std::string> lines;
  for (const Json& job : jobs) {
    std::string line = fmt::format("job {} of {} ranks: ", job["pattern"].get<std::string>(), job["ranks"].dump());
    const bool repeats = job["repeats"].get<bool>();
    line += repeats ? std::string("repeats until the others are done")
            : job["completion_ns"].is_null()
                ? fmt::format("{} ranks done, {} of {} iterations", job["ranks_done"].dump(),
                              job["iterations_done"].dump(), job["iterations"].dump())
                : fmt::format("{}, iteration median {}", InWords(job["completion_ns"], 1, " ns"),
                              InWords(job["iteration_ns"]["median"], 1, " ns"));
    const std::string all = job["messages_of_schedule"].dump();
    line += fmt::format("; {}{} messages, latency median {}, p99 {}", job["messages"].dump(),
                        repeats || job["messages"].dump() == all ? "" : " of " + all,
                        InWords(job["message_latency_ns"]["median"], 1, " ns"),
                        InWords(job["message_latency_ns"]["p99"], 1, " ns"));
    const Json& goodput = job["goodput_bytes_per_s"];
    line += goodput.is_null() ? "; - of data" : fmt::format("; {:.4g} GB/s of data", goodput.get<double>() * 1e-9);
    if (!job["share_of_bound"].is_null())
      line += fmt::format(", {:.1f} % of the bound", 100 * job["share_of_bound"].get<double>());
    if (!job["algorithm_bytes_per_s"].is_null())
      line +=
          fmt::format("; algorithm bandwidth {:.4g} GB/s, bus {:.4g} GB/s",
                      job["algorithm_bytes_per_s"].get<double>() * 1e-9, job["bus_bytes_per_s"].get<double>() * 1e-9);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace tilefly::runs
