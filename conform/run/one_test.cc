// SPDX-License-Identifier: Apache-2.0
#include "conform/run/one_test.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "conform/bench/result.h"
#include "conform/device/compared_streams.h"
#include "cosim/errors.h"
#include "cosim/library/call_watch.h"

namespace tilefly::conform {
namespace {

constexpr std::uint32_t kPowerUp = 1;
constexpr std::uint32_t kOtherPowerUp = 20021;

Outcome RunFrom(const Capability& capability, const OneTest& one, const Scenario& scenario, std::uint32_t power_up) {
  LibraryStream device(one.library, capability, power_up, one.waves);
  StreamBench bench(capability, scenario, one.seed);
  try {
    if (capability.claims.level < Level::kCycle) return bench.Run(&device);
    ComparedStreams compared(capability, &device);
    try {
      Outcome outcome = bench.Run(&compared);
      outcome.compared = {compared.compared(), compared.busy()};
      return outcome;
    } catch (const StreamsDiffer& difference) {
      bench.Reject("golden", difference.port(), difference.what());
      Outcome outcome = bench.Found();
      outcome.compared = {compared.compared(), compared.busy()};
      return outcome;
    }
  } catch (const cosim::DeviceError& error) {
    bench.Reject("device", -1, error.what());
    return bench.Found();
  }
}

std::uint64_t MaskOf(const std::vector<int>& ports) {
  if (ports.empty()) return ~std::uint64_t{0};
  std::uint64_t mask = 0;
  for (const int port : ports) mask |= std::uint64_t{1} << port;
  return mask;
}

/// A part of the stimulus.
void Restrict(const OneTest& one, Scenario* scenario) {
  if (one.frames > 0 || !one.senders.empty()) scenario->demands.clear();
  scenario->frames_end_it = scenario->frames > 0;
  if (one.frames > 0) scenario->frames = scenario->frames == 0 ? one.frames : std::min(scenario->frames, one.frames);
  if (one.senders.empty()) return;
  scenario->senders = MaskOf(one.senders);
}

bool RunsOnce(const OneTest& one, bool long_run) { return long_run || !one.waves.file.empty() || one.remote; }

nlohmann::ordered_json RunOneLinkTest(const Capability& capability, const OneTest& one) {
  const LinkScenario scenario = TestOf(one.id, PortStyle::kLink).link(capability);
  const LinkPart part{MaskOf(one.senders), one.frames, one.waves};
  const auto run = [&](std::uint32_t power_up) {
    return RunLinkTest(capability, scenario, one.seed, one.library, power_up, part);
  };
  LinkResult result{one.id, one.seed, run(kPowerUp), 1};
  if (RunsOnce(one, scenario.long_run)) return ToJson(result);
  result.power_ups = 2;
  if (!result.outcome.rule.empty()) return ToJson(result);
  if (LinkOutcome other = run(kOtherPowerUp); !other.rule.empty() || other.digest != result.outcome.digest) {
    if (other.rule.empty()) other.reason = "it shows something else on its links";
    result.outcome = other;
    result.outcome.rule = "power-up";
    result.outcome.reason = "from registers that begin with other bits: " + other.reason;
  }
  return ToJson(result);
}

}  // namespace

void RequireFit(const Capability& capability, const std::string& library) {
  if (capability.style == PortStyle::kLink) {
    MakeLinkDevice(capability, library, kPowerUp);
  } else {
    LibraryStream(library, capability, kPowerUp, {});
  }
}

nlohmann::ordered_json RunOneTest(const Capability& capability, const OneTest& one) {
  if (one.remote)
    cosim::LimitLibraryCalls(std::chrono::steady_clock::time_point::max(), nullptr, std::chrono::hours(24 * 365));
  if (capability.style == PortStyle::kLink) return RunOneLinkTest(capability, one);
  const Test& test = TestOf(one.id);
  Scenario scenario = test.scenario(capability);
  Restrict(one, &scenario);
  TestResult result{one.id, one.seed, RunFrom(capability, one, scenario, kPowerUp), {}, {}, 1};
  result.judgement = Judge(capability, scenario, result.outcome);
  if (RunsOnce(one, scenario.long_run)) return ToJson(result);
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
