// SPDX-License-Identifier: Apache-2.0
#include "cosim/endpoint/link_sender.h"

#include <fmt/format.h>

#include <utility>

#include "cosim/errors.h"
#include "support/random.h"

namespace tilefly::cosim {

LinkSender::LinkSender(const SwitchSetup& setup, int port, const StallOptions& stalls, std::uint64_t seed,
                       FrameSource* source, FrameSink* sink, bool lane_queues, int delay, RetryHalves* retry)
    : port_(port),
      lanes_(setup.mode(port).lanes),
      uses_credits_(setup.mode(port).credits),
      stalls_(stalls),
      seed_(seed),
      source_(source),
      sink_(sink),
      delay_(delay),
      retry_(retry),
      credits_(setup.profile()),
      queues_(lane_queues && uses_credits_) {}

void LinkSender::Drive(Cycle now, Word* word) {
  if (!frame_ && now >= next_start_) {
    if (held_) {
      ++down_;
      queues_.Down();
    } else if (FramePtr frame = Next(now)) {
      Start(now, std::move(frame));
    }
  }
  if (!frame_ || now != first_ + WordOffset(next_word_, lanes_)) {
    if (driven_) *word = Word{};
    driven_ = false;
    return;
  }
  const int k = next_word_++;
  const bool missing = frame_->break_after >= 0 && k > frame_->break_after;
  *word = missing ? Word{} : MakeWord(*frame_, k);
  driven_ = true;
  ++words_sent_;
  if (next_word_ == frame_->words()) frame_.reset();
}

/// The frame that may start now: control frames first; a data frame when nothing holds it back.
FramePtr LinkSender::Next(Cycle now) {
  if (!control_.empty()) {
    FramePtr frame = std::move(control_.front());
    control_.pop_front();
    return frame;
  }
  FillQueues(now);
  bool held = false;
  waits_ = false;
  SenderQueues::Waiting next = queues_.Take(
      now,
      [&](const Frame& frame) {
        if (!uses_credits_) return now < paused_until_ ? HeldBack::kByLink : HeldBack::kNo;
        const bool waits = frame.enh && !HasCredit(frame);
        waits_ |= waits;
        if (waits) return HeldBack::kByLink;
        return FlowIsPaused(now, frame) ? HeldBack::kByPauseOfFlow : HeldBack::kNo;
      },
      &held);
  if (!uses_credits_) waits_ = held;
  if (next.frame == nullptr) blocked_cycles_ += held;
  wait_ = next.wait;
  return std::move(next.frame);
}

bool LinkSender::HasCredit(const Frame& frame) const {
  return retry_ != nullptr ? retry_->LaneOk(frame.header.vl) : credits_.LaneOk(frame.header.vl);
}

/// Takes the next frame of each queue that has none.
void LinkSender::FillQueues(Cycle now) {
  while (!queues_.full()) {
    FramePtr frame = source_->NextFrame(port_, now, queues_.lanes());
    if (!frame) return;
    const std::uint64_t draw = starts_++;
    Cycle not_before = now;
    if (stalls_.starts && stalls_.share > 0 &&
        Unit(Draw(seed_, static_cast<std::uint32_t>(port_), 2 * draw, Purpose::kStartStall)) < stalls_.share) {
      const std::uint64_t bits = Draw(seed_, static_cast<std::uint32_t>(port_), 2 * draw + 1, Purpose::kStartStall);
      not_before = now + 1 + static_cast<Cycle>(Below(bits, static_cast<std::uint64_t>(stalls_.max_cycles)));
    }
    StartWait wait;
    wait.taken = now;
    wait.down_before = down_;
    queues_.Add(std::move(frame), not_before, wait);
  }
}

void LinkSender::Start(Cycle now, FramePtr frame) {
  frame_ = std::move(frame);
  first_ = now;
  next_word_ = 0;
  next_start_ = now + SlotCycles(frame_->slots(), lanes_);
  down_ = 0;
  queues_.Pass(next_start_ - now);
  slots_sent_ += frame_->slots();
  // What the MAC refuses for its header never takes cells, so it costs no credits. With retry a stamp brings them back.
  const bool refused = frame_->expect_drop == Drop::kHeader;
  if (retry_ != nullptr) {
    retry_->Start(frame_->header.vl, refused && retry_->plain() ? 0 : frame_->cells(), frame_->words());
  } else if (uses_credits_ && frame_->enh && !refused) {
    credits_.Send(frame_->header.vl, frame_->cells());
  }
  if (pauses_ != nullptr) pauses_->Started(now, *frame_);
  const Cycle last = now + WordOffset(frame_->words() - 1, lanes_) + delay_;
  if (!uses_credits_ && frame_->expect_drop != Drop::kLong) NotePause(last);
  sink_->Sent(frame_, now + delay_, last);
  wait_ = {};
}

/// When the frame on the link is a PAUSE, the switch obeys it from its last word on.
void LinkSender::NotePause(Cycle last) {
  const AskedPause asked = ReadPause(frame_->bytes);
  for (std::size_t c = 0; c < asked_until_.size(); ++c) {
    if ((asked.classes >> c & 1) != 0) asked_until_[c] = last + PauseCycles(asked.quanta[c], lanes_);
  }
}

void LinkSender::OnCredit(Cycle now, const Ctrl& ctrl) {
  if (uses_credits_ && credits_.Return(ctrl.credit_vl, ctrl.credit_cells)) return;
  throw CheckFailure(
      now, port_, 0,
      fmt::format("credit return of {} cells on lane {} makes no sense: {}", ctrl.credit_cells, ctrl.credit_vl,
                  uses_credits_ ? fmt::format("{} cells are in use", credits_.used(ctrl.credit_vl))
                                : std::string("the port has no credits")));
}

void LinkSender::OnPause(Cycle now, std::uint16_t quanta) {
  if (stalls_.ignore_pause) return;
  paused_until_ = now + PauseCycles(quanta, lanes_);
}

}  // namespace tilefly::cosim
