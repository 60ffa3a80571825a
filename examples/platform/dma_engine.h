// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include <systemc>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "block.h"

/// An approximately timed initiator with a bus of 32 bits: puts blocks with as many transactions under way as the target
/// takes, then gets them.
class DmaEngine final : public sc_core::sc_module, private tlm::tlm_mm_interface {
 public:
  DmaEngine(sc_core::sc_module_name name, const std::vector<std::uint64_t>& addresses, std::size_t block_bytes);

  tlm_utils::simple_initiator_socket<DmaEngine> socket{"socket"};

  const Moved& moved() const { return moved_; }

 private:
  struct Job {
    tlm::tlm_generic_payload payload;
    std::vector<std::uint8_t> data;
    unsigned seed;
  };

  void free(tlm::tlm_generic_payload*) override {}  // jobs stay
  void start_of_simulation() override { Next(); }
  void Add(tlm::tlm_command command, std::uint64_t address, std::vector<std::uint8_t> data, unsigned seed);
  void Next();
  tlm::tlm_sync_enum Backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void OnPhase(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase);
  void End(const tlm::tlm_generic_payload& payload);

  std::deque<Job> jobs_;
  std::size_t puts_;                                ///< jobs that put: the first ones
  std::size_t next_ = 0;
  std::size_t ended_ = 0;
  tlm::tlm_generic_payload* requesting_ = nullptr;  ///< whose request has not ended
  Moved moved_;
  tlm_utils::peq_with_cb_and_phase<DmaEngine> phases_{this, &DmaEngine::OnPhase};
};
