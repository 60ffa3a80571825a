// SPDX-License-Identifier: Apache-2.0
// One flow channel (docs/blocks/flow_channel.md, "The table"), and its sweeps: they are made up for when somebody looks
// at the channel, so that a channel costs nothing in between.
#pragma once

#include <algorithm>

#include "generated/registers.h"
#include "golden/common/types.h"

namespace tilefly::golden {

/// Registers of a port that flow channels and meter use.
struct FlowRegisters {
  FlowMark mark;
  tilefly::FlowChannel channel;

  /// L: sweeps after which a generation is lost.
  int deadline() const { return std::max<int>(1, channel.deadline); }
  /// Sweeps after which a throttled channel without packets is forgotten.
  int idle() const { return std::max<int>(1, channel.idle); }
};

/// A way out of the switch: output, and the via that the header has.
struct FlowWay {
  std::uint16_t via = 0;
  std::uint8_t port = 0;
  bool via_valid = false;

  friend bool operator==(const FlowWay& a, const FlowWay& b) {
    return a.via == b.via && a.port == b.port && a.via_valid == b.via_valid;
  }
};

/// State of a channel, a cache line. An entry that is not `used` keeps its record until the record's event has come.
struct alignas(64) FlowState {
  static constexpr std::uint32_t kMostCells = (1u << 20) - 1;
  static constexpr int kMostSweeps = 255;
  static constexpr std::uint32_t kOfClass = 0xffff'ffff;  ///< the key of class channels

  Cycle swept = 0;     ///< the latest sweep that `age`, `idle`, `gen`, `cells` and `old` know of
  Cycle due = kNever;  ///< the sweep that is looked at in its own cycle
  std::uint32_t key = 0;
  std::uint32_t cells = 0;  ///< in flight, of the present generation
  std::uint32_t old = 0;    ///< in flight, of the generation before
  Index first = kNone;      ///< hold queue
  Index last = kNone;
  Index next_ready = kNone;
  Index next_tell = kNone;
  std::uint16_t number = 0;
  std::uint16_t window = 0;
  std::uint16_t held = 0;
  std::uint8_t age = 0;
  std::uint8_t idle = 0;
  bool used = false;      ///< of entries
  bool gen = false;
  bool throttled = false;
  bool begins = false;  ///< no ack has come yet, and `window` is that of the register
  bool ready = false;
  bool tell = false;
  bool asked = false;  ///< in this cycle `tell` was asked for
  bool path_valid = false;
  FlowWay way;

  /// F: cells sent and not acknowledged.
  std::uint32_t in_flight() const { return cells + old; }
  bool of_class() const { return key == kOfClass; }
  bool limited() const { return throttled || begins; }
  bool may_send() const { return !limited() || in_flight() == 0 || in_flight() < window; }
  bool busy() const { return in_flight() > 0 || held > 0; }
  bool in_use() const { return of_class() ? busy() || throttled : used; }

  /// `sweeps` sweeps, one after the other; `deadline` is L. Returns how many generations they lost. (Rules 4.1 to 4.3.)
  int Sweep(Cycle sweeps, int deadline) {
    idle = static_cast<std::uint8_t>(std::min<Cycle>(kMostSweeps, idle + sweeps));
    int lost = 0;
    while (sweeps > 0) {
      if (cells == 0 && old == 0) {  // each sweep is a turn
        gen = gen != (sweeps % 2 != 0);
        age = 0;
        break;
      }
      const Cycle to_turn = old == 0 ? 1 : std::max(1, deadline - age);
      if (sweeps < to_turn) {
        age = static_cast<std::uint8_t>(std::min<Cycle>(kMostSweeps, age + sweeps));
        break;
      }
      sweeps -= to_turn;
      lost += old > 0;
      old = cells;
      cells = 0;
      gen = !gen;
      age = 0;
    }
    return lost;
  }
  /// Sweeps from `swept` to the next one that does something which shows: a pause of an entry that holds packets, the
  /// loss of a generation, the end of a throttle. `rest` is the register's `idle`. 0: there is none.
  Cycle SweepsToEvent(int deadline, int rest) const {
    if (held > 0 && !of_class()) return 1;
    if (old > 0) return std::max(1, deadline - age);
    if (cells > 0) return 1 + deadline;
    return throttled && held == 0 ? std::max(1, rest - idle) : 0;
  }
};

static_assert(sizeof(FlowState) == 64);

}  // namespace tilefly::golden
