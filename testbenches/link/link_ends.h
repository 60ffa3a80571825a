// SPDX-License-Identifier: Apache-2.0
// Two ends of a link with retry in golden, each with a MAC that takes packets at random, over wires that fail
// (docs/blocks/link_retry.md, Sender, SerDes lanes).
#pragma once

#include <array>
#include <deque>
#include <utility>
#include <vector>

#include "golden/retry/retry_ends.h"
#include "testbenches/retry/retry_channel.h"

namespace tilefly::bench {

/// What a cycle brings beside words and slots: registers, and whether the link is up.
struct LinkCycle {
  bool up = false;
  bool enable = true;    ///< false: a plain port
  bool written = false;  ///< an event of the cycle writes LANES
};

/// A MAC's sending side: packets and their words, at the pace of the SerDes lanes in use at their take.
class TakenPackets {
 public:
  TakenPackets(const Profile& profile, const Stimulus& random, std::uint32_t index)
      : profile_(profile), random_(random), index_(index) {}

  /// Words of the packet that is taken in cycle `now`, 0: none. `may`: the retry block and the SerDes lanes allow it.
  int Take(Cycle now, bool may, int lanes) {
    if (!may || now < next_take_ || !random_.Spell("take", now, index_)) return 0;
    const int longest = random_.Chance(24, "long", now, index_) ? profile_.mtu_words_enh : 12;
    const int words = random_.Between(1, longest, "words", now, index_);
    Word word;
    word.valid = true;
    word.enh = random_.Chance(224, "with header", now, index_);
    word.last = 31;
    for (int k = 0; k < words; ++k) {
      word.sop = k == 0;
      word.eop = k == words - 1;
      for (std::size_t i = 0; i < word.data.size(); ++i) {
        word.data[i] = static_cast<std::uint8_t>(random_.Bits("data", now, static_cast<std::uint32_t>(k)) >> 8 * (i % 8));
      }
      coming_.emplace_back(now + kTakeToWord + golden::WordOffset(k, lanes), word);
    }
    empty_at_ = coming_.back().first + 1;
    next_take_ = now + (4 * words + lanes - 1) / lanes;
    return words;
  }
  /// The word of cycle `now`.
  Word Give(Cycle now) {
    if (coming_.empty() || coming_.front().first != now) return {};
    const Word word = coming_.front().second;
    coming_.pop_front();
    return word;
  }
  bool empty(Cycle now) const { return now >= empty_at_; }

 private:
  static constexpr Cycle kTakeToWord = 6;

  const Profile& profile_;
  Stimulus random_;
  std::uint32_t index_;
  std::deque<std::pair<Cycle, Word>> coming_;
  Cycle empty_at_ = 0, next_take_ = 0;
};

/// A control slot, and what the FEC says of SerDes lanes.
struct EndSlot {
  Ctrl ctrl;
  unsigned lane_err = 0;
};
inline bool CountsForGaps(const EndSlot& slot) { return slot.ctrl.retry_valid || slot.ctrl.lanes_valid; }
inline bool Idle(const EndSlot& slot) { return !CountsForGaps(slot) && !slot.ctrl.err; }
inline void Drop(EndSlot* slot) { slot->ctrl = {}; }
inline void Spoil(EndSlot* slot, const Stimulus& random, Cycle cycle, std::uint32_t stream) {
  const std::uint64_t bits = random.Bits("spoilt", cycle, stream);
  slot->ctrl.err = true;
  slot->ctrl.retry_valid = (bits & 1) != 0;
  slot->ctrl.lanes_valid = (bits & 2) != 0;
  slot->ctrl.lanes_bad = static_cast<std::uint8_t>(bits >> 2 & 15);
  slot->ctrl.retry_seq = static_cast<std::uint16_t>(bits >> 6 & 2047);
}

/// One end: golden's blocks, its MAC, and what comes to it.
struct LinkEnd {
  LinkEnd(const Profile& profile, const Stimulus& random, std::uint32_t index, int delay, const RetryFaults& words,
          const RetryFaults& slots)
      : ends(profile, 4), mac(profile, random, index), words_out(delay, words, random, 2 * index),
        slots_out(delay, slots, random, 2 * index + 1) {}

  golden::RetryEnds ends;
  golden::RetryIn gate{golden::RetryIn::Parameters()};  ///< as that of `ends`: for what it reports
  TakenPackets mac;
  RetryChannel<WireWord> words_out;
  RetryChannel<EndSlot> slots_out;
  // Of the cycle.
  Link shown;                    ///< on `link_o`, by the retry blocks
  golden::RetryOut::Outputs start;  ///< `start_o` and `link_failed_o`
  bool ready = false;
  int m = 4, held = 0, take = 0;
  Word word;                     ///< of the MAC
  Link in;                       ///< on `link_i`
  golden::RetryReport report;    ///< that the receiver's block shows
};

/// Both ends, cycle by cycle: `Begin`, then what is compared, then `End`.
class LinkEnds {
 public:
  LinkEnds(const Profile& profile, const Stimulus& random, int lanes, int delay, const RetryFaults& words, const RetryFaults& slots)
      : random_(random), lanes_(lanes) {
    for (std::uint32_t i = 0; i < 2; ++i) ends_.emplace_back(profile, random, i, delay, words, slots);
    settings_.lanes = lanes;
    settings_.retry.timer = static_cast<std::uint16_t>(2 * delay + 2 * golden::WordOffset(profile.mtu_words_enh, lanes) + 40);
    settings_.retry.limit = 2;
    settings_.serdes = PortLanes();
    settings_.serdes.fail = 2;
    settings_.serdes.back = 1;
  }

  LinkEnd& end(std::size_t i) { return ends_[i]; }
  const golden::RetryEnds::Settings& settings() const { return settings_; }

  void Begin(Cycle now, const LinkCycle& cycle) {
    for (LinkEnd& end : ends_) {
      end.ends.Begin(cycle.enable, end.mac.empty(now));
      end.shown = Link();
      end.ends.Show(&end.shown);
      end.start = end.ends.Shown();
      end.ready = end.ends.ready(lanes_);
      end.m = end.ends.serdes_lanes();
      end.held = end.ends.held();
      end.word = end.mac.Give(now);
      end.take = end.mac.Take(now, cycle.up && end.ready, end.m);
      end.report = end.gate.decided();
    }
    for (std::uint32_t i = 0; i < 2; ++i) {
      LinkEnd &from = ends_[1 - i], &to = ends_[i];
      const WireWord word = from.words_out.Step({from.shown.word, from.shown.tag});
      const bool errs = random_.Below(900, "lane error", now / 8, i) == 0;
      const unsigned lane_err = errs ? 1u << random_.Below(4, "lane that errs", now / 64, i) : 0;
      const EndSlot slot = from.slots_out.Step({from.shown.ctrl, lane_err});
      to.in = Link();
      to.in.word = word.word;
      to.in.tag = word.tag;
      to.in.ctrl = slot.ctrl;
      to.in.phy.lane_err = static_cast<std::uint8_t>(slot.lane_err);
    }
  }
  void End(Cycle now, const LinkCycle& cycle, golden::Audit* audit) {
    for (LinkEnd& end : ends_) {
      golden::RetryIn::Inputs arrives;
      arrives.enable = cycle.enable;
      arrives.link_up = cycle.up;
      arrives.lanes = end.in.tag.pace + 1;
      arrives.word = end.in.word;
      arrives.tag = end.in.tag;
      end.gate.Step(arrives);
      end.ends.Receive(end.in, cycle.up);
      end.ends.Send(now, settings_, cycle.up, end.word, end.take, cycle.written);
      end.ends.Check(0, audit);
    }
    if (!cycle.written) return;
    settings_.serdes.off = random_.Chance(128, "lanes off", now) ? static_cast<std::uint8_t>(random_.Below(16, "off", now)) : 0;
    settings_.serdes.fail = static_cast<std::uint8_t>(random_.Below(4, "fail", now));
  }

 private:
  Stimulus random_;
  int lanes_;
  std::vector<LinkEnd> ends_;
  golden::RetryEnds::Settings settings_;
};

}  // namespace tilefly::bench
