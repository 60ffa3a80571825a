// SPDX-License-Identifier: Apache-2.0
#include "cosim/network/net_results.h"

#include <fmt/format.h>

#include <algorithm>

#include "cosim/run/figures.h"

namespace tilefly::cosim {
namespace {

using Json = nlohmann::ordered_json;
using golden::Cycle;
using golden::FarEnd;
using golden::Network;
using golden::Nic;

/// Accepted load below this share of the offered one is saturation.
constexpr double kAccepted = 0.95;

/// At least one, so that a run that was stopped early divides by something.
Cycle MeasuredCycles(const Network& network) {
  const golden::Measured& measured = network.nics().measured;
  return std::max<Cycle>(1, measured.to - measured.from);
}

/// Word slots of all NICs in the measured cycles.
double Slots(const Network& network) {
  return static_cast<double>(network.topology().endpoints.size()) * static_cast<double>(MeasuredCycles(network)) *
         network.nics().lanes / 4;
}

/// Null, or the reason. In a network that still fills accepted is less than offered too, but no source queue grows.
Json Saturation(double offered, double accepted, const Network& network, const Nic::Queue& queue) {
  const auto before = static_cast<double>(network.statistics().queued_before + queue.early_words);
  const auto after = static_cast<double>(queue.words);
  const double missing = (offered - accepted) * Slots(network);
  if (accepted >= kAccepted * offered || after - before < missing / 2) return nullptr;
  const auto endpoints = static_cast<double>(network.topology().endpoints.size());
  return fmt::format(
      "accepted load {:.4f} is less than {:.0f} % of the offered {:.4f}; source queues went from {:.1f} to {:.1f} "
      "words an "
      "endpoint",
      accepted, 100 * kAccepted, offered, before / endpoints, after / endpoints);
}

Json BooksJson(const Network& network, const Nic::Queue& queue) {
  const golden::Statistics& statistics = network.statistics();
  Json drops = Json::object();
  for (const Drop drop : kDropValues) {
    const std::int64_t count = statistics.drops[static_cast<std::size_t>(drop)];
    if (count > 0) drops[ToString(drop)] = count;
  }
  return Json{{"offered", statistics.sent()},
              {"delivered", statistics.delivered()},
              {"drops", drops},
              {"in_flight", statistics.in_flight()},
              {"queued", queue.packets}};
}

Json ClassesJson(const Network& network, const NetRunOptions& options, double cycle_ns) {
  std::int64_t words = 0;
  for (const golden::ClassStatistics& one : network.statistics().classes) words += one.words;
  Json classes = Json::array();
  for (int tc = 0; tc < golden::kMaxClasses; ++tc) {
    const golden::ClassStatistics& statistics = network.statistics().classes[static_cast<std::size_t>(tc)];
    if (statistics.sent == 0) continue;
    Json one{{"class", tc}};
    if (options.classes) one["name"] = options.classes->Has(tc) ? options.classes->Of(tc).name : std::to_string(tc);
    one.update(Json{{"offered", statistics.sent},
                    {"delivered", statistics.delivered},
                    {"share", words > 0 ? static_cast<double>(statistics.words) / static_cast<double>(words) : 0.0},
                    {"latency_ns", Quantiles(statistics.latency, 0, cycle_ns)}});
    classes.push_back(std::move(one));
  }
  return classes;
}

Json NicJson(const Network& network) {
  Nic::Counters sum;
  for (int n = 0; n < network.nodes(); ++n) {
    for (const Nic& nic : network.node(n).nics()) {
      sum.packets += nic.counters().packets;
      sum.words += nic.counters().words;
      sum.stalled_cycles += nic.counters().stalled_cycles;
    }
  }
  return Json{{"request_packets", sum.packets}, {"request_flits", sum.words}, {"stalled_cycles", sum.stalled_cycles}};
}

const char* ToString(topology::LinkKind kind) {
  switch (kind) {
    case topology::LinkKind::kTerminal:
      return "terminal";
    case topology::LinkKind::kLocal:
      return "local";
    case topology::LinkKind::kGlobal:
      return "global";
    case topology::LinkKind::kOther:
      return "other";
  }
  return "?";
}

}  // namespace

Json NetResults(const Network& network, const NetRunOptions& options, const NetOutcome& outcome) {
  const golden::Statistics& statistics = network.statistics();
  const Nic::Queue queue = network.Remaining();
  const double cycle_ns = 1e6 / network.profile().clock_khz;
  const double offered = static_cast<double>(statistics.offered_words + queue.measured_words) / Slots(network);
  const double accepted = static_cast<double>(statistics.accepted_words) / Slots(network);
  LatencyHistogram latency, inside;
  for (const golden::ClassStatistics& one : statistics.classes) {
    latency.Merge(one.latency);
    inside.Merge(one.network);
  }
  const auto ports = static_cast<std::int64_t>(network.nodes()) * network.profile().ports;
  Json json;
  json["verdict"] = ToString(outcome.verdict);
  if (!outcome.message.empty()) json["message"] = outcome.message;
  json["topology"] = network.topology().name;
  json["profile"] = network.profile().name;
  json["seed"] = options.network.seed;
  json["timing"] = options.network.bench_timing ? "bench" : "chip";
  json["endpoints"] = network.topology().endpoints.size();
  json["switches"] = network.nodes();
  json["ports"] = ports;
  json["cycles"] = network.cycle() + 1 - network.nics().begin;
  json["traffic_cycles"] = options.network.cycles;
  json["warmup"] = options.network.warmup;
  json["books"] = BooksJson(network, queue);
  json["offered_load"] = offered;
  json["accepted_load"] = accepted;
  json["saturated"] = Saturation(offered, accepted, network, queue);
  json["latency_ns"] = Quantiles(latency, 0, cycle_ns);
  json["latency_cycles"] = Quantiles(latency, 0, 1);
  json["network_latency_cycles"] = Quantiles(inside, 0, 1);
  json["mean_hops"] = statistics.delivered() > 0
                          ? Json(static_cast<double>(statistics.hops) / static_cast<double>(statistics.delivered()))
                          : Json(nullptr);
  json["flit_hops"] = statistics.flit_hops;
  json["nic"] = NicJson(network);
  json["classes"] = ClassesJson(network, options, cycle_ns);
  json["latency_histogram"] = Json::array();
  for (const auto& [cycles, packets] : latency.Entries()) json["latency_histogram"].push_back({cycles, packets});
  const double cpu = std::max(outcome.cpu_s, 1e-9);
  json["machine"] = Json{{"build_s", outcome.build_s},
                         {"cpu_s", outcome.cpu_s},
                         {"wall_s", outcome.wall_s},
                         {"cycles_per_s", static_cast<double>(network.cycle() + 1 - network.nics().begin) /
                                              std::max(outcome.wall_s, 1e-9)},
                         {"flit_hops_per_cpu_s", static_cast<double>(statistics.flit_hops) / cpu},
                         {"bytes_per_port", PeakBytes() / ports}};
  return json;
}

std::string NetStatsCsv(const Network& network) {
  std::string text = "from,from_port,to,to_port,kind,delay_cycles,packets,words,utilisation\n";
  const auto cycles = static_cast<double>(MeasuredCycles(network));
  const auto line = [&](const std::string& from, int from_port, const std::string& to, int to_port, const FarEnd& link,
                        std::int64_t packets, std::int64_t words) {
    const double slots = cycles * (link.node < 0 ? network.nics().lanes : 4) / 4;
    text += fmt::format("{},{},{},{},{},{},{},{},{:.6f}\n", from, from_port, to, to_port, ToString(link.kind),
                        link.delay, packets, words, static_cast<double>(words) / slots);
  };
  for (int n = 0; n < network.nodes(); ++n) {
    const std::string own = fmt::format("s{}", n);
    for (int port = 0; port < network.profile().ports; ++port) {
      const FarEnd& far = network.wiring().far(n, port);
      if (!far.connected()) continue;
      const golden::Node::PortCounts& counts = network.node(n).counts(port);
      const std::string other = far.node >= 0 ? fmt::format("s{}", far.node) : fmt::format("e{}", far.endpoint);
      line(own, port, other, far.port, far, counts.packets, counts.words);
      if (const Nic* nic = network.node(n).nic(port)) {
        line(other, 0, own, port, far, nic->counters().packets, nic->counters().measured_words);
      }
    }
  }
  return text;
}

}  // namespace tilefly::cosim
