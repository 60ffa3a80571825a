// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/result.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace tilefly::conform {

const char* ToString(Verdict verdict) {
  return verdict == Verdict::kPass ? "pass" : verdict == Verdict::kFail ? "fail" : "undecided";
}

nlohmann::ordered_json ToJson(const TestResult& result) {
  using nlohmann::ordered_json;
  const Outcome& outcome = result.outcome;
  const Books::Counts& counts = outcome.counts;
  ordered_json json;
  json["test"] = result.test;
  json["seed"] = result.seed;
  json["verdict"] = ToString(result.judgement.verdict);
  if (result.judgement.verdict != Verdict::kPass) {
    const char* const other = !outcome.complete ? "time" : result.mask.empty() ? "claim" : "mask";
    json["rule"] = !outcome.rule.empty()            ? outcome.rule
                   : !result.judgement.rule.empty() ? result.judgement.rule
                                                    : std::string(other);
    json["reason"] = result.judgement.reason;
    json["port"] = outcome.port < 0 ? ordered_json() : ordered_json(outcome.port);
  }
  json["cycles"] = outcome.cycle;
  json["frames"] = {{"offered", counts.offered},
                    {"delivered", counts.delivered},
                    {"dropped", counts.dropped},
                    {"lost", counts.lost},
                    {"unjudged", counts.unjudged}};
  json["beats"] = {{"in", outcome.beats_in}, {"out", outcome.beats_out}};
  json["measured"] = outcome.measured ? ordered_json(*outcome.measured) : ordered_json();
  json["bins"] = ordered_json::object();
  for (std::size_t i = 0; i < outcome.situations.size(); ++i) {
    if (outcome.situations[i] > 0) json["bins"][SituationKinds()[i].name] = outcome.situations[i];
  }
  if (outcome.compared) json["compared"] = {{"ports", outcome.compared->ports}, {"busy", outcome.compared->busy}};
  json["power_ups"] = result.power_ups;
  for (const Mask::Item& item : result.mask.items())
    json["masked"].push_back({{"rule", item.rule.empty() ? ordered_json() : ordered_json(item.rule)},
                              {"output", item.port < 0 ? ordered_json() : ordered_json(item.port)}});
  json["digest"] = fmt::format("{:016x}", outcome.digest);
  return json;
}

nlohmann::ordered_json ToJson(const LinkResult& result) {
  using nlohmann::ordered_json;
  const LinkOutcome& outcome = result.outcome;
  const auto or_null = [](const std::optional<std::int64_t>& value) {
    return value ? ordered_json(*value) : ordered_json();
  };
  ordered_json json;
  json["test"] = result.test;
  json["seed"] = result.seed;
  json["verdict"] = outcome.rule.empty() ? "pass" : "fail";
  if (!outcome.rule.empty()) {
    json["rule"] = outcome.rule;
    json["reason"] = outcome.reason;
    json["port"] = outcome.port < 0 ? ordered_json() : ordered_json(outcome.port);
    json["events"] = outcome.events;
  }
  json["cycles"] = outcome.cycle;
  std::int64_t dropped = 0;
  for (const std::int64_t drops : outcome.books.drops) dropped += drops;
  json["frames"] = {{"offered", outcome.books.offered}, {"delivered", outcome.books.copies}, {"dropped", dropped}};
  json["compared"] = ordered_json();
  if (outcome.compared)
    json["compared"] = {{"words", outcome.compared->words},
                        {"busy", outcome.compared->busy},
                        {"records", or_null(outcome.compared->records)},
                        {"counters", or_null(outcome.compared->counters)}};
  json["power_ups"] = result.power_ups;
  json["digest"] = fmt::format("{:016x}", outcome.digest);
  return json;
}

}  // namespace tilefly::conform
