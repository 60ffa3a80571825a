// SPDX-License-Identifier: Apache-2.0
// Checkers of those statements of docs/blocks/retry.md that are seen at one module's ports over time: RETRY-4, RETRY-8
// and RETRY-9 of the sender, RETRY-6 and RETRY-7 of the receiver.
#pragma once

#include "golden/retry/retry_in.h"
#include "golden/retry/retry_out.h"

namespace tilefly::golden {

class RetryOutChecker {
 public:
  explicit RetryOutChecker(const RetryOut::Parameters& parameters)
      : max_words_(parameters.max_words), numbers_(parameters.seq_bits) {}

  /// One cycle. `waiting`: packets are sent and not acknowledged.
  void Step(const RetryOut::Inputs& in, const RetryOut::Outputs& out, bool waiting, int port, Audit* audit) {
    if (in.enable && enabled_before_) {  // else `word_o` may have what was passed on without retry
      Words(out, port, audit);
      // A packet that started in the cycle before is on `start_o` now.
      if (out.start) {
        audit->Require("RETRY-8", up_before_ && !failed_before_, port, cycle_);
        audit->Require("RETRY-4", !sending_, port, next_);
        sending_ = true;
        next_ = 0;
        first_ = cycle_ + 1;
        lanes_ = lanes_before_;
      }
      Progress(in, out, waiting, port, audit);
    }
    if (!in.enable || !in.link_up) sending_ = false;
    enabled_before_ = in.enable;
    up_before_ = in.link_up;
    failed_before_ = out.link_failed;
    lanes_before_ = RetryLanes(in.lanes);
    ++cycle_;
  }

 private:
  /// RETRY-4: what is on `word_o` is the next word of the packet that started, when it is due, and nothing else.
  void Words(const RetryOut::Outputs& out, int port, Audit* audit) {
    const bool due = sending_ && cycle_ == first_ + WordOffset(next_, lanes_);
    audit->Require("RETRY-4", out.word.valid == due, port, next_);
    if (!due || !out.word.valid) return;
    if (next_ == 0) seq_ = out.tag.seq;
    audit->Require("RETRY-4", out.tag.index == next_ && out.tag.seq == seq_, port, out.tag.index);
    ++next_;
    sending_ = !out.word.eop;
  }
  /// RETRY-9. A replay begins at most a timer and the packet in progress after the one before, and behind `limit` of
  /// them the link fails. Judged only while the registers stay.
  void Progress(const RetryOut::Inputs& in, const RetryOut::Outputs& out, bool waiting, int port, Audit* audit) {
    const int said = in.report.valid && !out.bad_report ? numbers_.Of(in.report.seq) : heard_;
    const bool moved = said != heard_;
    heard_ = said;
    if (!waiting || moved || out.link_failed || !in.link_up) {
      waited_ = 0;
      same_ = true;
    }
    if (!in.link_up) heard_ = 0;
    same_ = same_ && in.replay_timer_max == timer_max_ && in.replay_ct_max == limit_;
    timer_max_ = in.replay_timer_max;
    limit_ = in.replay_ct_max;
    ++waited_;
    const Cycle replay = timer_max_ + 4 * max_words_ + 4;
    audit->Require("RETRY-9", !same_ || limit_ == 255 || waited_ <= (limit_ + 1) * replay, port, waited_);
  }

  int max_words_;
  RetryNumbers numbers_;
  Cycle cycle_ = 0;
  bool sending_ = false;  ///< a packet's words are to come on `word_o`
  int next_ = 0, lanes_ = 4;
  Cycle first_ = 0;
  std::uint16_t seq_ = 0;
  bool enabled_before_ = true, up_before_ = false, failed_before_ = false;
  int lanes_before_ = 4;
  Cycle waited_ = 0;  ///< cycles without progress
  int timer_max_ = -1, limit_ = -1, heard_ = 0;
  bool same_ = true;  ///< the registers have not changed since the last progress
};

class RetryInChecker {
 public:
  explicit RetryInChecker(const RetryIn::Parameters& parameters) : numbers_(parameters.seq_bits) {}

  void Step(const RetryIn::Inputs& in, const RetryIn::Outputs& out, int port, Audit* audit) {
    if (in.enable && in.link_up) {
      Word(in, out, port, audit);
      const bool error = out.bad || out.missing;
      audit->Require("RETRY-7", !error || begun_, port, expected_);
      if (error) begun_ = false;
      if (out.word.valid && out.word.sop) begun_ = true;
    } else {
      open_ = false;
      expected_ = 0;
      begun_ = true;
    }
    ++cycle_;
  }

 private:
  /// RETRY-6.
  void Word(const RetryIn::Inputs& in, const RetryIn::Outputs& out, int port, Audit* audit) {
    const bool due = open_ && cycle_ == first_ + WordOffset(next_, lanes_);
    if (!out.word.valid) {
      if (due) open_ = false;
      audit->Require("RETRY-6", !out.accepted && out.word == tilefly::Word(), port, next_);
      return;
    }
    audit->Require("RETRY-6", out.word == in.word && !in.word.err && numbers_.Of(in.tag.seq) == expected_, port,
                   in.tag.seq);
    if (!open_) {
      open_ = true;
      next_ = 0;
      first_ = cycle_;
      lanes_ = RetryLanes(in.lanes);
    }
    const bool next = in.tag.index == (next_ & 255) && in.word.sop == (next_ == 0);
    audit->Require("RETRY-6", next && cycle_ == first_ + WordOffset(next_, lanes_), port, in.tag.index);
    audit->Require("RETRY-6", out.accepted == in.word.eop, port, in.tag.index);
    ++next_;
    if (!in.word.eop) return;
    open_ = false;
    expected_ = numbers_.Of(expected_ + 1);
  }

  RetryNumbers numbers_;
  Cycle cycle_ = 0;
  bool open_ = false;
  int next_ = 0, lanes_ = 4;
  Cycle first_ = 0;
  int expected_ = 0;
  bool begun_ = true;  ///< the packet expected has begun since the last error
};

}  // namespace tilefly::golden
