// SPDX-License-Identifier: Apache-2.0
// An initiator that calls whatever phases its program wants.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace tilefly::systemc {

class WrongInitiator final : public sc_core::sc_module {
 public:
  /// A put of 64 bytes, for which its memory manager counts the references.
  struct Request final : tlm::tlm_mm_interface {
    explicit Request(std::uint64_t address) {
      payload.set_mm(this);
      payload.set_write();
      payload.set_address(address);
      payload.set_data_ptr(data.data());
      payload.set_data_length(static_cast<unsigned>(data.size()));
      payload.set_streaming_width(payload.get_data_length());
      payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    }
    void free(tlm::tlm_generic_payload*) override { references = 0; }
    std::vector<std::uint8_t> data = std::vector<std::uint8_t>(64, 7);
    tlm::tlm_generic_payload payload;
    std::vector<tlm::tlm_phase> phases;  ///< that the target told
    int references = -1;                 ///< 0: the target has given back all that it took
  };
  using Program = std::function<void(WrongInitiator& initiator)>;

  WrongInitiator(sc_core::sc_module_name name, Program program) : sc_module(name), program_(std::move(program)) {
    socket.register_nb_transport_bw(this, &WrongInitiator::Backward);
    sc_core::sc_spawn([this] { program_(*this); }, sc_core::sc_gen_unique_name("program"));
  }
  tlm_utils::simple_initiator_socket<WrongInitiator> socket{"socket"};
  bool ends_twice = false;  ///< a response: it calls END_RESP, and returns TLM_COMPLETED

  tlm::tlm_sync_enum Call(Request* request, tlm::tlm_phase_enum phase,
                          sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
    if (phase == tlm::BEGIN_REQ) requests_[&request->payload] = request;
    tlm::tlm_phase told = phase;
    return socket->nb_transport_fw(request->payload, told, delay);
  }
  /// Notified when the target tells a phase.
  const sc_core::sc_event& told() const { return told_; }
  void AwaitResponse(const Request& request) {
    while (request.phases.empty() || request.phases.back() != tlm::BEGIN_RESP) sc_core::wait(told_);
  }
  /// Waits for the response, and ends it.
  void End(Request* request) {
    AwaitResponse(*request);
    Call(request, tlm::END_RESP);
    sc_core::wait(sc_core::SC_ZERO_TIME);
    sc_core::wait(sc_core::SC_ZERO_TIME);
  }
  /// By the rules.
  void Put(Request* request) {
    Call(request, tlm::BEGIN_REQ);
    End(request);
  }

 private:
  tlm::tlm_sync_enum Backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
    Request* const request = requests_.at(&payload);
    request->phases.push_back(phase);
    told_.notify(sc_core::SC_ZERO_TIME);
    if (phase != tlm::BEGIN_RESP || !ends_twice) return tlm::TLM_ACCEPTED;
    Call(request, tlm::END_RESP);
    return tlm::TLM_COMPLETED;
  }

  Program program_;
  std::map<const tlm::tlm_generic_payload*, Request*> requests_;
  sc_core::sc_event told_;
};

}  // namespace tilefly::systemc
