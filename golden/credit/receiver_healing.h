// SPDX-License-Identifier: Apache-2.0
// Credits that heal, receiver's side (docs/blocks/link_retry.md, "Credits"): the count of the cells that the MAC took, and
// what a stamp of the sender says of those that were lost. It is a type of its own beside the CreditReturner, so that
// ports without retry pay nothing for it.
#pragma once

#include <array>
#include <optional>

#include "golden/credit/credit_returner.h"
#include "golden/credit/sender_healing.h"

namespace tilefly::golden {

/// The events of a cycle come in the order of the functions, those of `CreditReturner::Free` between Stamp and LinkDown.
/// A port that becomes a retry port begins with a new one, and its returner forgets what was freed, behind all events of
/// the cycle.
class ReceiverHealing {
 public:
  /// What a stamp came to.
  struct Judgement {
    bool old = false;  ///< it says less than is known: it is ignored
    int healed = 0;    ///< cells that were lost and are given back
  };

  explicit ReceiverHealing(int lanes = kMaxLanes) : lanes_(lanes) {}

  /// Cells of lane `v` that the MAC took, or that stamps gave back, since link up, modulo 65536.
  std::uint16_t taken(int v) const { return taken_[v]; }
  /// Whether a return was asked for and not decided.
  bool asked() const { return asked_ != 0; }

  /// The return that is decided in this cycle: of a lane that is pending, else of one that was asked for.
  std::optional<CreditReturner::Message> Decide(CreditReturner* returner) {
    if (returner->pending()) {
      const CreditReturner::Message message = returner->Decide(lanes_);
      asked_ = static_cast<std::uint16_t>(asked_ & ~(1u << message.vl));
      return message;
    }
    if (asked_ == 0) return std::nullopt;
    const int v = LowestBit(asked_);
    asked_ = static_cast<std::uint16_t>(asked_ & (asked_ - 1));
    return CreditReturner::Message{static_cast<std::uint8_t>(v), returner->freed(v)};
  }

  /// A stamp arrives; a word whose event is in the same cycle is none of those that it counts.
  Judgement Stamp(CreditReturner* returner, const CreditStamp& stamp) {
    const int v = stamp.vl;
    const auto behind = static_cast<std::uint16_t>(taken_[v] - stamp.cells);
    if (behind >= 1 && behind <= kOldStamp) return {true, 0};
    const auto lost = static_cast<std::uint16_t>(stamp.cells - taken_[v]);
    taken_[v] = stamp.cells;
    if (lost > 0) returner->Free(v, lost);
    asked_ = static_cast<std::uint16_t>(asked_ | 1u << v);
    return {false, lost};
  }
  /// The MAC's start of a packet with header, of `cells` cells on lane `v`, is at admission.
  void Taken(int v, int cells) { taken_[v] = static_cast<std::uint16_t>(taken_[v] + cells); }
  /// `link_up_i` is 0 in this cycle.
  void LinkDown(CreditReturner* returner) {
    returner->Restart(taken_);
    taken_ = {};
    asked_ = 0;
  }
  /// `link_up_i` is 1 in this cycle, and was 0 in the one before.
  void LinkRises(CreditReturner* returner) const { returner->Speak(lanes_); }

 private:
  static constexpr int kOldStamp = 1023;  ///< a stamp that is behind by at most so many cells is old

  int lanes_;
  std::uint16_t asked_ = 0;  ///< a bit a lane
  std::array<std::uint16_t, kMaxLanes> taken_{};
};

}  // namespace tilefly::golden
