// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include "block.h"

/// A loosely timed initiator with a bus of 64 bits: a thread that stores blocks at addresses, one after the other, and loads
/// each again. It runs ahead of the simulated time by the global quantum, where the target lets it.
class Processor final : public sc_core::sc_module {
 public:
  Processor(sc_core::sc_module_name name, std::vector<std::uint64_t> addresses, std::size_t block_bytes);

  tlm_utils::simple_initiator_socket<Processor, 64> socket{"socket"};

  const Moved& moved() const { return moved_; }

 private:
  void Run();
  tlm::tlm_response_status Access(tlm::tlm_command command, std::uint64_t address, std::vector<std::uint8_t>* data);

  const std::vector<std::uint64_t> addresses_;
  const std::size_t block_bytes_;
  tlm_utils::tlm_quantumkeeper keeper_;
  Moved moved_;
};
