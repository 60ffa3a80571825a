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

RetrySender::RetrySender(const Profile& profile, Cycle up, int lanes)
    : out_(SizesOf(profile)), lanes_(lanes), now_(up), due_(up) {}

void RetrySender::Take(const Taken& packet) {
  take_words_ = packet.words;
  coming_.push_back({packet.first, packet.words, 0, packet.header});
  held_.push_back({next_seq_, static_cast<std::uint16_t>(packet.words), 0, packet.header, packet.record, packet.contents});
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
  if (coming_.empty() || now != coming_.front().first + golden::WordOffset(coming_.front().next, lanes_)) return word;
  Coming& packet = coming_.front();
  word.valid = word.enh = true;
  word.sop = packet.next == 0;
  word.eop = ++packet.next == packet.words;
  if (word.sop) packet.header.CopyTo(word.data.data());
  if (word.eop) coming_.pop_front();
  return word;
}

const RetrySender::Held* RetrySender::Step(Cycle now, const PortRetry& registers, bool* again, RetryCounts* counts) {
  if (now > now_) out_.Skip(now - now_);
  now_ = now + 1;
  golden::RetryOut::Inputs in;
  in.enable = in.link_up = true;
  in.lanes = lanes_;
  in.replay_timer_max = registers.timer;
  in.replay_ct_max = registers.limit;
  in.retry_threshold = registers.threshold;
  in.take = take_words_ > 0;
  in.take_words = take_words_;
  take_words_ = 0;
  in.word = NextWord(now);
  if (!reports_.empty() && reports_.front().wire == now) {
    in.report = reports_.front().report;
    reports_.Pop();
  }
  const golden::RetryOut::Outputs out = out_.Step(in);
  counts->resent_words += out.repeated;
  counts->replays += out.replay;
  counts->timeouts += out.timeout;
  const Cycle quiet = coming_.empty() ? out_.Quiet(registers.timer) : 0;
  due_ = quiet == kNever ? kNever : now_ + quiet;
  if (!reports_.empty()) due_ = std::min(due_, reports_.front().wire);
  const auto before = [&](int seq) { return (seq - out_.heard() + kNumbers) % kNumbers >= kNumbers / 2; };
  for (; !held_.empty() && before(held_.front().seq); held_.pop_front()) {
    if (held_.front().record.red >= 0) accepted_.push_back(held_.front().contents);
  }
  const golden::RetryOut::Outputs shown = out_.Shown(true);
  if (!shown.start) return nullptr;
  *again = shown.again;
  const std::size_t place = static_cast<std::size_t>((out_.sending() - held_.front().seq + kNumbers) % kNumbers);
  if (place >= held_.size()) throw std::logic_error("network: a packet starts that the replay buffer does not hold");
  Held& held = held_[place];
  held.lanes = static_cast<std::uint8_t>(lanes_);
  ++counts->attempts;
  counts->sent_words += held.words;
  return &held;
}

}  // namespace tilefly::network
