// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "cosim/reduction/launches.h"
#include "cosim/common/story.h"

namespace tilefly::cosim {

/// Picks the launch of the reduction ring on which a wave opens, from the observation record: a segment upwards whose
/// whole way lies in the window, from the last of its parts on a link to its packet on a link. Of the segments that end
/// first, it picks the one with the most parts.
class LaunchStoryFinder {
 public:
  LaunchStoryFinder(const Profile& profile, Cycle from, Cycle to)
      : profile_(profile),
        launches_(profile),
        from_(from),
        to_(to),
        reported_(static_cast<std::size_t>(profile.ports), -1) {}

  /// Takes the record that is seen in cycle `now`, which shows the events of the cycle before. Returns whether the
  /// story is another one than before.
  bool Sample(Cycle now, const Observation& observation);

  const std::optional<Story>& story() const { return story_; }

 private:
  bool Offer(const RingLaunches::Completion& result, Cycle event);

  const Profile profile_;
  RingLaunches launches_;
  Cycle from_;
  Cycle to_;
  std::vector<Cycle> reported_;  ///< by port: event of the last segment's report
  std::optional<Story> story_;
};

}  // namespace tilefly::cosim
