// SPDX-License-Identifier: Apache-2.0
// What a process of a run has for the others between two rounds (docs/network.md, Several processes).
#pragma once

#include <algorithm>
#include <vector>

#include "golden/common/cycle.h"
#include "network/processes.h"

namespace tilefly::network {

/// How far the processes of a run are, as they tell one another between two rounds.
struct Standing {
  void Merge(const Standing& other);

  Cycle next = kNever;  ///< round in which something is due
  Cycle last_progress = 0;
  Cycle last_event = 0;
  std::int64_t delivered = 0;  ///< packets
  std::int64_t in_flight = 0;
  std::int64_t dropped = 0;
  std::int64_t ranks_done = 0;      ///< of jobs
  Cycle jobs_last = -1;             ///< latest completion of an operation of theirs
  Cycle jobs_progress = -1;         ///< as last_progress, of the jobs beside a background
  std::int64_t jobs_in_flight = 0;  ///< packets, likewise
  bool stop = false;                ///< somebody wants the run to end
};

/// To each process: its sender's standing, then messages for its switches.
class Mail {
 public:
  explicit Mail(Processes* processes) : processes_(*processes), to_(static_cast<std::size_t>(processes->size())) {}

  /// Where a message for the process is put that is due in `round`.
  SavedBytes* To(int process, Cycle round) {
    due_ = std::min(due_, round);
    SavedBytes* const bytes = &to_[static_cast<std::size_t>(process)];
    if (bytes->empty()) bytes->resize(sizeof(Standing));
    return bytes;
  }
  /// First round in which something that was put here is due.
  Cycle due() const { return due_; }
  /// Tells the others `own`, sends what was put here, and calls `take(standing, load)` for each of the others.
  /// Collective.
  template <typename Take>
  void Exchange(const Standing& own, Take&& take) {
    Send(own);
    for (int p = 0; p < processes_.size(); ++p) {
      if (p == processes_.index()) continue;
      Loader load(from_[static_cast<std::size_t>(p)]);
      const auto standing = load.Get<Standing>();
      take(standing, &load);
    }
  }

 private:
  void Send(const Standing& own);

  Processes& processes_;
  std::vector<SavedBytes> to_;    ///< by process
  std::vector<SavedBytes> from_;  ///< the same from there
  Cycle due_ = kNever;
};

}  // namespace tilefly::network
