// SPDX-License-Identifier: Apache-2.0
// Calendars of 128 cycles for events whose delay varies. What lies further ahead is filed at the end and filed again
// when the wheel comes there. The events of a cycle commute: their order is not kept.
#pragma once

#include <array>

#include "golden/common/types.h"

namespace tilefly::golden {

/// A set of calendars, one bit for each.
using Calendars = std::uint16_t;
inline constexpr Calendars kAllCalendars = UINT16_MAX;

/// The cycles ahead in which calendars hold something, and which calendars these are. All calendars of a switch share
/// one object. The owner calls PopDue when it visits the calendars of a cycle.
class DueCycles {
 public:
  static constexpr int kSize = 128;

  static int SlotOf(Cycle cycle) { return static_cast<int>(cycle & (kSize - 1)); }
  /// The cycle in which something that is due in `due` is filed in cycle `now`. It is before `due` when `due` is beyond
  /// the wheel.
  static Cycle Clip(Cycle due, Cycle now) { return due - now < kSize ? due : now + kSize - 1; }

  /// Marks that the calendar has something due in `cycle`, which is less than kSize cycles ahead.
  void Set(Cycle cycle, Calendars calendar) {
    const int slot = SlotOf(cycle);
    used_[slot >> 6] |= std::uint64_t{1} << (slot & 63);
    calendars_[slot] = static_cast<Calendars>(calendars_[slot] | calendar);
  }
  /// Returns the calendars in which something is due in `cycle`, and forgets them: the caller visits them now.
  Calendars PopDue(Cycle cycle) {
    const int slot = SlotOf(cycle);
    const Calendars due = calendars_[slot];
    calendars_[slot] = 0;
    used_[slot >> 6] &= ~(std::uint64_t{1} << (slot & 63));
    return due;
  }

  /// Whether something is due in `cycle`.
  bool Has(Cycle cycle) const { return calendars_[SlotOf(cycle)] != 0; }
  /// First cycle after `now` in which something is due, kNever when nothing is.
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
  std::array<std::uint64_t, kSize / 64> used_{};  ///< cycles with a calendar
  std::array<Calendars, kSize> calendars_{};
};

/// Wakes ports: one bit a port and cycle. Waking twice or for nothing is harmless.
class WakeWheel {
 public:
  WakeWheel(DueCycles& due_cycles, Calendars own) : due_cycles_(due_cycles), own_(own) {}

  void Wake(Cycle due, Cycle now, int port) {
    const Cycle cycle = DueCycles::Clip(due, now);
    ports_[DueCycles::SlotOf(cycle)] |= Bit(port);
    due_cycles_.Set(cycle, own_);
  }
  /// The ports woken in cycle `now`.
  PortMask PopDue(Cycle now) {
    const int slot = DueCycles::SlotOf(now);
    const PortMask ports = ports_[slot];
    if (ports != 0) ports_[slot] = 0;
    return ports;
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(ports_);
  }

 private:
  std::array<PortMask, DueCycles::kSize> ports_{};
  DueCycles& due_cycles_;
  Calendars own_;
};

/// Chains of pool records. Each record is linked to the next through a field of its own.
class ChainWheel {
 public:
  ChainWheel(DueCycles& due_cycles, Calendars own) : due_cycles_(due_cycles), own_(own) { heads_.fill(kNone); }

  /// Files the record; `link` is its field for this wheel.
  void File(Cycle due, Cycle now, Index record, Index* link) {
    const Cycle cycle = DueCycles::Clip(due, now);
    const int slot = DueCycles::SlotOf(cycle);
    *link = heads_[slot];
    heads_[slot] = record;
    due_cycles_.Set(cycle, own_);
  }
  /// First record of the chain of cycle `now`, kNone when there is none. The slot is empty afterwards.
  Index PopDue(Cycle now) {
    const int slot = DueCycles::SlotOf(now);
    const Index head = heads_[slot];
    if (head != kNone) heads_[slot] = kNone;
    return head;
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(heads_);
  }

 private:
  std::array<Index, DueCycles::kSize> heads_;
  DueCycles& due_cycles_;
  Calendars own_;
};

}  // namespace tilefly::golden
