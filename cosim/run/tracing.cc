// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/tracing.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "cosim/errors.h"
#include "support/text.h"

namespace tilefly::cosim {
namespace {

constexpr Cycle kBeforeFailure = 400;  ///< a packet's way through a busy switch
constexpr Cycle kShownBefore = 90;     ///< a quiet packet's way, and some more
constexpr std::int64_t kMegabyte = 1'000'000;

void WriteText(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(path.string() + ": cannot be written");
}

}  // namespace

WaveOptions Tracing::Window(const Settings& settings) {
  WaveOptions window;
  const auto cycle = [&](const char* path, Cycle automatic) {
    return settings.Get(path) == "auto" ? automatic : static_cast<Cycle>(ParseInteger(settings.Get(path), path));
  };
  window.from = cycle("waves.start", window.from);
  window.to = cycle("waves.end", window.to);
  window.scope = settings.Get("waves.scope");
  window.max_bytes = ParseInteger(settings.Get("waves.limit_mb"), "waves.limit_mb") * kMegabyte;
  if (window.from < 0 || window.to < window.from) throw UsageError("waves: the window ends before it starts; see --trace-start, --trace-end");
  if (window.max_bytes <= 0) throw UsageError("waves.limit_mb: at least 1");
  return window;
}

Tracing::Tracing(const WaveOptions& window, RunOptions* options)
    : profile_(*options->profile),
      devices_(options->devices),
      writer_(MakeWaveWriter(*options->profile, options->devices, window)),
      finder_(*options->profile, window.from, window.to) {
  options->device.waves = writer_.get();
}

void Tracing::Begin(const std::filesystem::path& folder, const std::string& name, RunControl* control) {
  fst_ = folder / (name + ".fst");
  writer_->Open(fst_);
  control->recorder = writer_.get();
  control->taps.push_back(&finder_);
}

std::vector<std::filesystem::path> Tracing::End(const std::optional<Story>& failed) {
  writer_->Close();
  if (writer_->last() < writer_->first()) return {};
  Story story{"", 0, 0, writer_->first(), writer_->last(), writer_->first()};
  if (failed) {
    story = *failed;
  } else if (finder_.story()) {
    story = *finder_.story();
  }
  story.from = std::max(story.from, writer_->first());
  story.to = std::min(story.to, writer_->last());
  const std::filesystem::path gtkwave = std::filesystem::path(fst_).replace_extension(".gtkw");
  const std::filesystem::path surfer = std::filesystem::path(fst_).replace_extension(".sucl");
  const std::string name = std::filesystem::absolute(fst_).string();
  WriteText(gtkwave, GtkwaveSave(name, profile_, devices_, story));
  WriteText(surfer, SurferCommands(name, profile_, devices_, story));
  return {fst_, gtkwave, surfer};
}

Story FailureStory(const Outcome& outcome) {
  const int port = std::max(outcome.port, 0);
  return {outcome.message, outcome.input >= 0 ? outcome.input : port, outcome.output >= 0 ? outcome.output : port,
          outcome.failed_at - kShownBefore, outcome.failed_at, outcome.failed_at};
}

WaveOptions FailureWindow(const Outcome& outcome, const WaveOptions& wanted) {
  WaveOptions window = wanted;
  window.from = std::max<Cycle>(0, outcome.failed_at - kBeforeFailure);
  window.to = outcome.failed_at;
  return window;
}

}  // namespace tilefly::cosim
