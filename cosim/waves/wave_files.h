// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cosim/lockstep/recorder.h"
#include "cosim/waves/packet_stages.h"
#include "cosim/waves/save_file.h"
#include "cosim/waves/wave_writer.h"

namespace tilefly::cosim {

/// The waves of a switch's devices: the FST file and the save files that open it. Make it before the devices, which it
/// must outlive, and give it to the run as recorder.
class WaveFiles final : public Recorder {
 public:
  /// `devices`: names of the devices. Throws UsageError when the program cannot write waves.
  WaveFiles(const Profile& profile, const std::vector<std::string>& devices, const WaveOptions& window);

  WaveWriter& writer() { return *writer_; }
  /// Starts the files in `folder`; `name` is their name without ending.
  void Begin(const std::filesystem::path& folder, const std::string& name);
  void Record(Lockstep& devices, const Device::Inputs& inputs) override;
  /// Adds to the story the stages of the packet whose last word came out in cycle `out`.
  void NameStages(Cycle out, Story* story) const;
  /// The story of a failure. The failure stands in the middle, with the stages of the packet concerned, or with the
  /// events of the packets concerned.
  Story StoryOf(const FailurePoint& failure) const;
  /// Completes the files, which open on `story` if it lies in the window. Returns the paths of the files written, the
  /// FST file first; none when no cycle fell into the window.
  std::vector<std::filesystem::path> End(const std::optional<Story>& story);

 private:
  const Profile& profile_;
  std::vector<std::string> devices_;
  std::set<std::string> without_record_;  ///< of these
  PacketStages stages_;
  std::unique_ptr<WaveWriter> writer_;
  std::filesystem::path fst_;
};

/// Cycles that are traced after a failure.
inline constexpr Cycle kAfterFailure = 100;
/// The window to trace when a run that failed in `cycle` is repeated.
WaveOptions FailureWindow(Cycle cycle, const WaveOptions& wanted);

}  // namespace tilefly::cosim
