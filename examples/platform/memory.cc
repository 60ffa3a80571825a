// SPDX-License-Identifier: Apache-2.0
#include "memory.h"

#include <cstring>

Memory::Memory(sc_core::sc_module_name name, std::size_t bytes, sc_core::sc_time latency)
    : sc_module(name), bytes_(bytes), latency_(latency) {
  socket.register_b_transport(this, &Memory::Access);
  socket.register_transport_dbg(this, &Memory::Debug);
}

void Memory::Access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  delay += latency_;
  if (payload.get_byte_enable_ptr() != nullptr) return payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  const bool there = Debug(payload) == payload.get_data_length();
  payload.set_response_status(there ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

unsigned Memory::Debug(tlm::tlm_generic_payload& payload) {
  const std::size_t bytes = payload.get_data_length();
  if (payload.get_address() + bytes > bytes_.size()) return 0;
  std::uint8_t* const at = bytes_.data() + payload.get_address();
  if (payload.is_write()) {
    std::memcpy(at, payload.get_data_ptr(), bytes);
  } else {
    std::memcpy(payload.get_data_ptr(), at, bytes);
  }
  return payload.get_data_length();
}
