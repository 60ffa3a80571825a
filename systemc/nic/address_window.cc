// SPDX-License-Identifier: Apache-2.0
#include "systemc/nic/address_window.h"

#include <string>

#include "support/errors.h"

namespace tilefly::systemc {

AddressWindow::AddressWindow(sc_core::sc_module_name name, const std::vector<Window>& windows) : sc_module(name) {
  in_.register_nb_transport_fw(this, &AddressWindow::Forward);
  in_.register_b_transport(this, &AddressWindow::Blocking);
  in_.register_transport_dbg(this, &AddressWindow::Debug);
  out_.register_nb_transport_bw(this, &AddressWindow::Backward);
  for (const Window& window : windows) Add(window);
}

void AddressWindow::Add(const Window& window) {
  if (const std::string problem = windows_.Problem(window); !problem.empty()) {
    throw UsageError(name() + std::string(": ") + problem);
  }
  windows_.Add(window);
}

/// Writes the remote address into the payload. False, and nothing is written: its bytes are not within one window.
bool AddressWindow::Translate(tlm::tlm_generic_payload* payload) const {
  const std::optional<std::uint64_t> remote = windows_.Find(payload->get_address(), payload->get_data_length());
  if (remote) payload->set_address(*remote);
  return remote.has_value();
}

/// The processor finds its own address in the payload when the response begins.
void AddressWindow::Restore(tlm::tlm_generic_payload* payload) {
  const auto found = under_way_.find(payload);
  if (found == under_way_.end()) return;
  payload->set_address(found->second);
  under_way_.erase(found);
}

/// A payload that is under way is passed on as it is: the NIC reports it.
tlm::tlm_sync_enum AddressWindow::Forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                          sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ && under_way_.count(&payload) == 0) {
    const std::uint64_t address = payload.get_address();
    if (!Translate(&payload)) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return tlm::TLM_COMPLETED;
    }
    under_way_[&payload] = address;
  }
  const tlm::tlm_sync_enum status = out_->nb_transport_fw(payload, phase, delay);
  if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP)) Restore(&payload);
  return status;
}

tlm::tlm_sync_enum AddressWindow::Backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                           sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_RESP) Restore(&payload);
  return in_->nb_transport_bw(payload, phase, delay);
}

void AddressWindow::Blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (under_way_.count(&payload) != 0) return out_->b_transport(payload, delay);
  const std::uint64_t address = payload.get_address();
  if (!Translate(&payload)) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  out_->b_transport(payload, delay);
  payload.set_address(address);
}

unsigned AddressWindow::Debug(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  if (!Translate(&payload)) {
    if (payload.get_gp_option() != tlm::TLM_MIN_PAYLOAD) payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return 0;
  }
  const unsigned bytes = out_->transport_dbg(payload);
  payload.set_address(address);
  return bytes;
}

}  // namespace tilefly::systemc
