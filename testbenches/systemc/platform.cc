// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/platform.h"

#include <algorithm>

namespace tilefly::systemc {

Memory::Memory(sc_core::sc_module_name name, std::size_t size, sc_core::sc_time latency)
    : sc_module(name), bytes(size), latency_(latency) {
  socket.register_b_transport(this, &Memory::Access);
  socket.register_transport_dbg(this, &Memory::Debug);
}

void Memory::Access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  delay += latency_;
  if (waits) {
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
  }
  ++accesses;
  payload.set_response_status(Debug(payload) == payload.get_data_length() ? tlm::TLM_OK_RESPONSE
                                                                          : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

unsigned Memory::Debug(tlm::tlm_generic_payload& payload) {
  if (payload.get_address() + payload.get_data_length() > bytes.size()) return 0;
  std::uint8_t* const at = bytes.data() + payload.get_address();
  std::uint8_t* const data = payload.get_data_ptr();
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  for (unsigned i = 0; i < payload.get_data_length(); ++i) {
    if (enables != nullptr && enables[i % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
    (payload.is_write() ? at[i] : data[i]) = payload.is_write() ? data[i] : at[i];
  }
  if (payload.get_gp_option() != tlm::TLM_MIN_PAYLOAD) payload.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED);
  return payload.get_data_length();
}

Cpu::Cpu(sc_core::sc_module_name name, Program program) : sc_module(name), program_(std::move(program)) {
  sc_core::sc_spawn(
      [this] {
        program_(*this);
        finished = true;
      },
      sc_core::sc_gen_unique_name("program"));
}

tlm::tlm_response_status Cpu::Access(tlm::tlm_generic_payload* payload) {
  payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  socket->b_transport(*payload, ahead);
  return payload->get_response_status();
}

tlm::tlm_response_status Cpu::Write(std::uint64_t address, std::vector<std::uint8_t> data) {
  tlm::tlm_generic_payload payload;
  payload.set_write();
  payload.set_address(address);
  payload.set_data_ptr(data.data());
  payload.set_data_length(static_cast<unsigned>(data.size()));
  payload.set_streaming_width(payload.get_data_length());
  return Access(&payload);
}

tlm::tlm_response_status Cpu::Read(std::uint64_t address, std::vector<std::uint8_t>* data) {
  tlm::tlm_generic_payload payload;
  payload.set_read();
  payload.set_address(address);
  payload.set_data_ptr(data->data());
  payload.set_data_length(static_cast<unsigned>(data->size()));
  payload.set_streaming_width(payload.get_data_length());
  return Access(&payload);
}

Dma::Dma(sc_core::sc_module_name name) : sc_module(name) { socket.register_nb_transport_bw(this, &Dma::Backward); }

void Dma::Ask(tlm::tlm_command command, std::uint64_t address, std::vector<std::uint8_t> data) {
  Job& job = jobs.emplace_back();
  job.data = std::move(data);
  job.payload.set_mm(this);
  job.payload.set_command(command);
  job.payload.set_address(address);
  job.payload.set_data_ptr(job.data.data());
  job.payload.set_data_length(static_cast<unsigned>(job.data.size()));
  job.payload.set_streaming_width(job.payload.get_data_length());
}

void Dma::Next() {
  if (requesting_ != nullptr || next_ == jobs.size()) return;
  requesting_ = &jobs[next_++].payload;
  requesting_->acquire();
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_fw(*requesting_, phase, delay);
}

tlm::tlm_sync_enum Dma::Backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  phases_.notify(payload, phase, delay);
  return tlm::TLM_ACCEPTED;
}

void Dma::OnPhase(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
  if (phase == tlm::END_REQ) {
    requesting_ = nullptr;
    most_outstanding = std::max(most_outstanding, ++outstanding);
    return Next();
  }
  --outstanding;
  const auto job = std::find_if(jobs.begin(), jobs.end(), [&](const Job& j) { return &j.payload == &payload; });
  job->ended = true;
  tlm::tlm_phase end = tlm::END_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_fw(payload, end, delay);
  payload.release();
}

}  // namespace tilefly::systemc
