// SPDX-License-Identifier: Apache-2.0
#include "cosim/endpoint/sender_queues.h"

#include <utility>

namespace tilefly::cosim {

void SenderQueues::Add(FramePtr frame, Cycle not_before, const StartWait& wait) {
  const int lane = IndexOf(*frame);
  waiting_ |= LaneMask{1} << lane;
  first_[static_cast<std::size_t>(lane)] = {std::move(frame), not_before, wait};
}

void SenderQueues::Down() {
  ForEach([](Waiting& one) { ++one.wait.down; });
}

void SenderQueues::Pass(Cycle cycles) {
  ForEach([&](Waiting& one) { one.wait.passed += cycles; });
}

int SenderQueues::Rank(const Frame& frame) const {
  if (!by_lane_ || !frame.enh) return 0;
  const int tc = frame.header.tc % kClasses;
  const int classes = (tc - next_class_ + kClasses) % kClasses;
  const int lanes = (frame.header.vl - next_lane_[static_cast<std::size_t>(tc)] + kLanes) % kLanes;
  const bool others = frame.header.kind != static_cast<std::uint8_t>(Kind::kRed);
  return (others * kClasses + classes) * kLanes + lanes;
}

}  // namespace tilefly::cosim
