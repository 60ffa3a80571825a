// SPDX-License-Identifier: Apache-2.0
#include "network/retry_sender.h"

#include <algorithm>
#include <stdexcept>

#include "golden/common/stage_times.h"

namespace tilefly::network {
namespace {

constexpr int kNumbers = 1 << 11;

golden::RetryOut::Parameters SizesOf(const Profile& profile) {
  golden::RetryOut::Parameters sizes;
  sizes.max_words = profile.mtu_words_enh;
  return sizes;
}

}  // namespace

RetrySender::RetrySender(const Profile& profile, const LinkDowns& downs, Cycle up, int lanes)
    : out_(SizesOf(profile)), downs_(&downs), cable_(lanes), now_(up), due_(up) {}

void RetrySender::Take(const Taken& packet) {
  take_words_ = packet.words;
  coming_.push_back({packet.first, packet.words, 0, lanes(), packet.header});
  held_.push_back(
      {next_seq_, static_cast<std::uint16_t>(packet.words), 0, 0, packet.header, packet.record, packet.contents});
  next_seq_ = static_cast<std::uint16_t>((next_seq_ + 1) % kNumbers);
  due_ = packet.take;
}

void RetrySender::Hear(const LinkReport& report) {
  reports_.Push(report);
  due_ = std::min(due_, report.wire);
}

/// The word that the MAC gives in this cycle.
Word RetrySender::NextWord(Cycle now) {
  Word word;
  if (coming_.empty() || now != coming_.front().first + golden::WordOffset(coming_.front().next, coming_.front().lanes))
    return word;
  Coming& packet = coming_.front();
  word.valid = word.enh = true;
  word.sop = packet.next == 0;
  word.eop = ++packet.next == packet.words;
  if (word.sop) packet.header.CopyTo(word.data.data());
  if (word.eop) coming_.pop_front();
  return word;
}

/// The link is down: all is forgotten. What the MAC has still to give is lost, too.
void RetrySender::Drop() {
  dropped_.insert(dropped_.end(), held_.begin(), held_.end());
  held_.clear();
  next_seq_ = 0;
  Rest(coming_.empty() ? kNever : now_);
}

/// The half has nothing to do by itself before cycle `due`.
void RetrySender::Rest(Cycle due) {
  due_ = choice_ && !choice_->at_rest() ? now_ : std::min(due, downs_->NextChange(now_));
  if (!reports_.empty()) due_ = std::min(due_, reports_.front().wire);
}

/// What the control slot of this cycle says.
LinkReport RetrySender::HearSlot(Cycle now, bool up) {
  LinkReport heard{now, {}, {}};
  for (; !reports_.empty() && reports_.front().wire <= now; reports_.Pop()) {
    if (up) heard = reports_.front();
  }
  return heard;
}

/// Which SerDes lanes are in use from the next cycle on. Returns the report of the cycle: that which was heard, or the
/// end's own.
golden::RetryReport RetrySender::Judge(Cycle now, bool up, const LinkReport& heard) {
  return choice_ ? choice_->Step(now, up, coming_.empty(), heard) : heard.report;
}

const RetrySender::Held* RetrySender::Step(Cycle now, const PortRetry& registers, bool* again, RetryCounts* counts) {
  if (now > now_) out_.Skip(now - now_);
  now_ = now + 1;
  golden::RetryOut::Inputs in;
  in.enable = true;
  in.link_up = downs_->IsUp(now);
  in.lanes = lanes();
  const unsigned used = used_lanes();
  in.report = Judge(now, in.link_up, HearSlot(now, in.link_up));
  in.replay_timer_max = registers.timer;
  in.replay_ct_max = registers.limit;
  in.retry_threshold = registers.threshold;
  in.take = take_words_ > 0;
  in.take_words = take_words_;
  take_words_ = 0;
  in.word = NextWord(now);
  const golden::RetryOut::Outputs out = out_.Step(in);
  counts->resent_words += out.repeated;
  counts->replays += out.replay;
  resent_words_ += out.repeated;
  replays_ += out.replay;
  counts->timeouts += out.timeout;
  if (!in.link_up) {
    Drop();
    return nullptr;
  }
  const Cycle quiet = coming_.empty() ? out_.Quiet(registers.timer) : 0;
  Rest(quiet == kNever ? kNever : now_ + quiet);
  const golden::RetryOut::Outputs shown = out_.Shown(true);
  if (shown.start) {
    *again = shown.again;
    NoteStart(in.lanes, used, counts);
  }
  Forget();
  return shown.start ? &started_ : nullptr;
}

/// The packet that starts: a report of this cycle may say that it was accepted before.
void RetrySender::NoteStart(int lanes, unsigned used, RetryCounts* counts) {
  const std::size_t place = held_.empty() ? 0 : static_cast<std::size_t>((out_.sending() - held_.front().seq + kNumbers) % kNumbers);
  if (place >= held_.size()) throw std::logic_error("network: a packet starts that the replay buffer does not hold");
  started_ = held_[place];
  started_.lanes = static_cast<std::uint8_t>(lanes);
  started_.used = static_cast<std::uint8_t>(used);
  ++counts->attempts;
  counts->sent_words += started_.words;
}

/// What the far end has accepted.
void RetrySender::Forget() {
  const auto before = [&](int seq) { return (seq - out_.heard() + kNumbers) % kNumbers >= kNumbers / 2; };
  for (; !held_.empty() && before(held_.front().seq); held_.pop_front()) {
    if (held_.front().record.red >= 0) accepted_.push_back(held_.front().contents);
  }
}

}  // namespace tilefly::network
