// SPDX-License-Identifier: Apache-2.0
// Hosts behind a reduction ring that are children of one root: they lock without limit and stream one vector as fast as
// their credit allows (docs/blocks/reduction.md, Credits).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "testbenches/reduction/ring_peers.h"

namespace tilefly::bench {

class StreamPeers final : public RingPeers {
 public:
  /// A vector: what its segments are, how many, and a port's operands of a segment.
  struct Vector {
    RedOp op = RedOp::kSum;
    RedType type = RedType::kInt32;
    int bytes = 0;  ///< of a segment
    int segments = 1;
    std::function<std::vector<std::uint8_t>(int port, int segment)> operands;
  };
  /// A result that came to a port.
  struct Result {
    Cycle last;  ///< its last word on the link
    int port;
    Red red;
    std::vector<std::uint8_t> data;
  };

  StreamPeers(const Profile& profile, golden::PortMask children, Vector vector);

  /// Registers of the ports and of the group.
  std::vector<Cfg> Writes() const;
  /// All words of the registers are written: packets may go.
  void Begin() { begun_ = true; }
  std::optional<RedArrival> Take(Cycle now, int port) override;
  void Received(Cycle now, const golden::GoldenRing::Outputs::Leaving& packet) override;

  /// In the order in which they came.
  const std::vector<Result>& results() const { return results_; }
  /// Every child has every result.
  bool done() const {
    return results_.size() == static_cast<std::size_t>(vector_.segments * __builtin_popcountll(tree_.children));
  }
  /// Something was not as it should be; empty: nothing.
  const std::string& complaint() const { return complaint_; }

 private:
  struct Host {
    bool asked = false;  ///< for the lock
    int tag = -1;        ///< of the lock
    int sent = 0;
    int credit = 0;
    int results = 0;
  };
  RedArrival Packet(int port, const Red& red, const std::vector<std::uint8_t>& data) const;

  const Profile& profile_;
  RingTree tree_;
  Vector vector_;
  bool begun_ = false;
  std::vector<Host> hosts_;
  std::vector<Result> results_;
  std::string complaint_;
};

}  // namespace tilefly::bench
