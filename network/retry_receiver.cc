// SPDX-License-Identifier: Apache-2.0
#include "network/retry_receiver.h"

#include "network/traffic.h"

namespace tilefly::network {

RetryReceiver::RetryReceiver(const DirectionPlan& plan, Cycle up, Cycle begin, int lanes)
    : faults_(plan.seed, plan.direction), events_(plan.events), begin_(begin), lanes_(lanes), now_(up) {
  faults_.Set(faults::ChanceOfBad(plan.rates.word_ber, faults::kBitsOfWord), plan.rates.burst, {});
}

/// What is damaged of an attempt is known with its first word: the sender sends all its words.
void RetryReceiver::Draw(const LinkAttempt& attempt, RetryCounts* counts) {
  words_ = WordsOf(attempt.header.length());
  wire_.assign(static_cast<std::size_t>(words_), {});
  broken_ = false;
  const faults::FaultCounts before = faults_.counts();
  for (int k = 0; k < words_; ++k) {
    const Cycle cycle = attempt.wire + golden::WordOffset(k, lanes_) - begin_;
    for (; next_event_ < events_.size() && events_[next_event_].at <= cycle; ++next_event_) {
      faults::BeginOfWords(events_[next_event_], &faults_);
    }
    faults::WireWord word;
    word.word.valid = word.word.enh = true;
    word.word.sop = k == 0;
    word.word.eop = k == words_ - 1;
    word.tag.pace = static_cast<std::uint8_t>(lanes_ - 1);
    word.tag.seq = attempt.seq;
    word.tag.index = static_cast<std::uint8_t>(k);
    const faults::WireWord came = faults_.Pass(word);
    if (!came.word.valid || came.word.err) {
      broken_ = true;
      if (drawn_.size() < kMostDrawn) drawn_.push_back({cycle, !came.word.valid});
    }
    wire_[static_cast<std::size_t>(k)] = came;
  }
  counts->bad_words += faults_.counts().bad - before.bad;
  counts->dropped_words += faults_.counts().dropped - before.dropped;
}

/// The word of this cycle, as the gate sees it.
golden::RetryIn::Inputs RetryReceiver::Receive(RetryCounts* counts) {
  golden::RetryIn::Inputs in;
  in.enable = in.link_up = true;
  in.lanes = lanes_;
  at_first_ = false;
  if (attempts_.empty()) return in;
  const LinkAttempt& attempt = attempts_.front();
  if (now_ == attempt.wire) Draw(attempt, counts);
  if (now_ != attempt.wire + NextOffset()) return in;
  at_first_ = next_word_ == 0;
  const faults::WireWord& came = wire_[static_cast<std::size_t>(next_word_++)];
  in.word = came.word;
  in.tag = came.tag;
  return in;
}

void RetryReceiver::EndAttempt(bool accepted, RetryCounts* counts) {
  if (accepted != (opened_ && !broken_))
    throw std::logic_error("network: an attempt ends otherwise than its first word said");
  if (accepted) counts->accepted_words += words_;
  attempts_.Pop();
  words_ = next_word_ = 0;
  opened_ = false;
}

}  // namespace tilefly::network
