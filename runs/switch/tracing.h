// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cosim/waves/ring_story.h"
#include "cosim/waves/story_finder.h"
#include "cosim/waves/wave_files.h"
#include "runs/switch/settings.h"
#include "runs/switch/switch_run.h"

namespace tilefly::runs {

/// The waves of one run: the FST file and the save files that open it on a packet's way, or with reductions on a segment's
/// way round the ring. Make it before the run, which it must outlive.
class Tracing final : private cosim::Recorder {
 public:
  /// Traces the devices of `options`, which is changed to say so.
  Tracing(const cosim::WaveOptions& window, RunOptions* options);

  /// `name`: of the files, without ending, in `folder`.
  void Begin(const std::filesystem::path& folder, const std::string& name, RunControl* control);
  /// Completes the files; `failed`: they open on the failure instead of a packet that was seen. Returns the paths of those
  /// written, the FST file first; none when no cycle fell into the window.
  std::vector<std::filesystem::path> End(const Outcome* failed);
  /// The same; they open on `story`.
  std::vector<std::filesystem::path> End(const cosim::Story& story) { return files_.End(story); }

  cosim::WaveWriter& writer() { return files_.writer(); }

 private:
  void Record(cosim::Lockstep& devices, const cosim::Device::Inputs& inputs) override;

  cosim::WaveFiles files_;
  cosim::StoryFinder finder_;
  std::optional<cosim::Story> packet_;                 ///< what `finder_` has found, with its stages
  std::optional<cosim::RingStoryFinder> ring_finder_;  ///< when the run has reductions
};

/// The window and scope of the settings `waves.*`. Throws UsageError.
cosim::WaveOptions WaveWindow(const SettingValues& settings);
/// Throws UsageError unless a tile of the profile has a name that the glob `scope` matches.
void RequireTiles(const Profile& profile, const std::string& scope);
/// The warning that a run of `cycles` was over before the window began.
std::string NoWaves(const cosim::WaveOptions& window, Cycle cycles);

}  // namespace tilefly::runs
