// SPDX-License-Identifier: Apache-2.0
// Calendars of 256 cycles for events whose delay varies. What lies further ahead is filed at the end and filed again
// when the wheel comes there. Slots commute: the order inside a cycle is not kept.
#pragma once

#include <array>

#include "golden/common/types.h"

namespace tilefly::golden {

/// Which of the wheel's slots hold something.
class WheelSlots {
 public:
  static constexpr int kSize = 256;

  static int SlotOf(Cycle cycle) { return static_cast<int>(cycle & (kSize - 1)); }
  /// The cycle in which something due in `due` is to be filed in cycle `now`.
  static Cycle Clip(Cycle due, Cycle now) { return due - now < kSize ? due : now + kSize - 1; }

  void Set(int slot) { used_[slot >> 6] |= std::uint64_t{1} << (slot & 63); }
  void Clear(int slot) { used_[slot >> 6] &= ~(std::uint64_t{1} << (slot & 63)); }
  bool Test(int slot) const { return (used_[slot >> 6] >> (slot & 63)) & 1; }

  /// First cycle after `now` whose slot is used, kNever without one.
  Cycle Next(Cycle now) const {
    const int first = SlotOf(now + 1);
    for (int i = 0; i <= kSize / 64; ++i) {
      const int word = ((first >> 6) + i) & (kSize / 64 - 1);
      std::uint64_t bits = used_[word];
      if (i == 0) bits &= ~std::uint64_t{0} << (first & 63);
      if (i == kSize / 64) bits &= (std::uint64_t{1} << (first & 63)) - 1;
      if (bits != 0) return now + 1 + ((word * 64 + LowestBit(bits) - first) & (kSize - 1));
    }
    return kNever;
  }

 private:
  std::array<std::uint64_t, kSize / 64> used_{};
};

/// Wakes ports: one bit a port and cycle. Waking twice or for nothing is harmless.
class WakeWheel {
 public:
  void Wake(Cycle due, Cycle now, int port) {
    const int slot = WheelSlots::SlotOf(WheelSlots::Clip(due, now));
    ports_[slot] |= Bit(port);
    slots_.Set(slot);
  }
  /// The ports woken in cycle `now`.
  PortMask Take(Cycle now) {
    const int slot = WheelSlots::SlotOf(now);
    const PortMask ports = ports_[slot];
    if (ports != 0) {
      ports_[slot] = 0;
      slots_.Clear(slot);
    }
    return ports;
  }
  Cycle Next(Cycle now) const { return slots_.Next(now); }

 private:
  std::array<PortMask, WheelSlots::kSize> ports_{};
  WheelSlots slots_;
};

/// Chains of pool records, linked through a field of theirs.
class ChainWheel {
 public:
  ChainWheel() { heads_.fill(kNone); }

  /// Files the record; `link` is its field for this wheel.
  void File(Cycle due, Cycle now, Index record, Index* link) {
    const int slot = WheelSlots::SlotOf(WheelSlots::Clip(due, now));
    *link = heads_[slot];
    heads_[slot] = record;
    slots_.Set(slot);
  }
  /// First record of the chain of cycle `now`, kNone without one; the slot is empty afterwards.
  Index Take(Cycle now) {
    const int slot = WheelSlots::SlotOf(now);
    const Index head = heads_[slot];
    if (head != kNone) {
      heads_[slot] = kNone;
      slots_.Clear(slot);
    }
    return head;
  }
  Cycle Next(Cycle now) const { return slots_.Next(now); }

 private:
  std::array<Index, WheelSlots::kSize> heads_;
  WheelSlots slots_;
};

}  // namespace tilefly::golden
