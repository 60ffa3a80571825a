// SPDX-License-Identifier: Apache-2.0
#include "systemc/nic/memory_port.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace tilefly::systemc {

MemoryPort::MemoryPort(sc_core::sc_module_name name, bool loosely_timed) : sc_module(name), loosely_timed_(loosely_timed) {
  memory.register_nb_transport_bw(this, &MemoryPort::Backward);
}

/// Whether there is a target. That there is none is said once, with the first access.
bool MemoryPort::IsBound(tlm::tlm_command command, std::uint64_t address, std::size_t bytes) {
  if (memory.size() != 0) return true;
  if (unbound_told_) return false;
  unbound_told_ = true;
  std::ostringstream text;
  text << name() << ": no memory is bound here: a " << (command == tlm::TLM_WRITE_COMMAND ? "write" : "read") << " of "
       << bytes << " bytes at address 0x" << std::hex << address
       << " is answered with TLM_ADDRESS_ERROR_RESPONSE, and so are all others (said once)";
  SC_REPORT_WARNING("tilefly/nic", text.str().c_str());
  return false;
}

MemoryPort::Operation* MemoryPort::Free() {
  if (free_.empty()) {
    operations_.push_back(std::make_unique<Operation>());
    operations_.back()->payload.set_mm(this);
    free_.push_back(operations_.back().get());
  }
  Operation* const operation = free_.back();
  free_.pop_back();
  return operation;
}

void MemoryPort::Ask(MemoryRequest request, Cycle at, OnDone done) {
  const auto bytes = static_cast<unsigned>(request.data.size());
  if (!IsBound(request.command, request.address, bytes)) {
    return done(tlm::TLM_ADDRESS_ERROR_RESPONSE, request.data, at);
  }
  Operation* const operation = Free();
  operation->data = std::move(request.data);
  operation->enables = std::move(request.enables);
  operation->done = std::move(done);
  operation->accepted = operation->answered = false;
  tlm::tlm_generic_payload& payload = operation->payload;
  payload.acquire();
  payload.set_data_ptr(nullptr);
  payload.set_byte_enable_ptr(nullptr);
  if (request.initiator != nullptr) payload.deep_copy_from(*request.initiator);  // for its extensions
  payload.set_command(request.command);
  payload.set_address(request.address);
  payload.set_data_ptr(operation->data.data());
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  payload.set_byte_enable_ptr(operation->enables.empty() ? nullptr : operation->enables.data());
  payload.set_byte_enable_length(static_cast<unsigned>(operation->enables.size()));
  payload.set_dmi_allowed(false);
  payload.set_gp_option(tlm::TLM_MIN_PAYLOAD);
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

/// A payload of its own, as every operation here: the initiator's keeps its address and its extensions.
unsigned MemoryPort::Debug(std::uint64_t address, tlm::tlm_generic_payload* initiator) {
  const bool full = initiator->get_gp_option() != tlm::TLM_MIN_PAYLOAD;
  if (!IsBound(initiator->get_command(), address, initiator->get_data_length())) {
    if (full) initiator->set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return 0;
  }
  tlm::tlm_generic_payload payload;
  payload.deep_copy_from(*initiator);
  payload.set_address(address);
  payload.set_data_ptr(initiator->get_data_ptr());
  if (full) {
    payload.set_byte_enable_ptr(initiator->get_byte_enable_ptr());
  } else {  // what else is set then is nobody's to read
    payload.set_streaming_width(initiator->get_data_length());
  }
  const unsigned bytes = memory->transport_dbg(payload);
  initiator->set_response_status(payload.get_response_status());
  initiator->set_gp_option(payload.get_gp_option());
  payload.free_all_extensions();
  return bytes;
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
        if (phase == tlm::END_RESP) {
          ReportError(payload, "END_RESP is returned with TLM_UPDATED: a target returns END_REQ or BEGIN_RESP with it, or "
                               "TLM_COMPLETED");
        } else {
          Note(&payload, phase, delay);
        }
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
  if (!open && phase == tlm::END_RESP) {
    return ReportError(*payload, "TLM_COMPLETED is returned for BEGIN_REQ, though BEGIN_RESP was called before: a "
                                 "target answers by one of them");
  }
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
