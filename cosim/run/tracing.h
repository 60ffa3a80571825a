// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cosim/run/settings.h"
#include "cosim/run/switch_run.h"
#include "cosim/waves/ring_story.h"
#include "cosim/waves/story_finder.h"
#include "cosim/waves/wave_files.h"

namespace tilefly::cosim {

/// The waves of one run: the FST file and the save files that open it on a packet's way, or with reductions on a segment's
/// way round the ring. Make it before the run, which it must outlive.
class Tracing {
 public:
  /// Traces the devices of `options`, which is changed to say so.
  Tracing(const WaveOptions& window, RunOptions* options);

  /// `name`: of the files, without ending, in `folder`.
  void Begin(const std::filesystem::path& folder, const std::string& name, RunControl* control);
  /// Completes the files; `failed`: a failure's story instead of a packet's that was seen. Returns the paths of those
  /// written, the FST file first; none when no cycle fell into the window.
  std::vector<std::filesystem::path> End(const std::optional<Story>& failed);

  WaveWriter& writer() { return files_.writer(); }

 private:
  WaveFiles files_;
  StoryFinder finder_;
  std::optional<RingStoryFinder> ring_finder_;  ///< when the run has reductions
};

/// The window and scope of the settings `waves.*`. Throws UsageError.
WaveOptions WaveWindow(const SettingValues& settings);
/// Throws UsageError unless a tile of the profile has a name that the glob `scope` matches.
void RequireTiles(const Profile& profile, const std::string& scope);
/// The warning that a run of `cycles` was over before the window began.
std::string NoWaves(const WaveOptions& window, Cycle cycles);
/// Where a failure's wave opens: on the way of the packet concerned, as far as the failure tells, at its end.
Story FailureStory(const Outcome& outcome);
/// The window that is traced when a failed run is repeated.
WaveOptions FailureWindow(const Outcome& outcome, const WaveOptions& wanted);

}  // namespace tilefly::cosim
