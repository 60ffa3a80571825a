// SPDX-License-Identifier: Apache-2.0
#include "systemc/nic/memory_port.h"

#include <algorithm>

namespace tilefly::systemc {

MemoryPort::MemoryPort(sc_core::sc_module_name name, bool loosely_timed) : sc_module(name), loosely_timed_(loosely_timed) {
  memory.register_nb_transport_bw(this, &MemoryPort::Backward);
}

void MemoryPort::Write(std::uint64_t address, std::vector<std::uint8_t> data, Cycle at, OnDone done) {
  Ask(tlm::TLM_WRITE_COMMAND, address, std::move(data), at, std::move(done));
}

void MemoryPort::Read(std::uint64_t address, std::size_t bytes, Cycle at, OnDone done) {
  Ask(tlm::TLM_READ_COMMAND, address, std::vector<std::uint8_t>(bytes), at, std::move(done));
}

void MemoryPort::Ask(tlm::tlm_command command, std::uint64_t address, std::vector<std::uint8_t> data, Cycle at, OnDone done) {
  if (free_.empty()) {
    operations_.push_back(std::make_unique<Operation>());
    operations_.back()->payload.set_mm(this);
    free_.push_back(operations_.back().get());
  }
  Operation* const operation = free_.back();
  free_.pop_back();
  operation->data = std::move(data);
  operation->done = std::move(done);
  tlm::tlm_generic_payload& payload = operation->payload;
  payload.acquire();
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(operation->data.data());
  payload.set_data_length(static_cast<unsigned>(operation->data.size()));
  payload.set_streaming_width(static_cast<unsigned>(operation->data.size()));
  payload.set_byte_enable_ptr(nullptr);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  if (loosely_timed_) {
    sc_core::sc_time delay = fabric::UntilCycle(at);
    memory->b_transport(payload, delay);
    return End(&payload, fabric::CycleOfCall(delay));
  }
  waiting_.push_back(operation);
  Next();
}

/// Begins operations while the target takes requests.
void MemoryPort::Next() {
  while (requesting_ == nullptr && !waiting_.empty()) {
    tlm::tlm_generic_payload& payload = waiting_.front()->payload;
    waiting_.pop_front();
    requesting_ = &payload;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    switch (memory->nb_transport_fw(payload, phase, delay)) {
      case tlm::TLM_ACCEPTED:
        break;
      case tlm::TLM_UPDATED:
        phases_.notify(payload, phase, delay);
        break;
      case tlm::TLM_COMPLETED:
        phases_.notify(payload, tlm::END_RESP, delay);
        break;
    }
  }
}

tlm::tlm_sync_enum MemoryPort::Backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  phases_.notify(payload, phase, delay);
  return tlm::TLM_ACCEPTED;
}

/// A phase's time has come. END_RESP stands for a transaction that the target completed at once.
void MemoryPort::Happen(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
  if (requesting_ == &payload) requesting_ = nullptr;  // the end of the request, or a response that implies it
  if (phase == tlm::BEGIN_RESP) {
    tlm::tlm_phase end = tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    memory->nb_transport_fw(payload, end, delay);
  }
  if (phase == tlm::BEGIN_RESP || phase == tlm::END_RESP) End(&payload, fabric::CycleAt(sc_core::sc_time_stamp()));
  Next();
}

MemoryPort::Operation* MemoryPort::Of(const tlm::tlm_generic_payload& payload) const {
  return std::find_if(operations_.begin(), operations_.end(),
                      [&](const auto& operation) { return &operation->payload == &payload; })
      ->get();
}

void MemoryPort::End(tlm::tlm_generic_payload* payload, Cycle at) {
  Operation* const operation = Of(*payload);
  const OnDone done = std::move(operation->done);
  done(payload->get_response_status(), operation->data, at);
  payload->release();
}

void MemoryPort::free(tlm::tlm_generic_payload* payload) {
  payload->reset();
  free_.push_back(Of(*payload));
}

}  // namespace tilefly::systemc
