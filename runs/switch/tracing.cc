// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/tracing.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include "cosim/errors.h"
#include "support/text.h"

namespace tilefly::runs {
namespace {

constexpr std::int64_t kMegabyte = 1'000'000;
constexpr std::int64_t kMostMegabytes = 1'000'000'000;

}  // namespace

cosim::WaveOptions WaveWindow(const SettingValues& settings) {
  cosim::WaveOptions window;
  const auto cycle = [&](const char* path, Cycle automatic) {
    const std::string& text = settings.Get(path);
    return text == "auto" ? automatic : static_cast<Cycle>(ParseInteger(text, settings.NameOf(path)));
  };
  window.from = cycle("waves.start", window.from);
  window.to = cycle("waves.end", window.to);
  window.scope = settings.Get("waves.scope");
  window.max_bytes = settings.Integer("waves.limit_mb", 1, kMostMegabytes) * kMegabyte;
  if (window.from < 0 || window.to < window.from)
    throw UsageError("waves: the window ends before it starts; see --trace-start, --trace-end");
  return window;
}

void RequireTiles(const Profile& profile, const std::string& scope) {
  for (int tile = 0; tile < profile.tiles; ++tile) {
    const std::string name = fmt::format("tile_r{}_c{}", tile / profile.cols, tile % profile.cols);
    if (fnmatch(scope.c_str(), name.c_str(), 0) == 0) return;
  }
  throw UsageError(fmt::format("--trace-scope {}: no tile has such a name; {} has tile_r0_c0 to tile_r{}_c{}", scope,
                               profile.name, profile.rows - 1, profile.cols - 1));
}

std::string NoWaves(const cosim::WaveOptions& window, Cycle cycles) {
  return fmt::format("warning: no waves were written: --trace-start {}, and the run ended in cycle {}", window.from,
                     cycles);
}

Tracing::Tracing(const cosim::WaveOptions& window, RunOptions* options)
    : files_(*options->profile, options->devices, window), finder_(*options->profile, window.from, window.to) {
  options->device.waves = &files_.writer();
  if (options->reductions.groups == 0) return;
  ring_finder_.emplace(*options->profile, window.from, window.to);
  ring_finder_->PassOn(&files_);
}

void Tracing::Record(cosim::Lockstep& devices, const cosim::Device::Inputs& inputs) {
  (ring_finder_ ? static_cast<Recorder&>(*ring_finder_) : files_).Record(devices, inputs);
  const std::optional<cosim::Story>& found = finder_.story();
  if (!found || (packet_ && packet_->title == found->title)) return;
  packet_ = found;
  files_.NameStages(devices.cycle(), &*packet_);
}

void Tracing::Begin(const std::filesystem::path& folder, const std::string& name, RunControl* control) {
  files_.Begin(folder, name);
  control->recorder = this;
  control->taps.push_back(&finder_);
}

std::vector<std::filesystem::path> Tracing::End(const Outcome* failed) {
  if (failed != nullptr) return files_.End(files_.StoryOf(failed->point));
  return files_.End(ring_finder_ && ring_finder_->story() ? ring_finder_->story() : packet_);
}

}  // namespace tilefly::runs
