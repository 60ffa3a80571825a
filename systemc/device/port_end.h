// SPDX-License-Identifier: Apache-2.0
// The far end of a switch's port in a kernel's process: what is on the link's words becomes calls, and calls become records.
#pragma once

#include <deque>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "golden/common/agenda.h"
#include "systemc/common/timed_module.h"
#include "systemc/device/kernel_records.h"
#include "systemc/fabric/packet_pool.h"
#include "systemc/switch/switch.h"

namespace tilefly::systemc {

class PortEnd final : public TimedModule {
 public:
  /// Of port `port` of `node`. Records go to `outputs`, which must outlive the packets.
  PortEnd(sc_core::sc_module_name name, int port, Switch* node, fabric::PacketPool* pool, std::vector<KernelOutput>* outputs);

  tlm_utils::simple_initiator_socket<PortEnd, 32, fabric::Types> out{"out"};
  tlm_utils::passthrough_target_socket<PortEnd, 32, fabric::Types> in{"in"};

  /// What is on the link in `input.cycle`, which is to come.
  void Give(const KernelInput& input);

 private:
  /// A packet that left by the port.
  struct Hop {
    fabric::Packet* packet;
    bool ended;
    bool answerable;
    Cycle lost;
  };
  using Hops = std::list<Hop>;

  tlm::tlm_sync_enum Receive(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum Hear(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void Step(Cycle now) override;
  void Do(const KernelInput& input);
  void Begin(const KernelInput& input, bool bare);
  void End(const KernelInput& input);
  void Free(int vl, std::uint16_t freed);
  void EndHop(Cycle now, Hops::iterator hop);
  void Acknowledge(const Ack& ack);
  void ForgetLost(Cycle now);
  std::shared_ptr<const fabric::Frame> MarkedFrame(const KernelInput& input, bool bare);
  KernelOutput& Say(KernelOutput::Kind kind, Cycle cycle);

  const int port_;
  Switch* node_;
  fabric::PacketPool* pool_;
  std::vector<KernelOutput>* outputs_;
  golden::Agenda<KernelInput> inputs_;
  std::unordered_map<std::uint32_t, fabric::Packet*> arriving_;  ///< whose last word has not come
  Hops hops_;
  golden::Agenda<Hops::iterator> ends_;  ///< without credits: with the last word
  std::array<std::deque<Hops::iterator>, golden::kMaxLanes> lanes_open_;
  std::array<std::uint16_t, golden::kMaxLanes> freed_{};
  std::array<int, golden::kMaxLanes> free_{};
};

}  // namespace tilefly::systemc
