// SPDX-License-Identifier: Apache-2.0
// Runs of golden over links with retry and over wires with a delay, for tests of journeys: kinds of ports, SerDes lanes,
// delays, and what fails are dealt over the runs.
#pragma once

#include <memory>

#include "testbenches/lockstep/planned_runs.h"

namespace tilefly::cosim {

inline constexpr int kRetryScenarios = 12;

inline runs::RunOptions RetryScenario(int number, std::uint64_t seed, Cycle cycles) {
  constexpr const char* kKinds[] = {"fabric", "mixed", "enhanced"};
  const int delay = number % 4 == 1 ? 1 : 9 + 53 * number % 400;
  const bool down = number % 2 == 1;
  const int mode = number % 3;
  const int lanes = number % 5 == 4 ? 2 : 4;
  faults::Plan plan = bench::MixedPlanOf(seed, down ? 0b11011011 : 0, mode, true, down && lanes == 4 ? 4 : 0, cycles);
  if (number == 9) plan.channel.slot_ber = 5e-4;  // one slot in ten is bad, and its contents are noise
  const bool routed = !down && number % 4 == 0;
  if (routed) {  // no link may be given up
    plan.retry.limit = 255;
    plan.retry.watchdog = 0;
  }
  runs::RunOptions options = bench::PlannedOptions(plan, kKinds[number % 3], delay);
  options.seed = static_cast<std::uint32_t>(seed);
  options.lanes = lanes;
  options.retry = number % 4 == 2 ? 0.5 : 1;
  options.generator.load = 0.5 + 0.1 * (number % 5);
  options.generator.size = "64,300,4000*0.1";
  options.generator.replicated = number % 3 == 0 ? 0.02 : 0;
  options.generator.faults = number % 2 == 0 ? 0.05 : 0;
  options.generator.routed = routed ? 0.2 : 0;
  options.stalls.share = 0.02;
  options.max_cycles = cycles;
  if (number % 6 == 2) options.plan = nullptr, options.retry = 0;  // wires with a delay alone
  return options;
}

}  // namespace tilefly::cosim
