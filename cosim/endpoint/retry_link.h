// SPDX-License-Identifier: Apache-2.0
// A link with retry between a partner and the switch under test: the partner's end, a wire in each direction that may fail,
// who takes the link down and up, and judges of both directions at the switch's end (docs/cosimulation.md, Links with retry).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/endpoint/attempt_books.h"
#include "cosim/endpoint/attempt_laws.h"
#include "cosim/endpoint/lanes_in_use.h"
#include "cosim/endpoint/link_acks.h"
#include "cosim/endpoint/link_pauses.h"
#include "cosim/endpoint/link_decides.h"
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
  FaultLog* log = nullptr;                 ///< null: nobody reads a time line
};

/// What a link with retry has carried, in both directions.
struct LinkWork {
  std::int64_t attempts = 0;
  std::int64_t words = 0;           ///< of attempts, on the wire
  std::int64_t accepted_words = 0;  ///< of packets that were accepted
};

/// What the counters TX_LOST and REPLAY_LOST of the switch's port have beside the packets that its link lost.
struct LostBeside {
  std::int64_t arrived = 0;    ///< packets that had come to the partner, which the switch had not heard of
  std::int64_t may_arrive = 0; ///< one for each link down: it had heard of a packet that it was sending again
  std::int64_t uncounted = 0;  ///< at most so many were lost without a count, on a link that went on without retry
};

class RetryLink {
 public:
  /// What the switch's partner is made of.
  struct Partner {
    LinkSender* sender;
    LinkReceiver* receiver;
    LinkAcks* acks;
    LinkPauses* pauses;
  };

  RetryLink(const SwitchSetup& setup, int port, const LinkSetup& link, FrameSink* sink);

  RetryHalves& halves() { return halves_; }
  const RetryHalves& halves() const { return halves_; }
  /// The sink of the partner's sender.
  FrameSink* books() { return &books_; }

  /// Whether `link_up_i` of the switch is 1 in cycle `now`, that of the latest Drive.
  bool IsUp(Cycle now) const { return decides_.up(kSwitch, now); }
  /// Takes the link down from cycle `now` on, or lets it come up again, before Drive.
  void Want(Cycle now, bool up);
  /// Cycle `now` of the partner and of the wires. `*link`: `link_i` of the switch.
  void Drive(Cycle now, const Partner& partner, Link* link);
  /// `link_o` of the switch in cycle `now`, behind Drive, whether it shows `link_fail_o`, and the SerDes lanes that it uses.
  /// Throws CheckFailure when the switch breaks a law.
  void Receive(Cycle now, const Link& link, bool fails, int lanes);
  /// The wires are clean from now on, and a link that is down comes up.
  void EndFaults(Cycle now);

  /// Whether both ends are up and have nothing to send again, and each knows that no cell is out. The wire's judges know
  /// what the switch was told.
  bool Quiet(Cycle now) const;
  /// What keeps the link from being quiet, for a report.
  std::string WhyNotQuiet(Cycle now) const;
  /// Whether the link carries nothing for a time that ends: it is down, or a receiver is stuck.
  bool Rests(Cycle now) const { return !decides_.works(now) || (faults_ && faults_->stuck()); }
  /// First cycle of the attempt that comes into the switch; -1: none does.
  Cycle attempt() const { return books_.attempt(); }
  /// SerDes lanes of the attempt that came into the switch last.
  int attempt_lanes() const { return books_.lanes(); }
  /// Null when the wires are always clean.
  const LinkFaults* faults() const { return faults_.get(); }
  /// Of the plan's event of this number, which is of this link; there is a plan.
  Effect EffectOf(std::size_t number) const;
  LinkWork work() const;
  /// The same up to EndFaults.
  const LinkWork& work_in_traffic() const { return in_traffic_; }
  /// Times that the link went down, and that an end gave it up.
  int downs() const { return decides_.downs(); }
  int given_up() const { return decides_.given_up(kSwitch) + decides_.given_up(kPartner); }
  /// Cycles of both directions, from the begin of traffic on, in which the sender's end was down, and in which the
  /// sender used fewer SerDes lanes than the link has.
  std::int64_t down_cycles() const { return down_cycles_; }
  std::int64_t degraded_cycles() const { return degraded_cycles_; }
  const LostBeside& lost_beside() const { return lost_beside_; }

 private:
  enum End : std::size_t { kSwitch, kPartner };
  /// What is on its way, and the SerDes lanes that its sender used.
  struct OnWire {
    Link link;
    unsigned lanes = 0;
  };

  /// An event of the plan for the whole link.
  struct Event {
    faults::PlannedEvent plan;
    std::size_t number = 0;  ///< in the plan
    Effect effect = Effect::kNotBegun;
  };

  // Who takes the link down or up does it by these three: the time line says who did.
  void TakeDown(Cycle now, Cycle time, const char* cause);
  /// Its result is that of LinkDecides.
  Cycle BringUp(Cycle now, const char* cause);
  /// The end shows that it gives the link up. `why`: value of the line.
  void GiveUp(Cycle now, End end, const char* why);
  void FallsBy(Cycle now, const char* cause);
  void BeginEvents(Cycle now);
  bool NoteEnds(Cycle now);
  void SwitchFalls(Cycle now);
  void PartnerFalls();
  void BothAreDown();
  void CountCycle(Cycle now);
  void NoteLanes(Cycle now, LinkFaults::Way way, int lanes);
  void Tell(Cycle now, const char* direction, const char* what, const std::string& value, const char* cause);
  OnWire DrivePartner(Cycle now, const OnWire& in, const Partner& partner);
  bool SwitchKnows() const;

  const int port_;
  const int cable_;  ///< SerDes lanes
  const bool best_effort_;
  const Cycle raised_;  ///< first cycle in which the link is up
  const Cycle begin_;   ///< of traffic
  FaultLog* const log_;
  LinkDecides decides_;
  RetryHalves halves_;
  AttemptBooks books_;
  AttemptLaws laws_;
  LinkDelay<OnWire> to_switch_, to_partner_;
  LanesInUse lanes_out_, lanes_in_;  ///< of the switch, of the partner as a sender
  std::unique_ptr<LinkFaults> faults_;
  std::vector<Event> events_;        ///< kDown and kUp, in order
  std::size_t next_event_ = 0;
  bool wanted_ = true;               ///< by Want
  std::array<const char*, 2> falls_by_{"", ""};  ///< cause of each end's latest fall, or of that to come
  const char* rises_by_ = "";                    ///< who chose the cycle in which the link comes up
  const int delay_;
  std::array<bool, 2> up_{};         ///< each end, in the cycle before
  bool plain_ = false;               ///< the switch goes on without retry
  Word word_;                        ///< that the partner's sender gives
  std::array<std::uint16_t, 16> told_freed_{};  ///< the last return that reached the switch, by lane
  std::array<int, 3> told_{};        ///< the last report that reached it, as of now and of the cycles before
  std::vector<Cycle> first_of_;      ///< cycle of a packet's first word on `link_o`, by number, of its first attempt
  std::int64_t received_words_ = 0, accepted_words_ = 0;
  // Of the latest link down: the number before which the switch had heard that packets were accepted, the one that the
  // partner expected, and whether the link had no retry.
  int heard_at_fall_ = 0, expected_at_fall_ = 0;
  bool was_plain_ = false;
  std::int64_t attempts_before_ = 0;  ///< of the switch, up to the latest link down
  std::int64_t accepted_ = 0;         ///< packets that the partner has taken since
  std::array<int, 2> shown_lanes_{};  ///< by LinkFaults::Way, as the time line says
  std::int64_t down_cycles_ = 0, degraded_cycles_ = 0;
  LostBeside lost_beside_;
  LinkWork in_traffic_;
};

}  // namespace tilefly::cosim
