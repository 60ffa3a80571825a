// SPDX-License-Identifier: Apache-2.0
#include "processor.h"

#include <utility>

Processor::Processor(sc_core::sc_module_name name, std::vector<std::uint64_t> addresses, std::size_t block_bytes)
    : sc_module(name), addresses_(std::move(addresses)), block_bytes_(block_bytes) {
  sc_core::sc_spawn([this] { Run(); }, sc_core::sc_gen_unique_name("run"));
}

void Processor::Run() {
  keeper_.reset();
  unsigned seed = 0;
  for (const std::uint64_t address : addresses_) {
    std::vector<std::uint8_t> put = MakeBlock(block_bytes_, ++seed);
    std::vector<std::uint8_t> got(put.size());
    const bool stored = Access(tlm::TLM_WRITE_COMMAND, address, &put) == tlm::TLM_OK_RESPONSE;
    const bool loaded = Access(tlm::TLM_READ_COMMAND, address, &got) == tlm::TLM_OK_RESPONSE;
    ++moved_.puts;
    ++moved_.gets;
    moved_.bytes += put.size() + got.size();
    moved_.wrong += !stored || !loaded || put != got;
  }
  keeper_.sync();
}

tlm::tlm_response_status Processor::Access(tlm::tlm_command command, std::uint64_t address, std::vector<std::uint8_t>* data) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(data->data());
  payload.set_data_length(static_cast<unsigned>(data->size()));
  payload.set_streaming_width(payload.get_data_length());
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = keeper_.get_local_time();
  socket->b_transport(payload, delay);
  keeper_.set(delay);
  if (keeper_.need_sync()) keeper_.sync();
  return payload.get_response_status();
}
