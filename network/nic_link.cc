// SPDX-License-Identifier: Apache-2.0
// A NIC beside its end of a link that sends damaged words again (docs/blocks/link_retry.md, NIC).
#include <algorithm>

#include "network/nic.h"

namespace tilefly::network {

/// Whether the retry block would send a new packet's first word in this cycle. Else packets wait as behind another on the
/// link.
bool Nic::LinkIsFree(Cycle now) {
  const Cycle from = repeats_->free_from();
  wants_link_ = from == kNever;
  if (from <= now) return true;
  WaitFor(0, now);
  send_due_ = from;
  return false;
}

void Nic::TellLink(Cycle cycle) {
  if (!wants_link_ && wait_ == 0) return;
  if (send_due_ <= cycle || (!channels_ && cycle >= setup_->end)) return;
  send_due_ = cycle;
  due_ = std::min(due_, cycle);
}

}  // namespace tilefly::network
