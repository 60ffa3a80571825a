// SPDX-License-Identifier: Apache-2.0
// A link with retry between a partner and the switch under test: the partner's end, a wire in each direction that may fail,
// and judges of both directions at the switch's end (docs/cosimulation.md, Links with retry).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "cosim/endpoint/attempt_books.h"
#include "cosim/endpoint/attempt_laws.h"
#include "cosim/endpoint/link_acks.h"
#include "cosim/endpoint/link_delay.h"
#include "cosim/endpoint/link_faults.h"
#include "cosim/endpoint/link_receiver.h"
#include "cosim/endpoint/link_sender.h"
#include "cosim/endpoint/retry_halves.h"
#include "cosim/setup/switch_setup.h"

namespace tilefly::cosim {

/// What of the partners' links their MODE registers do not say.
struct LinkSetup {
  int delay = 0;                           ///< cycles of each direction; 1 or more with retry
  Cycle up = 0;                            ///< first cycle in which links with retry are up
  Cycle begin = 0;                         ///< of traffic
  const LinkFaultSetup* faults = nullptr;  ///< of links with retry; null: their wires are clean
};

/// What a link with retry has carried, in both directions.
struct LinkWork {
  std::int64_t attempts = 0;
  std::int64_t words = 0;           ///< of attempts, on the wire
  std::int64_t accepted_words = 0;  ///< of packets that were accepted
};

class RetryLink {
 public:
  RetryLink(const SwitchSetup& setup, int port, const LinkSetup& link, FrameSink* sink);

  RetryHalves& halves() { return halves_; }
  const RetryHalves& halves() const { return halves_; }
  /// The sink of the partner's sender.
  FrameSink* books() { return &books_; }

  /// Whether `link_up_i` of both ends is 1 in cycle `now`.
  bool IsUp(Cycle now) const { return now >= up_; }
  /// Cycle `now` of the partner and of the wires. `*link`: `link_i` of the switch.
  void Drive(Cycle now, LinkSender* sender, LinkReceiver* receiver, LinkAcks* acks, Link* link);
  /// `link_o` of the switch in cycle `now`, behind Drive. Throws CheckFailure when the switch breaks a law.
  void Receive(Cycle now, const Link& link);
  /// The wires are clean from now on.
  void EndFaults();

  /// Whether both ends have nothing to send again, and each knows that no cell is out. The wire's judges know what the
  /// switch was told.
  bool Quiet() const;
  /// What keeps the link from being quiet, for a report.
  std::string WhyNotQuiet() const;
  /// First cycle of the attempt that comes into the switch; -1: none does.
  Cycle attempt() const { return books_.attempt(); }
  /// Null when the wires are always clean.
  const LinkFaults* faults() const { return faults_.get(); }
  LinkWork work() const;
  /// The same up to EndFaults.
  const LinkWork& work_in_traffic() const { return in_traffic_; }

 private:
  bool SwitchKnows() const;

  const Cycle up_;
  RetryHalves halves_;
  AttemptBooks books_;
  AttemptLaws laws_;
  LinkDelay<Link> to_switch_, to_partner_;
  std::unique_ptr<LinkFaults> faults_;
  const int delay_;
  Word word_;                                    ///< that the partner's sender gives
  std::array<std::uint16_t, 16> told_freed_{};  ///< the last return that reached the switch, by lane
  int told_seq_ = 0;                             ///< the last report that reached it
  std::int64_t received_words_ = 0, accepted_words_ = 0;
  int expected_ = 0;
  LinkWork in_traffic_;
};

}  // namespace tilefly::cosim
