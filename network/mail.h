// SPDX-License-Identifier: Apache-2.0
// What a process of a run has for the others between two rounds (docs/network.md, Several processes).
#pragma once

#include <algorithm>
#include <vector>

#include "golden/common/cycle.h"
#include "network/node.h"
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

/// To each process: its sender's standing, then messages for its switches. The thread that the others work for has it.
class Mail {
 public:
  /// Both must outlive the mail.
  Mail(Processes* processes, NodeContext* context)
      : processes_(*processes), context_(*context), to_(static_cast<std::size_t>(processes->size())) {}

  /// A message for a switch of `process`, which is due in `round`. The packet's record goes with it.
  void Send(const LinkMessage& message, int process, Cycle round);
  /// First round in which something that was sent here is due.
  Cycle due() const { return due_; }
  /// Tells the others `own`, sends them their messages, and calls `receive(message)` for each message of theirs.
  /// Returns the standing of all. Collective.
  template <typename Receive>
  Standing Exchange(const Standing& own, Receive&& receive) {
    Standing all = own;
    if (processes_.size() == 1) return all;
    Swap(own);
    for (int p = 0; p < processes_.size(); ++p) {
      if (p == processes_.index()) continue;
      Loader load(from_[static_cast<std::size_t>(p)]);
      all.Merge(load.Get<Standing>());
      while (!load.AtEnd()) receive(Take(&load));
    }
    return all;
  }

 private:
  void Swap(const Standing& own);
  LinkMessage Take(Loader* load);

  Processes& processes_;
  NodeContext& context_;
  std::vector<SavedBytes> to_;    ///< by process
  std::vector<SavedBytes> from_;  ///< the same from there
  Cycle due_ = kNever;
};

}  // namespace tilefly::network
