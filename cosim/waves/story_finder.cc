// SPDX-License-Identifier: Apache-2.0
#include "cosim/waves/story_finder.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilefly::cosim {
namespace {

constexpr Cycle kMargin = 8;  ///< cycles shown before and after

}  // namespace

bool StoryFinder::Turns(int input, int output) const {
  const bool rows_differ = input / (2 * profile_.cols) != output / (2 * profile_.cols);
  const bool cols_differ = (input >> 1) % profile_.cols != (output >> 1) % profile_.cols;
  return rows_differ && cols_differ;
}

void StoryFinder::Sent(const FramePtr& frame, Cycle first, Cycle last) {
  if (turns_ || first < from_ + kMargin || last > to_ || frame->control || sent_.size() == kCandidates) return;
  sent_.push_back({frame, first});
}

void StoryFinder::Received(const Reception& reception) {
  if (turns_ || reception.last > to_ - kMargin) return;
  const auto found = std::find_if(sent_.begin(), sent_.end(),
                                  [&](const Candidate& c) { return c.frame->bytes == reception.bytes; });
  if (found == sent_.end()) return;
  Offer(fmt::format("packet {:#x}: {} B", found->frame->id, found->frame->bytes.size()), found->frame->source,
        reception.port, found->first, reception.last);
}

void StoryFinder::Offer(const std::string& packet, int input, int output, Cycle first, Cycle last) {
  if (turns_ || first < from_ + kMargin || last > to_ - kMargin) return;
  const bool turns = Turns(input, output);
  if (story_ && !turns) return;
  story_ = Story{fmt::format("{}, port {} to port {}", packet, input, output), input, output, first - kMargin,
                 last + kMargin, first};
  turns_ = turns;
}

}  // namespace tilefly::cosim
