// SPDX-License-Identifier: Apache-2.0
// A part of a run's frames: those of some ports, and the first ones of each. Frames of a port follow from the seed and
// their number alone, so they are the same in each part.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "cosim/traffic/traffic_source.h"

namespace tilefly::conform {

class PartSource final : public cosim::TrafficSource {
 public:
  /// `senders`: a bit for each port; `frames` of each at most.
  PartSource(std::unique_ptr<cosim::TrafficSource> whole, int ports, std::uint64_t senders, std::int64_t frames)
      : whole_(std::move(whole)), left_(static_cast<std::size_t>(ports)) {
    for (std::size_t port = 0; port < left_.size(); ++port) left_[port] = (senders >> port & 1) != 0 ? frames : 0;
  }

  void Begin(tilefly::Cycle now) override { whole_->Begin(now); }
  bool HasLoad() const override { return whole_->HasLoad(); }
  cosim::ClassSlots Offered(int port, tilefly::Cycle now) override { return whole_->Offered(port, now); }
  bool Exhausted() const override { return none_left_ || whole_->Exhausted(); }
  cosim::FramePtr NextFrame(int port, tilefly::Cycle now, cosim::LaneMask held) override {
    std::int64_t& left = left_[static_cast<std::size_t>(port)];
    if (left == 0 || closed()) return nullptr;
    cosim::FramePtr frame = whole_->NextFrame(port, now, held);
    if (frame == nullptr) return frame;
    --left;
    none_left_ = true;
    for (const std::int64_t more : left_) none_left_ = none_left_ && more == 0;
    return frame;
  }

 private:
  std::unique_ptr<cosim::TrafficSource> whole_;
  std::vector<std::int64_t> left_;  ///< by port
  bool none_left_ = false;
};

}  // namespace tilefly::conform
