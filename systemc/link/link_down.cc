// SPDX-License-Identifier: Apache-2.0
// Links with retry that go down and come up (docs/systemc.md, Link down; docs/blocks/link_retry.md, Link down).
#include <fmt/format.h>

#include <algorithm>

#include "golden/common/stage_times.h"
#include "network/planned_links.h"
#include "support/errors.h"
#include "systemc/link/retry_link.h"

namespace tilefly::systemc {
namespace {

constexpr Cycle kShown = 2;        ///< from the step that reaches the replay limit to the cycle in which the port asks
constexpr int kNumbers = 1 << 11;  ///< of packets

/// Whether packet `seq` is none of those before `expected`.
bool IsMissing(int seq, int expected) { return (seq - expected + kNumbers) % kNumbers < kNumbers / 2; }

}  // namespace

void RetryLink::Join(RetryLink* one, RetryLink* other) {
  for (const RetryLink* link : {one, other}) {
    if (link->back_ == nullptr) continue;
    throw UsageError(
        fmt::format("{}: is joined with {} already (RetryLink::Join)", link->name(), link->back_->name()));
  }
  if (one == other || one->options_.delay != other->options_.delay)
    throw UsageError(fmt::format("{}: {} is not its other direction: it has a cable of {} cycles, not {} "
                                 "(RetryLink::Join)",
                                 one->name(), other->name(), other->options_.delay, one->options_.delay));
  one->back_ = other;
  other->back_ = one;
}

Cycle RetryLink::Notice() const { return longest_; }
Cycle RetryLink::LeastDown() const { return network::LeastDown(options_.delay); }
bool RetryLink::Discards() const { return options_.registers.down != faults::kBlock; }

void RetryLink::Down(Cycle from, Cycle cycles) {
  if (back_ == nullptr || user_ == nullptr || back_->user_ == nullptr)
    throw UsageError(fmt::format("{}: only a link with two directions, each of an output, goes down (RetryLink::Join, "
                                 "set_user)",
                                 name()));
  const Cycle now = fabric::CycleAt(sc_core::sc_time_stamp());
  if (from < now + Notice())
    throw UsageError(fmt::format("{}: down from cycle {} on, told in cycle {}: tell it {} cycles before, or more "
                                 "(RetryLink::Notice)",
                                 name(), from, now, Notice()));
  if (cycles < 1) throw UsageError(fmt::format("{}: down for {} cycles: 1 or more (RetryLink::Down)", name(), cycles));
  const auto lasts = [&](const Time& time) { return time.till == kNever && time.from <= from; };
  if (std::any_of(times_.begin(), times_.end(), lasts))
    throw UsageError(fmt::format("{}: down from cycle {} on: it is down then, until RetryLink::Up", name(), from));
  AddDown(from, cycles == kNever ? kNever : from + std::max(cycles, LeastDown()));
}

void RetryLink::Up(Cycle at) {
  const Cycle now = fabric::CycleAt(sc_core::sc_time_stamp());
  if (at <= now)
    throw UsageError(
        fmt::format("{}: up in cycle {}, told in cycle {}: tell it before (RetryLink::Up)", name(), at, now));
  const auto last = std::find_if(times_.begin(), times_.end(), [](const Time& time) { return time.till == kNever; });
  if (last == times_.end() || last->from >= at)
    throw UsageError(fmt::format("{}: up in cycle {}: it is not down for ever then (RetryLink::Down)", name(), at));
  const Time ended{last->from, std::max(at, last->from + LeastDown())};
  for (RetryLink* link : {this, back_}) {
    link->times_[static_cast<std::size_t>(last - times_.begin())] = ended;
    link->downs_ = {};
    for (const Time& time : link->times_) link->downs_.Add(time.from, time.till);
    link->TellTurn(ended.till);
  }
}

/// The link is down from cycle `from` on and before `till`.
void RetryLink::AddDown(Cycle from, Cycle till) {
  for (RetryLink* link : {this, back_}) {
    link->times_.push_back({from, till});
    link->downs_.Add(from, till);
    link->TellTurn(from);
    if (till != kNever) link->TellTurn(till);
  }
}

void RetryLink::TellTurn(Cycle cycle) {
  sender_.TellDown(cycle);
  Wake(cycle);
  user_->LinkTurns(cycle);
}

/// The replay limit is reached in the step of `now`: the PHYs take the link down when both know.
void RetryLink::GiveUp(Cycle now) {
  gives_up_ = true;
  if (back_ == nullptr) {
    SC_REPORT_ERROR(kMessages, fmt::format("{}: gives the link up after {} replays without progress, and has no other "
                                           "direction with which it goes down: call RetryLink::Join, or lower word_ber",
                                           name(), options_.registers.limit)
                                   .c_str());
    return;
  }
  ++counts_.given_up;
  user_->GivesUp();
  const Cycle asked = now + kShown;
  if (!downs_.IsUp(asked)) return;
  const Cycle from = asked + network::NoticeOfDown(options_.delay);
  AddDown(from, from + std::max(options_.retrain, LeastDown()));
}

/// The link goes down or comes up in cycle `now`.
void RetryLink::Turn(Cycle now) {
  up_ = !up_;
  if (up_) {
    resync_ = returns_from_ = now + golden::kFreedToWire + lanes_;
    Wake(resync_);
    return;
  }
  ++counts_.downs;
  gives_up_ = false;
  resync_ = kNever;
  far_.Down();
}

/// The receiver has told of each lane what it holds.
void RetryLink::Resync() {
  const LinkUser::Cells held = far_.Resync(resync_ - lanes_, [&](const FarBuffer::Freed& freed) {
    user_->Return(std::max(freed.wire, returns_from_) + options_.delay, freed.vl, freed.cells);
  });
  user_->Resync(resync_ - 1 + options_.delay, held);
  resync_ = kNever;
}

/// The replay buffer is lost: packets in it that the receiver has not accepted are.
void RetryLink::Settle() {
  const std::deque<network::RetrySender::Held> dropped = sender_.TakeDropped();
  if (dropped.empty()) return;
  user_->LostBuffer(static_cast<int>(dropped.size()));
  for (const network::RetrySender::Held& held : dropped) {
    if (IsMissing(held.seq, expected_)) Lose(slots_[held.contents].packet);
    LetGo(held.contents);
  }
}

/// The packet will not come: its first word may be still to come.
void RetryLink::Lose(fabric::Packet* packet) {
  counts_.lost += !packet->broken_off;
  packet->drop = Drop::kBroken;
  tlm::tlm_phase phase = fabric::DROPPED;
  sc_core::sc_time delay = fabric::TimeOf(golden::kTakeToWire);
  in->nb_transport_bw(*packet, phase, delay);
}

}  // namespace tilefly::systemc
