// SPDX-License-Identifier: Apache-2.0
// One rank that executes its operations (docs/workloads.md, Execution). It knows no network: it hands messages over,
// and is told when they have left and when others have come.
#pragma once

#include <vector>

#include "workload/fifo.h"
#include "workload/job_statistics.h"
#include "workload/plan.h"

namespace tilefly::workload {

/// A message that the rank hands over, or a reduction.
struct Posted {
  std::int32_t operation;
  std::int32_t slot;  ///< at the receiver; -1: a reduction
  Cycle at;
};

class RankRun {
 public:
  /// The rank begins in cycle `begin`; the clock says how long calcs take. What is referred to must outlive it.
  RankRun(const Schedule& schedule, const RankPlan& plan, int rank, Cycle begin, int clock_khz);

  /// The next cycle in which something happens by itself, kNoCycle: nothing does.
  Cycle due() const;
  /// Everything that happens in cycle `now`, which is not later than `due()`.
  void Run(Cycle now, JobStatistics* statistics);

  /// Messages handed over and not taken yet, oldest first.
  const Fifo<Posted>& posted() const { return posted_; }
  void TakePosted() { posted_.Pop(); }
  /// The last word of a send's message is on the link in `cycle`, which is later than the last one run; a reduction is
  /// complete in it. One at a time.
  void Sent(int operation, Cycle cycle);
  /// A packet for `slot` comes, of a message of `packets`; its last word is there in `cycle`, later than the last cycle
  /// run and not before that of the packet before. True: it is the message's last one.
  bool Arrive(int slot, int packets, Cycle cycle);

  /// Whether all operations are complete. A rank of a job that repeats is never done, unless it has no operations.
  bool done() const { return completed_ == static_cast<int>(rank_.operations.size()); }
  /// Something will happen without a message of another rank.
  bool busy() const { return due() != kNoCycle || !posted_.empty(); }
  /// Of an operation.
  enum class State : std::uint8_t { kWaiting, kStarted, kComplete };
  State state(int operation) const { return states_[operation]; }
  int operations() const { return static_cast<int>(states_.size()); }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(begin_, begun_, repeated_, completed_, sent_at_, sent_, posted_, arrivals_, waits_, states_, sends_,
            receives_, slots_, cpus_, ready_, left_, phase_, phase_end_);
  }

 private:
  /// Of a message that comes or is waited for; when the job repeats, of one in each repetition.
  struct Slot {
    std::int32_t operation = -1;   ///< its receive; -1: none is posted
    std::int32_t left = kNothing;  ///< packets still to come; of a message that comes once 0 when all have come
    std::int32_t there = 0;        ///< messages that no receive has taken yet
  };
  static constexpr std::int32_t kNothing = -1;
  struct Arrival {
    Cycle cycle;
    std::int32_t slot;
  };
  struct Cpu {
    Cycle end = kNoCycle;
    std::int32_t operation = -1;  ///< -1: idle
    Fifo<std::int32_t> queue;

    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(end, operation, queue);
    }
  };

  void TakeEvents(Cycle now, JobStatistics* statistics);
  void Start(int operation, Cycle now, JobStatistics* statistics);
  void StartReceive(int operation, Cycle now, JobStatistics* statistics);
  void Take(Slot* slot, Cycle now, JobStatistics* statistics);
  bool StartCalc(Cycle now, JobStatistics* statistics);
  void Release(int operation, int what);
  void Complete(int operation, Cycle now, JobStatistics* statistics);
  void EndPhases(Cycle now, JobStatistics* statistics);
  void MakeReady(int operation);
  void Repeat(Cycle from);

  const Rank& rank_;
  const RankPlan& plan_;
  const bool repeats_;
  const Cycle last_begin_;  ///< of a repetition
  const int clock_khz_;
  Cycle begin_;  ///< of the operations, or of their repetition
  bool begun_ = false;
  bool repeated_ = false;
  int completed_ = 0;
  Cycle sent_at_ = kNoCycle;
  std::int32_t sent_ = -1;  ///< the send that completes then
  Fifo<Posted> posted_;
  Fifo<Arrival> arrivals_;              ///< messages whose last packet's end is known
  std::vector<std::int32_t> waits_;     ///< by operation
  std::vector<State> states_;           ///< by operation
  std::vector<std::int32_t> sends_;     ///< by channel of sends: handed over
  std::vector<std::int32_t> receives_;  ///< by channel: posted
  std::vector<Slot> slots_;
  std::vector<Cpu> cpus_;
  std::vector<std::int32_t> ready_;  ///< a heap, the smallest first
  std::vector<std::int32_t> left_;   ///< by iteration: operations that are not complete; kNothing: it has none
  int phase_ = 0;                    ///< the first iteration that has not ended at this rank
  Cycle phase_end_;                  ///< when the one before has; of the first: the begin
};

/// Cycles of a calc: the first whole number that is not less.
constexpr Cycle CyclesOf(std::int64_t ns, int clock_khz) {
  const std::int64_t whole = ns / 1'000'000;
  return whole * clock_khz + (ns % 1'000'000 * clock_khz + 999'999) / 1'000'000;
}

}  // namespace tilefly::workload
