// SPDX-License-Identifier: Apache-2.0
// A NIC between a platform and the fabric (docs/systemc.md, Platform side): the host's WRITEs and READs become messages to
// another NIC, whose memory side carries them out.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "systemc/nic/bus_width.h"
#include "systemc/nic/doorbell.h"
#include "systemc/nic/fabric_port.h"
#include "systemc/nic/host_port.h"
#include "systemc/nic/memory_port.h"
#include "systemc/nic/message.h"
#include "systemc/nic/nic_options.h"

namespace tilefly::systemc {

class Nic;
/// NICs of a system by fabric address.
using NicDirectory = std::map<std::uint32_t, Nic*>;

class Nic final : public sc_core::sc_module, private HostService {
 public:
  /// The NIC enters itself into `directory`, which it uses from then on. Throws UsageError for options that are not
  /// possible, and for an address that is taken.
  Nic(sc_core::sc_module_name name, const NicOptions& options, fabric::PacketPool* pool, NicDirectory* directory);

  FabricPort fabric;
  /// Base-protocol target: address bits 63..40 are the fabric address of a NIC, bits 39..0 the byte in its memory. It
  /// may stay unbound.
  tlm_utils::passthrough_target_socket_optional<HostPort>& host() { return host_.host; }
  /// Base-protocol initiator: carries out the puts and gets of other NICs. When it is unbound, they end with
  /// TLM_ADDRESS_ERROR_RESPONSE.
  tlm_utils::simple_initiator_socket_optional<MemoryPort>& memory() { return memory_.memory; }
  /// The same two sockets for a bus of W bits.
  template <unsigned W>
  TargetOfWidth<W>& host() {
    return host_widths_.Of<W>(static_cast<TargetBase<32>*>(&host_.host));
  }
  template <unsigned W>
  InitiatorOfWidth<W>& memory() {
    return memory_widths_.Of<W>(static_cast<InitiatorBase<32>*>(&memory_.memory));
  }
  /// The doorbell, which rings when a put of another NIC has been written.
  Doorbell& doorbell() { return doorbell_; }

  /// Address of byte `offset` in the memory of the NIC with the fabric address `nic`. Throws UsageError when one of
  /// them is out of range.
  static std::uint64_t AddressOf(std::uint32_t nic, std::uint64_t offset) { return AddressOfByte(nic, offset); }

  /// Transactions of the host that have not ended.
  int outstanding() const { return outstanding_; }
  /// Who waits for what, with a line for each transaction, packet queue and operation that has not ended; empty: nobody
  /// waits.
  std::string Waiting() const;
  /// Reports a warning of who waits, if anybody does. The end of the simulation reports it, too.
  void ReportWaiting() const;

 private:
  /// A transaction of the host.
  struct Transaction {
    tlm::tlm_generic_payload* payload = nullptr;
    std::uint32_t remote = 0;
    std::uint32_t missing = 0;  ///< bytes of a get that have not come
    std::uint64_t offset = 0;   ///< first byte in the remote memory
    Cycle latest = 0;           ///< of the beginning, and of what has come
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;  ///< of a get: the first error
  };
  /// A put that comes in.
  struct Incoming {
    std::uint64_t offset;       ///< least of the parts that have come
    std::uint32_t total;
    std::uint32_t missing;      ///< bytes of parts that have not ended
    std::uint32_t refused;      ///< of parts that the memory refused
    tlm::tlm_response_status status;
    Cycle latest;               ///< of the parts that are written
  };
  using IncomingKey = std::pair<std::uint32_t, std::uint16_t>;  ///< source, tag

  void end_of_simulation() override { ReportWaiting(); }
  tlm::tlm_response_status Judge(const tlm::tlm_generic_payload& payload) const override;
  bool MayBegin(int more) const override { return outstanding_ + more < static_cast<int>(transactions_.size()); }
  void Begin(tlm::tlm_generic_payload* payload, Cycle at) override;
  void Abandon(tlm::tlm_generic_payload* payload) override;
  unsigned Debug(tlm::tlm_generic_payload* payload) override;

  // `at` is the cycle in which it happens: approximately timed the present one, loosely timed that or a later one.
  void Deliver(std::uint32_t source, const fabric::Frame& frame, Cycle at);
  void Put(std::uint32_t source, const Message& message, Cycle at);
  void Written(IncomingKey key, std::uint32_t bytes, tlm::tlm_response_status status, Cycle at);
  void ReportRefused(std::uint32_t source, const Incoming& put) const;
  std::string NameOf(std::uint32_t address) const;
  void Get(std::uint32_t source, const Message& message, Cycle at);
  void TakeData(const Message& message, Cycle at);
  void End(std::uint16_t tag, tlm::tlm_response_status status, Cycle at);
  void Send(std::uint32_t destination, const Message& message, Cycle at);
  void SendParts(std::uint32_t destination, Message message, const std::uint8_t* data,
                 const tlm::tlm_generic_payload* enabled, Cycle at);
  void AskForParts(std::uint32_t remote, Message message, const tlm::tlm_generic_payload& payload, Cycle at);
  /// The operation that a message asks of the memory: a write of its data, or a read of `bytes` bytes.
  MemoryRequest RequestOf(std::uint32_t source, const Message& message, std::size_t bytes) const;

  NicDirectory* directory_;
  HostPort host_;
  MemoryPort memory_;
  WidthViews host_widths_;
  WidthViews memory_widths_;
  Doorbell doorbell_;
  std::vector<Transaction> transactions_;   ///< by tag
  std::vector<std::uint16_t> free_tags_;
  std::map<IncomingKey, Incoming> incoming_;
  int outstanding_ = 0;
};

}  // namespace tilefly::systemc
