// SPDX-License-Identifier: Apache-2.0
#include "runs/system/net_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "runs/common/figures.h"
#include "runs/system/background_results.h"
#include "runs/system/congestion_results.h"
#include "runs/system/fault_results.h"
#include "runs/system/job_results.h"
#include "runs/system/link_figures.h"
#include "runs/system/manager_results.h"
#include "runs/system/nic_figures.h"
#include "runs/system/steady_results.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;
using network::Figures;
using network::Network;

/// Word slots of all NICs in the measured cycles.
double Slots(const Network& network) {
  return static_cast<double>(network.topology().endpoints.size()) * static_cast<double>(MeasuredCycles(network)) *
         network.nics().lanes / 4;
}

Json BooksJson(const Figures& figures, const network::NetworkOptions& options) {
  const network::Statistics& statistics = figures.statistics;
  Json drops = Json::object();
  for (const Drop drop : kDropValues) {
    const std::int64_t count = statistics.drops[static_cast<std::size_t>(drop)];
    if (count > 0) drops[ToString(drop)] = count;
  }
  Json json{{"offered", statistics.sent()},
            {"delivered", statistics.delivered()},
            {"drops", drops},
            {"in_flight", statistics.in_flight()},
            {"queued", figures.queue.packets}};
  if (!options.faults.empty() || options.fault_plan != nullptr) json["lost"] = statistics.lost;
  if (options.retry && (!options.faults.empty() || options.fault_plan != nullptr))
    json["broken"] = Json{{"copies", statistics.retry.broken_copies},
                          {"in_flight", statistics.retry.broken_copies - statistics.retry.broken_ended}};
  if (options.nics.resends()) json.update(Json{{"resent", statistics.resent}, {"duplicates", statistics.duplicates}});
  return json;
}

Json ClassesJson(const Figures& figures, const NetRunOptions& options, double cycle_ns) {
  std::int64_t words = 0;
  for (const network::ClassStatistics& one : figures.statistics.classes) words += one.words;
  Json classes = Json::array();
  for (int tc = 0; tc < golden::kMaxClasses; ++tc) {
    const network::ClassStatistics& statistics = figures.statistics.classes[static_cast<std::size_t>(tc)];
    if (statistics.sent == 0) continue;
    Json one{{"class", tc}};
    if (options.classes) one["name"] = options.classes->Has(tc) ? options.classes->Of(tc).name : std::to_string(tc);
    one.update(Json{
        {"offered", statistics.sent},
        {"delivered", statistics.delivered},
        {"share", words > 0 ? Json(static_cast<double>(statistics.words) / static_cast<double>(words)) : Json(nullptr)},
        {"latency_ns", Quantiles(statistics.latency, 0, cycle_ns)},
        {"latency_dispersion", Dispersion(statistics.latency)}});
    classes.push_back(std::move(one));
  }
  return classes;
}

/// Of the mean latency, by batch means; null when a batch has no packets, or when there are too few.
Json Confidence(const Network& network, const Figures& figures, double cycle_ns) {
  constexpr double kLevel = 0.95;
  constexpr int kLeastBatches = 5;
  const network::Measured& measured = network.nics().measured;
  const auto whole = static_cast<int>(std::min<Cycle>(
      network::kLatencyBatches, std::max<Cycle>(0, measured.to - measured.from) / measured.batch_cycles));
  if (whole < kLeastBatches) return nullptr;
  double sum = 0, squares = 0, neighbours = 0;
  std::vector<double> means;
  for (int b = 0; b < whole; ++b) {
    const network::LatencyBatch& batch = figures.statistics.batches[b];
    if (batch.packets == 0) return nullptr;
    means.push_back(static_cast<double>(batch.cycles) / static_cast<double>(batch.packets));
    sum += means.back();
  }
  for (int b = 0; b < whole; ++b) {
    const double off = means[b] - sum / whole;
    squares += off * off;
    if (b > 0) neighbours += off * (means[b - 1] - sum / whole);
  }
  const boost::math::students_t student(whole - 1);
  const double half = quantile(student, (1 + kLevel) / 2) * std::sqrt(squares / (whole - 1) / whole);
  return Json{{"level", kLevel},
              {"batches", whole},
              {"half_width_cycles", half},
              {"half_width_ns", half * cycle_ns},
              {"batch_correlation", squares > 0 ? neighbours / squares : 0.0}};
}

/// Sums of the program's own counters, by name.
Json CountersJson(const Network& network, const Figures& figures) {
  Json counters = Json::object();
  const std::vector<std::string> names = network::Counters().Names();
  for (std::size_t c = 0; c < figures.statistics.counters.size(); ++c) {
    const std::vector<std::string>& sums = network.counters().NamesOf(c);
    for (std::size_t s = 0; s < sums.size(); ++s) counters[names[c]][sums[s]] = figures.statistics.counters[c][s];
  }
  return counters;
}

/// Packets for another switch, by what was decided for them.
Json RoutingJson(const Network& network, const Figures& figures) {
  const network::Routed& routed = figures.routed;
  const auto share = [](std::int64_t part, std::int64_t other) {
    return part + other > 0 ? Json(static_cast<double>(part) / static_cast<double>(part + other)) : Json(nullptr);
  };
  Json json{{"mode", network.options().routing.name},
            {"lanes", network.lanes().plan().lanes},
            {"minimal", routed.minimal},
            {"nonminimal", routed.nonminimal},
            {"nonminimal_share", share(routed.nonminimal, routed.minimal)},
            {"again_minimal", routed.again_minimal},
            {"again_nonminimal", routed.again_nonminimal}};
  if (Json chosen = ChosenModesJson(network, figures); !chosen.is_null()) json["chosen"] = std::move(chosen);
  return json;
}

}  // namespace

bool WasTraffic(const Figures& figures, const NetRunOptions& options) {
  return options.network.hosts.used() || figures.statistics.sent() + figures.queue.packets > 0;
}

NetLoads LoadsOf(const Network& network, const Figures& figures) {
  const network::Statistics& statistics = figures.statistics;
  return {static_cast<double>(statistics.offered_words + figures.queue.measured_words) / Slots(network),
          static_cast<double>(statistics.accepted_words) / Slots(network)};
}

Json NetResults(const Network& network, const Figures& figures, const NetRunOptions& options,
                const NetOutcome& outcome) {
  const network::Statistics& statistics = figures.statistics;
  const double cycle_ns = 1e6 / network.profile().clock_khz;
  const auto [offered, accepted] = LoadsOf(network, figures);
  LatencyHistogram latency, inside;
  for (const network::ClassStatistics& one : statistics.classes) {
    latency.Merge(one.latency);
    inside.Merge(one.network);
  }
  const auto ports = static_cast<std::int64_t>(network.nodes()) * network.profile().ports;
  Json json;
  json["verdict"] = ToString(outcome.verdict);
  if (!outcome.message.empty()) json["message"] = outcome.message;
  json["topology"] = network.topology().name;
  json["profile"] = network.profile().name;
  if (!options.profile.departures.empty()) json["departures"] = DeparturesJson(options.profile.departures);
  json["seed"] = options.network.seed;
  json["timing"] = options.network.bench_timing ? "bench" : "chip";
  json["endpoints"] = network.topology().endpoints.size();
  json["switches"] = network.nodes();
  json["ports"] = ports;
  const Cycle begin = network.nics().begin;  // a run may be ended before: registers are written first
  const Cycle end = std::max(begin, network.cycle() + 1);
  json["cycles"] = end - begin;
  const bool sent = WasTraffic(figures, options);
  json["traffic_cycles"] = sent ? Json(std::max<Cycle>(0, network.nics().end - begin)) : Json(nullptr);
  json["warmup"] = options.network.warmup;
  json["books"] = BooksJson(figures, options.network);
  const bool measured = sent && HasMeasured(network);
  const bool has_load = !options.network.hosts.used() && !(options.capture && options.capture->back_to_back);
  json["offered_load"] = measured && has_load ? Json(offered) : Json(nullptr);
  json["accepted_load"] = measured ? Json(accepted) : Json(nullptr);
  AddSteadiness(network, figures, options, outcome, &json);
  json["latency_ns"] = Quantiles(latency, 0, cycle_ns);
  json["latency_cycles"] = Quantiles(latency, 0, 1);
  json["network_latency_cycles"] = Quantiles(inside, 0, 1);
  json["latency_dispersion"] = Dispersion(latency);
  json["latency_confidence"] = Confidence(network, figures, cycle_ns);
  json["mean_hops"] = statistics.delivered() > 0
                          ? Json(static_cast<double>(statistics.hops) / static_cast<double>(statistics.delivered()))
                          : Json(nullptr);
  json["flit_hops"] = statistics.flit_hops;
  json["routing"] = RoutingJson(network, figures);
  json["nic"] = NicJson(network, figures);
  json["congestion_control"] = CongestionJson(network, figures);
  json["link_retry"] = LinkRetryJson(network, figures);
  if (network.manager() != nullptr) json["manager"] = ManagerJson(network);
  if (!figures.statistics.counters.empty()) json["counters"] = CountersJson(network, figures);
  if (options.network.stalls) json["link_cycles"] = LinkCyclesJson(network, figures);
  json["classes"] = ClassesJson(figures, options, cycle_ns);
  if (options.network.hosts.used()) {
    json["jobs"] = JobsJson(network, figures.statistics.jobs);
    json["completion_ns"] = CompletionOf(json["jobs"]);
    if (!options.background.empty()) json["background"] = BackgroundJson(network, figures, options.background);
    if (!network.trees().empty()) json["reduction_trees"] = ReductionTreesJson(network);
  }
  if (options.capture) json["capture"] = options.capture->ToJson();
  json["latency_histogram"] = Json::array();
  for (const auto& [cycles, packets] : latency.Entries()) json["latency_histogram"].push_back({cycles, packets});
  const NetCost& cost = outcome.cost;
  json["machine"] = Json{
      {"ranks", cost.processes},
      {"threads", cost.threads},
      {"build_s", cost.build_s},
      {"cpu_s", cost.cpu_s},
      {"wall_s", outcome.wall_s},
      {"cycles_per_s", static_cast<double>(end - outcome.from.cycle) / std::max(outcome.wall_s, 1e-9)},
      {"flit_hops_per_cpu_s",
       static_cast<double>(statistics.flit_hops - outcome.from.flit_hops) / std::max(cost.cpu_s, 1e-9)},
      {"bytes_per_port", cost.peak_bytes / ports}};
  return json;
}

}  // namespace tilefly::runs
