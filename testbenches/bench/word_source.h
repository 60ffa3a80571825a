// SPDX-License-Identifier: Apache-2.0
// Words of a link, cycle by cycle: packets from the test, whole or damaged, at the pace of the link's lanes, with gaps of
// every length, and in between words that belong to no packet.
#pragma once

#include <array>
#include <functional>

#include "testbenches/bench/wire_packet.h"

namespace tilefly::bench {

class WordSource {
 public:
  /// Makes the packet that starts in a cycle, without damage.
  using Maker = std::function<WirePacket(Cycle)>;

  /// Of 256 packets `damaged` are damaged; of 256 idle cycles `stray` have a word of no packet.
  WordSource(const Stimulus& random, Maker make, int damaged, int stray)
      : random_(random), make_(std::move(make)), damaged_(damaged), stray_(stray) {}

  /// The word of cycle `now`; no packet is started when `quiet`.
  Word Next(Cycle now, bool quiet);
  /// Between packets: lanes may be changed.
  bool idle() const { return !busy_; }
  void set_lanes(int lanes) { lanes_ = lanes; }
  /// Of 256 idle cycles `level` start a packet; -1: it varies from stretch to stretch.
  void set_level(int level) { level_ = level; }
  /// Packets started so far with a damage.
  std::int64_t started(Damage damage) const { return started_[static_cast<std::size_t>(damage)]; }
  /// The packet whose first word was the last one returned; null: none.
  const WirePacket* started_now() const { return started_now_ ? &packet_ : nullptr; }

 private:
  void Start(Cycle now);
  Word DamagedWord(Cycle now) const;

  const Stimulus& random_;
  Maker make_;
  int damaged_;
  int stray_;
  int lanes_ = 4;
  int level_ = -1;
  WirePacket packet_;  ///< the last one started
  bool busy_ = false;  ///< some of its words are still to come
  Cycle a0_ = 0;
  int k_ = 0;  ///< next word
  bool started_now_ = false;
  Cycle free_from_ = 0;
  std::array<std::int64_t, static_cast<std::size_t>(Damage::kCount)> started_{};
};

}  // namespace tilefly::bench
