// SPDX-License-Identifier: Apache-2.0
// Receiving end of a link for tests of credits that heal: golden's gate, admission, a buffer that drains by spells, and
// the half that returns credits.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "golden/common/header_bits.h"
#include "golden/credit/healing_checker.h"
#include "golden/retry/retry_in.h"
#include "testbenches/credit/healing_slot.h"

namespace tilefly::bench {

/// What the receiver's credit half is given in a cycle, by the page's names, and what it answers.
struct ReceiverMoves {
  struct Cells {
    bool valid = false;
    int vl = 0;
    int cells = 0;
  };
  bool link_up = false;
  Cells taken;
  std::array<Cells, 3> freed;
  std::optional<golden::CreditStamp> stamp;

  golden::ReceiverHealing::Judgement judgement;
  std::optional<golden::CreditReturner::Message> credit;  ///< decided in this cycle
  golden::RetryReport report;                             ///< in the gate's registers in this cycle
  bool full = false;                                      ///< the packet that was taken found no room
};

class HealingReceiverEnd {
 public:
  HealingReceiverEnd(const Profile& profile, bool retry, const Stimulus& random)
      : profile_(profile), random_(random), retry_(retry), healing(profile.vls) {}

  /// Nothing leaves the buffer; all that is in it leaves.
  void Hold(bool hold) { hold_ = hold; }
  void Drain(bool drain) { drain_ = drain; }

  /// One cycle. `stamp`: of the slot of four cycles ago.
  ReceiverMoves Step(bool link_up, const WireWord& wire, const std::optional<golden::CreditStamp>& stamp) {
    ReceiverMoves moves;
    moves.link_up = link_up;
    moves.stamp = stamp;
    golden::RetryIn::Inputs in;
    in.enable = retry_;
    in.link_up = link_up;
    in.word = wire.word;
    in.tag = wire.tag;
    const golden::RetryIn::Outputs out = gate_.Step(in);
    moves.report = out.report;
    accepted += out.accepted;
    const Word word = words_.Step(StartOfPacket(out.word) ? out.word : Word());
    if (word.valid) Admit(word, &moves);
    for (std::size_t i = 0; i < moves.freed.size(); ++i) Free(static_cast<std::uint32_t>(i), &moves);
    Account(&moves);
    up_ = link_up;
    ++cycle_;
    return moves;
  }

  bool idle() const { return buffer_.empty(); }
  std::int64_t accepted = 0;

 private:
  struct Resident {
    ReceiverMoves::Cells cells;
    Cycle from = 0;  ///< may leave
  };

  /// The MAC is filled with a packet that was broken off until its last word was due, and takes no first word before. (The
  /// gate passes one when the wire repeats a packet's first word twice.)
  bool StartOfPacket(const Word& word) {
    if (!word.valid || !word.sop || cycle_ < mac_free_) return false;
    const golden::HeaderBits header(word.data.data());
    mac_free_ = cycle_ + golden::CeilDiv(header.length() + 16, 32);
    return true;
  }
  void Admit(const Word& word, ReceiverMoves* moves) {
    const golden::HeaderBits header(word.data.data());
    moves->taken = {true, header.vl(), golden::CellsOf(header.length())};
    moves->full = held_ + moves->taken.cells > profile_.cells;
    // What finds no room comes back at once.
    if (moves->full) moves->freed[0] = moves->taken;
    else Enter({moves->taken, cycle_ + 1});
  }
  void Enter(const Resident& packet) {
    buffer_.push_back(packet);
    held_ += packet.cells.cells;
  }
  void Free(std::uint32_t source, ReceiverMoves* moves) {
    if (buffer_.empty() || hold_ || moves->freed[source].valid) return;
    if (!drain_ && !random_.Spell("free", cycle_, source)) return;
    const std::size_t which = random_.Below(buffer_.size(), "free which", cycle_, source);
    if (buffer_[which].from > cycle_) return;
    moves->freed[source] = buffer_[which].cells;
    held_ -= buffer_[which].cells.cells;
    buffer_.erase(buffer_.begin() + static_cast<std::ptrdiff_t>(which));
  }
  /// The page's events of t. The return is decided on the state that they find; so is what a stamp means.
  void Account(ReceiverMoves* moves) {
    if (retry_) moves->credit = healing.Decide(&returner);
    else if (returner.pending()) moves->credit = returner.Decide(profile_.vls);
    if (retry_ && moves->stamp) moves->judgement = healing.Stamp(&returner, *moves->stamp);
    if (retry_ && moves->taken.valid) healing.Taken(moves->taken.vl, moves->taken.cells);
    for (const ReceiverMoves::Cells& freed : moves->freed) {
      if (freed.valid) returner.Free(freed.vl, freed.cells);
    }
    if (retry_ && !moves->link_up) healing.LinkDown(&returner);
    if (retry_ && moves->link_up && !up_) healing.LinkRises(&returner);
  }

  const Profile& profile_;
  Stimulus random_;
  bool retry_;
  bool hold_ = false, drain_ = false;
  bool up_ = false;
  golden::RetryIn gate_{golden::RetryIn::Parameters{}};
  Later<Word> words_{4};  ///< from `link_i` to admission
  std::vector<Resident> buffer_;
  int held_ = 0;
  Cycle mac_free_ = 0;
  Cycle cycle_ = 0;

 public:
  golden::CreditReturner returner;
  golden::ReceiverHealing healing;
};

}  // namespace tilefly::bench
