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
    json["rule"] = !outcome.rule.empty() ? outcome.rule : outcome.complete ? "claim" : "time";
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
  json["power_ups"] = result.power_ups;
  json["digest"] = fmt::format("{:016x}", outcome.digest);
  return json;
}

}  // namespace tilefly::conform
