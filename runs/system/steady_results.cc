// SPDX-License-Identifier: Apache-2.0
#include "runs/system/steady_results.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "network/steadiness.h"

namespace tilefly::runs {
namespace {

using network::Steadiness;
using network::SteadyDoubt;
using network::SteadyFrame;
using network::SteadyPart;
using network::SteadyVerdict;
using Json = nlohmann::ordered_json;

const char* ToText(SteadyVerdict verdict) {
  switch (verdict) {
    case SteadyVerdict::kConverged:
      return "converged";
    case SteadyVerdict::kSaturated:
      return "saturated";
    case SteadyVerdict::kUndecided:
      break;
  }
  return "undecided";
}

/// Why nothing is judged; empty: it is.
std::string WhyNone(const network::Figures& figures, const NetRunOptions& options, const NetOutcome& outcome) {
  if (options.network.hosts.used()) return "jobs have no offered load";
  if (options.capture) return "a capture has no offered load";
  if (outcome.verdict == Verdict::kFail || outcome.verdict == Verdict::kNoProgress) return "the run did not pass";
  for (const network::NodeFigures& node : figures.nodes) {
    for (const network::Nic::Counters& nic : node.nics) {
      if (nic.given_up > 0) return "packets were given up after their last --resends: they neither wait nor arrive";
    }
  }
  return "";
}

/// Words and shares of a run for the texts.
struct Scale {
  double endpoints;
  double words;  ///< slots of all NICs in a cycle
  double cycle_ns;
  SteadyFrame frame;
};

std::string OwnerOf(const SteadyPart& part) { return part.tc < 0 ? "" : fmt::format("class {}: ", part.tc); }

std::string SaturatedReason(const Steadiness& steadiness, const Scale& scale) {
  const SteadyPart& part = steadiness.worst();
  if (part.verdict != SteadyVerdict::kSaturated) {
    return fmt::format("of {} of {:.0f} endpoints more and more waits, the first is e{}", steadiness.starved.size(),
                       scale.endpoints, steadiness.starved.front());
  }
  return fmt::format(
      "{}accepted load {:.4f} is below the offered {:.4f} by {:.4f} +- {:.4f} in the last {} cycles; words waiting of "
      "an endpoint: at "
      "sources "
      "{:.0f} after the warm-up, {:.0f} at the end; in the network {:.0f} and {:.0f}",
      OwnerOf(part), part.received_there / scale.words, part.created_there / scale.words,
      part.missing.mean / scale.words, part.missing.half_width / scale.words, part.cycles_there,
      part.sources_before / scale.endpoints, part.sources_after / scale.endpoints,
      part.network_before / scale.endpoints, part.network_after / scale.endpoints);
}

std::string ConvergedReason(const Steadiness& steadiness, const Scale& scale) {
  const SteadyPart& part = steadiness.worst();
  return fmt::format(
      "mean latency {:.1f} ns +- {:.1f} %, accepted load {:.4f} +- {:.1f} % (95 %), {} cycles of warm-up left out",
      part.latency.mean * scale.cycle_ns, 100 * part.latency.half_width / part.latency.mean,
      part.accepted.mean / scale.words, 100 * part.accepted.half_width / part.accepted.mean, scale.frame.warmup);
}

/// Why there is no verdict, and what to do.
std::pair<std::string, std::string> UndecidedReason(const Steadiness& steadiness, const Scale& scale, bool until,
                                                    Verdict verdict) {
  const SteadyPart& part = steadiness.worst();
  const std::string owner = OwnerOf(part);
  const char* const figure = part.doubt_is_latency ? "the mean latency" : "the accepted load";
  const BatchMeans& means = part.doubt_is_latency ? part.latency : part.accepted;
  const char* const longer = until ? "give a longer --max-cycles" : "give a longer --max-cycles, or --until converged";
  if (verdict == Verdict::kInterrupted || verdict == Verdict::kTimeout) {
    return {fmt::format("{}the run was ended in cycle {} of its traffic, {}", owner, scale.frame.cycles,
                        scale.frame.cycles <= scale.frame.warmup
                            ? fmt::format("within the warm-up of {}", scale.frame.warmup)
                            : fmt::format("{} of warm-up left out", scale.frame.warmup)),
            "let it come to its end"};
  }
  switch (part.doubt) {
    case SteadyDoubt::kNothingReceived:
      return {owner + "nothing was received in the measured cycles", "give a longer --max-cycles or a higher --load"};
    case SteadyDoubt::kNone:
    case SteadyDoubt::kTooShort:
      return {fmt::format("{}{} cycles of traffic, {} of them left out, are too short", owner, scale.frame.cycles,
                          scale.frame.warmup),
              longer};
    case SteadyDoubt::kNoSteadyPart:
      return {owner + "more than half of the run is warm-up", "give a longer --warmup and --max-cycles"};
    case SteadyDoubt::kLongWarmUp:
      return {fmt::format("{}the warm-up took {} cycles, {} are left out", owner, *part.warm_up, scale.frame.warmup),
              fmt::format("give --warmup {} or more, and a longer --max-cycles", *part.warm_up)};
    case SteadyDoubt::kCorrelated:
      return {
          fmt::format("{}the longest batches of {} are still correlated, by {:.2f}", owner, figure, means.correlation),
          longer};
    case SteadyDoubt::kWide:
      return {fmt::format("{}{} is known to {:.1f} %, not to {:.0f} %", owner, figure,
                          100 * means.half_width / means.mean, 100 * SteadyFrame::kMostWidth),
              longer};
    case SteadyDoubt::kGrowing:
      break;
  }
  return {owner + "what waits seems to grow", longer};
}

Json MeansJson(const BatchMeans& means, double scale, Cycle width) {
  if (means.batches == 0) return nullptr;
  return Json{{"mean", means.mean * scale},
              {"half_width", means.half_width * scale},
              {"batches", means.batches},
              {"batch_cycles", static_cast<Cycle>(means.bins) * width},
              {"batch_correlation", means.correlation}};
}

Json PartJson(const SteadyPart& part, const Scale& scale, Cycle width) {
  Json json;
  if (part.tc >= 0) json["class"] = part.tc;
  json["verdict"] = ToText(part.verdict);
  json["warmup_cycles"] = part.warm_up ? Json(*part.warm_up) : Json(nullptr);
  json["latency_cycles"] = MeansJson(part.latency, 1, width);
  json["accepted_load"] = MeansJson(part.accepted, 1 / scale.words, width);
  json["missing_load"] = MeansJson(part.missing, 1 / scale.words, width);
  json["waiting_words"] = Json{{"at_sources", {part.sources_before, part.sources_after}},
                               {"in_network", {part.network_before, part.network_after}}};
  return json;
}

Scale ScaleOf(const network::Network& network, Cycle end) {
  const auto endpoints = static_cast<double>(network.topology().endpoints.size());
  return {endpoints,
          endpoints * network.nics().lanes / 4,
          1e6 / network.profile().clock_khz,
          {network.options().warmup, end - network.nics().begin}};
}

}  // namespace

void AddSteadiness(const network::Network& network, const network::Figures& figures, const NetRunOptions& options,
                   const NetOutcome& outcome, Json* results) {
  Json& json = *results;
  for (const char* key : {"converged", "saturated", "latency_depends_on_length"}) json[key] = nullptr;
  Json& steady = json["steady_state"] = Json{{"verdict", nullptr}};
  const std::string none = WhyNone(figures, options, outcome);
  const Scale scale = ScaleOf(network, network.judged_to());
  const network::HistoryCut& cut = network.nics().history;
  std::optional<Steadiness> steadiness;
  if (none.empty() && scale.frame.cycles > 0)
    steadiness = network::JudgeSteadiness(figures.statistics.history, cut, scale.frame);
  if (!steadiness) {
    steady["reason"] = none.empty() ? "nothing was sent" : none;
    return;
  }
  steady["verdict"] = ToText(steadiness->verdict);
  if (steadiness->verdict == SteadyVerdict::kUndecided) {
    const auto [reason, remedy] = UndecidedReason(*steadiness, scale, options.until_converged, outcome.verdict);
    steady["reason"] = reason;
    steady["remedy"] = remedy;
  } else {
    const bool saturated = steadiness->verdict == SteadyVerdict::kSaturated;
    json["converged"] = !saturated;
    json["saturated"] = saturated;
    json["latency_depends_on_length"] = saturated;
    steady["reason"] = saturated ? SaturatedReason(*steadiness, scale) : ConvergedReason(*steadiness, scale);
  }
  steady["cycles"] = scale.frame.cycles;
  steady["level"] = SteadyFrame::kLevel;
  steady.update(PartJson(steadiness->parts.front(), scale, cut.width()));
  steady["verdict"] = ToText(steadiness->verdict);
  steady["starved_endpoints"] = steadiness->starved;
  steady["classes"] = Json::array();
  for (std::size_t i = 1; i < steadiness->parts.size(); ++i)
    steady["classes"].push_back(PartJson(steadiness->parts[i], scale, cut.width()));
}

std::string SteadyVerdictOf(const Json& results) {
  if (!results.is_object() || !results.contains("steady_state")) return "";
  const Json& verdict = results["steady_state"]["verdict"];
  return verdict.is_string() ? verdict.get<std::string>() : "";
}

std::string SteadyLine(const Json& results) {
  const std::string verdict = SteadyVerdictOf(results);
  if (verdict.empty()) return "";
  const Json& steady = results["steady_state"];
  return fmt::format("{}: {}{}", verdict, steady["reason"].get<std::string>(),
                     steady.contains("remedy") ? "; " + steady["remedy"].get<std::string>() : "");
}

std::string LengthMark(const Json& results) {
  const std::string verdict = SteadyVerdictOf(results);
  if (verdict == "saturated") return " (depends on the length of the run)";
  return verdict == "undecided" ? " (may depend on the length of the run)" : "";
}

bool IsDecided(const network::Network& network, const network::TrafficHistory& history, Cycle end) {
  const auto steadiness = network::JudgeSteadiness(history, network.nics().history, ScaleOf(network, end).frame);
  return steadiness && steadiness->verdict != SteadyVerdict::kUndecided;
}

}  // namespace tilefly::runs
