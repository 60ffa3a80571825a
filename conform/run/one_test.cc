// SPDX-License-Identifier: Apache-2.0
#include "conform/run/one_test.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "conform/bench/result.h"
#include "cosim/errors.h"

namespace tilefly::conform {
namespace {

constexpr std::uint32_t kPowerUp = 1;
constexpr std::uint32_t kOtherPowerUp = 20021;

Outcome RunFrom(const Capability& capability, const OneTest& one, const Scenario& scenario, std::uint32_t power_up) {
  LibraryStream device(one.library, capability, power_up, one.waves);
  StreamBench bench(capability, scenario, one.seed);
  try {
    return bench.Run(&device);
  } catch (const cosim::DeviceError& error) {
    bench.Reject("device", -1, error.what());
    return bench.Found();
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

}  // namespace

nlohmann::ordered_json RunOneTest(const Capability& capability, const OneTest& one) {
  const Test& test = TestOf(one.id);
  Scenario scenario = test.scenario(capability);
  Restrict(one, &scenario);
  TestResult result{one.id, one.seed, RunFrom(capability, one, scenario, kPowerUp), {}, {}, 1};
  result.judgement = Judge(capability, scenario, result.outcome);
  if (scenario.long_run || !one.waves.file.empty()) return ToJson(result);
  result.power_ups = 2;
  if (result.judgement.verdict == Verdict::kPass &&
      RunFrom(capability, one, scenario, kOtherPowerUp).digest != result.outcome.digest) {
    result.outcome.rule = "power-up";
    result.judgement = {Verdict::kFail,
                        "what the device shows depends on the bits with which its registers begin: some are used "
                        "before they are written or reset"};
  }
  return ToJson(result);
}

}  // namespace tilefly::conform
