// SPDX-License-Identifier: Apache-2.0
#include "cosim/endpoint/attempt_laws.h"

#include <fmt/format.h>

#include <algorithm>

#include "cosim/errors.h"

namespace tilefly::cosim {
namespace {

/// A judge: written apart from golden, on purpose. A report of cycle c counts in c + 1, and what starts then is on the link
/// two cycles later.
constexpr Cycle kReportToLink = 3;
/// From a mask to the first word with its number of lanes, but for the packets that were taken before: a take is on the link
/// eight cycles later.
constexpr Cycle kMaskToStart = 20;

}  // namespace

AttemptLaws::AttemptLaws(const Profile& profile, int port, int lanes, const LinkCredits& credits)
    : port_(port),
      cable_(lanes),
      settles_(4 * profile.mtu_words_enh + kMaskToStart),
      wanted_{{lanes, kNever}},
      lanes_(lanes),
      credits_(credits) {}

void AttemptLaws::Fail(Cycle now, const std::string& what) const { throw CheckFailure(now, port_, 0, what); }

void AttemptLaws::See(Cycle now, const Link& link) {
  Forget(now);
  CheckStamp(now, link.ctrl);  // it does not count the word of its own cycle
  const bool due = IsWordDue(now);
  if (!link.word.valid) {
    if (due) Fail(now, fmt::format("law 2: word {} of packet number {} is missing", index_, seq_));
    if (!(link.tag == RetryTag{})) Fail(now, "a tag without a word");
    return;
  }
  if (in_attempt_ && !due) Fail(now, "law 2: a word between two words of an attempt");
  if (!in_attempt_) Start(now, link);
  CheckTag(now, link);
  if (link.word.eop != (index_ + 1 == length_))
    Fail(now, fmt::format("packet number {} of {} words ends at word {}", seq_, length_, index_ + 1));
  Packet& packet = packets_[Index(seq_)];
  if (!again_) packet.words.push_back(link.word);
  if (!(packet.words[static_cast<std::size_t>(index_)] == link.word))
    Fail(now, fmt::format("word {} of packet number {} was another one in the first attempt (RETRY-1)", index_, seq_));
  ++index_;
  ++words_;
  in_attempt_ = !link.word.eop;
}

void AttemptLaws::CheckTag(Cycle now, const Link& link) const {
  if (link.word.sop != (index_ == 0)) Fail(now, fmt::format("word {} of packet number {} begins a packet", index_, seq_));
  if (plain_) {
    if (!(link.tag == RetryTag{})) Fail(now, "a tag on a link that goes on without retry");
    return;
  }
  if (link.tag.pace + 1 != lanes_)
    Fail(now, fmt::format("a tag of pace {} in an attempt on {} lanes", link.tag.pace, lanes_));
  if (link.tag.seq != seq_ || link.tag.index != (index_ & 255))
    Fail(now, fmt::format("word {} of packet number {} has the tag {}.{}", index_, seq_, link.tag.seq, link.tag.index));
}

/// The switch uses as many lanes as it was told to, the latest time or so shortly before that packets were under way.
void AttemptLaws::CheckPace(Cycle now, int lanes) const {
  for (const Wanted& wanted : wanted_) {
    if (wanted.lanes == lanes && now < wanted.until) return;
  }
  Fail(now, fmt::format("an attempt on {} SerDes lanes, the far end wants {}", lanes, wanted_.back().lanes));
}

void AttemptLaws::Masked(Cycle now, unsigned bad) {
  const unsigned cable = (1u << cable_) - 1;
  const int lanes = std::max(1, __builtin_popcount(cable & ~bad));
  if (lanes == wanted_.back().lanes) return;
  wanted_.erase(std::remove_if(wanted_.begin(), wanted_.end(), [&](const Wanted& one) { return one.until <= now; }), wanted_.end());
  wanted_.back().until = now + settles_;
  wanted_.push_back({lanes, kNever});
}

/// Both ends begin anew. What a replay has charged may still be in the far end's buffer.
void AttemptLaws::LinkDown(bool plain) {
  plain_ = plain;
  wanted_ = {{cable_, kNever}};
  packets_.clear();
  told_.clear();
  oldest_ = 0;
  in_attempt_ = false;
  wired_ = {};
  credits_.Restart();
}

/// The attempt is of the next packet, or of one that may be sent again. Without retry there are first attempts only, and
/// nothing is kept of those that are over.
void AttemptLaws::Start(Cycle now, const Link& link) {
  if (now < free_) Fail(now, fmt::format("law 2: the link is taken until cycle {}", free_ - 1));
  if (!link.word.sop || !link.word.enh) Fail(now, "an attempt begins without the first word of a packet with header");
  if (plain_) packets_.clear();
  if (!plain_) CheckPace(now, link.tag.pace + 1);
  lanes_ = plain_ ? cable_ : link.tag.pace + 1;
  seq_ = plain_ ? oldest_ : link.tag.seq;
  const std::size_t at = Index(seq_);
  again_ = at < packets_.size();
  if (at > packets_.size())
    Fail(now, fmt::format("packet number {} begins, the next is {}, and {} is not accepted", seq_, next(), oldest_));
  const Header header = Header::UnpackBytes(link.word.data.data());
  length_ = (header.len + kHeaderBytes + kWordBytes - 1) / kWordBytes;
  index_ = 0;
  first_ = now;
  free_ = now + SlotCycles(length_, lanes_);
  in_attempt_ = true;
  ++attempts_;
  if (!again_) packets_.push_back({now, {}});
  Charge(now, header, again_);
}

/// Limits bound what was granted. Cells of a replay are not granted, so nothing is known until all are home.
void AttemptLaws::Charge(Cycle now, const Header& header, bool again) {
  const int cells = (header.len + kHeaderBytes + kCellBytes - 1) / kCellBytes;
  if (credits_.AllHome()) charged_twice_ = false;
  charged_twice_ = charged_twice_ || again;
  credits_.Send(header.vl, cells);
  auto& wired = wired_[header.vl];
  wired = static_cast<std::uint16_t>(wired + cells);
  if (charged_twice_ || credits_.WithinLimits()) return;
  Fail(now, fmt::format("the switch overran its credits: lane {} has {} cells out", header.vl, credits_.used(header.vl)));
}

void AttemptLaws::CheckStamp(Cycle now, const Ctrl& slot) const {
  if (!slot.wired_valid || slot.wired_cells == wired(slot.wired_vl)) return;
  Fail(now, fmt::format("the stamp of lane {} counts {} cells, {} were put on the wire", slot.wired_vl, slot.wired_cells,
                        wired(slot.wired_vl)));
}

void AttemptLaws::Told(Cycle now, int seq) {
  if (Index(seq) > packets_.size()) return;  // the sender's own test of reports refuses it
  told_.emplace_back(now + kReportToLink, seq);
}

void AttemptLaws::Forget(Cycle now) {
  while (!told_.empty() && told_.front().first <= now) {
    const int seq = told_.front().second;
    told_.pop_front();
    for (std::size_t count = Index(seq); count > 0 && count <= packets_.size(); --count) {
      if (in_attempt_ && oldest_ == seq_) break;  // the sender finishes what it has begun
      packets_.pop_front();
      oldest_ = Seq(oldest_ + 1);
    }
  }
}

}  // namespace tilefly::cosim
