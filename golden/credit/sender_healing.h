// SPDX-License-Identifier: Apache-2.0
// Credits that heal, sender's side (docs/blocks/link_retry.md, "Credits"): what a retry port knows beside its
// CreditSender, and the stamps that tell the receiver how many cells were put on the wire. It is a type of its own, so
// that ports without retry pay nothing for it.
#pragma once

#include <array>
#include <optional>

#include "golden/credit/credit_sender.h"

namespace tilefly::golden {

/// Cells put on the wire on a lane since link up, modulo 65536, as a control slot tells them.
struct CreditStamp {
  std::uint8_t vl;
  std::uint16_t cells;
};
inline bool operator==(const CreditStamp& a, const CreditStamp& b) { return a.vl == b.vl && a.cells == b.cells; }

inline constexpr Cycle kStampCycles = 64;  ///< from one stamp's decision to the next, of another lane

/// The events of a cycle come in the order of the functions. A port that becomes a retry port begins with a new one.
class SenderHealing {
 public:
  explicit SenderHealing(int lanes = kMaxLanes) : lanes_(lanes), known_(All()) {}

  /// Whether the receiver has said of every lane what it holds. Else no lane may send.
  bool all_known() const { return known_ == All(); }
  bool known(int v) const { return (known_ >> v & 1) != 0; }
  /// Cells of lane `v` that are granted and not taken.
  int inside(int v) const { return inside_[v]; }
  /// Cells of lane `v` put on the wire since link up, modulo 65536.
  std::uint16_t wired(int v) const { return wired_[v]; }

  /// Whether a lane has so many cells out that the link is given up.
  bool over(const CreditSender& credits) const {
    if (credits.excess() < kMostUsed - kMostReserve) return false;  // which a lane alone would make larger
    for (int v = 0; v < lanes_; ++v) {
      if (credits.used(v) >= kMostUsed) return true;
    }
    return false;
  }
  /// Cells of a packet that starts, by the frame length of its header: none of a bare frame, which has no header.
  static int CellsOfStart(int bytes) { return bytes == 0 ? 0 : CellsOf(bytes); }

  /// The stamp that is decided in cycle `now`: on `link_o` in the next. `up`: the link, as committed.
  std::optional<CreditStamp> Stamp(Cycle now, bool up, const CreditSender& credits) const {
    if (now % kStampCycles != 0 || !up) return std::nullopt;
    const int v = static_cast<int>(now / kStampCycles % lanes_);
    if (known(v) && credits.used(v) == 0) return std::nullopt;
    return CreditStamp{static_cast<std::uint8_t>(v), wired_[v]};
  }

  /// A credit return arrives: as CreditSender::Return, but the first one since link up is believed.
  bool Return(CreditSender* credits, int v, std::uint16_t cells, const CreditTable& table, int granted_now = 0) {
    if (known(v)) return credits->Return(v, cells, table, granted_now);
    known_ = static_cast<std::uint16_t>(known_ | 1u << v);
    credits->FirstReturn(v, cells, table);
    return true;
  }
  /// A packet of `cells` cells was granted on lane `v`; CreditSender::Grant charges it.
  void Granted(int v, int cells) { inside_[v] = static_cast<std::uint16_t>(inside_[v] + cells); }
  /// It was taken from the output buffer, and goes to the link.
  void Taken(int v, int cells) { inside_[v] = static_cast<std::uint16_t>(inside_[v] - cells); }
  /// It was taken because the link is down, and is discarded.
  void Discarded(CreditSender* credits, int v, int cells, const CreditTable& table) {
    Taken(v, cells);
    credits->Discard(v, cells, table);
  }
  /// An attempt has started on the wire (start_o of the retry block); `again`: it is not the packet's first, so its cells
  /// are charged once more.
  void Started(CreditSender* credits, int v, int cells, bool again, const CreditTable& table) {
    wired_[v] = static_cast<std::uint16_t>(wired_[v] + cells);
    if (again) credits->Grant(v, cells, table);
  }
  /// `link_up_i` is 0 in this cycle.
  void LinkDown(CreditSender* credits, const CreditTable& table) {
    for (int v = 0; v < lanes_; ++v) credits->Restart(v, inside_[v], table);
    known_ = 0;
    wired_ = {};
  }

 private:
  static constexpr int kMostUsed = 49'152;
  static constexpr int kMostReserve = 4095;  ///< of 12 bits

  std::uint16_t All() const { return static_cast<std::uint16_t>(Bit(lanes_) - 1); }

  int lanes_;
  std::uint16_t known_;  ///< a bit a lane
  std::array<std::uint16_t, kMaxLanes> inside_{};
  std::array<std::uint16_t, kMaxLanes> wired_{};
};

}  // namespace tilefly::golden
