// SPDX-License-Identifier: Apache-2.0
// Sending end of a link for tests of credits that heal: grants by credit, an output buffer, the MAC, golden's retry and
// credit halves. One packet is granted a cycle at most, and taken at the link's pace.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <optional>

#include "golden/common/header_bits.h"
#include "golden/credit/healing_checker.h"
#include "golden/retry/retry_out.h"
#include "testbenches/credit/healing_slot.h"

namespace tilefly::bench {

struct HealingTraffic {
  int lanes = 16;            ///< lanes in use
  int most_cells = 89;       ///< of a packet
  bool spells = true;        ///< grants in spells; else whenever there is credit
  bool discards = true;      ///< LINK_DOWN_BEHAVIOR is discard; else block
};

/// What the sender's credit half is given in a cycle, by the page's names, and what it answers.
struct SenderMoves {
  struct Packet {
    bool valid = false;
    int vl = 0;
    int cells = 0;
  };
  bool link_up = false;
  std::uint16_t want = 0;
  Packet grant, take, start;
  bool discard = false;  ///< of the take
  bool again = false;    ///< of the start
  int start_len = 0;     ///< bytes of the frame that starts
  std::optional<golden::CreditReturner::Message> credit;

  std::uint16_t lane_ok = 0;
  bool bad_return = false;
  bool returned = false;  ///< the return changed the cells in use of its lane
  std::optional<golden::CreditStamp> stamp;  ///< decided in this cycle
  Word word;                                 ///< on `link_o` in this cycle, and its tag
  RetryTag tag;
};

class HealingSenderEnd {
 public:
  HealingSenderEnd(const Profile& profile, const golden::CreditTable& table, bool retry, const HealingTraffic& traffic,
                   const Stimulus& random)
      : profile_(profile), table_(table), traffic_(traffic), random_(random), retry_(retry), healing(profile.vls) {
    in_.enable = retry;
    in_.replay_ct_max = 255;
  }

  /// Cycles without progress before a replay.
  void SetTimer(int cycles) { in_.replay_timer_max = cycles; }
  void Hold(bool hold) { hold_ = hold; }

  /// One cycle. `slot`: on `link_i` in this cycle; `credit`: of the slot of four cycles ago.
  SenderMoves Step(bool link_up, const golden::RetryReport& report,
                   const std::optional<golden::CreditReturner::Message>& credit, golden::HealingChecker* books) {
    SenderMoves moves;
    moves.link_up = link_up;
    moves.credit = credit;
    Grant(&moves);
    Take(&moves);
    in_.link_up = link_up;
    in_.report = report;
    in_.word = NextWord();
    const golden::RetryOut::Outputs out = sender_.Step(in_);
    moves.word = out.word;
    moves.tag = out.tag;
    moves.start = {out.start, out.start_vl, golden::SenderHealing::CellsOfStart(out.start_len)};
    moves.start_len = out.start_len;
    moves.again = out.again;
    if (retry_) moves.stamp = healing.Stamp(cycle_, up_, credits);
    Account(&moves, books);
    up_ = link_up;
    quiet_ = out.quiescent;
    ++cycle_;
    return moves;
  }

  bool idle() const { return queue_.empty() && words_.empty() && quiet_; }
  std::int64_t granted() const { return granted_; }

 private:
  struct Packet {
    int vl = 0;
    int len = 0;  ///< bytes of its frame
    Cycle from = 0;
  };
  struct Due {
    Cycle cycle = 0;
    Word word;
  };
  static constexpr int kTakeToWord = 6;  ///< cycles from a take to the MAC's first word

  void Grant(SenderMoves* moves) {
    if (hold_ || !up_) return;
    const auto lanes = static_cast<std::uint16_t>((1u << traffic_.lanes) - 1);
    moves->want = static_cast<std::uint16_t>((random_.Bits("want", cycle_) | random_.Bits("want", cycle_, 1)) & lanes);
    for (int v = 0; v < traffic_.lanes; ++v) {
      const bool ok = (!retry_ || healing.all_known()) && credits.LaneOk(v, table_, profile_.mtu_cells);
      moves->lane_ok = static_cast<std::uint16_t>(moves->lane_ok | (ok && (moves->want >> v & 1)) << v);
    }
    const int vl = random_.Between(0, traffic_.lanes - 1, "lane", cycle_);
    if ((moves->lane_ok >> vl & 1) == 0 || !(traffic_.spells ? random_.Spell("grant", cycle_) : true)) return;
    // Short packets are as frequent as long ones.
    const int longest = random_.Chance(128, "short", cycle_) ? std::min(traffic_.most_cells, 3) : traffic_.most_cells;
    const int cells = random_.Between(1, longest, "cells", cycle_);
    if (inside_ + cells > profile_.obuf_cells) return;
    // No packet has two words: when the wire repeats the first of two words twice, the MAC takes it for another attempt.
    const int fewest = cells == 1 ? 1 : std::max(49, 48 * (cells - 1) - 15);
    const int most = cells == 1 ? 16 : std::min(48 * cells - 16, 32 * kMaxWords - 16);
    const int len = random_.Between(fewest, most, "length", cycle_);
    moves->grant = {true, vl, cells};
    inside_ += cells;
    queue_.push_back({vl, len, cycle_ + random_.Between(4, 40, "crossbar", cycle_)});
    ++granted_;
  }
  /// What the link's state as committed demands: a packet goes to the link, or is discarded, or waits.
  void Take(SenderMoves* moves) {
    in_.take = false;
    if (queue_.empty() || cycle_ < queue_.front().from || cycle_ < next_take_) return;
    if (up_ ? !sender_.ready(retry_) : !traffic_.discards) return;
    const Packet packet = queue_.front();
    queue_.pop_front();
    const int words = golden::CeilDiv(packet.len + 16, 32);
    moves->take = {true, packet.vl, golden::CellsOf(packet.len)};
    moves->discard = !up_;
    inside_ -= moves->take.cells;
    next_take_ = cycle_ + words;
    if (!up_) return;
    in_.take = true;
    in_.take_words = words;
    for (int k = 0; k < words; ++k) words_.push_back({cycle_ + kTakeToWord + k, WordOf(packet, k, words)});
  }
  Word WordOf(const Packet& packet, int k, int words) const {
    Word word;
    word.valid = true;
    word.enh = true;
    word.sop = k == 0;
    word.eop = k == words - 1;
    word.last = word.eop ? static_cast<std::uint8_t>((packet.len + 16 - 1) % 32) : 31;
    if (k > 0) return word;
    Header header;
    header.vl = static_cast<std::uint8_t>(packet.vl);
    header.len = static_cast<std::uint16_t>(packet.len);
    golden::HeaderBits(header).CopyTo(word.data.data());
    return word;
  }
  Word NextWord() {
    if (words_.empty() || words_.front().cycle != cycle_) return {};
    const Word word = words_.front().word;
    words_.pop_front();
    return word;
  }
  /// The page's events of t, in its order.
  void Account(SenderMoves* moves, golden::HealingChecker* books) {
    if (moves->credit) {
      const auto& message = *moves->credit;
      const bool first = retry_ && !healing.known(message.vl);
      const int before = credits.used(message.vl);
      const bool good = retry_ ? healing.Return(&credits, message.vl, message.cells, table_)
                               : credits.Return(message.vl, message.cells, table_);
      moves->bad_return = !good;
      moves->returned = retry_ && credits.used(message.vl) != before;
      if (good) books->Home(message.vl, message.cells, first);
    }
    if (moves->grant.valid) {
      credits.Grant(moves->grant.vl, moves->grant.cells, table_);
      if (retry_) healing.Granted(moves->grant.vl, moves->grant.cells);
      books->Granted(moves->grant.vl, moves->grant.cells);
    }
    if (!retry_) return;
    if (moves->take.valid && moves->discard) {
      healing.Discarded(&credits, moves->take.vl, moves->take.cells, table_);
      books->Discarded(moves->take.vl, moves->take.cells);
    } else if (moves->take.valid) {
      healing.Taken(moves->take.vl, moves->take.cells);
      books->Taken(moves->take.vl, moves->take.cells);
    }
    if (moves->start.valid) {
      healing.Started(&credits, moves->start.vl, moves->start.cells, moves->again, table_);
      books->Started(moves->start.vl, moves->start.cells, moves->again);
    }
    if (moves->link_up) return;
    healing.LinkDown(&credits, table_);
    books->SenderDown();
  }

  static constexpr int kMaxWords = 133;

  const Profile& profile_;
  golden::CreditTable table_;
  HealingTraffic traffic_;
  Stimulus random_;
  bool retry_;
  bool hold_ = false;
  bool up_ = false;  ///< the link, as committed
  bool quiet_ = true;
  golden::RetryOut::Inputs in_;
  golden::RetryOut sender_{golden::RetryOut::Parameters{}};
  std::deque<Packet> queue_;  ///< granted and not taken
  std::deque<Due> words_;     ///< of the MAC
  int inside_ = 0;            ///< cells of `queue_`
  Cycle next_take_ = 0;
  Cycle cycle_ = 0;
  std::int64_t granted_ = 0;

 public:
  golden::CreditSender credits;
  golden::SenderHealing healing;
};

}  // namespace tilefly::bench
