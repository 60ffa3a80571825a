// SPDX-License-Identifier: Apache-2.0
// The state of a run between two rounds, as bytes (docs/network.md, Checkpoints). What options determine is not among
// them: tables, registers, wiring. Calendars are made anew.
#pragma once

#include <functional>

#include "network/contexts.h"
#include "network/mail.h"
#include "network/nodes.h"
#include "network/processes.h"
#include "network/traffic_end.h"

namespace tilefly::network {

class Checkpoint {
 public:
  /// All must outlive it.
  Checkpoint(const Domains& domains, const Nodes& nodes, NicSetup* nics, Contexts* contexts, TrafficEnd* traffic_end,
             Processes* processes)
      : domains_(domains),
        nodes_(nodes),
        nics_(*nics),
        contexts_(*contexts),
        traffic_end_(*traffic_end),
        processes_(*processes) {}

  /// Throws UsageError when there is something whose state cannot be saved.
  void CheckPossible() const;
  /// `write` gets the pieces on the first process. All that was counted is in the first context, all messages are at
  /// their nodes. Collective. Throws as CheckPossible.
  void Save(const Standing& standing, const std::function<void(const SavedBytes&)>& write);
  /// `read` gives the pieces on the first process. Who is due when is to be asked anew. Collective. Throws as
  /// CheckPossible.
  void Load(const std::function<SavedBytes()>& read);

 private:
  SavedBytes SaveDomain(int domain);
  void LoadDomain(int domain, const SavedBytes& bytes);

  const Domains& domains_;
  const Nodes& nodes_;
  NicSetup& nics_;
  Contexts& contexts_;
  TrafficEnd& traffic_end_;
  Processes& processes_;
};

}  // namespace tilefly::network
