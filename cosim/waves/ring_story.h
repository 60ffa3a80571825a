// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "cosim/lockstep/recorder.h"
#include "cosim/reduction/launch_story.h"

namespace tilefly::cosim {

/// A LaunchStoryFinder as a recorder, which passes on what it sees.
class RingStoryFinder final : public Recorder {
 public:
  RingStoryFinder(const Profile& profile, Cycle from, Cycle to) : finder_(profile, from, to) {}

  /// Passes on what is recorded to `recorder` too.
  void PassOn(Recorder* recorder) { recorder_ = recorder; }
  void Record(Lockstep& devices, const Device::Inputs& inputs) override;

  const std::optional<Story>& story() const { return finder_.story(); }

 private:
  LaunchStoryFinder finder_;
  Recorder* recorder_ = nullptr;
};

}  // namespace tilefly::cosim
