// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/tracing.h"

#include <algorithm>

#include "cosim/errors.h"
#include "support/text.h"

namespace tilefly::cosim {
namespace {

constexpr std::int64_t kMegabyte = 1'000'000;
constexpr std::int64_t kMostMegabytes = 1'000'000'000;

}  // namespace

WaveOptions WaveWindow(const SettingValues& settings) {
  WaveOptions window;
  const auto cycle = [&](const char* path, Cycle automatic) {
    return settings.Get(path) == "auto" ? automatic : static_cast<Cycle>(ParseInteger(settings.Get(path), path));
  };
  window.from = cycle("waves.start", window.from);
  window.to = cycle("waves.end", window.to);
  window.scope = settings.Get("waves.scope");
  window.max_bytes = settings.Integer("waves.limit_mb", 1, kMostMegabytes) * kMegabyte;
  if (window.from < 0 || window.to < window.from)
    throw UsageError("waves: the window ends before it starts; see --trace-start, --trace-end");
  return window;
}

Tracing::Tracing(const WaveOptions& window, RunOptions* options)
    : files_(*options->profile, options->devices, window), finder_(*options->profile, window.from, window.to) {
  options->device.waves = &files_.writer();
  if (options->reductions.groups == 0) return;
  ring_finder_.emplace(*options->profile, window.from, window.to);
  ring_finder_->PassOn(&files_.writer());
}

void Tracing::Begin(const std::filesystem::path& folder, const std::string& name, RunControl* control) {
  files_.Begin(folder, name);
  control->recorder = ring_finder_ ? static_cast<Recorder*>(&*ring_finder_) : &files_.writer();
  control->taps.push_back(&finder_);
}

std::vector<std::filesystem::path> Tracing::End(const std::optional<Story>& failed) {
  if (failed) return files_.End(failed);
  return files_.End(ring_finder_ && ring_finder_->story() ? ring_finder_->story() : finder_.story());
}

Story FailureStory(const Outcome& outcome) {
  const int port = std::max(outcome.port, 0);
  Story story = FailureStory(outcome.message, outcome.input >= 0 ? outcome.input : port,
                             outcome.output >= 0 ? outcome.output : port, outcome.failed_at);
  story.parts = outcome.parts;
  return story;
}

WaveOptions FailureWindow(const Outcome& outcome, const WaveOptions& wanted) {
  return FailureWindow(outcome.failed_at, wanted);
}

}  // namespace tilefly::cosim
