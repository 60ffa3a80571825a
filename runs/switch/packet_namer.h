// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cosim/lockstep/divergence.h"
#include "cosim/scoreboard/scoreboard.h"

namespace tilefly::runs {

/// Follows how far each queue has come, so that a divergence can name the packet it concerns: the n-th request of a
/// queue is for the n-th packet of its flow.
class PacketNamer {
 public:
  explicit PacketNamer(const Profile& profile);
  void Sample(const cosim::Observation& observation);
  /// The packet of the queue that a divergence names; 0: not known.
  std::uint64_t Packet(const cosim::Divergence& divergence, const cosim::Scoreboard& scoreboard) const;

 private:
  enum Stage { kRequest, kGrant, kGrantArrival, kStages };
  std::size_t Queue(int input, int output, int lane) const;

  int ports_;
  std::array<std::vector<std::uint32_t>, kStages> events_;  ///< by queue
};

}  // namespace tilefly::runs
