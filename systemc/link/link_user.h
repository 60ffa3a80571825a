// SPDX-License-Identifier: Apache-2.0
// What an output and a link that sends damaged packets again tell each other (docs/systemc.md, Links with retry).
#pragma once

#include "golden/common/types.h"

namespace tilefly::systemc {

/// The link, for the output that feeds it.
class LinkRoom {
 public:
  /// Whether the link may take a packet in this cycle: its replay buffer has room. False: the output is told when it has.
  virtual bool Ready() = 0;

 protected:
  ~LinkRoom() = default;
};

/// The output, for its link.
class LinkUser {
 public:
  /// From cycle `cycle` on, which is to come, the link may take a packet.
  virtual void LinkReady(Cycle cycle) = 0;
  /// Event of `cycle`, which is to come: the link sends a packet of `cells` cells on lane `vl` again, so that its cells
  /// are charged once more.
  virtual void Charge(Cycle cycle, int vl, int cells) = 0;
  /// The credits of an attempt come back, with the control slot of cycle `wire`.
  virtual void Return(Cycle wire, int vl, int cells) = 0;

 protected:
  ~LinkUser() = default;
};

}  // namespace tilefly::systemc
