// SPDX-License-Identifier: Apache-2.0
// Links of retry ports that are given up, and what best effort leaves of a link that went down
// (docs/blocks/link_retry.md, Link down). Call order in a cycle: Look, the switch's decisions and events, Judge.
#pragma once

#include <vector>

#include "golden/egress/grant_unit.h"
#include "golden/state/context.h"

namespace tilefly::golden {

class LinkWatch {
 public:
  explicit LinkWatch(Context& context) : context_(context) {}

  /// Ports that ask for their link to go down (`link_fail_o`), as committed.
  PortMask failing() const { return failing_; }
  /// Whether there is something to look at and to judge.
  bool active() const { return (context_.retry_ports | failing_) != 0; }

  /// Event of cycle `now`: the port becomes a retry port.
  void Begins(Cycle now, int port);
  /// The retry block of the port has reached its replay limit in the cycle that comes.
  void ReplaysFailed(int port) { replays_failed_ |= Bit(port); }
  /// Reads the state that cycle `now` finds.
  void Look(Cycle now, const GrantUnit& grants);
  /// Event: a register write ends the plain state of the port.
  void ModeWritten(int port) { mode_written_ |= Bit(port); }
  /// Event: register LANES of the port is written. Ports that this happened to in the latest cycle of Look.
  void LanesWritten(int port) { lanes_written_ |= Bit(port); }
  PortMask lanes_written() const { return lanes_written_; }
  /// Event of cycle `now`: the port's link goes down, it was up in the cycle before.
  void Falls(Cycle now, int port) {
    fell_ = fell_at_ == now ? fell_ | Bit(port) : Bit(port);
    fell_at_ = now;
  }
  /// The events of the cycle that Look saw, behind all others. `links_up` is that of the cycle. `heard`: ports that a
  /// credit return has told of freed cells.
  void Judge(Cycle now, PortMask heard);
  /// The next cycle behind `now` in which something happens by itself.
  Cycle Next(Cycle now, const GrantUnit& grants) const;

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(failing_, fell_, fell_at_, silent_since_, looked_);
  }

 private:
  static constexpr Cycle kWatchdogUnit = 64;

  /// Cycle in which the watchdog of the port is due while its requests wait for credit; kNever: it is off.
  Cycle Due(int port) const {
    const int watchdog = context_.registers.port(port).retry.watchdog;
    return watchdog == 0 ? kNever : silent_since_[port] + kWatchdogUnit * watchdog;
  }

  Context& context_;
  PortMask failing_ = 0;
  PortMask fell_ = 0;                ///< links that went down in cycle `fell_at_`, the latest
  Cycle fell_at_ = -1;
  std::vector<Cycle> silent_since_;  ///< by port; empty until there was a retry port
  Cycle looked_ = -1;                ///< the latest cycle of Look
  // What the cycle found, and its events.
  PortMask retries_ = 0, turns_plain_ = 0, over_ = 0, due_ = 0, waiting_ = 0;
  PortMask replays_failed_ = 0, mode_written_ = 0, lanes_written_ = 0;
};

}  // namespace tilefly::golden
