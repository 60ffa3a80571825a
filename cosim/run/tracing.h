// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cosim/run/settings.h"
#include "cosim/run/switch_run.h"
#include "cosim/waves/story_finder.h"
#include "cosim/waves/wave_writer.h"

namespace tilefly::cosim {

/// The waves of one run: the FST file and the save files that open it on a packet's way. Make it before the run, which it
/// must outlive.
class Tracing {
 public:
  /// The window and scope of the settings `waves.*`. Throws UsageError.
  static WaveOptions Window(const Settings& settings);

  /// Traces the devices of `options`, which is changed to say so.
  Tracing(const WaveOptions& window, RunOptions* options);

  /// `name`: of the files, without ending, in `folder`.
  void Begin(const std::filesystem::path& folder, const std::string& name, RunControl* control);
  /// Completes the files; `failed`: a failure's story instead of a packet's that was seen. Returns the paths of those
  /// written, the FST file first; none when no cycle fell into the window.
  std::vector<std::filesystem::path> End(const std::optional<Story>& failed);

  WaveWriter& writer() { return *writer_; }

 private:
  const Profile& profile_;
  std::vector<std::string> devices_;
  std::unique_ptr<WaveWriter> writer_;
  StoryFinder finder_;
  std::filesystem::path fst_;
};

/// Where a failure's wave opens: on the way of the packet concerned, as far as the failure tells, at its end.
Story FailureStory(const Outcome& outcome);
/// The window that is traced when a failed run is repeated.
WaveOptions FailureWindow(const Outcome& outcome, const WaveOptions& wanted);

}  // namespace tilefly::cosim
