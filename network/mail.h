// SPDX-License-Identifier: Apache-2.0
// What a process of a run sends to the others between two rounds (docs/network.md, Several processes).
#pragma once

#include <algorithm>
#include <vector>

#include "golden/common/cycle.h"
#include "network/node.h"
#include "network/processes.h"

namespace tilefly::network {

/// How far a process has come. The processes of a run tell one another between two rounds.
struct Standing {
  void Merge(const Standing& other);

  Cycle next = kNever;  ///< next round in which something is due
  Cycle last_progress = 0;
  Cycle last_event = 0;
  std::int64_t delivered = 0;  ///< packets delivered
  std::int64_t in_flight = 0;
  std::int64_t dropped = 0;  ///< with retry also those that were lost with links
  std::int64_t ranks_done = 0;      ///< ranks of jobs that are done
  Cycle jobs_last = -1;             ///< latest completion of an operation of a job
  Cycle jobs_progress = -1;         ///< last_progress of the jobs that do not repeat alone
  std::int64_t jobs_in_flight = 0;  ///< packets of these jobs in flight
  bool stop = false;                ///< true: a process wants the run to end
};

/// What goes to each process: the standing of the sender, then messages for the receiver's switches. It belongs to the
/// thread that the others work for.
class Mail {
 public:
  /// Both arguments must outlive the mail.
  Mail(Processes* processes, NodeContext* context)
      : processes_(*processes), context_(*context), to_(static_cast<std::size_t>(processes->size())) {}

  /// Sends a message for a switch of `process`, due in `round`. The packet's record goes with it.
  void Send(const LinkMessage& message, int process, Cycle round);
  /// The first round in which something that was sent from here is due.
  Cycle due() const { return due_; }
  /// Tells the other processes `own`, sends them their messages, and calls `receive(message)` for each message from
  /// them. Returns the standing of all processes. Collective.
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
  std::vector<SavedBytes> to_;    ///< by process: bytes to it
  std::vector<SavedBytes> from_;  ///< by process: bytes from it
  Cycle due_ = kNever;
};

}  // namespace tilefly::network
