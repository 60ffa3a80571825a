// SPDX-License-Identifier: Apache-2.0
#include "systemc/nic/host_port.h"

#include <algorithm>
#include <sstream>

#include "systemc/nic/message.h"

namespace tilefly::systemc {

HostPort::HostPort(sc_core::sc_module_name name, bool loosely_timed, HostService* service)
    : sc_module(name), loosely_timed_(loosely_timed), service_(service) {
  host.register_nb_transport_fw(this, &HostPort::Forward);
  host.register_b_transport(this, &HostPort::Blocking);
  host.register_transport_dbg(this, &HostPort::Debug);
}

/// Phases of extensions are ignored, as the base protocol has it.
tlm::tlm_sync_enum HostPort::Forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) return BeginRequest(&payload, delay);
  if (phase == tlm::END_RESP) {
    EndResponse(&payload, delay);
  } else if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP) {
    ReportError(payload,
                std::string(phase.get_name()) + " on the forward path: an initiator calls BEGIN_REQ and END_RESP");
  }
  return tlm::TLM_ACCEPTED;
}

/// A request against the rules ends at once with an error; but not one whose transaction is under way, which goes on.
tlm::tlm_sync_enum HostPort::BeginRequest(tlm::tlm_generic_payload* payload, const sc_core::sc_time& delay) {
  if (IsUnderWay(payload)) return tlm::TLM_ACCEPTED;
  bool right = HasData(*payload);
  if (!payload->has_mm()) {
    right = false;
    ReportError(*payload, "nb_transport without a memory manager: set one by set_mm, or call b_transport");
  } else if (requesting_) {
    right = false;
    ReportError(*payload, "BEGIN_REQ before END_REQ of the request before: wait for it");
  }
  if (!right) {
    payload->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  requesting_ = true;
  under_way_.insert(payload);
  payload->acquire();
  Record(*payload, "waiting", fabric::CycleOfCall(delay));
  phases_.notify(*payload, tlm::BEGIN_REQ, delay);
  return tlm::TLM_ACCEPTED;
}

void HostPort::EndResponse(tlm::tlm_generic_payload* payload, const sc_core::sc_time& delay) {
  if (!responding_ || answered_ || responses_.front() != payload) {
    return ReportError(*payload,
                       "END_RESP without a BEGIN_RESP that is open: end each response once, after it has begun");
  }
  Answered(payload, delay);
  phases_.notify(*payload, tlm::END_RESP, delay);
}

/// The initiator has ended the first response, whose time may be later: its payload may be used again.
void HostPort::Answered(tlm::tlm_generic_payload* payload, const sc_core::sc_time& delay) {
  answered_ = true;
  RecordEnd(*payload, fabric::CycleOfCall(delay));
  under_way_.erase(payload);
}

bool HostPort::HasData(const tlm::tlm_generic_payload& payload) const {
  const bool moves = payload.is_read() || payload.is_write();
  if (payload.get_data_ptr() != nullptr || !moves || payload.get_data_length() == 0) return true;
  ReportError(payload, "a null data pointer: set one by set_data_ptr");
  return false;
}

bool HostPort::IsUnderWay(tlm::tlm_generic_payload* payload) const {
  if (under_way_.count(payload) == 0) return false;
  ReportError(*payload,
              "the payload is sent again while its transaction is under way: wait for its response, or use another");
  return true;
}

void HostPort::ReportError(const tlm::tlm_generic_payload& payload, const std::string& what) const {
  std::ostringstream text;
  text << name() << ": "
       << (payload.is_write()  ? "a put"
           : payload.is_read() ? "a get"
                               : "a transaction")
       << " of " << payload.get_data_length() << " bytes at address 0x" << std::hex << payload.get_address() << ": "
       << what;
  SC_REPORT_ERROR("tilefly/nic", text.str().c_str());
}

/// A phase of the initiator, at its time; or the response of a transaction that was carried out.
void HostPort::OnPhase(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
  if (phase == tlm::BEGIN_REQ) {
    held_ = &payload;
    Accept();
  } else if (phase == tlm::BEGIN_RESP) {
    --coming_;
    responses_.push_back(&payload);
    Respond();
    Accept();
    ended_.notify(sc_core::SC_ZERO_TIME);
  } else {
    Over();
    Respond();
  }
}

/// The first response is over.
void HostPort::Over() {
  tlm::tlm_generic_payload* const payload = responses_.front();
  responses_.pop_front();
  responding_ = answered_ = false;
  payload->release();
}

/// The request that is held, when the window lets it begin: or refused, which takes no place of it.
void HostPort::Accept() {
  if (held_ == nullptr) return;
  tlm::tlm_generic_payload* const payload = held_;
  const tlm::tlm_response_status status = service_->Judge(*payload);
  if (status == tlm::TLM_OK_RESPONSE && !MayBegin()) return;
  held_ = nullptr;
  requesting_ = false;
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  host->nb_transport_bw(*payload, phase, delay);
  if (status != tlm::TLM_OK_RESPONSE) {
    payload->set_response_status(status);
    responses_.push_back(payload);
    return Respond();
  }
  if (!loosely_timed_) return service_->Begin(payload, fabric::CycleAt(sc_core::sc_time_stamp()));
  sc_core::sc_spawn([this, payload] { CarryOutByPhases(payload); }, sc_core::sc_gen_unique_name("carry_out"));
}

/// Loosely timed, in a process of its own: a call of another may have taken the place in the window meanwhile.
void HostPort::CarryOutByPhases(tlm::tlm_generic_payload* payload) {
  while (!MayBegin()) sc_core::wait(ended_);
  const Cycle end = CarryOut(payload, fabric::CycleAt(sc_core::sc_time_stamp()), true);
  phases_.notify(*payload, tlm::BEGIN_RESP, fabric::UntilCycle(end));
}

/// One response at a time.
void HostPort::Respond() {
  while (!responding_ && !responses_.empty()) {
    tlm::tlm_generic_payload& payload = *responses_.front();
    responding_ = true;
    Record(payload, "response", fabric::CycleAt(sc_core::sc_time_stamp()));
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = host->nb_transport_bw(payload, phase, delay);
    const bool over = status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
    if (!over) return;
    if (answered_) {
      return ReportError(payload, "END_RESP was called, and told by the return of BEGIN_RESP, too: end a response once");
    }
    Answered(&payload, delay);
    if (delay != sc_core::SC_ZERO_TIME) return phases_.notify(payload, tlm::END_RESP, delay);
    Over();
  }
}

void HostPort::Done(tlm::tlm_generic_payload* payload, Cycle at) {
  const auto carried = std::find_if(carried_.begin(), carried_.end(), [&](const Carried& c) { return c.payload == payload; });
  if (carried != carried_.end()) {
    *carried->end = at;
    if (carried->by_phases) ++coming_;
    carried_.erase(carried);
  } else {
    responses_.push_back(payload);
    Respond();
  }
  Accept();
  ended_.notify(sc_core::SC_ZERO_TIME);
}

/// Loosely timed: all of a transaction of cycle `at`. Returns when it has ended, which may be later than now.
Cycle HostPort::CarryOut(tlm::tlm_generic_payload* payload, Cycle at, bool by_phases) {
  Cycle end = kNever;
  carried_.push_back({payload, &end, by_phases});
  service_->Begin(payload, at);
  if (end == kNever) service_->Abandon(payload);
  return std::max(end, fabric::CycleAt(sc_core::sc_time_stamp()));
}

/// Approximately timed the call returns when the response is there; loosely timed `delay` says when that is.
void HostPort::Blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (!loosely_timed_) {
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
  }
  if (IsUnderWay(&payload)) return;
  const tlm::tlm_response_status status = HasData(payload) ? service_->Judge(payload) : tlm::TLM_GENERIC_ERROR_RESPONSE;
  if (status != tlm::TLM_OK_RESPONSE) {
    payload.set_response_status(status);
    Record(payload, "refused", fabric::CycleOfCall(delay));
    return RecordEnd(payload, fabric::CycleOfCall(delay));
  }
  under_way_.insert(&payload);
  const auto now = [] { return fabric::CycleAt(sc_core::sc_time_stamp()); };
  const Cycle asked = fabric::CycleOfCall(delay);
  Record(payload, "waiting", asked);
  while (!MayBegin()) sc_core::wait(ended_);
  const Cycle at = std::max(asked, now());
  Cycle end = kNever;
  if (loosely_timed_) {
    end = CarryOut(&payload, at, false);
    delay = fabric::UntilCycle(end);
  } else {
    carried_.push_back({&payload, &end, false});
    service_->Begin(&payload, at);
    while (end == kNever) sc_core::wait(ended_);
  }
  RecordEnd(payload, end);
  under_way_.erase(&payload);
}

unsigned HostPort::Debug(tlm::tlm_generic_payload& payload) { return HasData(payload) ? service_->Debug(&payload) : 0; }

void HostPort::Record(const tlm::tlm_generic_payload& payload, const char* stage, Cycle at) const {
  if (log_ == nullptr) return;
  const std::uint64_t address = payload.get_address();
  constexpr int kBits = Message::kOffsetBits;
  log_->Enter(payload, static_cast<std::int64_t>(address >> kBits), address & ((std::uint64_t{1} << kBits) - 1), stage, at);
}

void HostPort::RecordEnd(const tlm::tlm_generic_payload& payload, Cycle at) const {
  if (log_ != nullptr) log_->Leave(payload, payload.get_response_status(), at);
}

std::string HostPort::Waiting() const {
  if (responses_.empty()) return "";
  const tlm::tlm_generic_payload& first = *responses_.front();
  std::string text = std::string(first.is_write()  ? "a put"
                                 : first.is_read() ? "a get"
                                                   : "a transaction") +
                     " of " + std::to_string(first.get_data_length()) + " bytes waits for END_RESP of its initiator";
  if (responses_.size() > 1) text += ", and " + std::to_string(responses_.size() - 1) + " responses behind it";
  return text;
}

}  // namespace tilefly::systemc
