// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "cosim/lockstep/launches.h"
#include "cosim/lockstep/recorder.h"
#include "cosim/waves/save_file.h"

namespace tilefly::cosim {

/// Picks the launch of the reduction ring that a wave shall open on, from what a recorder sees, which it passes on: a
/// segment up whose whole way lies in the window, from the last of its parts on a link to its packet on one; of those
/// that have come to their end first the one with the most parts.
class RingStoryFinder final : public Recorder {
 public:
  RingStoryFinder(const Profile& profile, Cycle from, Cycle to)
      : profile_(profile),
        launches_(profile),
        from_(from),
        to_(to),
        reported_(static_cast<std::size_t>(profile.ports), -1) {}

  /// What is recorded goes to `recorder` too.
  void PassOn(Recorder* recorder) { recorder_ = recorder; }
  void Record(Lockstep& devices, const Device::Inputs& inputs) override;

  const std::optional<Story>& story() const { return story_; }

 private:
  void Sample(Cycle now, const Observation& observation);
  void Offer(const RingLaunches::Completion& result, Cycle event);

  const Profile profile_;
  RingLaunches launches_;
  Cycle from_;
  Cycle to_;
  Recorder* recorder_ = nullptr;
  std::vector<Cycle> reported_;  ///< by port: event of the last segment's report
  std::optional<Story> story_;
};

}  // namespace tilefly::cosim
