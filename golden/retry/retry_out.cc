// SPDX-License-Identifier: Apache-2.0
// The rules 1 to 12 of docs/blocks/retry.md, one function each or one for two that belong together.
#include "golden/retry/retry_out.h"

#include <algorithm>

#include "golden/common/header_bits.h"

namespace tilefly::golden {

RetryOut::RetryOut(const Parameters& parameters) : parameters_(parameters), numbers_(parameters.seq_bits) {
  starts_.push_back(0);
}

bool RetryOut::ready(bool enable) const {
  if (!enable) return true;
  return up_ && !now_.failed && now_.used + parameters_.max_words <= parameters_.depth - 1 &&
         now_.held <= numbers_.half() - 2;
}

RetryOut::Outputs RetryOut::Step(const Inputs& in) {
  Outputs out = Show(in);
  starved_ = overtaken_ = false;
  Stage sent;
  if (in.enable) {
    sent = Work(in, &out);
  } else {  // rule 12
    sent.word = in.word;
    sent.word.err = false;
    Flush();
    owed_ = stale_ = 0;
  }
  out_ = stage_;
  stage_ = sent;
  up_ = in.enable && in.link_up;
  if (in.enable && !in.link_up) {  // rule 11
    Flush();
    stale_ = owed_;
    out_ = stage_ = {};
    out.replay = out.timeout = out.bad_report = out.repeated = false;
  }
  ++cycle_;
  return out;
}

/// The outputs that are registers, or wires of the state.
RetryOut::Outputs RetryOut::Show(const Inputs& in) const {
  Outputs out;
  out.ready = ready(in.enable);
  out.word = out_.word;
  out.quiescent = !stage_.word.valid && !out_.word.valid;
  if (!in.enable) return out;
  out.tag = out_.tag;
  out.start = now_.start.start;
  out.again = now_.start.again;
  out.start_vl = now_.start.vl;
  out.start_len = now_.start.len;
  out.link_failed = now_.failed;
  out.over_threshold = now_.replays > in.retry_threshold;
  out.quiescent = out.quiescent && now_.used == 0 && owed_ == 0 && !now_.pending && !now_.failed && BetweenPackets();
  return out;
}

/// Rules 1 to 10; returns what the stage register has next.
RetryOut::Stage RetryOut::Work(const Inputs& in, Outputs* out) {
  old_ = now_;
  now_.start = {};
  Events events;
  const Word at_hand = AtHand(in.word);  // of the buffer as it was before a word comes
  Take(in);
  WordComes(in.word);
  if (old_.busy) {
    if (cycle_ == old_.first + WordOffset(old_.index, old_.lanes)) {
      starved_ = !at_hand.valid;
      if (at_hand.valid) Send(at_hand, old_.index, out, &events);
    }
  } else if (cycle_ >= old_.between && !old_.failed) {
    StartOrReplay(in, at_hand, out, &events);
  }
  Free();
  if (in.report.valid) ReportComes(in.report, out, &events);
  RunTimer(in, out, &events);
  now_.pending = now_.pending || events.pending;
  return events.sent;
}

/// Rule 3; not valid when there is none.
Word RetryOut::AtHand(const Word& comes) const {
  Word word;
  if (old_.send == old_.write) {
    if (comes.valid && stale_ == 0) word = comes;
  } else if (old_.send >= old_.free) {
    word = words_[static_cast<std::size_t>(old_.send - old_.free)];
  }  // else `heard` has passed a packet that was to be sent again: rule 5 moves `send` before a word is read
  word.err = false;
  return word;
}

/// Rule 1.
void RetryOut::Take(const Inputs& in) {
  if (!in.take) return;
  overtaken_ = !ready(true);
  now_.used += in.take_words;
  ++now_.held;
  owed_ += in.take_words;
}

/// Rule 2.
void RetryOut::WordComes(Word word) {
  if (!word.valid) return;
  if (owed_ > 0) --owed_;  // else it is of a packet that was taken without `enable`
  if (stale_ > 0) {
    --stale_;
    return;
  }
  word.err = false;
  words_.push_back(word);
  ++now_.write;
  if (!word.eop) return;
  now_.arrived_seq = numbers_.Of(old_.arrived_seq + 1);
  starts_.push_back(now_.write);
}

/// Rule 5.
void RetryOut::StartOrReplay(const Inputs& in, const Word& at_hand, Outputs* out, Events* events) {
  now_.pending = false;
  if (old_.pending && old_.heard != old_.top) {
    events->replay_event = true;
    if (old_.replays == in.replay_ct_max && in.replay_ct_max != 255) {
      now_.failed = true;
      return;
    }
    JumpToHeard();
    now_.replays = std::min(254, old_.replays + 1);
    out->replay = true;
  } else if (numbers_.Ahead(old_.heard, old_.send_seq)) {
    JumpToHeard();
  } else if (at_hand.valid) {
    now_.busy = true;
    now_.first = cycle_;
    now_.lanes = RetryLanes(in.lanes);
    now_.start.start = true;
    now_.start.again = old_.send_seq != old_.top;
    if (at_hand.enh) {
      const HeaderBits header(at_hand.data.data());
      now_.start.vl = static_cast<std::uint8_t>(header.vl());
      now_.start.len = static_cast<std::uint16_t>(header.length());
    }
    Send(at_hand, 0, out, events);
  }
}

void RetryOut::JumpToHeard() {
  now_.send_seq = old_.heard;
  now_.send = StartOf(old_.heard);
}

/// Rules 6 and 7, and the pace of rule 4.
void RetryOut::Send(const Word& word, int k, Outputs* out, Events* events) {
  events->sent.word = word;
  events->sent.tag.seq = static_cast<std::uint16_t>(old_.send_seq);
  events->sent.tag.index = static_cast<std::uint8_t>(k);
  out->repeated = old_.send_seq != old_.top;
  now_.send = old_.send + 1;
  now_.index = k + 1;
  if (!word.eop) return;
  now_.busy = false;
  now_.between = now_.first + CeilDiv(4 * (k + 1), now_.lanes);
  now_.send_seq = numbers_.Of(old_.send_seq + 1);
  if (old_.send_seq == old_.top) now_.top = now_.send_seq;
}

/// Rule 8.
void RetryOut::Free() {
  const int target = old_.busy && numbers_.Ahead(old_.heard, old_.send_seq) ? old_.send_seq : old_.heard;
  const int packets = numbers_.Of(target - old_.free_seq);
  if (packets == 0) return;
  const std::int64_t place = StartOf(target);
  const std::int64_t freed = place - old_.free;
  now_.used -= static_cast<int>(freed);
  now_.held -= packets;
  now_.free = place;
  now_.free_seq = target;
  words_.erase(words_.begin(), words_.begin() + freed);
  starts_.erase(starts_.begin(), starts_.begin() + packets);
}

/// Rule 9.
void RetryOut::ReportComes(const RetryReport& report, Outputs* out, Events* events) {
  const int r = numbers_.Of(report.seq);
  if (numbers_.Of(r - old_.heard) > numbers_.Of(old_.top - old_.heard)) {
    out->bad_report = true;
    return;
  }
  now_.heard = r;
  events->pending = report.nack;
  events->progress = r != old_.heard;
  if (events->progress) now_.replays = 0;
}

/// Rule 10.
void RetryOut::RunTimer(const Inputs& in, Outputs* out, Events* events) {
  if (old_.failed || events->replay_event || events->progress || old_.heard == old_.top) {
    now_.timer = 0;
  } else if (old_.timer >= in.replay_timer_max) {
    now_.timer = 0;
    events->pending = out->timeout = true;
  } else {
    ++now_.timer;
  }
}

void RetryOut::Flush() {
  now_ = {};
  words_.clear();
  starts_.assign(1, 0);
}

/// Nothing is sent, freed or about to be: only the timer moves.
Cycle RetryOut::Quiet(int replay_timer_max) const {
  const State& s = now_;
  const bool idle = up_ && !s.busy && !s.pending && !s.start.start && s.send == s.write && s.free_seq == s.heard &&
                    !numbers_.Ahead(s.heard, s.send_seq) && !stage_.word.valid && !out_.word.valid;
  if (!idle) return 0;
  return s.failed || s.heard == s.top ? kNever : std::max(0, replay_timer_max - s.timer);
}

/// Rule 5: step 3, with a word at hand that comes.
Cycle RetryOut::UntilFree() const {
  const State& s = now_;
  const bool waits = s.busy || s.failed || s.send != s.write || stale_ > 0 || (s.pending && s.heard != s.top) ||
                     numbers_.Ahead(s.heard, s.send_seq);
  return waits || !ready(true) ? kNever : std::max<Cycle>(0, s.between - cycle_);
}

void RetryOut::Skip(Cycle cycles) {
  cycle_ += cycles;
  starved_ = overtaken_ = false;
  now_.timer = now_.failed || now_.heard == now_.top ? 0 : now_.timer + static_cast<int>(cycles);
}

void RetryOut::Check(int port, Audit* audit) const {
  const State& s = now_;
  audit->Require("RETRY-2", !overtaken_, port, s.used);
  audit->Require("RETRY-2", s.used >= 0 && s.used <= parameters_.depth - 1, port, s.used);
  audit->Require("RETRY-2", s.held >= 0 && s.held <= numbers_.half() - 1, port, s.held);
  const int heard = numbers_.Of(s.heard - s.free_seq);
  const int top = numbers_.Of(s.top - s.free_seq);
  const int arrived = numbers_.Of(s.arrived_seq - s.free_seq);
  audit->Require("RETRY-3", heard <= top && top <= arrived && arrived <= s.held, port, arrived);
  audit->Require("RETRY-3", !numbers_.Ahead(s.send_seq, s.top), port, s.send_seq);
  audit->Require("RETRY-3", !s.busy || !numbers_.Ahead(s.free_seq, s.send_seq), port, s.send_seq);
  audit->Require("RETRY-5", !starved_, port, s.index);
}

void RetryOut::CheckDrained(int port, Audit* audit) const {
  audit->Require("RETRY-2", now_.used == 0, port, now_.used);
  audit->Require("RETRY-2", now_.held == 0, port, now_.held);
}

}  // namespace tilefly::golden
