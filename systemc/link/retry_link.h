// SPDX-License-Identifier: Apache-2.0
// A cable whose words may be damaged, for the packets of one direction between two switches. Both halves of golden's
// retry block stand at its ends, so the receiver gets each packet once and in order, when the attempt that is accepted
// comes. An attempt that began and broke off comes as a packet of its own, which is bad (docs/systemc.md, Links with
// retry). Both directions of a link go down and come up together (docs/systemc.md, Link down).
#pragma once

#include <vector>

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "faults/plan.h"
#include "golden/credit/credit_sender.h"
#include "network/retry_receiver.h"
#include "network/retry_sender.h"
#include "systemc/common/timed_module.h"
#include "systemc/fabric/packet.h"
#include "systemc/link/far_buffer.h"
#include "systemc/link/link_user.h"

namespace tilefly::systemc {

/// Whether it is a bit error rate that a link can have, above 0.
inline bool IsErrorRate(double rate) { return rate >= 1e-15 && rate <= 1e-3; }

struct RetryLinkOptions {
  Cycle delay = 1;        ///< cycles of the cable, in both directions: 1 to 626
  double word_ber = 0;    ///< bit errors that the FEC leaves in words: 0, or 1e-15 to 1e-3
  std::uint64_t seed = 1;  ///< of the errors
  int direction = 0;       ///< number that tells the errors of this direction from those of others
  PortRetry registers{};   ///< register RETRY of the sending port; there is no watchdog. `down`: discard (0) or block (1)
  Cycle retrain = faults::kRetrain;  ///< cycles for which the link is down when an end has given it up; at least 1
};

/// What a direction of a link has done.
struct LinkCounts : network::RetryCounts {
  std::int64_t downs = 0;  ///< times that the link went down
  std::int64_t lost = 0;   ///< packets that were lost because it was down; copies of attempts that broke off are none
};

class RetryLink final : public TimedModule, public LinkRoom, private network::GateListener {
 public:
  /// Throws UsageError for options that no link has.
  RetryLink(sc_core::sc_module_name name, const Profile& profile, const RetryLinkOptions& options);

  tlm_utils::passthrough_target_socket<RetryLink, 32, fabric::Types> in{"in"};  ///< to be bound to the sender
  tlm_utils::simple_initiator_socket<RetryLink, 32, fabric::Types> out{"out"};  ///< to be bound to the receiver

  /// The output whose packets come. To be called before the simulation.
  void set_user(LinkUser* user) { user_ = user; }
  /// Makes the two directions of a link one, so that the link can go down. To be called before the simulation. Throws
  /// UsageError for cables of different lengths, and for a direction that has another one already.
  static void Join(RetryLink* one, RetryLink* other);
  /// Takes the link down, at both ends and in both directions, from cycle `from` on and for `cycles` cycles, or longer:
  /// until no word of before is on its way (LeastDown); kNever: until Up. `from` must be Notice() cycles to come, or
  /// more. A time in which the link is down anyhow becomes longer. Throws UsageError.
  void Down(Cycle from, Cycle cycles = kNever);
  /// Brings a link up in cycle `at`, or later (LeastDown), that is down for ever. Throws UsageError when it is not.
  void Up(Cycle at);
  /// Cycles from a call of Down to the first cycle in which the link may be down: the length of the longest packet.
  Cycle Notice() const;
  /// Cycles for which the link is down at least.
  Cycle LeastDown() const;

  bool Ready() override;
  bool IsUp(Cycle cycle) const override { return downs_.IsUp(cycle); }
  bool Discards() const override;
  void Discarded(const fabric::Packet& packet) override { counts_.lost += !packet.broken_off; }
  /// For checkers at the ends of the link: a table that holds nothing back (FAB-4). While a packet waits to be sent again,
  /// the credits of its lost attempts are back already.
  static golden::CreditTable AnyCredit();
  /// What the link has done.
  const LinkCounts& counts() const { return counts_; }

 private:
  /// A packet with a reference, in the replay buffer or on the wire.
  struct Slot {
    fabric::Packet* packet = nullptr;
    int vl = 0;
    int cells = 0;
  };

  /// A time in which the link is down: before cycle `till`.
  struct Time {
    Cycle from;
    Cycle till;
  };

  static constexpr const char* kMessages = "tilefly/link";

  void start_of_simulation() override;
  tlm::tlm_sync_enum Forward(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum Backward(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void Step(Cycle now) override;
  void AfterSteps(Cycle now) override;
  void StepSender(Cycle now);
  void GiveUp(Cycle now);
  void AddDown(Cycle from, Cycle till);
  void TellTurn(Cycle cycle);
  void Turn(Cycle now);
  void Resync();
  void Settle();
  void Lose(fabric::Packet* packet);
  Cycle Healed(Cycle started, int vl) const;
  golden::Payload Keep(Slot slot);
  void LetGo(golden::Payload payload);

  void Begins(const network::LinkAttempt& attempt, bool broken) override;
  void Unseen(const network::LinkAttempt& attempt) override;
  golden::Payload Copy(golden::Payload payload) override { return Keep(slots_[payload]); }
  void Ends(Cycle, int expected) override { expected_ = expected; }
  void Says(const network::LinkReport& said) override;

  const RetryLinkOptions options_;
  const int lanes_;        ///< virtual lanes
  const Cycle longest_;    ///< words of the longest packet
  network::LinkDowns downs_;
  std::vector<Time> times_;    ///< of downs_, as they were told
  RetryLink* back_ = nullptr;  ///< the other direction; null: the link never goes down
  network::RetrySender sender_;
  network::RetryReceiver receiver_;
  LinkCounts counts_;
  LinkUser* user_ = nullptr;
  bool awaited_ = false;  ///< the user waits until the link is ready
  std::vector<Slot> slots_;
  std::vector<golden::Payload> free_slots_;
  FarBuffer far_;             ///< attempts that the receiver holds
  int expected_ = 0;          ///< number of the first packet that was not accepted, when the link went down
  bool up_ = true;            ///< the link, in the latest step
  bool gives_up_ = false;     ///< the sender has asked for the link to go down
  Cycle resync_ = kNever;     ///< when the receiver of a link that is up again has told what it holds; kNever: it has
  Cycle returns_from_ = 0;    ///< the first slot, at the receiver, behind those that told it
};

}  // namespace tilefly::systemc
