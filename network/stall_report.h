// SPDX-License-Identifier: Apache-2.0
// Says which outputs wait for which in a system that makes no progress.
#pragma once

#include <string>
#include <vector>

#include "network/network.h"

namespace tilefly::network {

/// A lane of an output that has packets and no credit for them.
struct StalledLane {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(node, port, vl, packets, used, waits_for);
  }

  int node;
  int port;
  int vl;
  int packets;                 ///< packets that wait for the lane
  int used;                    ///< cells that the other end holds
  std::vector<int> waits_for;  ///< lanes of the far switch that the packets there wait for, as indices in the report
};

/// Of packets inside a device.
inline constexpr int kUnknown = -1;

/// An output whose link is down.
struct DownLink {
  int node;
  int port;
  Cycle since;  ///< cycle of traffic from which on it is down; kNever: the port gave it up, because no replay brought a packet
  int packets;  ///< packets in the switch that wait for it: in queues, or granted in the output buffer; kUnknown: at a
                ///< device
};

/// A direction of a link that is up and repeats, whose far end says nothing.
struct SilentLink {
  int node;
  int port;
  bool of_nic;      ///< the NIC at the port sends, not the port
  bool no_credits;  ///< since link up the far end has not said of every lane what it holds
  int held;         ///< packets in the replay buffer that the far end is not known to have accepted
  int waiting;      ///< packets of the switch that wait for the port, in queues; kUnknown: at a device
};

struct StallReport {
  /// Collective: the report is complete on the first process, and of no use on the others.
  explicit StallReport(const Network& network);

  /// A text: links that are down; then the cycle, or else the lanes, up to a limit.
  std::string Text(const Network& network) const;
  /// A text with the links that are down, up to a limit, one in each line.
  std::string DownLines(const Network& network) const;
  /// The same with the links whose far ends say nothing.
  std::string SilentLines(const Network& network) const;

  std::vector<DownLink> down;  ///< links that are down; their lanes are not among the others
  std::vector<SilentLink> silent;  ///< links whose far ends say nothing; their lanes are not among the others
  std::vector<StalledLane> lanes;
  std::vector<int> cycle;    ///< lanes that wait for one another in a circle, each for the next; empty: no circle
  int unknown_switches = 0;  ///< switches that are not golden; their lanes are left out, their links are not
  int blocked_nics = 0;      ///< NICs that have packets, and credit for none of them
  std::vector<int> blocked;  ///< endpoints of these NICs
  int to_send_again = 0;     ///< packets that timed out, and that their NICs cannot send again

 private:
  struct Facts;
  void Link(const Network& network, const Facts& facts);
};

}  // namespace tilefly::network
