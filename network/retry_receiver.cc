// SPDX-License-Identifier: Apache-2.0
#include "network/retry_receiver.h"

#include <stdexcept>

#include "network/traffic.h"

namespace tilefly::network {
namespace {

/// Word `k` of the attempt, as it was sent.
faults::WireWord WordOf(const LinkAttempt& attempt, int k) {
  faults::WireWord word;
  word.word.valid = word.word.enh = true;
  word.word.sop = k == 0;
  word.word.eop = k == WordsOf(attempt.header.length()) - 1;
  word.tag.pace = static_cast<std::uint8_t>(attempt.lanes - 1);
  word.tag.seq = attempt.seq;
  word.tag.index = static_cast<std::uint8_t>(k);
  return word;
}

bool IsWordOf(const LinkAttempt& attempt, int k, const faults::WireWord& came) {
  return came.word.valid && !came.word.err && came.word.sop == (k == 0) && came.tag.seq == attempt.seq && came.tag.index == k;
}

}  // namespace

RetryReceiver::RetryReceiver(const DirectionPlan& plan, const LinkDowns& downs, Cycle up, Cycle begin, Cycle way)
    : faults_(plan.seed, plan.direction), events_(plan.events), downs_(&downs), begin_(begin), way_(way), now_(up) {
  faults_.Set(faults::ChanceOfBad(plan.rates.word_ber, faults::kBitsOfWord), plan.rates.burst, plan.rates.word);
}

/// While the gate is quiet: the next cycle with a word, or in which the link goes down or comes up. Behind an error that was
/// told, and on a link that is down, words of noise change nothing.
Cycle RetryReceiver::NextChange() const {
  const bool up = downs_->IsUp(now_);
  if (up != was_up_ || (echo_ && faults_.QuietCycles() == 0)) return now_;
  Cycle next = downs_->NextChange(now_);
  if (!attempts_.empty()) next = std::min(next, std::max(now_, attempts_.front().wire));
  if (judge_ && up) next = std::min(next, judge_->Due(now_));
  const std::int64_t noise = in_.nacked() || !up ? faults::Gaps::kNever : faults_.UntilNoise();
  return noise == faults::Gaps::kNever ? next : std::min(next, std::max(now_, begin_) + noise);
}

/// The words before `cycle` are idle.
void RetryReceiver::SkipTo(Cycle cycle) {
  if (cycle <= now_) return;
  in_.Skip(cycle - now_);
  echo_ = false;
  while (now_ < cycle) {
    BeginEvents(now_);
    const Cycle event = next_event_ < events_.size() ? begin_ + events_[next_event_].at : kNever;
    const Cycle to = std::min(cycle, event);
    faults_.SkipIdle(std::max<Cycle>(0, to - std::max(now_, begin_)));
    now_ = to;
  }
}

void RetryReceiver::BeginEvents(Cycle cycle) {
  for (; next_event_ < events_.size() && begin_ + events_[next_event_].at <= cycle; ++next_event_)
    faults::BeginOfWords(events_[next_event_], &faults_);
}

/// What comes in cycle `cycle` in the place of `word`.
faults::WireWord RetryReceiver::Pass(Cycle cycle, const faults::WireWord& word, RetryCounts* counts) {
  BeginEvents(cycle);
  const faults::FaultCounts before = faults_.counts();
  faults::WireWord came = faults_.Pass(word);
  const faults::FaultCounts& after = faults_.counts();
  using faults::EventKind;
  const auto note = [&](bool happened, Damage what, EventKind kind, std::int64_t* count) {
    if (!happened) return;
    ++*count;
    const faults::PlannedEvent* const event = faults::EventOf(events_, kind, faults_.planned());
    counts->planned += event != nullptr;
    Keep({cycle - begin_, what, NumberOf(event)}, &drawn_);
  };
  note(after.bad != before.bad, Damage::kBadWord, EventKind::kBadWord, &counts->bad_words);
  note(after.noisy != before.noisy && !in_.nacked(), Damage::kNoise, EventKind::kBadWord, &counts->noisy_words);
  note(after.dropped != before.dropped, Damage::kDroppedWord, EventKind::kDropWord, &counts->dropped_words);
  note(after.repeated != before.repeated, Damage::kRepeatedWord, EventKind::kRepeatWord, &counts->repeated_words);
  if (wire_ != nullptr && came.word.valid && !came.word.err && wire_->Hit(cycle) != 0) {
    came.word.err = true;
    ++counts->bad_words;
    ++counts->words_of_lanes;
  }
  return came;
}

/// What is damaged of an attempt is known with its first word: the sender sends all its words, unless the link goes down.
void RetryReceiver::Draw(const LinkAttempt& attempt, RetryCounts* counts) {
  const int words = WordsOf(attempt.header.length());
  coming_ = true;
  opened_ = broken_ = false;
  whole_ = 0;
  int k = 0;
  for (Cycle offset = 0; k < words; ++offset) {
    const Cycle cycle = now_ + offset;
    const bool is_due = offset == golden::WordOffset(k, attempt.lanes);
    const bool is_sent = is_due && downs_->IsUp(cycle - way_);
    ahead_.push_back(Pass(cycle, is_sent ? WordOf(attempt, k) : faults::WireWord(), counts));
    if (!is_due) continue;
    const bool good = downs_->IsUp(cycle) && IsWordOf(attempt, k, ahead_.back());
    if (good && whole_ == k) whole_ = k + 1;
    broken_ = broken_ || (k > 0 && !good);
    ++k;
  }
}

faults::WireWord RetryReceiver::NextWord(RetryCounts* counts) {
  if (!coming_ && !attempts_.empty() && attempts_.front().wire == now_) Draw(attempts_.front(), counts);
  if (ahead_.empty()) return now_ < begin_ ? faults::WireWord() : Pass(now_, {}, counts);
  const faults::WireWord word = ahead_.front();
  ahead_.pop_front();
  return word;
}

/// The wire ends this attempt with its first word, come again: if it goes on so, the MAC takes it for another packet.
void RetryReceiver::KeepSpare(const LinkAttempt& attempt, GateListener* listener) {
  if (ahead_.empty() || !IsWordOf(attempt, 0, ahead_.back())) return;
  spare_ = attempt;
  spare_->payload = listener->Copy(attempt.payload);
}

/// A word has passed the gate. While the MAC is filled with a packet it takes no other.
void RetryReceiver::SeePassed(const faults::WireWord& came, GateListener* listener) {
  if (now_ < mac_free_) return;
  if (coming_ && now_ == attempts_.front().wire && came.tag.seq == attempts_.front().seq) {
    const LinkAttempt attempt = attempts_.front();
    opened_ = true;
    mac_free_ = now_ + SpanOf(attempt) + 1;
    KeepSpare(attempt, listener);
    return listener->Begins(attempt, broken_);
  }
  if (!spare_) throw std::logic_error("network: a word passes that begins no attempt");
  LinkAttempt again = *spare_;
  again.wire = now_;
  whole_ = 1;
  spare_->payload = listener->Copy(again.payload);
  mac_free_ = now_ + SpanOf(again) + 1;
  listener->Begins(again, true);
}

void RetryReceiver::EndAttempt(bool accepted, RetryCounts* counts) {
  if (accepted != (opened_ && !broken_))
    throw std::logic_error("network: an attempt ends otherwise than its first word said");
  if (accepted) counts->accepted_words += WordsOf(attempts_.front().header.length());
  attempts_.Pop();
  coming_ = false;
}

/// What the half's registers show in this cycle is in the slot of the next one, with the mask of SerDes lanes.
void RetryReceiver::Say(const golden::RetryReport& report, bool up, RetryCounts* counts, GateListener* listener) {
  const LaneMask mask = judge_ ? judge_->Step(now_, up, report.valid, counts) : LaneMask();
  counts->nacks += report.valid && report.nack;
  if (report.valid || mask.valid) listener->Says({now_ + 1, report, mask});
}

void RetryReceiver::Run(Cycle end, RetryCounts* counts, GateListener* listener) {
  while (now_ < end) {
    if (in_.quiet() && ahead_.empty()) {
      SkipTo(std::min(end, NextChange()));
      if (now_ >= end) break;
    }
    const faults::WireWord came = NextWord(counts);
    golden::RetryIn::Inputs in;
    in.enable = true;
    in.link_up = downs_->IsUp(now_);
    if (was_up_ && !in.link_up) listener->Ends(now_, in_.expected());
    was_up_ = in.link_up;
    in.lanes = came.tag.pace + 1;
    in.word = came.word;
    in.tag = came.tag;
    const golden::RetryIn::Outputs out = in_.Step(in);
    if (out.word.valid) SeePassed(came, listener);
    if (coming_ && now_ == attempts_.front().wire && !opened_) listener->Unseen(attempts_.front());
    Say(out.report, in.link_up, counts, listener);
    if (coming_ && ahead_.empty()) EndAttempt(out.accepted, counts);
    echo_ = came.word.valid;
    if (spare_ && now_ >= spare_->wire && !IsWordOf(*spare_, 0, came)) {
      listener->Unseen(*spare_);
      spare_.reset();
    }
    ++now_;
  }
  if (wire_ != nullptr) wire_->Forget(now_ - 1);  // the slot of the latest cycle may be looked at behind its word
}

}  // namespace tilefly::network
