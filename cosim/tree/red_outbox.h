// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>
#include <utility>

#include "cosim/tree/red_packet.h"
#include "golden/common/cycle.h"
#include "support/random.h"

namespace tilefly::cosim {

/// The packets that the peer behind one port has to send for one group, in order, each with its time.
class RedOutbox {
 public:
  struct Item {
    Cycle at;
    RedPacket packet;
    bool damaged;
  };

  /// `pace`: the most cycles after which a packet follows the one before, drawn; 0: the pace is drawn, too.
  RedOutbox(std::uint64_t seed, int group, int port, std::uint64_t pace = 0)
      : random_(seed, static_cast<std::uint32_t>(group << 8 | port), 1, Purpose::kReduction),
        pace_(pace != 0 ? pace : 1 + random_.Below(4) * random_.Below(100)) {}

  /// Adds a packet behind those that are there, with a time some cycles from now, drawn. Returns the packet's time.
  Cycle Post(Cycle now, RedPacket packet, bool damaged = false) {
    last_ = std::max(last_, now + 1 + static_cast<Cycle>(random_.Below(pace_)));
    waiting_.push_back({last_, std::move(packet), damaged});
    return last_;
  }
  /// Adds a packet whose time is later by up to `cycles` cycles.
  Cycle PostLater(Cycle now, std::uint64_t cycles, RedPacket packet) {
    return Post(now + static_cast<Cycle>(random_.Below(cycles)), std::move(packet));
  }

  /// The first packet, whatever its time; null: there is none.
  const Item* First() const { return waiting_.empty() ? nullptr : &waiting_.front(); }
  /// The first packet if its time has come; else null.
  const Item* Next(Cycle now) const { return waiting_.empty() || waiting_.front().at > now ? nullptr : First(); }
  void Pop() { waiting_.pop_front(); }
  void Clear() { waiting_.clear(); }
  bool empty() const { return waiting_.empty(); }
  Stream& random() { return random_; }

 private:
  Stream random_;
  std::uint64_t pace_;
  std::deque<Item> waiting_;
  Cycle last_ = 0;
};

}  // namespace tilefly::cosim
