// SPDX-License-Identifier: Apache-2.0
#include "systemc/credit/credit_link.h"

namespace tilefly::systemc {

CreditLink::CreditLink(sc_core::sc_module_name name, Cycle forward, Cycle backward)
    : sc_module(name), forward_(forward), backward_(backward) {
  in.register_nb_transport_fw(this, &CreditLink::Forward);
  in.register_b_transport(this, &CreditLink::Blocking);
  out.register_nb_transport_bw(this, &CreditLink::Backward);
}

// The caller's annotation stays as it was (FAB-2): the delayed one is a copy.
tlm::tlm_sync_enum CreditLink::Forward(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == fabric::BEGIN_PACKET) Harm(&packet);
  sc_core::sc_time delayed = delay + fabric::TimeOf(forward_);
  return out->nb_transport_fw(packet, phase, delayed);
}

tlm::tlm_sync_enum CreditLink::Backward(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  sc_core::sc_time delayed = delay + fabric::TimeOf(backward_);
  return in->nb_transport_bw(packet, phase, delayed);
}

void CreditLink::Blocking(fabric::Packet& packet, sc_core::sc_time& delay) {
  Harm(&packet);
  delay += fabric::TimeOf(forward_);
  out->b_transport(packet, delay);
}

}  // namespace tilefly::systemc
