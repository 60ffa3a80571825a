// SPDX-License-Identifier: Apache-2.0
// The output side of a port (docs/blocks/egress.md), packet by packet: grants, the output buffer and the link; acks for
// packets that were delivered, and acks that the link brings (docs/blocks/acks.md).
#pragma once

#include <array>
#include <deque>

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "golden/common/agenda.h"
#include "systemc/common/timed_module.h"
#include "systemc/egress/grant_unit.h"
#include "systemc/egress/link_ledger.h"
#include "systemc/egress/output_acks.h"
#include "systemc/link/link_user.h"
#include "systemc/link/pause_sender.h"
#include "systemc/link/pause_sides.h"
#include "systemc/trace/transaction_log.h"

namespace tilefly::systemc {

class OutputPort final : public TimedModule, public Traced, public PauseSide, public LinkUser {
 public:
  /// Port `port` of the switch.
  OutputPort(sc_core::sc_module_name name, int port, Context& context, const golden::SchedulerChoice& scheduler);

  tlm_utils::simple_initiator_socket<OutputPort, 32, fabric::Types> out{"out"};  ///< to the link
  /// R sockets each: the column channels that end here.
  tlm_utils::multi_passthrough_target_socket<OutputPort, 32, CrossingTypes> request{"request"};
  tlm_utils::multi_passthrough_target_socket<OutputPort, 32, CrossingTypes> data{"data"};
  /// C sockets each: the crossbars of the row, by column; to be bound in this order.
  tlm_utils::multi_passthrough_initiator_socket<OutputPort, 32, CrossingTypes> grant{"grant"};
  tlm_utils::multi_passthrough_initiator_socket<OutputPort, 32, CrossingTypes> ack{"ack"};

  /// The socket of the reduction ring, when the switch has one: row R (docs/blocks/reduction.md). Its grants go
  /// backward.
  tlm_utils::passthrough_target_socket_optional<OutputPort, 32, CrossingTypes> result{"result"};

  sc_core::sc_port<BufferLevel> input{"input"};  ///< input side of the same port, for PAUSE

  GrantUnit& grants() { return grants_; }
  const GrantUnit& grants() const { return grants_; }
  /// See OutputAcks.
  void KeepFlows(Cycle cycle) { acks_.Keep(cycle); }
  /// The port's registers changed: everything that waits is judged again.
  void Look();

  void HearPause(Cycle event, const golden::PauseRequest& request) override;
  void Filled(int most) override;
  void Drained(Cycle event) override;

  /// The link sends damaged packets again, and may go down. To be called before the simulation.
  void set_link(LinkRoom* link);
  void LinkReady(Cycle cycle) override { Wake(cycle); }
  void LinkTurns(Cycle cycle) override;
  void Charge(Cycle cycle, int vl, int cells) override;
  void Return(Cycle wire, int vl, int cells) override;
  void Resync(Cycle wire, const Cells& held) override;
  void LostBuffer(int packets) override { context_.counters.Add(port_, Counter::kReplayLost, packets); }
  void GivesUp() override { context_.counters.Count(port_, Counter::kLinkGivenUp); }

 private:
  /// Cells that are free at the other end of the link.
  struct Returned {
    int vl;
    int cells;
    int era;           ///< of the link, when it was told
    bool held = false; ///< `cells` are what the other end still holds, of a link that is up again
  };
  /// An ack from the link, with a reference of its packet.
  struct LinkAck {
    fabric::Packet* packet;
    tilefly::Ack ack;
  };

  tlm::tlm_sync_enum ReceiveRequest(int id, Crossing& crossing, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum ReceiveCells(int id, Crossing& crossing, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum ReceiveResult(Crossing& crossing, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void BlockingResult(Crossing& crossing, sc_core::sc_time& delay) { Blocking(0, crossing, delay); }
  void Blocking(int id, Crossing& crossing, sc_core::sc_time& delay);
  Cycle BookLink(Cycle past, const Crossing& crossing, Cycle earliest, Cycle slots);
  tlm::tlm_sync_enum Hear(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);

  void Step(Cycle now) override;
  void AfterSteps(Cycle now) override;
  void Note(const Crossing& crossing, golden::Stage stage, Cycle cycle);
  void FreeRoom(Cycle now, Crossing* crossing);
  void Store(Cycle cycle, Crossing* crossing);
  void Arrive(Cycle cycle, Crossing* crossing);
  void FollowLink(Cycle event);
  void TakeReturn(const Returned& returned);
  void SendNext(Cycle now);
  bool MayTake();
  bool Discards() const { return link_ != nullptr && !link_up_ && link_->Discards(); }
  void Discard(const Crossing& crossing, golden::FrameFormat* format);
  void Obey(const golden::PauseRequest& request, Cycle event);
  bool SendsPause() const { return context_.port(port_).sends_pause(); }
  bool SendPause(Cycle now);
  void Send(fabric::Packet* packet, Cycle take);
  void Grant(Cycle now);
  void LogWords(const fabric::Packet& packet, Cycle first);
  int EarliestRow();
  bool Dress(const Crossing& crossing, golden::FrameFormat* format);
  void PassOn(Cycle now, const LinkAck& arrived);
  void LeaveAck(Cycle now, Crossing* crossing);

  const int port_;
  Context& context_;
  GrantUnit grants_;
  OutputAcks acks_;
  golden::Agenda<Crossing*> requests_;
  golden::Agenda<Crossing*> first_cells_;
  golden::Agenda<Crossing*> leaving_;  ///< whose room goes free
  golden::Agenda<Returned> returned_;
  golden::Agenda<Returned> charged_;  ///< of packets that the link sends again
  golden::Agenda<LinkAck> link_acks_;
  golden::Agenda<golden::PauseRequest> heard_;
  PauseSender pause_;
  LinkRoom* link_ = nullptr;  ///< null: it takes packets as they come
  bool link_up_ = true;       ///< the link, as decisions see it
  int era_ = 0;               ///< times that the link has gone down
  std::array<std::deque<Crossing*>, golden::kMaxOutRows> banks_;
  unsigned waiting_ = 0;               ///< rows with a packet
  std::uint8_t row_pointer_ = 0;
  Cycle next_take_ = 0;
  int granted_cells_ = 0;              ///< of the grant of the cycle before, which the load still counts
  LinkLedger link_ledger_;             ///< of loosely timed use, as are these:
  std::array<ChannelLedger, golden::kMaxOutRows> channel_ledgers_;
};

}  // namespace tilefly::systemc
