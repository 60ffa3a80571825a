// SPDX-License-Identifier: Apache-2.0
#include "systemc/nic/host_port.h"

#include <algorithm>

namespace tilefly::systemc {

HostPort::HostPort(sc_core::sc_module_name name, bool loosely_timed, HostService* service)
    : sc_module(name), loosely_timed_(loosely_timed), service_(service) {
  host.register_nb_transport_fw(this, &HostPort::Forward);
  host.register_b_transport(this, &HostPort::Blocking);
  host.register_transport_dbg(this, &HostPort::Debug);
}

tlm::tlm_sync_enum HostPort::Forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (loosely_timed_) {
    SC_REPORT_ERROR("tilefly/nic", (name() + std::string(": nb_transport at a loosely timed NIC: call b_transport, or leave "
                                                         "loosely_timed off")).c_str());
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  if (phase == tlm::BEGIN_REQ) payload.acquire();
  phases_.notify(payload, phase, delay);
  return tlm::TLM_ACCEPTED;
}

/// A phase of the initiator, at its time.
void HostPort::Happen(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
  if (phase == tlm::BEGIN_REQ) {
    if (held_ != nullptr) SC_REPORT_ERROR("tilefly/nic", "a request before the end of the one before");
    held_ = &payload;
    Accept();
  } else if (phase == tlm::END_RESP) {
    responses_.pop_front();
    responding_ = false;
    payload.release();
    Respond();
  }
}

/// The request that is held, when the window lets it begin: or refused, which takes no place of it.
void HostPort::Accept() {
  if (held_ == nullptr) return;
  tlm::tlm_generic_payload* const payload = held_;
  const tlm::tlm_response_status status = service_->Judge(*payload);
  if (status == tlm::TLM_OK_RESPONSE && !service_->MayBegin()) return;
  held_ = nullptr;
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  host->nb_transport_bw(*payload, phase, delay);
  if (status == tlm::TLM_OK_RESPONSE) return service_->Begin(payload, fabric::CycleAt(sc_core::sc_time_stamp()));
  payload->set_response_status(status);
  responses_.push_back(payload);
  Respond();
}

/// One response at a time.
void HostPort::Respond() {
  while (!responding_ && !responses_.empty()) {
    tlm::tlm_generic_payload& payload = *responses_.front();
    responding_ = true;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = host->nb_transport_bw(payload, phase, delay);
    const bool over = status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
    if (!over) return;
    if (delay != sc_core::SC_ZERO_TIME) return phases_.notify(payload, tlm::END_RESP, delay);
    responses_.pop_front();
    responding_ = false;
    payload.release();
  }
}

void HostPort::Done(tlm::tlm_generic_payload* payload, Cycle at) {
  const auto blocked = std::find_if(blocked_.begin(), blocked_.end(), [&](const Blocked& b) { return b.payload == payload; });
  if (blocked != blocked_.end()) {
    *blocked->end = at;
    blocked_.erase(blocked);
  } else {
    responses_.push_back(payload);
    Respond();
  }
  Accept();
  ended_.notify(sc_core::SC_ZERO_TIME);
}

/// Approximately timed the call returns when the response is there; loosely timed `delay` says when that is.
void HostPort::Blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (!loosely_timed_) {
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
  }
  const tlm::tlm_response_status status = service_->Judge(payload);
  if (status != tlm::TLM_OK_RESPONSE) return payload.set_response_status(status);
  const auto now = [] { return fabric::CycleAt(sc_core::sc_time_stamp()); };
  const Cycle asked = fabric::CycleOfCall(delay);
  while (!service_->MayBegin()) sc_core::wait(ended_);
  Cycle end = golden::kNever;
  blocked_.push_back({&payload, &end});
  service_->Begin(&payload, std::max(asked, now()));
  if (loosely_timed_) {
    if (end == golden::kNever) service_->Abandon(&payload);
    delay = fabric::UntilCycle(std::max(end, now()));
    return;
  }
  while (end == golden::kNever) sc_core::wait(ended_);
}

}  // namespace tilefly::systemc
