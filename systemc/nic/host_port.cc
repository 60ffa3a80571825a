// SPDX-License-Identifier: Apache-2.0
#include "systemc/nic/host_port.h"

#include <algorithm>

namespace tilefly::systemc {

HostPort::HostPort(sc_core::sc_module_name name, HostService* service) : sc_module(name), service_(service) {
  host.register_nb_transport_fw(this, &HostPort::Forward);
  host.register_b_transport(this, &HostPort::Blocking);
  host.register_transport_dbg(this, &HostPort::Debug);
}

tlm::tlm_sync_enum HostPort::Forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
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
  if (status == tlm::TLM_OK_RESPONSE) return service_->Begin(payload);
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
    responses_.pop_front();
    responding_ = false;
    payload.release();
  }
}

void HostPort::Done(tlm::tlm_generic_payload* payload) {
  const auto blocked = std::find(blocked_.begin(), blocked_.end(), payload);
  if (blocked != blocked_.end()) {
    blocked_.erase(blocked);
  } else {
    responses_.push_back(payload);
    Respond();
  }
  Accept();
  ended_.notify(sc_core::SC_ZERO_TIME);
}

void HostPort::Blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_response_status status = service_->Judge(payload);
  if (status != tlm::TLM_OK_RESPONSE) return payload.set_response_status(status);
  while (!service_->MayBegin()) sc_core::wait(ended_);
  blocked_.push_back(&payload);
  service_->Begin(&payload);
  while (std::find(blocked_.begin(), blocked_.end(), &payload) != blocked_.end()) sc_core::wait(ended_);
}

}  // namespace tilefly::systemc
