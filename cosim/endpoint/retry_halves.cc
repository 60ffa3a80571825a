// SPDX-License-Identifier: Apache-2.0
#include "cosim/endpoint/retry_halves.h"

#include <fmt/format.h>

#include "cosim/errors.h"
#include "cosim/setup/frame.h"

namespace tilefly::cosim {
namespace {

constexpr Cycle kWatchdogUnit = 64;

golden::RetryOut::Parameters SizesOf(const Profile& profile) {
  golden::RetryOut::Parameters sizes;
  sizes.max_words = profile.mtu_words_enh;
  return sizes;
}

}  // namespace

RetryHalves::RetryHalves(const Profile& profile, int port, int lanes, int shared, const Registers& registers)
    : port_(port),
      lanes_(lanes),
      mtu_cells_(profile.mtu_cells),
      registers_(registers),
      table_(profile),
      out_(SizesOf(profile)),
      serdes_(golden::SerdesLanes::Of(lanes)) {
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
  if (plain_) return;
  if (const auto stamp = sends_.Stamp(now - 1, up_, credits_)) {
    ctrl->wired_valid = true;
    ctrl->wired_vl = stamp->vl;
    ctrl->wired_cells = stamp->cells;
  }
  ctrl->retry_valid = slot_.valid;
  ctrl->retry_nack = slot_.nack;
  ctrl->retry_seq = slot_.seq;
  ctrl->lanes_valid = lanes_valid_;
  ctrl->lanes_bad = lanes_bad_;
  counts_.nacks += slot_.valid && slot_.nack;
}

RetryHalves::Passed RetryHalves::Step(Cycle now, bool up, const Link& in, const Sender& sender) {
  const bool retries = !plain_;
  golden::RetryIn::Inputs arrives;
  arrives.enable = retries;
  arrives.link_up = up;
  arrives.lanes = in.tag.pace + 1;
  arrives.word = in.word;
  arrives.tag = in.tag;
  const bool was_open = in_.open();
  const golden::RetryIn::Outputs received = in_.Step(arrives);
  slot_ = up && retries ? received.report : golden::RetryReport();
  const golden::SerdesLanes::Outputs judged = JudgeLanes(now, up && retries, in, slot_.valid, sender.empty);
  golden::RetryOut::Inputs gives;
  gives.enable = retries;
  gives.link_up = up;
  gives.lanes = judged.m;
  gives.replay_timer_max = registers_.retry.timer;
  gives.replay_ct_max = registers_.retry.limit;
  gives.retry_threshold = registers_.retry.threshold;
  gives.take = take_words_ > 0;
  gives.take_words = take_words_;
  gives.word = sender.word;
  if (up && retries && !in.ctrl.err && in.ctrl.retry_valid) gives.report = {true, in.ctrl.retry_nack, in.ctrl.retry_seq};
  if (judged.nack) gives.report = {true, true, static_cast<std::uint16_t>(judged.nack_seq)};
  const golden::RetryOut::Outputs sent = out_.Step(gives);
  take_words_ = 0;
  words_sent_ += out_.sent_word().valid;
  if (sent.bad_report)
    throw CheckFailure(now, port_, 0, fmt::format("a report of packet {} makes no sense: it was never sent", in.ctrl.retry_seq));
  if (out_.Shown(retries).start) pace_ = judged.m;
  Passed passed{received.word, was_open && !in_.open() && !received.accepted};
  counts_.broken_off += passed.broke_off;
  heard_ = tries_ = false;
  if (up) {
    if (!in.ctrl.err) ReceiveSlot(now, in.ctrl);
    if (passed.word.valid && passed.word.sop) TakeAttempt(passed.word);
    Count(sent);
    if (!up_) receives_.LinkRises(&returner_);
  } else {
    sends_.LinkDown(&credits_, table_);
    receives_.LinkDown(&returner_);
  }
  Watch(now, up, sender.waits);
  return passed;
}

/// What the lanes of both directions come to in this cycle; the mask is that of the next slot.
golden::SerdesLanes::Outputs RetryHalves::JudgeLanes(Cycle now, bool up, const Link& in, bool reports, bool empty) {
  golden::SerdesLanes::Inputs lanes;
  lanes.retry = true;
  lanes.link_up = up;
  lanes.lanes = lanes_;
  lanes.fail = registers_.lanes.fail;
  lanes.back = registers_.lanes.back;
  lanes.lane_err = in.phy.lane_err;
  lanes.report_out = reports;
  lanes.avoid_valid = up && !in.ctrl.err && in.ctrl.lanes_valid;
  lanes.avoid = in.ctrl.lanes_bad;
  lanes.report_valid = up && !in.ctrl.err && in.ctrl.retry_valid;
  lanes.report_seq = in.ctrl.retry_seq;
  lanes.mac_empty = empty;
  const golden::SerdesLanes::Outputs judged = serdes_.Step(now, lanes);
  lanes_valid_ = judged.lanes_valid;
  lanes_bad_ = static_cast<std::uint8_t>(judged.lanes_bad);
  counts_.lanes_failed += __builtin_popcount(judged.failed);
  counts_.lanes_back += __builtin_popcount(judged.back);
  return judged;
}

/// A stamp says what was put on the link before the word of its cycle.
void RetryHalves::ReceiveSlot(Cycle now, const Ctrl& slot) {
  if (slot.credit_valid) {
    const int before = credits_.used(slot.credit_vl);
    if (!sends_.Return(&credits_, slot.credit_vl, slot.credit_cells, table_)) {
      throw CheckFailure(now, port_, 0,
                         fmt::format("credit return of {} cells on lane {} makes no sense: {} cells are in use", slot.credit_cells,
                                     slot.credit_vl, before));
    }
    heard_ = credits_.used(slot.credit_vl) != before;
  }
  if (!slot.wired_valid || plain_) return;
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
  const golden::RetryOut::Outputs next = out_.Shown(!plain_);
  if (!next.start) return;
  ++counts_.attempts;
  tries_ = !next.again;
  sends_.Started(&credits_, next.start_vl, golden::SenderHealing::CellsOfStart(next.start_len), next.again, table_);
}

/// Whether the link is given up, and whether the end goes on without retry (link_retry page, Link down).
void RetryHalves::Watch(Cycle now, bool up, bool waits) {
  const bool due = registers_.retry.watchdog > 0 && now - silent_since_ >= kWatchdogUnit * registers_.retry.watchdog;
  if (heard_ || !up || !waits || due) silent_since_ = now;
  if (!up) {
    gives_up_ = nullptr;
  } else if (gives_up_ == nullptr) {
    if (due) gives_up_ = "watchdog";
    if (sends_.over(credits_)) gives_up_ = "credits";
    if (out_.Shown(!plain_).link_failed) gives_up_ = "replay limit";
  }
  plain_ = plain_ || (!up && fell_ && registers_.retry.down == kBestEffort);
  fell_ = !up && up_;
  up_ = up;
}

void RetryHalves::ShowSent(Link* link) const {
  link->word = out_.sent_word();
  link->tag = plain_ ? RetryTag() : out_.sent_tag();
  if (link->word.valid && !plain_) link->tag.pace = static_cast<std::uint8_t>(pace_ - 1);
}

}  // namespace tilefly::cosim
