// SPDX-License-Identifier: Apache-2.0
// The MAC in front of the sender of docs/blocks/retry.md: takes a packet when there is room, and gives its words some
// cycles later, at the pace of the lanes or faster. At most two packets are taken and not given whole.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>

#include "golden/common/header_bits.h"
#include "golden/retry/retry_wire.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {

class RetryMac {
 public:
  struct Options {
    int shortest = 3, longest = 3;  ///< words of a packet
    int latency = 1;                ///< most cycles from the take to the first word, at least 1
    bool at_once = true;            ///< always takes; else by spells
    bool varied = false;  ///< latency and pace are drawn; else the latency is fixed, and the pace that of the lanes
  };
  /// Of one cycle.
  struct Moves {
    bool take = false;
    int take_words = 0;
    Word word;
    bool stale = false;  ///< the word is of a packet that was taken before the link went down
  };

  RetryMac(const Options& options, const Stimulus& random) : options_(options), random_(random) {}

  /// No packet is taken while it holds.
  void Hold(bool hold) { hold_ = hold; }
  bool idle() const { return packets_.empty(); }
  std::int64_t taken() const { return taken_; }

  Moves Step(bool ready, int lanes, bool link_up) {
    Moves moves;
    if (ready && !hold_ && packets_.size() < 2 && (options_.at_once || random_.Spell("take", cycle_)))
      Take(lanes, &moves);
    if (!link_up) {
      for (Packet& packet : packets_) packet.stale = true;
    }
    if (!packets_.empty()) Give(&moves);
    if (!moves.word.valid && options_.varied) moves.word.data = Bytes("idle", cycle_);
    ++cycle_;
    return moves;
  }

 private:
  struct Packet {
    std::int64_t id = 0;
    int words = 0;
    int lanes = 4;  ///< of its pace
    Cycle first = 0;
    int given = 0;
    bool stale = false;
  };

  void Take(int lanes, Moves* moves) {
    Packet packet;
    packet.id = taken_++;
    packet.words = Length();
    packet.lanes = golden::RetryLanes(lanes);
    int latency = options_.latency;
    if (options_.varied) {
      packet.lanes = random_.Between(packet.lanes, 4, "pace", cycle_);
      latency = random_.Between(1, latency, "latency", cycle_);
    }
    packet.first = std::max(cycle_ + latency, next_first_);
    next_first_ = packet.first + golden::CeilDiv(4 * packet.words, packet.lanes);
    moves->take = true;
    moves->take_words = packet.words;
    packets_.push_back(packet);
  }
  int Length() const {
    switch (options_.varied ? random_.Below(5, "length's kind", cycle_) : 4) {
      case 0:
        return options_.shortest;
      case 1:
        return options_.longest;
      case 2:
        return random_.Between(options_.shortest, std::min(options_.shortest + 3, options_.longest), "short", cycle_);
      default:
        return random_.Between(options_.shortest, options_.longest, "length", cycle_);
    }
  }
  void Give(Moves* moves) {
    Packet& packet = packets_.front();
    if (cycle_ != packet.first + golden::WordOffset(packet.given, packet.lanes)) return;
    Word& word = moves->word;
    word.valid = true;
    word.sop = packet.given == 0;
    word.eop = ++packet.given == packet.words;
    word.enh = random_.Chance(192, "enhanced", packet.id);
    word.err = options_.varied && random_.Chance(32, "mac's err", cycle_);  // does not count
    word.last = word.eop ? static_cast<std::uint8_t>(random_.Below(32, "last", cycle_)) : 31;
    word.data = Bytes("data", cycle_);
    moves->stale = packet.stale;
    if (word.eop) packets_.pop_front();
  }
  std::array<std::uint8_t, 32> Bytes(Purpose purpose, Cycle when) const {
    std::array<std::uint8_t, 32> bytes;
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint64_t bits = random_.Bits(purpose, when, i);
      std::memcpy(bytes.data() + 8 * i, &bits, 8);
    }
    return bytes;
  }

  Options options_;
  Stimulus random_;
  bool hold_ = false;
  std::deque<Packet> packets_;  ///< taken, and not given whole
  std::int64_t taken_ = 0;
  Cycle next_first_ = 0;
  Cycle cycle_ = 0;
};

}  // namespace tilefly::bench
