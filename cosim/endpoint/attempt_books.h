// SPDX-License-Identifier: Apache-2.0
// What the switch takes of the attempts that a link with retry brings to it. A gate of golden's at the end of the wire says
// which words a switch that keeps docs/blocks/retry.md takes.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>

#include "cosim/setup/frame_sink.h"
#include "generated/wire.h"
#include "golden/retry/retry_in.h"

namespace tilefly::cosim {

/// Stands between a sender and the sink of its frames: the sink hears of a frame when the switch has accepted it, of each
/// attempt that was broken off when it is broken off, and of each frame that was lost with the link.
class AttemptBooks final : public FrameSink {
 public:
  /// `lanes`: SerDes lanes of the cable.
  AttemptBooks(FrameSink* sink, int lanes) : sink_(sink), cable_(lanes) {}

  /// The sender has given the next frame to its replay buffer.
  void Sent(const FramePtr& frame, Cycle first, Cycle) override {
    frames_.push_back(frame);
    sink_->Given(frame, first);
  }
  /// Partners receive elsewhere.
  void Received(const Reception&) override {}

  /// The sender's half starts the next frame that it has not tried: its first word is to be on `link_i` in cycle `first`.
  void Try(Cycle first) { sink_->Tried(frames_[tried_++], first); }
  /// `link_i` of cycle `now`. `plain`: the link goes on without retry.
  void See(Cycle now, bool up, bool plain, const Link& link) {
    golden::RetryIn::Inputs in;
    in.enable = !plain;
    in.link_up = up;
    in.lanes = plain ? cable_ : link.tag.pace + 1;
    in.word = link.word;
    in.tag = link.tag;
    const golden::RetryIn::Outputs out = gate_.Step(in);
    if (out.word.valid && out.word.sop) {
      open_ = true;
      first_ = now;
      words_ = 0;
      lanes_ = in.lanes;
    }
    words_ += out.word.valid;
    if (out.word.valid && out.word.eop) {
      open_ = false;
      accepted_words_ += words_;
      const FramePtr frame = std::move(frames_.front());
      frames_.pop_front();
      if (tried_ > 0) --tried_;  // on a link without retry none is tried
      sink_->Sent(frame, first_, now);
    } else if (open_ && (!up || (!plain && !gate_.open()))) {
      open_ = false;
      const Frame& frame = *frames_.front();
      sink_->BrokenOff(frames_.front(), first_, first_ + WordOffset(frame.words() - 1, lanes_), words_);
    }
  }
  /// Both ends of the link are down: what was sent and not accepted is lost.
  void Lose() {
    tried_ = 0;
    for (const FramePtr& frame : std::exchange(frames_, {})) sink_->Lost(frame);
  }

  /// First cycle of the attempt that is coming in; -1: none is.
  Cycle attempt() const { return open_ ? first_ : -1; }
  /// SerDes lanes of the attempt that came in last.
  int lanes() const { return lanes_; }
  /// Frames that were sent and not accepted.
  std::size_t open() const { return frames_.size(); }
  std::int64_t accepted_words() const { return accepted_words_; }

 private:
  FrameSink* const sink_;
  const int cable_;
  golden::RetryIn gate_{golden::RetryIn::Parameters()};
  std::deque<FramePtr> frames_;  ///< from the number that the gate expects on
  std::size_t tried_ = 0;        ///< of these, the first ones were tried
  bool open_ = false;
  Cycle first_ = 0;
  int words_ = 0;
  int lanes_ = 4;
  std::int64_t accepted_words_ = 0;
};

}  // namespace tilefly::cosim
