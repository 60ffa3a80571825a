// SPDX-License-Identifier: Apache-2.0
// The sending half of the retry block at an end of a link whose words may be damaged (docs/blocks/retry.md): of a switch's
// port, or of a NIC, whose half has no stages.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "generated/registers.h"
#include "golden/retry/retry_out.h"
#include "network/lane_ends.h"
#include "network/link_downs.h"
#include "network/messages.h"
#include "network/retry_counts.h"
#include "network/ring.h"

namespace tilefly::network {

class RetrySender {
 public:
  /// A packet that the link takes.
  struct Taken {
    Cycle take;
    Cycle first;  ///< cycle in which the half gets the first word
    int words;
    golden::HeaderBits header;
    PacketRecord record;
    golden::Payload contents;  ///< of a reduction packet: what the half keeps until it is accepted
  };
  /// A packet in the replay buffer.
  struct Held {
    std::uint16_t seq;
    std::uint16_t words;
    std::uint8_t lanes;  ///< SerDes lanes of the attempt that has started last: how many ...
    std::uint8_t used;   ///< ... and which, a bit each
    golden::HeaderBits header;
    PacketRecord record;
    golden::Payload contents;
  };

  /// The link works for the first time in cycle `up`, with `lanes` SerDes lanes. `downs`, when it is down, must outlive this.
  RetrySender(const Profile& profile, const LinkDowns& downs, Cycle up, int lanes);

  /// Whether the link may take a packet in the cycle behind the last `Step`.
  bool ready() const { return out_.ready(true) && take_ok(); }
  /// SerDes lanes of the direction die: the sender leaves out those that its receiver does not want.
  void ChooseLanes() { choice_.emplace(cable_); }
  /// How many SerDes lanes are in use in the cycle behind the last `Step`, and which, a bit each.
  int lanes() const { return choice_ ? choice_->count() : cable_; }
  unsigned used_lanes() const { return choice_ ? choice_->used() : (1u << cable_) - 1; }
  /// The next cycle that must be stepped; kNever: none, until a packet is taken or a report comes.
  Cycle due() const { return due_; }
  /// The first cycle in which a packet may start whose first word comes in the cycle in which it is taken; kNever: none is
  /// known. A cycle that is over stands for the next one to make.
  Cycle free_from() const {
    const Cycle until = take_ok() ? out_.UntilFree() : kNever;
    return until == kNever ? kNever : now_ + until;
  }
  /// The link takes a packet in cycle `packet.take`, which is to be stepped.
  void Take(const Taken& packet);
  /// A report comes; reports come in the order of their cycles.
  void Hear(const LinkReport& report);
  /// `downs` has changed: the link goes down in cycle `from`, perhaps earlier than was known.
  void TellDown(Cycle from) { due_ = std::min(due_, from); }
  /// Makes cycle `now`, with the port's `registers`. Returns the packet whose attempt starts in it: the attempt's word k is on
  /// `link_o` in now + 2 + floor(4k / lanes), at a NIC two cycles earlier. Null: none starts. `again`: it was sent before.
  const Held* Step(Cycle now, const PortRetry& registers, bool* again, RetryCounts* counts);

  /// Whether the replay limit is reached: nothing is sent any more.
  bool has_given_up() const { return out_.Shown(true).link_failed; }
  /// Whether it sends words again in the cycle behind the last `Step`.
  bool repeats() const { return out_.repeats(); }
  /// Words that were sent again, and replays.
  std::int64_t resent_words() const { return resent_words_; }
  std::int64_t replays() const { return replays_; }
  /// The packets that the far end is not known to have accepted.
  const std::deque<Held>& held() const { return held_; }
  /// Calls `release(payload)` for the contents of the packets that left the replay buffer.
  template <typename Release>
  void ReleaseContents(Release&& release) {
    for (const golden::Payload payload : accepted_) release(payload);
    accepted_.clear();
  }
  /// The packets that were in the replay buffer when the link went down, since the last call: some may have arrived.
  std::deque<Held> TakeDropped() { return std::exchange(dropped_, {}); }

  /// Calls `visit(payload)` for the contents of reduction packets that the half keeps.
  template <typename Visit>
  void ForEachPayload(Visit&& visit) {
    for (Held& held : held_) {
      if (held.record.red >= 0) visit(held.contents);
    }
  }
  /// State between two calls of Step, behind ReleaseContents and TakeDropped. See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(out_, now_, due_, take_words_, next_seq_, coming_, held_, started_, reports_, resent_words_, replays_);
    if (choice_) archive(*choice_);
  }

 private:
  /// A packet whose words the MAC gives.
  struct Coming {
    Cycle first;
    int words;
    int next;
    int lanes;
    golden::HeaderBits header;
  };

  bool take_ok() const { return !choice_ || choice_->take_ok(); }
  LinkReport HearSlot(Cycle now, bool up);
  golden::RetryReport Judge(Cycle now, bool up, const LinkReport& heard);
  Word NextWord(Cycle now);
  void Drop();
  void Rest(Cycle due);
  void NoteStart(int lanes, unsigned used, RetryCounts* counts);
  void Forget();

  golden::RetryOut out_;
  const LinkDowns* downs_;
  int cable_;                         ///< SerDes lanes of the link
  std::optional<LaneChoice> choice_;  ///< none: all lanes of the cable are always in use
  Cycle now_;  ///< the next cycle to make
  Cycle due_;
  int take_words_ = 0;  ///< of the packet that is taken in the next cycle to make
  std::uint16_t next_seq_ = 0;
  std::deque<Coming> coming_;
  std::deque<Held> held_;
  std::vector<golden::Payload> accepted_;  ///< contents to be released
  std::deque<Held> dropped_;
  Held started_{};  ///< the packet whose attempt started last
  Ring<LinkReport> reports_;
  std::int64_t resent_words_ = 0, replays_ = 0;
};

}  // namespace tilefly::network
