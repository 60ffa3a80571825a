// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <systemc>
#include <tlm_utils/simple_target_socket.h>

/// A memory of the base protocol that takes its time.
class Memory final : public sc_core::sc_module {
 public:
  Memory(sc_core::sc_module_name name, std::size_t bytes, sc_core::sc_time latency);

  tlm_utils::simple_target_socket<Memory> socket{"socket"};

 private:
  void Access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned Debug(tlm::tlm_generic_payload& payload);

  std::vector<std::uint8_t> bytes_;
  const sc_core::sc_time latency_;
};
