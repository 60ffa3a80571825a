// SPDX-License-Identifier: Apache-2.0
#include "workload/rank_run.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

namespace tilefly::workload {

RankRun::RankRun(const Schedule& schedule, const RankPlan& plan, int rank, Cycle begin, int clock_khz)
    : rank_(schedule.ranks[rank]),
      plan_(plan),
      repeats_(schedule.repeats),
      last_begin_(schedule.repeats_ns == Schedule::kEver ? kNoCycle : begin + CyclesOf(schedule.repeats_ns, clock_khz)),
      clock_khz_(clock_khz),
      begin_(begin),
      waits_(plan.waits),
      states_(rank_.operations.size(), State::kWaiting),
      sends_(static_cast<std::size_t>(plan.sending)),
      receives_(plan.base.size()),
      slots_(static_cast<std::size_t>(plan.slots)),
      cpus_(static_cast<std::size_t>(plan.cpus)),
      left_(static_cast<std::size_t>(schedule.phases), kNothing),
      phase_end_(begin) {
  for (const Operation& one : rank_.operations) {
    std::int32_t& left = left_[static_cast<std::size_t>(one.phase)];
    left = std::max(left, 0) + 1;
  }
}

Cycle RankRun::due() const {
  if (!begun_) return begin_;
  Cycle due = sent_at_;
  if (!arrivals_.empty()) due = std::min(due, arrivals_.front().cycle);
  for (const Cpu& cpu : cpus_) due = std::min(due, cpu.end);
  return due;
}

/// All completions of a cycle come first, then whatever can begin does, the first of the list first.
void RankRun::Run(Cycle now, JobStatistics* statistics) {
  TakeEvents(now, statistics);
  do {
    while (!ready_.empty()) {
      std::pop_heap(ready_.begin(), ready_.end(), std::greater<>());
      const int operation = ready_.back();
      ready_.pop_back();
      Start(operation, now, statistics);
    }
  } while (StartCalc(now, statistics));
  if (repeats_ && begun_ && done() && completed_ > 0 && now < last_begin_) Repeat(now + 1);
}

/// All operations are to be done once more. Messages of other ranks, which may be ahead, stay in their slots.
void RankRun::Repeat(Cycle from) {
  begin_ = from;
  begun_ = false;
  repeated_ = true;
  completed_ = 0;
  waits_ = plan_.waits;
  std::fill(states_.begin(), states_.end(), State::kWaiting);
  std::fill(sends_.begin(), sends_.end(), 0);
  std::fill(receives_.begin(), receives_.end(), 0);
}

void RankRun::TakeEvents(Cycle now, JobStatistics* statistics) {
  if (!begun_ && now >= begin_) {
    begun_ = true;
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      if (waits_[i] == 0) MakeReady(static_cast<int>(i));
    }
    if (done() && !repeats_) ++statistics->ranks_done;
  }
  if (sent_at_ <= now) {
    sent_at_ = kNoCycle;
    Complete(sent_, now, statistics);
  }
  for (; !arrivals_.empty() && arrivals_.front().cycle <= now; arrivals_.Pop()) {
    Slot& slot = slots_[arrivals_.front().slot];
    ++slot.there;
    if (slot.operation >= 0) Take(&slot, now, statistics);
  }
  for (Cpu& cpu : cpus_) {
    if (cpu.end > now) continue;
    cpu.end = kNoCycle;
    Complete(std::exchange(cpu.operation, -1), now, statistics);
  }
}

void RankRun::Start(int operation, Cycle now, JobStatistics* statistics) {
  const Operation& one = rank_.operations[operation];
  switch (one.kind) {
    case Kind::kSend:
      posted_.Push({operation, plan_.slot[operation] + sends_[plan_.channel[operation]]++, now});
      states_[operation] = State::kStarted;
      Release(operation, 1);
      break;
    case Kind::kReduce:
      posted_.Push({operation, -1, now});
      states_[operation] = State::kStarted;
      Release(operation, 1);
      break;
    case Kind::kReceive:
      StartReceive(operation, now, statistics);
      break;
    case Kind::kCalc:
      cpus_[one.cpu].queue.Push(operation);
      break;
  }
}

void RankRun::StartReceive(int operation, Cycle now, JobStatistics* statistics) {
  const std::int32_t channel = plan_.channel[operation];
  Slot& slot = slots_[plan_.base[channel] + receives_[channel]++];
  slot.operation = operation;
  states_[operation] = State::kStarted;
  Release(operation, 1);
  if (slot.there > 0) Take(&slot, now, statistics);
}

/// The posted receive takes a message that is there.
void RankRun::Take(Slot* slot, Cycle now, JobStatistics* statistics) {
  --slot->there;
  Complete(std::exchange(slot->operation, -1), now, statistics);
}

/// Gives an idle CPU its next calc; false: there is none.
bool RankRun::StartCalc(Cycle now, JobStatistics* statistics) {
  for (Cpu& cpu : cpus_) {
    if (cpu.operation >= 0 || cpu.queue.empty()) continue;
    const int operation = cpu.queue.front();
    cpu.queue.Pop();
    states_[operation] = State::kStarted;
    Release(operation, 1);
    const Cycle cycles = CyclesOf(rank_.operations[operation].amount, clock_khz_);
    if (cycles == 0) {
      Complete(operation, now, statistics);
    } else {
      cpu.operation = operation;
      cpu.end = now + cycles;
    }
    return true;
  }
  return false;
}

void RankRun::MakeReady(int operation) {
  ready_.push_back(operation);
  std::push_heap(ready_.begin(), ready_.end(), std::greater<>());
}

/// What waits for the operation's completion (0) or beginning (1) waits for one less.
void RankRun::Release(int operation, int what) {
  for (std::int32_t i = plan_.first[operation]; i < plan_.first[operation + 1]; ++i) {
    const std::int32_t after = plan_.after[i];
    if ((after & 1) == what && --waits_[after / 2] == 0) MakeReady(after / 2);
  }
}

void RankRun::Complete(int operation, Cycle now, JobStatistics* statistics) {
  states_[operation] = State::kComplete;
  Release(operation, 0);
  ++completed_;
  if (repeated_) return;
  const int phase = rank_.operations[operation].phase;
  ++statistics->phase_done[phase];
  Cycle& end = statistics->phase_end[phase];
  end = std::max(end, now);
  if (!repeats_) statistics->last = std::max(statistics->last, now);
  if (--left_[phase] == 0) EndPhases(now, statistics);
  if (done() && !repeats_) ++statistics->ranks_done;
}

/// Iterations end at the rank in their order. One in which the rank does nothing is no sample.
void RankRun::EndPhases(Cycle now, JobStatistics* statistics) {
  for (; phase_ < static_cast<int>(left_.size()) && left_[phase_] <= 0; ++phase_) {
    if (left_[phase_] == kNothing) continue;
    statistics->rank_iteration.Add(now - phase_end_);
    phase_end_ = now;
  }
}

void RankRun::Sent(int operation, Cycle cycle) {
  if (sent_at_ != kNoCycle) throw std::logic_error("workload: two messages or reductions end at once");
  sent_ = operation;
  sent_at_ = cycle;
}

bool RankRun::Arrive(int slot, int packets, Cycle cycle) {
  Slot& own = slots_[slot];
  if (own.left == kNothing) own.left = packets;
  if (own.left <= 0) throw std::logic_error("workload: a packet of a message that is there already");
  if (--own.left > 0) return false;
  if (repeats_) own.left = kNothing;
  arrivals_.Push({cycle, slot});
  return true;
}

}  // namespace tilefly::workload
