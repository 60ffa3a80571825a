// SPDX-License-Identifier: Apache-2.0
#include "cosim/endpoint/retry_halves.h"

#include <fmt/format.h>

#include "cosim/errors.h"
#include "cosim/setup/frame.h"

namespace tilefly::cosim {
namespace {

golden::RetryOut::Parameters SizesOf(const Profile& profile) {
  golden::RetryOut::Parameters sizes;
  sizes.max_words = profile.mtu_words_enh;
  return sizes;
}

}  // namespace

RetryHalves::RetryHalves(const Profile& profile, int port, int lanes, int shared, const PortRetry& registers)
    : port_(port), lanes_(lanes), mtu_cells_(profile.mtu_cells), registers_(registers), table_(profile), out_(SizesOf(profile)) {
  table_.shared = shared;
}

/// The stamp was decided in the cycle before. The halves have no stages, so all that has started is on the link.
void RetryHalves::DriveControl(Cycle now, Ctrl* ctrl) {
  if (!up_) return;
  if (const auto message = receives_.Decide(&returner_)) {
    ctrl->credit_valid = true;
    ctrl->credit_vl = message->vl;
    ctrl->credit_cells = message->cells;
  }
  if (const auto stamp = sends_.Stamp(now - 1, up_, credits_)) {
    ctrl->wired_valid = true;
    ctrl->wired_vl = stamp->vl;
    ctrl->wired_cells = stamp->cells;
  }
  ctrl->retry_valid = slot_.valid;
  ctrl->retry_nack = slot_.nack;
  ctrl->retry_seq = slot_.seq;
  counts_.nacks += slot_.valid && slot_.nack;
}

RetryHalves::Passed RetryHalves::Step(Cycle now, bool up, const Link& in, const Word& word) {
  golden::RetryIn::Inputs arrives;
  arrives.enable = true;
  arrives.link_up = up;
  arrives.lanes = in.tag.pace + 1;
  arrives.word = in.word;
  arrives.tag = in.tag;
  const bool was_open = in_.open();
  const golden::RetryIn::Outputs received = in_.Step(arrives);
  slot_ = up ? received.report : golden::RetryReport();
  golden::RetryOut::Inputs gives;
  gives.enable = true;
  gives.link_up = up;
  gives.lanes = lanes_;
  gives.replay_timer_max = registers_.timer;
  gives.replay_ct_max = registers_.limit;
  gives.retry_threshold = registers_.threshold;
  gives.take = take_words_ > 0;
  gives.take_words = take_words_;
  gives.word = word;
  if (up && !in.ctrl.err && in.ctrl.retry_valid) gives.report = {true, in.ctrl.retry_nack, in.ctrl.retry_seq};
  const golden::RetryOut::Outputs sent = out_.Step(gives);
  take_words_ = 0;
  words_sent_ += out_.sent_word().valid;
  if (sent.bad_report)
    throw CheckFailure(now, port_, 0, fmt::format("a report of packet {} makes no sense: it was never sent", in.ctrl.retry_seq));
  Passed passed{received.word, was_open && !in_.open() && !received.accepted};
  counts_.broken_off += passed.broke_off;
  if (up) {
    if (!in.ctrl.err) ReceiveSlot(now, in.ctrl);
    if (passed.word.valid && passed.word.sop) TakeAttempt(passed.word);
    Count(sent);
    if (!up_) receives_.LinkRises(&returner_);
  } else {
    sends_.LinkDown(&credits_, table_);
    receives_.LinkDown(&returner_);
  }
  up_ = up;
  return passed;
}

/// A stamp says what was put on the link before the word of its cycle.
void RetryHalves::ReceiveSlot(Cycle now, const Ctrl& slot) {
  if (slot.credit_valid && !sends_.Return(&credits_, slot.credit_vl, slot.credit_cells, table_)) {
    throw CheckFailure(now, port_, 0,
                       fmt::format("credit return of {} cells on lane {} makes no sense: {} cells are in use", slot.credit_cells,
                                   slot.credit_vl, credits_.used(slot.credit_vl)));
  }
  if (!slot.wired_valid) return;
  const golden::ReceiverHealing::Judgement judged = receives_.Stamp(&returner_, {slot.wired_vl, slot.wired_cells});
  counts_.healed_cells += judged.healed;
  counts_.old_stamps += judged.old;
}

void RetryHalves::TakeAttempt(const Word& word) {
  const Header header = Header::UnpackBytes(word.data.data());
  receives_.Taken(header.vl, golden::CellsOf(header.len));
}

/// What the sender's half has done in this cycle; a start is shown in the next one.
void RetryHalves::Count(const golden::RetryOut::Outputs& sent) {
  counts_.resent_words += sent.repeated;
  counts_.replays += sent.replay;
  counts_.timeouts += sent.timeout;
  const golden::RetryOut::Outputs next = out_.Shown(true);
  gave_up_ = next.link_failed;
  if (!next.start) return;
  ++counts_.attempts;
  sends_.Started(&credits_, next.start_vl, golden::SenderHealing::CellsOfStart(next.start_len), next.again, table_);
}

void RetryHalves::ShowSent(Link* link) const {
  link->word = out_.sent_word();
  link->tag = out_.sent_tag();
  if (link->word.valid) link->tag.pace = static_cast<std::uint8_t>(lanes_ - 1);
}

}  // namespace tilefly::cosim
