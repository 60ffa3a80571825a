// SPDX-License-Identifier: Apache-2.0
#include "conform/run/one_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "conform/bench/suite.h"
#include "cosim/errors.h"

namespace tilefly::conform {
namespace {

constexpr std::uint32_t kPowerUp = 1;
constexpr std::uint32_t kOtherPowerUp = 20021;

Outcome RunFrom(const Capability& capability, const OneTest& one, const Scenario& scenario, std::uint32_t power_up) {
  LibraryStream device(one.library, capability, power_up, one.waves);
  try {
    return StreamBench(capability, scenario, one.seed, &device).Run();
  } catch (const cosim::DeviceError& error) {
    Outcome outcome;
    outcome.rule = "device";
    outcome.breach = error.what();
    return outcome;
  }
}

/// A part of the stimulus.
void Restrict(const OneTest& one, Scenario* scenario) {
  scenario->frames_end_it = scenario->frames > 0;
  if (one.frames > 0) scenario->frames = scenario->frames == 0 ? one.frames : std::min(scenario->frames, one.frames);
  if (one.senders.empty()) return;
  scenario->senders = 0;
  for (const int port : one.senders) scenario->senders |= std::uint64_t{1} << port;
}

const char* ToString(Verdict verdict) {
  return verdict == Verdict::kPass ? "pass" : verdict == Verdict::kFail ? "fail" : "undecided";
}

}  // namespace

nlohmann::ordered_json RunOneTest(const Capability& capability, const OneTest& one) {
  const Test& test = TestOf(one.id);
  Scenario scenario = test.scenario(capability);
  Restrict(one, &scenario);
  const Outcome outcome = RunFrom(capability, one, scenario, kPowerUp);
  Judgement judgement = Judge(capability, scenario, outcome);
  std::string rule = outcome.rule;
  const bool twice = !scenario.long_run && one.waves.file.empty();
  if (twice && judgement.verdict == Verdict::kPass && RunFrom(capability, one, scenario, kOtherPowerUp).digest != outcome.digest) {
    rule = "power-up";
    judgement = {Verdict::kFail, "what the device shows depends on the bits with which its registers begin: some are used before they are written or reset"};
  }
  nlohmann::ordered_json result;
  result["test"] = one.id;
  result["seed"] = one.seed;
  result["verdict"] = ToString(judgement.verdict);
  if (judgement.verdict != Verdict::kPass) {
    result["rule"] = rule.empty() ? "claim" : rule;
    result["reason"] = judgement.reason;
    result["port"] = outcome.port < 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(outcome.port);
  }
  result["cycles"] = outcome.cycle;
  result["frames"] = {{"offered", outcome.counts.offered}, {"delivered", outcome.counts.delivered}, {"dropped", outcome.counts.dropped},
                      {"lost", outcome.counts.lost},       {"unjudged", outcome.counts.unjudged}};
  result["beats"] = {{"in", outcome.beats_in}, {"out", outcome.beats_out}};
  result["measured"] = outcome.measured ? nlohmann::ordered_json(*outcome.measured) : nlohmann::ordered_json();
  result["power_ups"] = twice ? 2 : 1;
  result["digest"] = fmt::format("{:016x}", outcome.digest);
  return result;
}

}  // namespace tilefly::conform
