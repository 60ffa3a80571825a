// SPDX-License-Identifier: Apache-2.0
// Models of somebody else's, who knows the base protocol and nothing of fabrics: a processor that copies, a DMA engine that
// has several transactions under way, a memory.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace tilefly::systemc {

/// A memory of the blocking style: the socket converts.
class Memory final : public sc_core::sc_module {
 public:
  Memory(sc_core::sc_module_name name, std::size_t bytes, sc_core::sc_time latency);

  tlm_utils::simple_target_socket<Memory> socket{"socket"};
  std::vector<std::uint8_t> bytes;
  std::uint64_t accesses = 0;
  bool waits = false;  ///< for its latency, instead of annotating it

 private:
  void Access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned Debug(tlm::tlm_generic_payload& payload);
  const sc_core::sc_time latency_;
};

/// A memory that never answers.
class DeadMemory final : public sc_core::sc_module {
 public:
  explicit DeadMemory(sc_core::sc_module_name name) : sc_module(name) {
    socket.register_nb_transport_fw(this, &DeadMemory::Accept);
  }
  tlm_utils::simple_target_socket<DeadMemory> socket{"socket"};

 private:
  tlm::tlm_sync_enum Accept(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) { return tlm::TLM_ACCEPTED; }
};

/// Runs a program in a thread, with blocking accesses.
class Cpu final : public sc_core::sc_module {
 public:
  using Program = std::function<void(Cpu& cpu)>;
  Cpu(sc_core::sc_module_name name, Program program);

  tlm_utils::simple_initiator_socket<Cpu> socket{"socket"};
  bool finished = false;
  sc_core::sc_time ahead;  ///< local time ahead of the simulated time, where the target is loosely timed

  tlm::tlm_response_status Write(std::uint64_t address, std::vector<std::uint8_t> data);
  tlm::tlm_response_status Read(std::uint64_t address, std::vector<std::uint8_t>* data);
  /// Any access, of which only the address and a buffer are given.
  tlm::tlm_response_status Access(tlm::tlm_generic_payload* payload);

 private:
  Program program_;
};

/// Puts blocks with the non-blocking phases, as many as the target lets it.
class Dma final : public sc_core::sc_module, private tlm::tlm_mm_interface {
 public:
  explicit Dma(sc_core::sc_module_name name);

  tlm_utils::simple_initiator_socket<Dma> socket{"socket"};

  /// A WRITE (`data` is not empty) or a READ of `bytes`, when the requests before have ended.
  void Ask(tlm::tlm_command command, std::uint64_t address, std::vector<std::uint8_t> data);

  struct Job {
    tlm::tlm_generic_payload payload;
    std::vector<std::uint8_t> data;
    bool ended = false;
  };
  std::deque<Job> jobs;
  int outstanding = 0;       ///< requests that ended and have no response
  int most_outstanding = 0;

 private:
  void free(tlm::tlm_generic_payload*) override {}
  void start_of_simulation() override { Next(); }
  void Next();
  tlm::tlm_sync_enum Backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void OnPhase(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase);

  std::size_t next_ = 0;
  tlm::tlm_generic_payload* requesting_ = nullptr;
  tlm_utils::peq_with_cb_and_phase<Dma> phases_{this, &Dma::OnPhase};
};

}  // namespace tilefly::systemc
