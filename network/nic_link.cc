// SPDX-License-Identifier: Apache-2.0
// A NIC beside its end of a link that sends damaged words again (docs/blocks/link_retry.md, NIC).
#include <algorithm>

#include "network/nic.h"

namespace tilefly::network {

/// Whether the retry block would send a new packet's first word in this cycle. Else retry holds the packets.
bool Nic::LinkIsFree(Cycle now) {
  const Cycle from = repeats_->free_from();
  wants_link_ = from == kNever;
  if (from <= now) return true;
  WaitFor(kHeld, now);
  send_due_ = from;
  return false;
}

/// A NIC whose packets wait, for whatever reason, looks again: retry may hold the link now, or hold it no more.
void Nic::TellLink(Cycle cycle) {
  if (!wants_link_ && !is_short() && (wait_ & kPaused) == 0) return;
  if (send_due_ <= cycle || (!channels_ && cycle >= setup_->end)) return;
  send_due_ = cycle;
  due_ = std::min(due_, cycle);
}

void Nic::TellRepeats(Cycle cycle, bool again) {
  if (again == ((wait_ & kAgain) != 0)) return;
  CountWait(cycle);
  wait_ = static_cast<Waits>(wait_ ^ kAgain);
}

/// Cycles of the spans since the packet was created.
Cycle Nic::SumSince(Cycle created, const std::vector<Span>& spans) {
  Cycle sum = 0;
  for (const Span& span : spans) sum += std::max<Cycle>(0, span.to - std::max(span.from, created));
  return sum;
}

}  // namespace tilefly::network
