// SPDX-License-Identifier: Apache-2.0
// The state of a run between two rounds, as bytes (docs/network.md, Checkpoints). It has no tables, registers and
// wiring, because the options determine them. Calendars are made anew.
#pragma once

#include <functional>

#include "network/contexts.h"
#include "network/fabric_manager.h"
#include "network/mail.h"
#include "network/nodes.h"
#include "network/processes.h"
#include "network/traffic_end.h"

namespace tilefly::network {

class Checkpoint {
 public:
  /// All arguments must outlive the checkpoint. `manager`: null: the fabric has none.
  Checkpoint(const Domains& domains, const Nodes& nodes, NicSetup* nics, Contexts* contexts, TrafficEnd* traffic_end,
             FabricManager* manager, Processes* processes)
      : domains_(domains),
        nodes_(nodes),
        nics_(*nics),
        contexts_(*contexts),
        traffic_end_(*traffic_end),
        manager_(manager),
        processes_(*processes) {}

  /// Throws UsageError when the run has something whose state cannot be saved.
  void CheckPossible() const;
  /// Saves the state. `write` gets the pieces, on the first process only. Before the call, all counts must be in the
  /// first context, and all messages at their nodes. Collective. Throws as CheckPossible.
  void Save(const Standing& standing, const std::function<void(const SavedBytes&)>& write);
  /// Loads the state. `read` gives the pieces, on the first process only. After the call, all nodes must be asked anew
  /// when they are due. Collective. Throws as CheckPossible.
  void Load(const std::function<SavedBytes()>& read);

 private:
  SavedBytes SaveDomain(int domain);
  void LoadDomain(int domain, const SavedBytes& bytes);

  const Domains& domains_;
  const Nodes& nodes_;
  NicSetup& nics_;
  Contexts& contexts_;
  TrafficEnd& traffic_end_;
  FabricManager* const manager_;
  Processes& processes_;
};

}  // namespace tilefly::network
