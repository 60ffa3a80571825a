// SPDX-License-Identifier: Apache-2.0
// The NIC's end of a link of a naive system that sends damaged words again (docs/blocks/link_retry.md, NIC): both halves of
// the retry block, the credits that heal and the control slots, all in every cycle.
#pragma once

#include <deque>
#include <utility>
#include <vector>

#include "golden/acks/ack_route.h"
#include "golden/credit/receiver_healing.h"
#include "golden/credit/sender_healing.h"
#include "golden/link/serdes_lanes.h"
#include "golden/retry/retry_in.h"
#include "golden/retry/retry_out.h"
#include "network/network.h"
#include "testbenches/network/naive_faults.h"
#include "testbenches/network/naive_lanes.h"
#include "testbenches/network/naive_link_state.h"
#include "testbenches/network/naive_words.h"

namespace tilefly::network {

/// What the retry blocks of a naive system have done.
struct NaiveRetryCounts {
  std::int64_t accepted = 0, nacks = 0, resent_words = 0, replays = 0, timeouts = 0, lanes_failed = 0, lanes_back = 0;
  std::int64_t down_cycles = 0, degraded_cycles = 0;  ///< of all directions
};

class NaiveNicLink {
 public:
  /// `port`: of the switch. `credits`: the NIC's account.
  NaiveNicLink(const Network& network, topology::Port port, NaiveLinkState* state, golden::CreditSender* credits)
      : at(port),
        delay(network.wiring().far(port.at, port.port).delay),
        cable_(network.nics().lanes),
        registers_(network.faults().lanes_register()),
        state_(*state),
        begin_(network.nics().begin),
        table_(network.nics().credits),
        credits_(*credits),
        faults_(network, network.faults().IntoNic(port.at, port.port),
                static_cast<std::uint32_t>(64 * port.at + port.port)),
        out_([] {
          golden::RetryOut::Parameters sizes;
          sizes.max_words = 133;
          return sizes;
        }()),
        serdes_(golden::SerdesLanes::Of(cable_)),
        use_(cable_, 0),
        sends_(network.profile().vls),
        receives_(network.profile().vls) {}

  const topology::Port at;
  const int delay;
  std::deque<NaiveOnWire> wire;  ///< on the way to the NIC

  /// What comes in cycle `now`, before the NIC decides something. Returns whether a packet ends.
  bool Receive(Cycle now, NaiveAttempts* attempts) {
    Link link;
    unsigned used = 15;
    if (!wire.empty() && wire.front().cycle == now) {
      link = wire.front().link;
      used = wire.front().used;
      wire.pop_front();
    }
    tries_.See(now, link.word);
    if (now >= begin_) link = faults_.Pass(now - begin_, link, used);
    came_ = link;
    golden::RetryIn::Inputs in;
    in.enable = true;
    in.link_up = state_.IsUp(now);
    in.lanes = link.tag.pace + 1;
    in.word = link.word;
    in.tag = link.tag;
    received_ = in_.Step(in);
    slot_ = link.ctrl.err || !in.link_up ? Ctrl{} : link.ctrl;
    seen_ = mac_in_.See(now, received_.word, link.tag.pace + 1, attempts);
    return seen_.ends;
  }
  const NaiveMacIn::Packet& packet() const { return mac_in_.packet(); }
  const NaiveTries& tries() const { return tries_; }
  /// Whether words are sent again in this cycle, before `Send`.
  bool repeats() const { return out_.repeats(); }
  /// Acks of the slot of this cycle.
  std::optional<Ack> ack() const { return slot_.ack_valid ? std::optional<Ack>(golden::AckOf(slot_)) : std::nullopt; }

  /// The pause of that slot.
  std::optional<golden::FlowPause> pause() const { return golden::PauseOf(slot_); }

  bool all_known() const { return sends_.all_known(); }
  /// Whether a packet that starts now would have its first word on the link now: it is tried out.
  bool MayStart(Cycle now) const {
    golden::RetryOut tried = out_;
    if (!tried.ready(true) || !serdes_.take_ok(cable_)) return false;
    golden::RetryOut::Inputs in = SendInputs(now, serdes_.m());
    in.link_up = true;  // decided on what was known behind the cycle before
    in.take = in.word.valid = in.word.sop = true;
    in.take_words = 3;
    in.word.data[31] = 0x5a;
    tried.Step(in);
    return tried.sent_word() == in.word;
  }
  void Start(Cycle now, int words, const golden::HeaderBits& header, golden::Payload payload) {
    take_words_ = words;
    mac_out_.Take(now, words, header, payload);
  }

  /// As the cycle before left it.
  void GiveUp(Cycle now, Cycle retrain) {
    if (gave_up_ || !state_.IsUp(now) || (!out_.Shown(true).link_failed && !sends_.over(credits_))) return;
    gave_up_ = true;
    state_.GiveUp(now, retrain);
  }

  /// The link of cycle `now`, behind the NIC's decisions.
  NaiveOnWire Send(Cycle now, NaiveRetryCounts* counts) {
    Link link;
    FillSlot(now, &link.ctrl, counts);
    const golden::SerdesLanes::Outputs judged = JudgeLanes(now);
    golden::RetryOut::Inputs in = SendInputs(now, judged.m);
    in.take = take_words_ > 0;
    in.take_words = take_words_;
    in.word = mac_out_.Next(now, judged.m);
    take_words_ = 0;
    if (slot_.retry_valid) in.report = {true, slot_.retry_nack, slot_.retry_seq};
    if (judged.nack) in.report = {true, true, static_cast<std::uint16_t>(judged.nack_seq)};
    counts->lanes_failed += __builtin_popcount(judged.failed);
    counts->lanes_back += __builtin_popcount(judged.back);
    const golden::RetryOut::Outputs sent = out_.Step(in);
    link.word = out_.sent_word();
    link.tag = out_.sent_tag();
    if (out_.Shown(true).start) pace_ = judged.m;
    if (link.word.valid) link.tag.pace = static_cast<std::uint8_t>(pace_ - 1);
    mask_ = judged;
    report_ = received_.report;
    counts->accepted += received_.accepted;
    counts->resent_words += sent.repeated;
    counts->replays += sent.replay;
    counts->timeouts += sent.timeout;
    Account(now);
    const unsigned used = use_.Of(link, judged.m);
    use_.Hear(came_, state_.IsUp(now));
    return {now + delay, link, used};
  }
  /// SerDes lanes that the NIC sends on.
  int lanes() const { return serdes_.m(); }
  int cable() const { return cable_; }

 private:
  golden::SerdesLanes::Outputs JudgeLanes(Cycle now) {
    golden::SerdesLanes::Inputs in;
    in.retry = true;
    in.link_up = state_.IsUp(now);
    in.lanes = cable_;
    in.fail = registers_.fail;
    in.back = registers_.back;
    in.lane_err = came_.phy.lane_err;
    in.report_out = received_.report.valid;
    in.avoid_valid = slot_.lanes_valid;
    in.avoid = slot_.lanes_bad;
    in.report_valid = slot_.retry_valid;
    in.report_seq = slot_.retry_seq;
    in.mac_empty = mac_out_.empty() || take_words_ > 0;
    return serdes_.Step(now, in);
  }

  golden::RetryOut::Inputs SendInputs(Cycle now, int lanes) const {
    golden::RetryOut::Inputs in;
    in.enable = true;
    in.link_up = state_.IsUp(now);
    in.lanes = lanes;
    return in;
  }

  /// From the state as the events of the cycle before left it.
  void FillSlot(Cycle now, Ctrl* ctrl, NaiveRetryCounts* counts) {
    ctrl->retry_valid = report_.valid;
    ctrl->retry_nack = report_.nack;
    ctrl->retry_seq = report_.seq;
    ctrl->lanes_valid = mask_.lanes_valid;
    ctrl->lanes_bad = static_cast<std::uint8_t>(mask_.lanes_bad);
    counts->nacks += report_.valid && report_.nack;
    if (!was_up_) return;
    if (const auto message = receives_.Decide(&returner_)) {
      ctrl->credit_valid = true;
      ctrl->credit_vl = message->vl;
      ctrl->credit_cells = message->cells;
    }
    if (const auto stamp = sends_.Stamp(now - 1, true, credits_)) {
      ctrl->wired_valid = true;
      ctrl->wired_vl = stamp->vl;
      ctrl->wired_cells = stamp->cells;
    }
  }

  void Account(Cycle now) {
    const auto cells = [&] { return (packet().header.length() + 16 + 47) / 48; };
    if (seen_.ends) returner_.Free(packet().header.vl(), cells());
    const bool was_up = std::exchange(was_up_, state_.IsUp(now));
    if (!was_up_) {
      sends_.LinkDown(&credits_, table_);
      receives_.LinkDown(&returner_);
      gave_up_ = false;
      return;
    }
    if (slot_.credit_valid) sends_.Return(&credits_, slot_.credit_vl, slot_.credit_cells, table_);
    if (slot_.wired_valid) receives_.Stamp(&returner_, {slot_.wired_vl, slot_.wired_cells});
    if (seen_.begins) receives_.Taken(packet().header.vl(), cells());
    const golden::RetryOut::Outputs next = out_.Shown(true);
    if (next.start) sends_.Started(&credits_, next.start_vl, (next.start_len + 16 + 47) / 48, next.again, table_);
    if (!was_up) receives_.LinkRises(&returner_);
  }

  const int cable_;  ///< SerDes lanes
  const PortLanes registers_;
  NaiveLinkState& state_;
  bool was_up_ = false, gave_up_ = false;
  const Cycle begin_;
  const golden::CreditTable table_;
  golden::CreditSender& credits_;
  NaiveFaults faults_;
  golden::RetryOut out_;
  golden::RetryIn in_{golden::RetryIn::Parameters()};
  golden::RetryIn::Outputs received_;  ///< of this cycle
  golden::RetryReport report_;         ///< in the slot of the next cycle
  Ctrl slot_;                          ///< that came in this cycle
  golden::SerdesLanes serdes_;
  golden::SerdesLanes::Outputs mask_;  ///< of the slot of the next cycle
  int pace_ = 4;                       ///< SerDes lanes of the attempt that is on the link
  NaiveLaneUse use_;
  NaiveTries tries_;
  Link came_;  ///< on the link in this cycle
  golden::SenderHealing sends_;
  golden::CreditReturner returner_;
  golden::ReceiverHealing receives_;
  NaiveMacIn mac_in_;
  NaiveMacIn::Seen seen_;
  NaiveMacOut mac_out_;
  int take_words_ = 0;
};

}  // namespace tilefly::network
