// SPDX-License-Identifier: Apache-2.0
// Sources that always have something to send, and what leaves in a window of time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "testbenches/switch/packet_rig.h"

namespace tilefly::golden {

inline constexpr std::array<int, 5> kSizes = {32, 64, 256, 1024, 4224};

/// A generator that only these tests use: its sequence is part of their expected figures.
class Random {
 public:
  explicit Random(std::uint64_t seed = 88172645463325252u) : state_(seed) {}
  std::uint64_t operator()() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    return state_ ^= state_ << 17;
  }
  /// Uniform in [0, n) for small n.
  int Below(int n) { return static_cast<int>(((*this)() >> 20) % static_cast<unsigned>(n)); }

 private:
  std::uint64_t state_;
};

/// Time until the figures are steady, and the time in which words are counted.
struct Span {
  Cycle warm_up = 20000;
  Cycle window = 60000;
};

/// Runs saturated sources; `destination(port)` is asked for every packet, -1: the port sends nothing any more.
template <typename Destination>
std::unique_ptr<PacketRig> Saturate(int length, Destination destination, const Span& span = {}) {
  auto rig = std::make_unique<PacketRig>(kRosetta64);
  rig->set_source([=](int port) mutable {
    const int output = destination(port);
    return PacketRig::Request{output < 0 ? 0 : output, length, 0, output < 0 ? kNever : 0};
  });
  rig->RunTo(span.warm_up);
  rig->ResetCounts();
  rig->RunTo(span.warm_up + span.window);
  return rig;
}

/// Word slots of the port that carried a word.
inline double Share(const PacketRig& rig, int port, const Span& span = {}) {
  return static_cast<double>(rig.words(port)) / static_cast<double>(span.window);
}

}  // namespace tilefly::golden
