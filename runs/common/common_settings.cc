// SPDX-License-Identifier: Apache-2.0
#include "runs/common/common_settings.h"

#include <fmt/format.h>

#include "network/schedulers.h"
#include "support/errors.h"
#include "support/random.h"
#include "support/text.h"
#include "workload/patterns.h"
#include "workload/rank_run.h"

namespace tilefly::runs {

int ReseedsOf(const SettingValues& settings) {
  constexpr int kMostRuns = 1'000'000;
  return static_cast<int>(settings.Integer(kReseeds.path, 1, kMostRuns));
}

golden::SchedulerChoice SchedulerOf(const SettingValues& settings) {
  return network::ChooseScheduler(settings.Get(kScheduler.path), "scheduler (--scheduler)");
}

bool HasClassQueues(const SettingValues& settings) {
  const std::string& text = settings.Get(kSenderQueues.path);
  if (text != "class" && text != "one") ThrowUnknown(settings.NameOf(kSenderQueues.path), text, {"class", "one"});
  return text == "class";
}

std::int64_t SampleCyclesOf(const SettingValues& settings, int clock_khz) {
  const std::string& text = settings.Get(kSample.path);
  if (text == "off") return 0;
  const std::string name = settings.NameOf(kSample.path);
  const std::int64_t cycles = workload::CyclesOf(workload::ParseNanoseconds(text, name), clock_khz);
  if (cycles == 0) throw UsageError(fmt::format("{} {}: an interval takes time; give 1us, or off", name, text));
  return cycles;
}

std::chrono::steady_clock::time_point DeadlineOf(const SettingValues& settings) {
  using Clock = std::chrono::steady_clock;
  constexpr double kNever = 1e9;  // seconds: no run lasts so long
  const double timeout = ParseReal(settings.Get(kTimeout.path), settings.NameOf(kTimeout.path));
  if (!(timeout >= 0))
    throw UsageError(fmt::format("{}: {} is not a number of seconds from 0 on; 0 is no limit",
                                 settings.NameOf(kTimeout.path), timeout));
  if (timeout == 0 || timeout >= kNever) return Clock::time_point::max();
  return Clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(timeout * 1000));
}

std::uint32_t SeedOf(std::uint32_t root, int reseed) {
  if (reseed == 0) return root;
  return static_cast<std::uint32_t>(Draw(root, 0, static_cast<std::uint64_t>(reseed), Purpose::kRun) >> 32);
}

cosim::CaptureOptions ReadCaptureOptions(const SettingValues& settings) {
  constexpr int kMostRepeats = 1 << 20;
  return {settings.Get(kCaptureFile.path), cosim::ParsePortsBy(settings.Get(kCapturePortsBy.path)),
          cosim::ParsePace(settings.Get(kCapturePace.path)),
          static_cast<int>(settings.Integer(kCaptureRepeat.path, 1, kMostRepeats)),
          settings.Integer("max_cycles", 0, cosim::kLongestRun)};
}

}  // namespace tilefly::runs
