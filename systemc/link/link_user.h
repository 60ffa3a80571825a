// SPDX-License-Identifier: Apache-2.0
// What an output and a link that sends damaged packets again, and goes down, tell each other (docs/systemc.md, Links
// with retry, Link down).
#pragma once

#include <array>

#include "golden/common/types.h"
#include "systemc/fabric/packet.h"

namespace tilefly::systemc {

/// The link, for the port that feeds it.
class LinkRoom {
 public:
  /// Whether the link may take a packet in this cycle: its replay buffer has room. False: the output is told when it
  /// has.
  virtual bool Ready() = 0;
  /// Whether the link works in cycle `cycle`, at both of its ends.
  virtual bool IsUp(Cycle cycle) const = 0;
  /// LINK_DOWN_BEHAVIOR: while the link is down, its output discards packets and gives requests back. False: they wait.
  virtual bool Discards() const = 0;
  /// The output discards `packet`, because the link is down.
  virtual void Discarded(const fabric::Packet& packet) = 0;

 protected:
  ~LinkRoom() = default;
};

/// The port, for its link.
class LinkUser {
 public:
  /// Cells of each lane.
  using Cells = std::array<int, golden::kMaxLanes>;

  /// From cycle `cycle` on, which is to come, the link may take a packet.
  virtual void LinkReady(Cycle cycle) = 0;
  /// The link goes down or comes up in cycle `cycle`, which is to come.
  virtual void LinkTurns(Cycle cycle) = 0;
  /// Event of `cycle`, which is to come: the link sends a packet of `cells` cells on lane `vl` again, so that its cells
  /// are charged once more.
  virtual void Charge(Cycle cycle, int vl, int cells) = 0;
  /// The credits of an attempt come back, with the control slot of cycle `wire`. They do not come when the link goes
  /// down before.
  virtual void Return(Cycle wire, int vl, int cells) = 0;
  /// The far end has told of each lane how many cells it holds of the packets that came before the link went down. The
  /// last of these control slots is that of cycle `wire`.
  virtual void Resync(Cycle wire, const Cells& held) = 0;
  /// The link has gone down, and its replay buffer had `packets` packets.
  virtual void LostBuffer(int packets) = 0;
  /// The replay limit is reached: the port gives its link up.
  virtual void GivesUp() = 0;

 protected:
  ~LinkUser() = default;
};

}  // namespace tilefly::systemc
