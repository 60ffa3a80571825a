// SPDX-License-Identifier: Apache-2.0
// What the switch takes of the attempts that a link with retry brings to it. A gate of golden's at the end of the wire says
// which words a switch that keeps docs/blocks/retry.md takes.
#pragma once

#include <cstdint>
#include <deque>

#include "cosim/setup/frame_sink.h"
#include "generated/wire.h"
#include "golden/retry/retry_in.h"

namespace tilefly::cosim {

/// Stands between a sender and the sink of its frames: the sink hears of a frame when the switch has accepted it, and of
/// each attempt that was broken off when it is broken off.
class AttemptBooks final : public FrameSink {
 public:
  explicit AttemptBooks(FrameSink* sink) : sink_(sink) {}

  /// The sender has given the next frame to its replay buffer.
  void Sent(const FramePtr& frame, Cycle, Cycle) override { frames_.push_back(frame); }
  /// Partners receive elsewhere.
  void Received(const Reception&) override {}

  /// `link_i` of cycle `now`.
  void See(Cycle now, bool up, const Link& link) {
    golden::RetryIn::Inputs in;
    in.enable = true;
    in.link_up = up;
    in.lanes = link.tag.pace + 1;
    in.word = link.word;
    in.tag = link.tag;
    const bool was_open = gate_.open();
    const golden::RetryIn::Outputs out = gate_.Step(in);
    if (out.word.valid && out.word.sop) {
      first_ = now;
      words_ = 0;
    }
    words_ += out.word.valid;
    if (out.accepted) {
      accepted_words_ += words_;
      const FramePtr frame = std::move(frames_.front());
      frames_.pop_front();
      sink_->Sent(frame, first_, now);
    } else if (was_open && !gate_.open()) {
      sink_->BrokenOff(frames_.front(), first_, words_);
    }
  }

  /// First cycle of the attempt that is coming in; -1: none is.
  Cycle attempt() const { return gate_.open() ? first_ : -1; }
  /// Frames that were sent and not accepted.
  std::size_t open() const { return frames_.size(); }
  std::int64_t accepted_words() const { return accepted_words_; }

 private:
  FrameSink* const sink_;
  golden::RetryIn gate_{golden::RetryIn::Parameters()};
  std::deque<FramePtr> frames_;  ///< from the number that the gate expects on
  Cycle first_ = 0;
  int words_ = 0;
  std::int64_t accepted_words_ = 0;
};

}  // namespace tilefly::cosim
