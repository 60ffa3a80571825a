// SPDX-License-Identifier: Apache-2.0
// Checker of LSV-7 and LSV-8 of docs/blocks/link_retry.md. It watches every cycle of a switch.
#pragma once

#include "golden/common/audit.h"
#include "golden/common/types.h"

namespace tilefly::golden {

class LinkChecker {
 public:
  /// The output grants a packet in this cycle, or gives it back by a grant with `reroute`; `up`: its link, as committed.
  void Granted(int output, bool up, bool reroute) {
    if (up == reroute) granted_down_ |= Bit(output);
  }
  /// Levels behind a cycle's events: ports that ask for their link to go down, links that are up, retry ports.
  void EndCycle(PortMask failing, PortMask up, PortMask retries) {
    fell_ |= failing_ & ~failing & up & retries;
    failing_ = failing;
  }
  /// Judges all cycles so far.
  void Check(Audit* audit) const {
    Require("LSV-7", fell_, audit);
    Require("LSV-8", granted_down_, audit);
  }

 private:
  static void Require(const char* id, PortMask broken, Audit* audit) {
    audit->Require(id, broken == 0, broken == 0 ? 0 : LowestBit(broken));
  }

  PortMask failing_ = 0;
  PortMask fell_ = 0;          ///< ports that asked no more although their link was up
  PortMask granted_down_ = 0;  ///< outputs that granted while their link was down, or gave back while it was up
};

}  // namespace tilefly::golden
