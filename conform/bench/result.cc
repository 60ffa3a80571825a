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
    json["rule"] = !outcome.rule.empty() ? outcome.rule : other;
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
  json["power_ups"] = result.power_ups;
  for (const Mask::Item& item : result.mask.items())
    json["masked"].push_back({{"rule", item.rule.empty() ? ordered_json() : ordered_json(item.rule)},
                              {"output", item.port < 0 ? ordered_json() : ordered_json(item.port)}});
  json["digest"] = fmt::format("{:016x}", outcome.digest);
  return json;
}

}  // namespace tilefly::conform
