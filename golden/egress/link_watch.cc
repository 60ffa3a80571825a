// SPDX-License-Identifier: Apache-2.0
#include "golden/egress/link_watch.h"

#include <algorithm>

namespace tilefly::golden {

void LinkWatch::Begins(Cycle now, int port) {
  silent_since_.resize(static_cast<std::size_t>(context_.profile.ports));
  silent_since_[port] = now;
}

void LinkWatch::Look(Cycle now, const GrantUnit& grants) {
  retries_ = context_.retry_ports;
  turns_plain_ = over_ = due_ = waiting_ = mode_written_ = lanes_written_ = 0;
  const PortMask fell = fell_at_ == now - 1 ? fell_ : 0;
  ForEachBit(retries_, [&](int port) {
    if ((fell & Bit(port)) != 0 && context_.registers.port(port).best_effort()) turns_plain_ |= Bit(port);
    if (grants.Over(port)) over_ |= Bit(port);
    if (grants.WaitsForCredit(port)) waiting_ |= Bit(port);
    // The cycles that were left out were as this one finds the port.
    if (now > looked_ + 1 && (waiting_ & context_.links_up & Bit(port)) == 0) silent_since_[port] = now - 1;
    if (now >= Due(port)) due_ |= Bit(port);
  });
  looked_ = now;
}

void LinkWatch::Judge(Cycle now, PortMask heard) {
  const PortMask up = context_.links_up;
  ForEachBit(due_, [&](int port) { context_.counters.Count(port, Counter::kWatchdog); });
  ForEachBit(retries_ & (heard | ~up | ~waiting_ | due_), [&](int port) { silent_since_[port] = now; });
  const PortMask fail = retries_ & up & (failing_ | replays_failed_ | over_ | due_);
  ForEachBit(fail & ~failing_, [&](int port) { context_.counters.Count(port, Counter::kLinkGivenUp); });
  failing_ = fail;
  context_.plain_ports = (context_.plain_ports | (turns_plain_ & ~up)) & ~mode_written_;
  replays_failed_ = 0;
}

Cycle LinkWatch::Next(Cycle now, const GrantUnit& grants) const {
  if (fell_at_ == now || (failing_ & ~context_.retry_ports) != 0) return now + 1;
  Cycle next = kNever;
  ForEachBit(context_.retry_ports & context_.links_up, [&](int port) {
    if (grants.Over(port) && (failing_ & Bit(port)) == 0) next = now + 1;
    if (grants.WaitsForCredit(port) || Due(port) == now + 1) next = std::min(next, Due(port));
  });
  return next;
}

}  // namespace tilefly::golden
