// SPDX-License-Identifier: Apache-2.0
#include "systemc/nic/memory_port.h"

#include <algorithm>
#include <sstream>
#include <utility>

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
  operation->accepted = operation->answered = false;
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
  Record(payload, loosely_timed_ ? "under way" : "waiting", at);
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
    Record(payload, "request", fabric::CycleAt(sc_core::sc_time_stamp()));
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    switch (memory->nb_transport_fw(payload, phase, delay)) {
      case tlm::TLM_ACCEPTED:
        break;
      case tlm::TLM_UPDATED:
        Note(&payload, phase, delay);
        break;
      case tlm::TLM_COMPLETED:
        Note(&payload, tlm::END_RESP, delay);
        break;
    }
  }
}

/// What the target tells, when it may: END_RESP stands for a transaction that it completed at once. Phases of
/// extensions are ignored.
void MemoryPort::Note(tlm::tlm_generic_payload* payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
  const bool accepts = phase == tlm::END_REQ;
  const bool answers = phase == tlm::BEGIN_RESP || phase == tlm::END_RESP;
  if (!accepts && !answers && phase != tlm::BEGIN_REQ) return;
  Operation* const operation = Of(*payload);
  const bool open = operation != nullptr && operation->done != nullptr && !operation->answered;
  if (!open || !(answers || (accepts && !operation->accepted))) {
    return ReportError(*payload, std::string(phase.get_name()) +
                                     " without a request that waits for it: a target calls END_REQ and "
                                     "BEGIN_RESP once for each BEGIN_REQ, or completes it");
  }
  operation->accepted = true;
  operation->answered = answers;
  phases_.notify(*payload, phase, delay);
}

tlm::tlm_sync_enum MemoryPort::Backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    ReportError(payload, "END_RESP on the backward path: a target calls END_REQ and BEGIN_RESP");
  } else {
    Note(&payload, phase, delay);
  }
  return tlm::TLM_ACCEPTED;
}

void MemoryPort::ReportError(const tlm::tlm_generic_payload& payload, const std::string& what) const {
  std::ostringstream text;
  text << name() << ": the target, of a " << (payload.is_write() ? "write" : "read") << " of "
       << payload.get_data_length() << " bytes at address 0x" << std::hex << payload.get_address() << ": " << what;
  SC_REPORT_ERROR("tilefly/nic", text.str().c_str());
}

/// A phase's time has come.
void MemoryPort::OnPhase(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
  if (requesting_ == &payload) requesting_ = nullptr;  // the end of the request, or a response that implies it
  if (phase == tlm::END_REQ) Record(payload, "under way", fabric::CycleAt(sc_core::sc_time_stamp()));
  if (phase == tlm::BEGIN_RESP) {
    tlm::tlm_phase end = tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    memory->nb_transport_fw(payload, end, delay);
  }
  if (phase == tlm::BEGIN_RESP || phase == tlm::END_RESP) End(&payload, fabric::CycleAt(sc_core::sc_time_stamp()));
  Next();
}

void MemoryPort::Record(const tlm::tlm_generic_payload& payload, const char* stage, Cycle at) const {
  if (log_ != nullptr) log_->Enter(payload, -1, payload.get_address(), stage, at);
}

MemoryPort::Operation* MemoryPort::Of(const tlm::tlm_generic_payload& payload) const {
  const auto found = std::find_if(operations_.begin(), operations_.end(),
                                  [&](const auto& operation) { return &operation->payload == &payload; });
  return found == operations_.end() ? nullptr : found->get();
}

void MemoryPort::End(tlm::tlm_generic_payload* payload, Cycle at) {
  Operation* const operation = Of(*payload);
  const OnDone done = std::exchange(operation->done, nullptr);
  tlm::tlm_response_status status = payload->get_response_status();
  if (status == tlm::TLM_INCOMPLETE_RESPONSE) {
    ReportError(*payload, "TLM_INCOMPLETE_RESPONSE is left: set a response before the transaction ends");
    status = tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  if (log_ != nullptr) log_->Leave(*payload, status, at);
  done(status, operation->data, at);
  payload->release();
}

void MemoryPort::free(tlm::tlm_generic_payload* payload) {
  payload->reset();
  free_.push_back(Of(*payload));
}

}  // namespace tilefly::systemc
