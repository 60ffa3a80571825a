// SPDX-License-Identifier: Apache-2.0
// Runs of a switch whose links go down and lose SerDes lanes by a plan.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runs/switch/switch_run.h"
#include "support/random.h"
#include "testbenches/bench/settings.h"

namespace tilefly::bench {

inline constexpr int kModeDiscard = 0, kModeBlock = 1, kModeBestEffort = 2;  ///< LINK_DOWN_BEHAVIOR

inline faults::PlannedEvent EventOf(faults::EventKind kind, std::int64_t at, int port, std::int64_t cycles = -1,
                                    faults::Direction direction = faults::Direction::kOut) {
  faults::PlannedEvent event;
  event.kind = kind;
  event.at = at;
  event.link.port = port;
  event.direction = direction;
  if (cycles >= 0) event.cycles = cycles;
  return event;
}

inline runs::RunOptions PlannedOptions(const faults::Plan& plan, const char* kinds = "fabric", int delay = 9) {
  runs::RunOptions options;
  options.profile = &kTile8;
  options.devices = {"golden"};
  options.kinds = runs::ParsePortKinds(kinds, 8);
  options.retry = 1;
  options.link_delay = delay;
  options.seed = SeedOf(RootSeed(), CurrentTest());
  options.generator.load = 0.5;
  options.generator.size = "64,300,1500*0.2";
  options.generator.classes = "0,1,2,3,4,5,6,7";
  options.max_cycles = 12'000;
  options.plan = std::make_shared<const faults::Plan>(plan);
  return options;
}

/// "6100 p3 out lanes 3 lanes" of each line that is no drawn error.
inline std::vector<std::string> TimeLineOf(const runs::SwitchRun& run) {
  std::vector<std::string> lines;
  for (const cosim::FaultLog::Line& line : run.fault_log().lines()) {
    if (line.drawn_error) continue;
    lines.push_back(std::to_string(line.cycle) + " p" + std::to_string(line.port) + " " + line.direction + " " + line.what +
                    (line.value.empty() ? "" : " ") + line.value + " " + line.cause);
  }
  return lines;
}

inline std::string HistoryOf(const runs::Outcome& outcome) {
  std::string text = outcome.message;
  for (const std::string& event : outcome.history) text += "\n  " + event;
  return text;
}

/// Times that a link went down, over all ports.
inline int DownsOf(const runs::SwitchRun& run) {
  int downs = 0;
  for (const auto& endpoint : run.endpoints()) downs += endpoint->retry() != nullptr ? endpoint->retry()->downs() : 0;
  return downs;
}

/// A plan of events of every kind of whole links and lanes, and of words and slots where `wires_fail`, on ports of `ports` (a
/// bit each). `down`: LINK_DOWN_BEHAVIOR; `lanes`: SerDes lanes that may die, from 0 on.
inline faults::Plan MixedPlanOf(std::uint64_t seed, std::uint64_t ports, int down, bool wires_fail, int lanes, Cycle cycles) {
  using faults::EventKind;
  Stream random(seed, 0, 0, tilefly::Purpose::kScenario);
  faults::Plan plan;
  plan.retry.timer = 1500;
  plan.retry.limit = 2;
  plan.retry.watchdog = 60;
  plan.retry.down = static_cast<std::uint8_t>(down);
  plan.lanes.back = 1;
  plan.retrain = 900;
  if (wires_fail) {
    plan.channel.word_ber = plan.channel.slot_ber = 3e-6;
    plan.channel.word = {0.0005, 0.0005, 0.0005};
    plan.channel.slot = {0.002, 0.002, 0.002};
  }
  for (std::uint64_t left = ports; left != 0; left &= left - 1) {
    const int port = __builtin_ctzll(left);
    for (Cycle at = 200 + static_cast<Cycle>(random.Below(2000)); at < cycles;) {
      const auto length = static_cast<Cycle>(1 + random.Below(3000));
      const auto direction = random.Below(2) == 0 ? faults::Direction::kOut : faults::Direction::kIn;
      faults::PlannedEvent event = EventOf(EventKind::kDown, at, port, length, direction);
      switch (random.Below(5)) {
        case 0:
          if (lanes == 0) break;
          event.kind = EventKind::kLaneDown;
          event.lane = static_cast<int>(random.Below(static_cast<std::uint64_t>(lanes)));
          break;
        case 1:
          event.kind = EventKind::kStuck;
          event.cycles = 2 * length + 5000;
          event.credits_alone = random.Below(2) == 0;
          break;
        default:
          break;
      }
      plan.events.push_back(event);
      at += *event.cycles + 600 + static_cast<Cycle>(random.Below(3000));
    }
  }
  std::stable_sort(plan.events.begin(), plan.events.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  return plan;
}

}  // namespace tilefly::bench
