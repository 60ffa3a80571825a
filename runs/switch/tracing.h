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

namespace tilefly::cosim {

/// The waves of one run: the FST file and the save files that open it on a packet's way, or with reductions on a segment's
/// way round the ring. Make it before the run, which it must outlive.
class Tracing final : private Recorder {
 public:
  /// Traces the devices of `options`, which is changed to say so.
  Tracing(const WaveOptions& window, RunOptions* options);

  /// `name`: of the files, without ending, in `folder`.
  void Begin(const std::filesystem::path& folder, const std::string& name, RunControl* control);
  /// Completes the files; `failed`: they open on the failure instead of a packet that was seen. Returns the paths of those
  /// written, the FST file first; none when no cycle fell into the window.
  std::vector<std::filesystem::path> End(const Outcome* failed);

  WaveWriter& writer() { return files_.writer(); }

 private:
  void Record(Lockstep& devices, const Device::Inputs& inputs) override;

  WaveFiles files_;
  StoryFinder finder_;
  std::optional<Story> packet_;                 ///< what `finder_` has found, with its stages
  std::optional<RingStoryFinder> ring_finder_;  ///< when the run has reductions
};

/// The window and scope of the settings `waves.*`. Throws UsageError.
WaveOptions WaveWindow(const SettingValues& settings);
/// Throws UsageError unless a tile of the profile has a name that the glob `scope` matches.
void RequireTiles(const Profile& profile, const std::string& scope);
/// The warning that a run of `cycles` was over before the window began.
std::string NoWaves(const WaveOptions& window, Cycle cycles);

}  // namespace tilefly::cosim
