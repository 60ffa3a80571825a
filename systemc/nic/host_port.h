// SPDX-License-Identifier: Apache-2.0
// The host side of a NIC: a base-protocol target. A WRITE puts data, a READ gets data; the NIC carries them out. A
// violation of the base protocol by the initiator is an SC_ERROR. Where this does not end the run, the call has no
// effect, or the transaction is refused (docs/systemc.md, Platform side). Both transports are taken in both timings.
// Loosely timed, a transaction by phases is carried out in a process of its own, because a memory may wait, and its
// response begins when its time comes.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <unordered_set>

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/peq_with_cb_and_phase.h>

#include "systemc/fabric/time.h"
#include "systemc/trace/transaction_log.h"

namespace tilefly::systemc {

/// What the NIC does for the host. Payloads belong to the host, which keeps them until Done.
class HostService {
 public:
  virtual ~HostService() = default;
  /// TLM_OK_RESPONSE when the transaction can be started; else the reason why it is refused.
  virtual tlm::tlm_response_status Judge(const tlm::tlm_generic_payload& payload) const = 0;
  /// Whether another transaction may be outstanding, in addition to `more` transactions whose responses are to come.
  virtual bool MayBegin(int more) const = 0;
  /// Starts the transaction in cycle `at`; HostPort::Done tells that it has ended. Approximately timed, `at` is the
  /// present cycle. Loosely timed, it may be later, and Done is called before Begin returns, unless packets are lost.
  virtual void Begin(tlm::tlm_generic_payload* payload, Cycle at) = 0;
  /// Loosely timed: Begin did not end the transaction, because packets of it were lost. Ends it with an error.
  virtual void Abandon(tlm::tlm_generic_payload* payload) = 0;
  /// Reads or writes the remote memory without taking time. Returns the number of bytes.
  virtual unsigned Debug(tlm::tlm_generic_payload* payload) = 0;
};

class HostPort final : public sc_core::sc_module, public Traced {
 public:
  HostPort(sc_core::sc_module_name name, bool loosely_timed, HostService* service);

  tlm_utils::passthrough_target_socket_optional<HostPort> host{"host"};

  /// The NIC starts a transaction in cycle `at`.
  void Begun(const tlm::tlm_generic_payload& payload, Cycle at) const { Record(payload, "under way", at); }
  /// A transaction that was started has its response, in cycle `at`.
  void Done(tlm::tlm_generic_payload* payload, Cycle at);
  /// The response that its initiator has not ended, and the responses behind it, in words; empty: there is none.
  std::string Waiting() const;

 private:
  /// A transaction that a process carries out: a b_transport call, or loosely timed one by phases.
  struct Carried {
    tlm::tlm_generic_payload* payload;
    Cycle* end;      ///< when it has its response; kNever before
    bool by_phases;  ///< of a nb_transport
  };
  tlm::tlm_sync_enum Forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum BeginRequest(tlm::tlm_generic_payload* payload, const sc_core::sc_time& delay);
  void EndResponse(tlm::tlm_generic_payload* payload, const sc_core::sc_time& delay);
  void Blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned Debug(tlm::tlm_generic_payload& payload);
  bool HasData(const tlm::tlm_generic_payload& payload) const;
  bool IsUnderWay(tlm::tlm_generic_payload* payload) const;
  void ReportError(const tlm::tlm_generic_payload& payload, const std::string& what) const;
  void Answered(tlm::tlm_generic_payload* payload, const sc_core::sc_time& delay);
  void Record(const tlm::tlm_generic_payload& payload, const char* stage, Cycle at) const;
  void RecordEnd(const tlm::tlm_generic_payload& payload, Cycle at) const;
  void Over();
  void OnPhase(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase);
  void Accept();
  bool MayBegin() const { return service_->MayBegin(coming_); }
  Cycle CarryOut(tlm::tlm_generic_payload* payload, Cycle at, bool by_phases);
  void CarryOutByPhases(tlm::tlm_generic_payload* payload);
  void Respond();

  const bool loosely_timed_;
  HostService* service_;
  bool requesting_ = false;                            ///< BEGIN_REQ was called, and END_REQ has not been told
  tlm::tlm_generic_payload* held_ = nullptr;           ///< its transaction, when its time has come
  std::deque<tlm::tlm_generic_payload*> responses_;    ///< the first is with the initiator when `responding_`
  bool responding_ = false;
  bool answered_ = false;                              ///< and it has called END_RESP
  std::unordered_set<tlm::tlm_generic_payload*> under_way_;
  std::deque<Carried> carried_;
  int coming_ = 0;                                     ///< transactions carried out whose BEGIN_RESP has a later time
  sc_core::sc_event ended_;                            ///< a transaction has ended
  tlm_utils::peq_with_cb_and_phase<HostPort> phases_{this, &HostPort::OnPhase};
};

}  // namespace tilefly::systemc
