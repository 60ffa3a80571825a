// SPDX-License-Identifier: Apache-2.0
// The fabric side of a NIC. Packets leave as link and credits allow. Packets that come in are taken without delay
// (docs/network.md, Cycles).
#pragma once

#include <deque>
#include <functional>

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "golden/common/agenda.h"
#include "golden/credit/credit_sender.h"
#include "systemc/common/timed_module.h"
#include "systemc/egress/link_ledger.h"
#include "systemc/fabric/packet_pool.h"
#include "systemc/nic/nic_options.h"
#include "systemc/trace/transaction_log.h"

namespace tilefly::systemc {

class FabricPort final : public TimedModule, public Traced {
 public:
  /// A frame came whole and undamaged from the NIC with the fabric address `source`, with its last word in cycle `at`.
  using OnFrame = std::function<void(std::uint32_t source, const fabric::Frame& frame, Cycle at)>;

  FabricPort(sc_core::sc_module_name name, const FabricPortOptions& options, bool loosely_timed, fabric::PacketPool* pool);

  tlm_utils::simple_initiator_socket<FabricPort, 32, fabric::Types> out{"out"};
  tlm_utils::passthrough_target_socket<FabricPort, 32, fabric::Types> in{"in"};

  void set_on_frame(OnFrame on_frame) { on_frame_ = std::move(on_frame); }
  /// Sends a frame after the frames before it, from the cycle after `at` on. Approximately timed, `at` is the present
  /// cycle. Loosely timed, it may be later, and everything that the frame causes has happened when this call returns.
  void Send(std::uint32_t destination, std::shared_ptr<const fabric::Frame> frame, Cycle at);

  const FabricPortOptions& options() const { return options_; }
  /// Packets that have not been put on the link.
  std::size_t queued() const { return queue_.size(); }
  /// Packets that came damaged or by the other transport; and packets that this port sent and a switch dropped.
  std::uint64_t lost() const { return lost_; }
  bool credits_home() const { return credits_.AllHome(); }

 private:
  struct Returned {
    int vl;
    int cells;
  };
  tlm::tlm_sync_enum Receive(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum Hear(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void Blocking(fabric::Packet& packet, sc_core::sc_time& delay);
  bool Takes(bool blocking);
  fabric::Packet& Make(std::uint32_t destination, std::shared_ptr<const fabric::Frame> frame);
  void Pass(fabric::Packet* packet, Cycle at);
  void Deliver(const fabric::Packet& packet, Cycle at);
  Cycle Slots(const fabric::Packet& packet) const { return golden::CeilDiv(4 * packet.words(), options_.lanes); }
  void Step(Cycle now) override;
  void Receive(Cycle now, fabric::Packet* packet);
  void Start(Cycle now);

  const FabricPortOptions options_;
  const bool loosely_timed_;
  fabric::PacketPool* pool_;
  OnFrame on_frame_;
  std::deque<fabric::Packet*> queue_;
  golden::CreditSender credits_;
  std::array<std::uint16_t, golden::kMaxLanes> home_{};
  golden::Agenda<Returned> returned_;
  golden::Agenda<fabric::Packet*> coming_;  ///< by the cycle of the last word
  Cycle next_start_ = 0;
  LinkLedger link_ledger_;                  ///< of loosely timed use
  std::uint32_t flow_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace tilefly::systemc
