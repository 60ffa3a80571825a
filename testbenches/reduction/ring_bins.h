// SPDX-License-Identifier: Apache-2.0
// What a comparison of the reduction ring must have come to: every operation and type, every candidate, what is full
// and what is refused, every way to fail, the small-operand engine.
#pragma once

#include <array>
#include <set>
#include <utility>
#include <vector>

#include "testbenches/bench/comparison.h"
#include "testbenches/reduction/golden_ring.h"

namespace tilefly::bench {

class RingBins {
 public:
  using Leaving = golden::GoldenRing::Outputs::Leaving;

  /// What the packets are: of peers that keep the protocol; with mishaps; or any packets, while links go down.
  enum class Packets { kRight, kMishaps, kAny };
  RingBins(Comparison* run, const Profile& profile, Packets packets);

  /// A packet ends well at a port.
  void Ended(int port, const Red& red);
  void Left(const Leaving& packet);
  /// The cycle is over.
  void Look(const golden::GoldenRing& golden, const golden::GoldenRing::Outputs& outputs);

 private:
  static constexpr std::array<Counter, 4> kCounters = {Counter::kRxRed, Counter::kRedStale, Counter::kRedRefused,
                                                       Counter::kRedDamaged};
  /// A port as the child or parent of a slot.
  struct Entries {
    bool of_parent = false;
    int waiting = 0;     ///< segments that have arrived and were not launched
    int unanswered = 0;  ///< results that went to a node, which has not launched them
    int credit = 0;      ///< that it said last
  };

  void LookAtSlots(const golden::GoldenRing::Outputs& outputs);
  void LookAtRooms(const golden::Cfu& cfu);
  void LookAtLocks(const golden::Cfu& cfu);
  void Small(const std::uint8_t* data);

  Comparison& run_;
  const Profile& profile_;
  std::set<std::pair<int, int>> pairs_;  ///< operations and types that have been
  std::vector<std::array<Entries, golden::kRedSlots>> entries_;
  std::vector<std::uint8_t> ended_;  ///< red_what_e of the last packet, by port
  std::array<std::uint64_t, kCounters.size()> counts_{};
  RedCmd command_;
  std::array<std::uint16_t, golden::kRedGroups> left_{};  ///< operations of the lock, by group

  Bin pair_, both_slots_, full_, no_credit_, no_room_, lock_refused_, unlock_refused_, tag_wraps_, borrows_;
  Bin short_differs_, small_, small_differs_, partial_, repsum_;
  std::array<Bin, golden::kRedCandidates> launches_{};
  std::vector<Bin> failures_;  ///< by code
  std::vector<Bin> counters_;
};

}  // namespace tilefly::bench
