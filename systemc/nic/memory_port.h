// SPDX-License-Identifier: Apache-2.0
// The memory side of a NIC: a base-protocol initiator. Operations begin in the order in which they were asked for;
// several may be outstanding. Loosely timed, each operation is a b_transport, and has ended when Write or Read returns.
// A violation of the base protocol by a target is an SC_ERROR, and has no effect where this does not end the run
// (docs/systemc.md, Platform side). An operation that the target leaves TLM_INCOMPLETE_RESPONSE ends with
// TLM_GENERIC_ERROR_RESPONSE. Where no target is bound each operation ends at once, with TLM_ADDRESS_ERROR_RESPONSE.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "systemc/fabric/time.h"
#include "systemc/trace/transaction_log.h"

namespace tilefly::systemc {

/// An operation that is asked of the memory.
struct MemoryRequest {
  tlm::tlm_command command;
  std::uint64_t address;
  std::vector<std::uint8_t> data;                     ///< of a READ: room for what it reads
  std::vector<std::uint8_t> enables;                  ///< byte enables, as many as `data`; none: all bytes are enabled
  const tlm::tlm_generic_payload* initiator = nullptr;  ///< whose extensions are copied for it; null: it has none
};

class MemoryPort final : public sc_core::sc_module, public Traced, private tlm::tlm_mm_interface {
 public:
  /// The operation has ended in cycle `at`. `data` are the bytes that it read or wrote.
  using OnDone = std::function<void(tlm::tlm_response_status status, const std::vector<std::uint8_t>& data, Cycle at)>;

  MemoryPort(sc_core::sc_module_name name, bool loosely_timed);

  tlm_utils::simple_initiator_socket_optional<MemoryPort> memory{"memory"};

  /// Asks for an operation in cycle `at`. This is the present cycle, or, loosely timed, a later one.
  void Ask(MemoryRequest request, Cycle at, OnDone done);
  /// Carries out the debug access of another NIC's initiator at `address` of this memory, without taking time. Returns
  /// the number of bytes.
  unsigned Debug(std::uint64_t address, tlm::tlm_generic_payload* initiator);

  /// Operations that have not ended.
  std::size_t pending() const { return operations_.size() - free_.size(); }

 private:
  struct Operation {
    tlm::tlm_generic_payload payload;
    std::vector<std::uint8_t> data;
    std::vector<std::uint8_t> enables;
    OnDone done;            ///< none: it has ended
    bool accepted = false;  ///< END_REQ was told, or implied
    bool answered = false;  ///< BEGIN_RESP was told
  };

  void free(tlm::tlm_generic_payload* payload) override;
  bool IsBound(tlm::tlm_command command, std::uint64_t address, std::size_t bytes);
  Operation* Free();
  void Next();
  void Record(const tlm::tlm_generic_payload& payload, const char* stage, Cycle at) const;
  void End(tlm::tlm_generic_payload* payload, Cycle at);
  /// Null: no operation of this NIC.
  Operation* Of(const tlm::tlm_generic_payload& payload) const;
  void Note(tlm::tlm_generic_payload* payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay);
  void ReportError(const tlm::tlm_generic_payload& payload, const std::string& what) const;
  tlm::tlm_sync_enum Backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void OnPhase(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase);

  const bool loosely_timed_;
  bool unbound_told_ = false;
  std::vector<std::unique_ptr<Operation>> operations_;
  std::vector<Operation*> free_;
  std::deque<Operation*> waiting_;
  tlm::tlm_generic_payload* requesting_ = nullptr;  ///< whose request has not ended
  tlm_utils::peq_with_cb_and_phase<MemoryPort> phases_{this, &MemoryPort::OnPhase};
};

}  // namespace tilefly::systemc
