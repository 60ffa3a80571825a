// SPDX-License-Identifier: Apache-2.0
// Both halves of the retry block and the SerDes lanes in their places in a port (docs/blocks/link_retry.md, Sender,
// Receiver, SerDes lanes): the tag's pace, the slot's registers, and the counters of a cycle.
#pragma once

#include "generated/registers.h"
#include "golden/link/serdes_lanes.h"
#include "golden/retry/retry_in.h"
#include "golden/retry/retry_out.h"

namespace tilefly::golden {

class RetryEnds {
 public:
  /// What the gate makes of a word.
  struct Passed {
    Word word;             ///< for the MAC
    int serdes_lanes = 4;  ///< m of the packet that it belongs to
  };

  /// Registers of the port, as the cycle found them: SerDes lanes of the cable, RETRY, LANES.
  struct Settings {
    int lanes = 4;
    PortRetry retry;
    PortLanes serdes;
  };

  /// The port had `serdes_lanes` in use before it became a retry port.
  RetryEnds(const Profile& profile, int serdes_lanes) : serdes_(SerdesLanes::Of(serdes_lanes)), out_(Sizes(profile)) {}

  /// Begins a cycle. `enable`: the halves retry; they do not at a plain port. `mac_empty`: no word is to come of what was
  /// taken.
  void Begin(bool enable, bool mac_empty) {
    enable_ = enable;
    mac_empty_ = mac_empty;
  }
  bool enabled() const { return enable_; }
  /// Puts on `link_o` what the halves' registers show in this cycle.
  void Show(Link* link) const {
    const RetryOut::Outputs shown = out_.Shown(enable_);
    link->word = shown.word;
    link->tag = shown.tag;
    if (enable_ && shown.word.valid) link->tag.pace = static_cast<std::uint8_t>(pace_ - 1);
    link->ctrl.retry_valid = slot_.valid;
    link->ctrl.retry_nack = slot_.nack;
    link->ctrl.retry_seq = slot_.seq;
    link->ctrl.lanes_valid = mask_.valid;
    link->ctrl.lanes_bad = mask_.lanes;
  }
  /// Whether a packet may be taken in this cycle at a port whose cable has `lanes` SerDes lanes, and how many of them are in
  /// use.
  bool ready(int lanes) const { return out_.ready(enable_) && serdes_.take_ok(lanes); }
  int serdes_lanes() const { return serdes_.m(); }
  /// What the sender's half shows in this cycle.
  RetryOut::Outputs Shown() const { return out_.Shown(enable_); }
  /// Whether this cycle is one of a replay.
  bool repeats() const { return out_.repeats(); }
  /// Packets that are lost when the link goes down in this cycle, with one that is taken in it.
  int held() const { return enable_ ? out_.held() : 0; }

  /// `link_i` of this cycle; a slot with `err` says nothing. Call it before `Send`.
  Passed Receive(const Link& link, bool up) {
    RetryIn::Inputs in;
    in.enable = enable_;
    in.link_up = up;
    in.lanes = link.tag.pace + 1;
    in.word = link.word;
    in.tag = link.tag;
    received_ = in_.Step(in);
    report_ = {};
    avoid_ = {};
    if (enable_ && up && !link.ctrl.err) {
      if (link.ctrl.retry_valid) report_ = {true, link.ctrl.retry_nack, link.ctrl.retry_seq};
      avoid_ = {link.ctrl.lanes_valid, link.ctrl.lanes_bad};
    }
    lane_err_ = link.phy.lane_err;
    if (enable_ && received_.word.valid && received_.word.sop) lanes_ = in.lanes;
    return {received_.word, lanes_};
  }
  /// The word that the MAC gives in cycle `now`, and how many words a take of this cycle will give; 0: there was none.
  /// `lanes_written`: an event of the cycle writes LANES.
  void Send(Cycle now, const Settings& settings, bool up, const Word& word, int take_words, bool lanes_written) {
    JudgeLanes(now, settings, up, lanes_written);
    RetryOut::Inputs in;
    in.enable = enable_;
    in.link_up = up;
    in.lanes = judged_.m;
    in.replay_timer_max = settings.retry.timer;
    in.replay_ct_max = settings.retry.limit;
    in.retry_threshold = settings.retry.threshold;
    in.take = take_words > 0;
    in.take_words = take_words;
    in.word = word;
    in.report = judged_.nack ? RetryReport{true, true, static_cast<std::uint16_t>(judged_.nack_seq)} : report_;
    sent_ = out_.Step(in);
    if (sent_.start) pace_ = started_lanes_;
    started_lanes_ = in.lanes;
    slot_shown_ = slot_;
    slot_ = received_.report;
    mask_ = {judged_.lanes_valid, static_cast<std::uint8_t>(judged_.lanes_bad)};
  }
  /// Calls `count(counter, times)` for the events of the cycle that is over.
  template <typename Count>
  void CountEvents(Count&& count) const {
    const auto when = [&](bool happened, Counter counter) {
      if (happened) count(counter, 1);
    };
    if (judged_.failed != 0) count(Counter::kLanesFailed, __builtin_popcount(judged_.failed));
    if (judged_.back != 0) count(Counter::kLanesBack, __builtin_popcount(judged_.back));
    when(sent_.replay, Counter::kTxReplayEvent);
    when(sent_.repeated, Counter::kTxOkRpt);
    when(sent_.timeout, Counter::kTxReplayTimeout);
    when(sent_.bad_report, Counter::kRxAckNackSeqErr);
    when(received_.accepted, Counter::kRxExpectedSeqGood);
    when(received_.bad, Counter::kRxBad);
    when(received_.missing, Counter::kRxUnexpectedSeq);
    when(received_.duplicate, Counter::kRxDuplicateSeq);
    when(received_.replayed, Counter::kRxReplayEvent);
    when(slot_shown_.valid && !slot_shown_.nack, Counter::kTxAckCtlOs);
    when(slot_shown_.valid && slot_shown_.nack, Counter::kTxNackCtlOs);
    when(report_.valid && !report_.nack, Counter::kRxAckCtlOs);
    when(report_.valid && report_.nack, Counter::kRxNackCtlOs);
  }
  /// The fields of the observation record, of the cycle that is over.
  void Observe(Portobs* port) const {
    const RetryOut::Outputs next = out_.Shown(enable_);
    port->start_valid = next.start;
    port->start_again = next.again;
    port->replay = sent_.replay;
    port->accept = received_.accepted;
    port->error = received_.bad || received_.missing;
    port->held = static_cast<std::uint16_t>(held());
    port->pace = static_cast<std::uint8_t>(serdes_lanes() - 1);
  }
  /// How many of the next cycles change nothing, if neither link nor MAC has something for the halves; kNever: any
  /// number.
  Cycle Quiet(const PortRetry& retry) const {
    bool rests = in_.quiet() && !slot_.valid && !mask_.valid && serdes_.bad() == 0 && !serdes_.lanes_due() && !serdes_.again();
    for (int lane = 0; lane < SerdesLanes::kLanes; ++lane) rests = rests && serdes_.errors(lane) == 0;
    return rests ? out_.Quiet(retry.timer) : 0;
  }
  /// RETRY-2, RETRY-3, RETRY-5 and RETRY-7, LSV-5 and LSV-6 of `port`, after a cycle.
  void Check(int port, Audit* audit) const {
    serdes_.Check(port, audit);
    out_.Check(port, audit);
    in_.Check(port, audit);
  }
  void CheckDrained(int port, Audit* audit) const { out_.CheckDrained(port, audit); }

 private:
  static RetryOut::Parameters Sizes(const Profile& profile) {
    RetryOut::Parameters sizes;
    sizes.max_words = profile.mtu_words_enh;
    return sizes;
  }

  /// SerDes lanes that a control slot names.
  struct Mask {
    bool valid = false;
    std::uint8_t lanes = 0;
  };

  /// A plain port uses all lanes and judges none, as at a link that is down.
  void JudgeLanes(Cycle now, const Settings& settings, bool up, bool lanes_written) {
    SerdesLanes::Inputs in;
    in.retry = true;
    in.link_up = up && enable_;
    in.lanes = settings.lanes;
    in.fail = settings.serdes.fail;
    in.back = settings.serdes.back;
    in.off = settings.serdes.off;
    in.written = lanes_written;
    in.lane_err = lane_err_;
    in.report_out = received_.report.valid;
    in.avoid_valid = avoid_.valid;
    in.avoid = avoid_.lanes;
    in.report_valid = report_.valid;
    in.report_seq = report_.seq;
    in.mac_empty = mac_empty_;
    judged_ = serdes_.Step(now, in);
  }

  bool enable_ = true;
  bool mac_empty_ = true;
  SerdesLanes serdes_;
  RetryOut out_;
  RetryIn in_{RetryIn::Parameters()};
  RetryOut::Outputs sent_;      ///< of this cycle
  RetryIn::Outputs received_;   ///< likewise
  RetryReport report_;          ///< of the slot on `link_i`
  SerdesLanes::Outputs judged_;  ///< of this cycle
  Mask avoid_;                   ///< of the slot on `link_i`
  unsigned lane_err_ = 0;        ///< on `link_i`
  Mask mask_;                    ///< on `link_o` in the next cycle
  RetryReport slot_;            ///< on `link_o` in the next cycle
  RetryReport slot_shown_;      ///< in this one
  int started_lanes_ = 4;       ///< m of the cycle before
  int pace_ = 4;                ///< m of the packet whose words are on `link_o`
  int lanes_ = 4;               ///< of the packet that came last
};

}  // namespace tilefly::golden
