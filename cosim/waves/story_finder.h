// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cosim/setup/frame_sink.h"
#include "cosim/waves/save_file.h"
#include "generated/profile.h"

namespace tilefly::cosim {

/// Picks the packet on which a wave opens: the first packet whose whole way lies in the window. A packet that changes
/// row and column is preferred.
class StoryFinder final : public FrameSink {
 public:
  StoryFinder(const Profile& profile, Cycle from, Cycle to) : profile_(profile), from_(from), to_(to) {}

  void Sent(const FramePtr& frame, Cycle first, Cycle last) override;
  void Received(const Reception& reception) override;
  /// Offers a packet's way: its first word was on `link_i` in cycle `first`, and its last word on `link_o` in cycle
  /// `last`.
  void Offer(const std::string& packet, int input, int output, Cycle first, Cycle last);

  /// The packet's story, if one was found.
  const std::optional<Story>& story() const { return story_; }

 private:
  struct Candidate {
    FramePtr frame;
    Cycle first;
  };
  static constexpr std::size_t kCandidates = 512;

  bool Turns(int input, int output) const;

  const Profile& profile_;
  Cycle from_;
  Cycle to_;
  std::vector<Candidate> sent_;
  std::optional<Story> story_;
  bool turns_ = false;
};

}  // namespace tilefly::cosim
