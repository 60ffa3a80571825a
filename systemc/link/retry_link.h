// SPDX-License-Identifier: Apache-2.0
// A cable whose words may be damaged, for the packets of one direction between two switches. Both halves of golden's
// retry block stand at its ends, so the receiver gets each packet once and in order, when the attempt that is accepted
// comes. An attempt that began and broke off comes as a packet of its own, which is bad (docs/systemc.md, Links with
// retry).
#pragma once

#include <unordered_set>
#include <vector>

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "golden/credit/credit_sender.h"
#include "network/retry_receiver.h"
#include "network/retry_sender.h"
#include "systemc/common/timed_module.h"
#include "systemc/fabric/packet.h"
#include "systemc/link/link_user.h"

namespace tilefly::systemc {

/// Whether it is a bit error rate that a link can have, above 0.
inline bool IsErrorRate(double rate) { return rate >= 1e-15 && rate <= 1e-3; }

struct RetryLinkOptions {
  Cycle delay = 1;        ///< cycles of the cable, in both directions: 1 to 626
  double word_ber = 0;    ///< bit errors that the FEC leaves in words: 0, or 1e-15 to 1e-3
  std::uint64_t seed = 1;  ///< of the errors
  int direction = 0;       ///< number that tells the errors of this direction from those of others
  PortRetry registers{};   ///< register RETRY of the sending port
};

class RetryLink final : public TimedModule, public LinkRoom, private network::GateListener {
 public:
  /// Throws UsageError for options that no link has.
  RetryLink(sc_core::sc_module_name name, const Profile& profile, const RetryLinkOptions& options);

  tlm_utils::passthrough_target_socket<RetryLink, 32, fabric::Types> in{"in"};  ///< to be bound to the sender
  tlm_utils::simple_initiator_socket<RetryLink, 32, fabric::Types> out{"out"};  ///< to be bound to the receiver

  /// The output whose packets come. To be called before the simulation.
  void set_user(LinkUser* user) { user_ = user; }
  bool Ready() override;
  /// For checkers at the ends of the link: a table that holds nothing back (FAB-4). While a packet waits to be sent again,
  /// the credits of its lost attempts are back already.
  static golden::CreditTable AnyCredit();
  /// What the link has done.
  const network::RetryCounts& counts() const { return counts_; }

 private:
  /// A packet with a reference, in the replay buffer or on the wire.
  struct Slot {
    fabric::Packet* packet = nullptr;
    int vl = 0;
    int cells = 0;
  };

  void start_of_simulation() override;
  tlm::tlm_sync_enum Forward(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum Backward(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void Step(Cycle now) override;
  void AfterSteps(Cycle now) override;
  void StepSender(Cycle now);
  Cycle Healed(Cycle started, int vl) const;
  golden::Payload Keep(Slot slot);
  void LetGo(golden::Payload payload);

  void Begins(const network::LinkAttempt& attempt, bool broken) override;
  void Unseen(const network::LinkAttempt& attempt) override;
  golden::Payload Copy(golden::Payload payload) override { return Keep(slots_[payload]); }
  void Ends(Cycle, int) override {}
  void Says(const network::LinkReport& said) override;

  const RetryLinkOptions options_;
  const network::LinkDowns downs_;  ///< none: the link is always up
  network::RetrySender sender_;
  network::RetryReceiver receiver_;
  network::RetryCounts counts_;
  LinkUser* user_ = nullptr;
  bool awaited_ = false;  ///< the user waits until the link is ready
  std::vector<Slot> slots_;
  std::vector<golden::Payload> free_slots_;
  std::unordered_set<const fabric::Packet*> broken_;  ///< attempts that broke off, until the receiver lets them go
};

}  // namespace tilefly::systemc
