// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/attempts_out.h"

#include <fmt/format.h>

#include <utility>

#include "cosim/errors.h"
#include "golden/common/stage_times.h"
#include "network/traffic.h"

namespace tilefly::cosim {

AttemptsOut::AttemptsOut(const Profile& profile, int port, int lanes, const golden::CreditTable& credits,
                         const PortRetry& retry)
    : port_(port),
      retry_(retry),
      laws_(profile, port, lanes, LinkCredits(profile, credits.reserve, credits.cap, static_cast<int>(credits.shared))),
      lanes_(lanes),
      choice_(lanes),
      in_use_(lanes),
      timer_(lanes) {
  used_.fill(choice_.Of(lanes));
}

void AttemptsOut::Fail(Cycle now, const std::string& what) const { throw CheckFailure(now, port_, 0, what); }

void AttemptsOut::Observe(Cycle now, const Portobs& seen) {
  if (seen.take_valid && !seen.take_lost) takes_.push_back({now - 1, in_use_});
  in_use_ = seen.pace + 1;
  used_ = {choice_.Of(in_use_), used_[0], used_[1]};
  if (masked_) choice_.Told(*masked_);
  masked_.reset();
  replayed_ = std::exchange(replays_now_, seen.replay);
  replays_ += seen.replay;
  if (seen.replay) replay_at_ = now - 1;
  const Seen started = seen.start_again ? Seen::kAgainBegins : Seen::kFirstBegins;
  starts_ = {seen.start_valid ? started : Seen::kNothing, starts_[0]};
}

void AttemptsOut::Hear(Cycle now, const Ctrl& slot) {
  if (slot.lanes_valid) {
    laws_.Masked(now, slot.lanes_bad);
    masked_ = slot.lanes_bad;
  }
  if (slot.credit_valid) laws_.Returned(slot.credit_vl, slot.credit_cells);
  if (slot.retry_valid) laws_.Told(now, slot.retry_seq);
  if (slot.retry_valid || slot.lanes_valid)
    slots_.push_back({now, slot.retry_valid, slot.retry_nack, slot.lanes_valid, slot.retry_seq, slot.lanes_bad});
}

AttemptsOut::Seen AttemptsOut::See(Cycle now, const Link& link, network::RetryCounts* counts) {
  counts->replays += replays_now_;
  Forget();
  RunTimer(now, counts);
  laws_.See(now, link);
  if (!link.word.valid) return Seen::kNothing;
  const bool begins = link.word.sop;
  if (begins) {
    seq_ = link.tag.seq;
    lanes_ = link.tag.pace + 1;
    again_ = seq_ != next_;
    if (!again_) next_ = static_cast<std::uint16_t>(Ahead(next_ + 1, 0));
    started_ = now - golden::kRetryStages;
    const int words = network::WordsOf(golden::HeaderBits(link.word.data.data()).length());
    CountStart(words, counts);
    timer_.Starts(started_ + golden::CeilDiv(4 * words, lanes_));
  }
  counts->resent_words += again_;
  resent_words_ += again_;
  in_attempt_ = !link.word.eop;
  if (link.word.eop && !again_) top_ = next_;
  if (again_) return begins ? Seen::kAgainBegins : Seen::kOfAgain;
  return begins ? Seen::kFirstBegins : Seen::kOfFirst;
}

void AttemptsOut::CountStart(int words, network::RetryCounts* counts) {
  ++counts->attempts;
  counts->sent_words += words;
}

/// The words that the half sent in the cycle before the link down would be on the link now.
AttemptsOut::Seen AttemptsOut::SeeFall(Cycle now, const Link& link, network::RetryCounts* counts) {
  SeeDown(now, link);
  laws_.SeeLastSlot(now, link.ctrl);
  const Seen unseen = starts_[1];
  const bool repeated = (again_ && laws_.IsWordDue(now)) || unseen == Seen::kAgainBegins;
  counts->resent_words += repeated;
  resent_words_ += repeated;
  if (unseen == Seen::kAgainBegins) {
    seq_ = NextAgain();
    lanes_ = __builtin_popcount(used_[2]);
    CountStart(Again().words, counts);
  }
  RunTimer(now, counts);
  return unseen;
}

void AttemptsOut::SeeDown(Cycle now, const Link& link) const {
  if (link.word.valid) Fail(now, "a word on a link that is down");
}

/// The packet that is sent again behind the latest attempt (docs/blocks/retry.md, Sender, rule 5).
std::uint16_t AttemptsOut::NextAgain() const {
  const auto next = static_cast<std::uint16_t>(Ahead(seq_ + 1, 0));
  const bool passed = Ahead(timer_.heard(), next) < AttemptLaws::kSeqs / 2;
  return replay_at_ > started_ || passed ? timer_.heard() : next;
}

bool AttemptsOut::TakeOfUnseen(Seen unseen, int words, network::RetryCounts* counts) {
  if (!takes_.empty()) takes_.pop_front();
  seq_ = next_;
  next_ = static_cast<std::uint16_t>(Ahead(next_ + 1, 0));
  if (unseen != Seen::kFirstBegins) return false;
  lanes_ = __builtin_popcount(used_[2]);
  CountStart(words, counts);
  return true;
}

std::deque<AttemptsOut::Held> AttemptsOut::Fall() {
  laws_.LinkDown(false);
  takes_.clear();
  slots_.clear();
  starts_ = {Seen::kNothing, Seen::kNothing};
  masked_.reset();
  replayed_ = replays_now_ = in_attempt_ = again_ = false;
  seq_ = next_ = top_ = 0;
  timer_.LinkDown();
  return std::exchange(held_, {});
}

/// What the far end has accepted. A report of cycle c was heard in the cycle before, as the timer sees it: no attempt
/// of what it accepts begins from c + 3 on.
void AttemptsOut::Forget() {
  for (; !held_.empty() && Ahead(held_.front().seq, timer_.heard()) >= AttemptLaws::kSeqs / 2; held_.pop_front()) {
    if (held_.front().record.red >= 0) accepted_.push_back(held_.front().contents);
  }
}

/// The half's cycle in which the words that are on the link now were sent.
void AttemptsOut::RunTimer(Cycle now, network::RetryCounts* counts) {
  const Cycle sent = now - golden::kRetryStages;
  ReplayTimer::Events events;
  for (; !slots_.empty() && slots_.front().at <= sent; slots_.pop_front()) {
    const Heard& heard = slots_.front();
    events.reports = heard.reports;
    events.nack = heard.nack;
    events.seq = heard.seq;
    events.masks = heard.masks;
    events.bad = heard.bad;
  }
  events.lanes = __builtin_popcount(used_[2]);
  events.replays = replayed_;
  events.top = top_;
  counts->timeouts += timer_.Step(sent, retry_, events);
}

AttemptsOut::Take AttemptsOut::TakeOfFirst(Cycle now) {
  if (takes_.empty() || takes_.front().cycle + golden::kTakeToWire > now)
    Fail(now, "a packet begins, and the link took none eight cycles before, or earlier");
  const Take take = takes_.front();
  takes_.pop_front();
  return take;
}

/// It started in the cycle before last, on the SerDes lanes of that cycle.
const AttemptsOut::Held& AttemptsOut::Keep(Held packet) {
  packet.seq = seq_;
  packet.lanes = static_cast<std::uint8_t>(lanes_);
  packet.used = static_cast<std::uint8_t>(used_[2]);
  held_.push_back(std::move(packet));
  return held_.back();
}

/// The laws know that it may be sent again.
const AttemptsOut::Held& AttemptsOut::Again() {
  Held& packet = held_.at(static_cast<std::size_t>(Ahead(seq_, held_.front().seq)));
  packet.lanes = static_cast<std::uint8_t>(lanes_);
  packet.used = static_cast<std::uint8_t>(used_[2]);
  return packet;
}

}  // namespace tilefly::cosim
