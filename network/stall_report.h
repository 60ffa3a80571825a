// SPDX-License-Identifier: Apache-2.0
// Who waits for whom in a system that makes no progress.
#pragma once

#include <string>
#include <vector>

#include "network/network.h"

namespace tilefly::network {

/// Lane of an output that has packets and no credit for them.
struct StalledLane {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(node, port, vl, packets, used, waits_for);
  }

  int node;
  int port;
  int vl;
  int packets;                 ///< that wait for it
  int used;                    ///< cells that the other end holds
  std::vector<int> waits_for;  ///< lanes of the far switch that what it holds waits for: indices in the report
};

/// An output whose link is down.
struct DownLink {
  int node;
  int port;
  Cycle since;  ///< cycle of traffic
  int packets;  ///< that wait for it in the switch: in queues, or granted in the output buffer
};

struct StallReport {
  /// Collective: complete on the first process, of no use on the others.
  explicit StallReport(const Network& network);

  /// As text: links that are down, then the cycle, or lanes up to a limit.
  std::string Text(const Network& network) const;
  /// The links that are down up to a limit, a line each.
  std::string DownLines(const Network& network) const;

  std::vector<DownLink> down;  ///< lanes of these are not among the others
  std::vector<StalledLane> lanes;
  std::vector<int> cycle;    ///< lanes of which each waits for the next, the last for the first; empty: there is none
  int unknown_switches = 0;  ///< that are no golden ones: their lanes are left out
  int blocked_nics = 0;      ///< NICs that have packets and no credit for any

 private:
  struct Facts;
  void Link(const Network& network, const Facts& facts);
};

}  // namespace tilefly::network
