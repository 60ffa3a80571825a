// SPDX-License-Identifier: Apache-2.0
// The far end of a switch's port in the kernel's process: what the words of the link carry becomes calls, and calls
// become records.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "golden/common/agenda.h"
#include "systemc/common/timed_module.h"
#include "systemc/device/kernel_records.h"
#include "systemc/fabric/hop_ledger.h"
#include "systemc/fabric/packet_pool.h"
#include "systemc/switch/switch.h"

namespace tilefly::systemc {

/// Frames of reduction packets that came in, by their address. A frame that leaves without having come in was made by
/// the switch.
using GivenFrames = std::unordered_map<const fabric::Frame*, std::uint32_t>;

class PortEnd final : public TimedModule {
 public:
  /// The end of port `port` of `node`. Records go to `outputs`. `outputs` and `given`, which all ports share, must
  /// outlive the packets.
  PortEnd(sc_core::sc_module_name name, int port, Switch* node, fabric::PacketPool* pool, std::vector<KernelOutput>* outputs,
          GivenFrames* given);

  tlm_utils::simple_initiator_socket<PortEnd, 32, fabric::Types> out{"out"};
  tlm_utils::passthrough_target_socket<PortEnd, 32, fabric::Types> in{"in"};

  /// Takes an input of the link in cycle `input.cycle`, which is not past.
  void Give(const KernelInput& input);

  /// Packets that left and have not ended, and packets that wait for their acks.
  std::size_t held() const { return hops_.open() + hops_.waiting(); }

 private:
  struct Arriving {
    fabric::Packet* packet;
    std::shared_ptr<fabric::Frame> frame;  ///< as the packet's
  };
  tlm::tlm_sync_enum Receive(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum Hear(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void Step(Cycle now) override;
  void Do(const KernelInput& input);
  void Begin(const KernelInput& input);
  void End(const KernelInput& input);
  void Open(const KernelInput& input);
  void Close(const KernelInput& input);
  void Forward(fabric::Packet* packet, tlm::tlm_phase phase);
  std::shared_ptr<fabric::Frame> MarkedFrame(const KernelInput& input, bool bare);
  void SayBytes(const fabric::Packet& packet, Cycle cycle);
  KernelOutput& Say(KernelOutput::Kind kind, Cycle cycle);

  const int port_;
  Switch* node_;
  fabric::PacketPool* pool_;
  std::vector<KernelOutput>* outputs_;
  GivenFrames* given_;
  golden::Agenda<KernelInput> inputs_;
  std::unordered_map<std::uint32_t, Arriving> arriving_;         ///< packets whose last word has not come
  fabric::HopLedger hops_;                                       ///< packets that left by the port
  Cycle next_lost_ = 0;                                          ///< next cycle in which lost acks are looked for
  golden::Agenda<fabric::HopLedger::Handle> ends_;               ///< without credits: they end with the last word
};

}  // namespace tilefly::systemc
