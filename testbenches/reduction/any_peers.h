// SPDX-License-Identifier: Apache-2.0
// Peers that keep no protocol: packets of every kind with fields that are mostly those that go on, and now and then any
// others.
#pragma once

#include <array>
#include <vector>

#include "testbenches/reduction/ring_peers.h"

namespace tilefly::bench {

class AnyPeers : public RingPeers {
 public:
  AnyPeers(const Profile& profile, const Stimulus& random);

  void Step(Cycle now, const golden::GoldenRing::Outputs& outputs) override;
  std::optional<RedArrival> NextPacket(Cycle now, int port) override;

  /// Another tree for a group.
  const RingTree& Draw(Cycle now, int group);

 private:
  /// A port as the child or parent of a slot.
  struct Flow {
    std::uint16_t arrived = 0;
    int waiting = 0;
  };
  static constexpr Cycle kEpoch = 512;  ///< cycles for each number of a short operation
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }

  int SlotOf(int group) const;
  Red Stream(Cycle now, int port, int group, int slot, bool down) const;
  Red Short(Cycle now, int port, int group, bool down) const;
  std::uint16_t Count(Cycle epoch, int group) const;
  Red Credit(Cycle now, int port, int slot) const;
  std::optional<Red> Say(Cycle now, int port, const RingTree& own);
  void Fill(Cycle now, int port, std::vector<std::uint8_t>* data) const;
  void Publish(Cycle now, int port, int group, std::vector<std::uint8_t>* data) const;
  void PutOperation(std::uint64_t drawn, int most, Red* red) const;
  bool Chance(int of_256, Purpose purpose, Cycle now, int port) const {
    return random_.Chance(of_256, purpose, now, static_cast<std::uint32_t>(port));
  }

  const Profile& profile_;
  const Stimulus& random_;
  std::array<RingTree, golden::kRedGroups> trees_;
  std::vector<std::array<Flow, golden::kRedSlots>> flows_;
  std::vector<std::array<Cycle, golden::kRedGroups>> told_;  ///< epoch of the last short packet
  RedCmd command_;
};

}  // namespace tilefly::bench
