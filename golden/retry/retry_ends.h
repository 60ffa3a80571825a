// SPDX-License-Identifier: Apache-2.0
// Both halves of the retry block in their places in a port (docs/blocks/link_retry.md, Sender and Receiver): the tag's
// pace, the report's register, and the counters of a cycle.
#pragma once

#include "generated/registers.h"
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

  /// Registers of the port.
  struct Settings {
    int lanes = 4;
    PortRetry retry;
  };

  explicit RetryEnds(const Profile& profile) : out_(Sizes(profile)) {}

  /// Whether the halves retry in this cycle and the next ones: not at a plain port. Call it before the cycle's other
  /// functions.
  void Enable(bool enable) { enable_ = enable; }
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
  }
  /// Whether a packet may be taken in this cycle, and what it shows to have started in the cycle before.
  bool ready() const { return out_.ready(enable_); }
  RetryOut::Outputs Started() const { return out_.Shown(enable_); }
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
    if (enable_ && up && !link.ctrl.err && link.ctrl.retry_valid) {
      report_ = {true, link.ctrl.retry_nack, link.ctrl.retry_seq};
    }
    if (enable_ && received_.word.valid && received_.word.sop) lanes_ = in.lanes;
    return {received_.word, lanes_};
  }
  /// The word that the MAC gives in this cycle, and how many words a take of this cycle will give; 0: there was none.
  void Send(const Settings& settings, bool up, const Word& word, int take_words) {
    RetryOut::Inputs in;
    in.enable = enable_;
    in.link_up = up;
    in.lanes = settings.lanes;
    in.replay_timer_max = settings.retry.timer;
    in.replay_ct_max = settings.retry.limit;
    in.retry_threshold = settings.retry.threshold;
    in.take = take_words > 0;
    in.take_words = take_words;
    in.word = word;
    in.report = report_;
    sent_ = out_.Step(in);
    if (sent_.start) pace_ = started_lanes_;
    started_lanes_ = in.lanes;
    slot_shown_ = slot_;
    slot_ = received_.report;
  }
  /// Calls `count(counter)` for each event of the cycle that is over.
  template <typename Count>
  void CountEvents(Count&& count) const {
    const auto when = [&](bool happened, Counter counter) {
      if (happened) count(counter);
    };
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
  /// The fields of the observation record but the pace, of the cycle that is over.
  void Observe(Portobs* port) const {
    const RetryOut::Outputs next = out_.Shown(enable_);
    port->start_valid = next.start;
    port->start_again = next.again;
    port->replay = sent_.replay;
    port->accept = received_.accepted;
    port->error = received_.bad || received_.missing;
    port->held = static_cast<std::uint16_t>(held());
  }
  /// RETRY-2, RETRY-3, RETRY-5 and RETRY-7 of `port`, after a cycle.
  void Check(int port, Audit* audit) const {
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

  bool enable_ = true;
  RetryOut out_;
  RetryIn in_{RetryIn::Parameters()};
  RetryOut::Outputs sent_;      ///< of this cycle
  RetryIn::Outputs received_;   ///< likewise
  RetryReport report_;          ///< of the slot on `link_i`
  RetryReport slot_;            ///< on `link_o` in the next cycle
  RetryReport slot_shown_;      ///< in this one
  int started_lanes_ = 4;       ///< m of the cycle before
  int pace_ = 4;                ///< m of the packet whose words are on `link_o`
  int lanes_ = 4;               ///< of the packet that came last
};

}  // namespace tilefly::golden
