// SPDX-License-Identifier: Apache-2.0
// The input side of a port (docs/blocks/ingress.md), packet by packet: admission, look-up and routing, virtual queues,
// requests, grants, and the transfer to the output.
#pragma once

#include <deque>
#include <memory>

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/passthrough_target_socket.h>

#include "golden/common/agenda.h"
#include "systemc/common/timed_module.h"
#include "systemc/crossbar/channel_merge.h"
#include "systemc/ingress/back_fifo.h"
#include "systemc/ingress/input_buffer.h"
#include "systemc/ingress/input_mac.h"
#include "systemc/ingress/loose_input.h"
#include "systemc/ingress/queue_stage.h"
#include "systemc/ingress/taken_packets.h"
#include "systemc/ingress/virtual_queues.h"
#include "systemc/link/pause_sides.h"
#include "systemc/trace/transaction_log.h"

namespace tilefly::systemc {

class InputFlows;

class InputPort final : public TimedModule, public Traced, public BufferLevel {
 public:
  /// Port `port` of the switch.
  InputPort(sc_core::sc_module_name name, int port, Context& context);
  ~InputPort() override;

  tlm_utils::passthrough_target_socket<InputPort, 32, fabric::Types> in{"in"};  ///< of the link
  /// C sockets each: the crossbars of the row, by column; to be bound in this order.
  tlm_utils::multi_passthrough_initiator_socket<InputPort, 32, CrossingTypes> request{"request"};
  tlm_utils::multi_passthrough_initiator_socket<InputPort, 32, CrossingTypes> data{"data"};
  /// R sockets each: the column channels that end here.
  tlm_utils::multi_passthrough_target_socket<InputPort, 32, CrossingTypes> grant{"grant"};
  tlm_utils::multi_passthrough_target_socket<InputPort, 32, CrossingTypes> ack{"ack"};
  /// Socket to the reduction ring, when the switch has one: packets for the aggregation node leave by it.
  TakenPackets::Socket& taken() { return taken_.ring; }

  sc_core::sc_port<PauseSide> output{"output"};  ///< output side of the same port, for PAUSE

  /// Cells accounted in the input buffer after the events of `cycle`, which must not decrease from call to call.
  int Used(Cycle cycle) override { return buffer_.Used(cycle); }
  Cycle NextFreed() const override { return buffer_.NextFreed(); }
  /// Registers of the port's flow channels, or MODE, were written in the event of `cycle`, whose step is to come.
  void WriteFlows(Cycle cycle);
  /// Packets inside, with those whose cells are leaving.
  std::size_t packets() const { return stored_.held() + taken_.size(); }

 private:
  /// A packet whose first word has come.
  struct Arriving {
    fabric::Packet* packet;
    Cycle a0;
    Cycle last;  ///< wire cycle of the last word, kNever: it began open
    bool cut_through;
  };
  tlm::tlm_sync_enum Receive(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void Blocking(fabric::Packet& packet, sc_core::sc_time& delay) { loose_.Pass(&packet, &delay, log_); }
  tlm::tlm_sync_enum ReceiveGrant(int id, Crossing& crossing, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum ReceiveAck(int id, Crossing& crossing, tlm::tlm_phase& phase, sc_core::sc_time& delay);

  void Step(Cycle now) override;
  void Note(const Crossing& crossing, golden::Stage stage, Cycle cycle);
  void Admit(Cycle cycle, const Arriving& arriving);
  void End(Cycle cycle, const Arriving& arriving);
  void Describe(Cycle cycle, const Arriving& arriving);
  void TakeBack(Cycle event, Crossing* crossing);
  void EndCopy(Cycle event, Crossing* crossing);
  void PassAgain(Cycle event);
  void DescribeAgain(Cycle cycle, Stored* stored);
  void PassToNode(const Arriving& arriving);
  void EndTaken(fabric::Packet* packet, Drop reason, Cycle released);
  void Enter(Cycle cycle, Staged staged);
  void Stage(Cycle cycle, const Staged& staged);
  void ReleaseHeld(Cycle event);
  void EndFlows(Cycle event);
  void TellPause(Cycle event, const golden::FlowPause& pause);
  void Serve(Cycle now);
  void Request(Cycle now);
  void Merge(Cycle now);
  void Pick(Cycle now);
  void Transfer(Cycle now, Crossing* crossing);
  void Answer(Cycle cycle, Crossing* crossing);
  void Free(Cycle event, int cells, int tc);
  void Return(fabric::Packet* packet, const tlm::tlm_phase& phase, Cycle wire);
  void Refuse(fabric::Packet* packet, Drop reason, Cycle freed);
  Drop RefusalOf(Cycle cycle, const fabric::Packet& packet);
  void HearLastWord(const fabric::Packet& packet, Cycle last);
  void HearControl(const fabric::Packet& packet, Cycle last);

  const int port_;
  Context& context_;
  InputMac mac_;
  TakenPackets taken_;
  LooseInput loose_;
  InputBuffer buffer_;
  QueueStage stage_;
  VirtualQueues queues_;
  ChannelMerge grants_;
  ChannelMerge acks_;
  StoredPool stored_;
  golden::Agenda<Arriving> admissions_;
  golden::Agenda<Arriving> ends_;  ///< of packets that are stored and forwarded
  BackFifo back_;        ///< packets that outputs have given back
  Cycle piped_ = -1;     ///< the latest event in which a packet of the MAC enters the pipeline
  golden::Agenda<Staged> entering_;
  golden::Agenda<Crossing*> queued_;
  golden::Agenda<Crossing*> granted_here_;
  golden::Agenda<Crossing*> answers_;
  std::unique_ptr<InputFlows> flows_;  ///< null: the port has no flow channels
  Cycle flows_written_ = kNever;       ///< event in which their registers were written, and are to be set
  Cycle flows_wake_ = kNever;          ///< event for which they were woken last
  std::deque<Crossing*> granted_;
  Cycle next_pick_ = 0;
};

}  // namespace tilefly::systemc
