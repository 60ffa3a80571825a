// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "testbenches/switch/packet_rig.h"

namespace tilefly::golden {

/// Uniform destinations, gaps drawn from 0 to twice their mean.
class UniformSource {
 public:
  UniformSource(int length, double load)
      : length_(length), words_(CeilDiv(length + HeaderBits::kBytes, kWordBytes)), widest_gap_(2 * words_ * (1 / load - 1)) {}

  PacketRig::Request operator()(int port) {
    const std::uint64_t bits = Random();
    const Cycle not_before = static_cast<Cycle>(next_[port]);
    next_[port] += words_ + static_cast<double>(bits >> 40) * 0x1p-24 * widest_gap_;
    return {static_cast<int>(bits & 63), length_, 0, not_before};
  }

 private:
  std::uint64_t Random() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    return state_ ^= state_ << 17;
  }

  int length_;
  int words_;
  double widest_gap_;
  std::array<double, kMaxPorts> next_{};
  std::uint64_t state_ = 88172645463325252u;
};

}  // namespace tilefly::golden
