// SPDX-License-Identifier: Apache-2.0
// Writes a rank's operations one step after another.
#pragma once

#include <vector>

#include "workload/schedule.h"

namespace tilefly::workload {

/// Operations of a step wait for the completion of all of the step before.
class Script {
 public:
  explicit Script(Rank* rank) : rank_(rank) {}

  int Send(int peer, std::int64_t bytes, std::uint32_t tag = 0) { return Add({Kind::kSend, 0, peer, tag, 0, bytes}); }
  int Receive(int peer, std::int64_t bytes, std::uint32_t tag = 0) {
    return Add({Kind::kReceive, 0, peer, tag, 0, bytes});
  }
  int Reduce(std::int64_t bytes) { return Add({Kind::kReduce, 0, -1, 0, 0, bytes}); }
  /// Nothing when `ns` is 0; then -1.
  int Calc(std::int64_t ns) { return ns > 0 ? Add({Kind::kCalc, 0, -1, 0, 0, ns}) : -1; }
  /// `operation` takes no work of the rank's CPU.
  void DoneByNic(int operation) { rank_->operations[static_cast<std::size_t>(operation)].by_nic = true; }
  /// `operation` waits for the completion of `on` too.
  void Require(int operation, int on) { rank_->dependencies.push_back({operation, on, false}); }
  /// The step is over.
  void Next() {
    if (step_.empty()) return;
    before_.swap(step_);
    step_.clear();
    if (before_.size() <= kMostDirect) return;
    const int joint = Add({Kind::kCalc, 0, -1, 0, 0, 0});
    before_ = {joint};
    step_.clear();
  }
  /// What follows belongs to this iteration.
  void SetPhase(int phase) { phase_ = phase; }

 private:
  /// A step of more operations ends in a calc of no time, which the next step waits for.
  static constexpr std::size_t kMostDirect = 2;

  int Add(Operation operation) {
    operation.phase = phase_;
    const auto index = static_cast<int>(rank_->operations.size());
    rank_->operations.push_back(operation);
    for (const int before : before_) Require(index, before);
    step_.push_back(index);
    return index;
  }

  Rank* rank_;
  int phase_ = 0;
  std::vector<int> step_;
  std::vector<int> before_;
};

}  // namespace tilefly::workload
