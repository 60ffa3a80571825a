// SPDX-License-Identifier: Apache-2.0
// Hosts behind a reduction ring that are children of one root (cosim/tree): they lock without limit and stream one
// vector as fast as their credit allows.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cosim/tree/tree_child.h"
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
  void Begin(Cycle now);
  std::optional<RedArrival> NextPacket(Cycle now, int port) override;
  void Received(Cycle now, const golden::GoldenRing::Outputs::Leaving& packet) override;

  /// In the order in which they came.
  const std::vector<Result>& results() const { return results_; }
  /// Every child has every result.
  bool done() const { return results_.size() == static_cast<std::size_t>(vector_.segments) * hosts_.size(); }
  /// Something was not as it should be; empty: nothing.
  const std::string& complaint() const { return complaint_; }

 private:
  /// The vector as the only operation of an episode.
  class VectorOperands final : public cosim::TreeOperands {
   public:
    VectorOperands(const cosim::Tree& tree, const Vector& vector) : TreeOperands(tree, 0), vector_(vector) {}
    cosim::RedPacket Operands(int part, int port) const override;

   private:
    const Vector& vector_;
  };
  struct Host {
    std::unique_ptr<cosim::TreeChild> peer;
    int results = 0;
  };

  const Profile& profile_;
  cosim::Tree tree_;
  Vector vector_;
  VectorOperands operands_;
  std::map<int, Host> hosts_;  ///< by port
  std::vector<Result> results_;
  std::string complaint_;
};

}  // namespace tilefly::bench
