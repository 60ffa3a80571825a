// SPDX-License-Identifier: Apache-2.0
// Both ends of a link that do as a test says, right or wrong, with the checker between them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "golden/common/agenda.h"
#include "systemc/common/timed_module.h"
#include "systemc/fabric/packet_pool.h"
#include "systemc/fabric/protocol_checker.h"

namespace tilefly::systemc {

/// Calls what it was told in the cycle that was named.
class Script : public TimedModule {
 public:
  explicit Script(sc_core::sc_module_name name) : TimedModule(name) {}
  /// `action` in `cycle`.
  void At(Cycle cycle, std::function<void()> action) {
    actions_.Enter(cycle, std::move(action));
    Wake(cycle);
  }

 private:
  void Step(Cycle now) override {
    actions_.Drain(now, [](const std::function<void()>& action) { action(); });
  }
  golden::Agenda<std::function<void()>> actions_;
};

/// What a peer's transport returns.
struct Answer {
  tlm::tlm_sync_enum status = tlm::TLM_ACCEPTED;
  Cycle delays = 0;          ///< added to the annotation
  bool changes_phase = false;
};

/// Sender - checker - receiver.
class CheckedLink {
 public:
  explicit CheckedLink(fabric::ProtocolChecker::Options options = {});
  /// Gives back what nobody gave back: the rules are broken on purpose.
  ~CheckedLink();

  /// A packet of `length` bytes on lane `vl`, with one reference.
  fabric::Packet& Make(int length, int vl = 0);
  /// A bare frame of 64 bytes that begins open in `cycle`; and its last word.
  void Open(Cycle cycle, fabric::Packet& packet);
  void Close(Cycle cycle, fabric::Packet& packet);
  /// Forward or backward call in `cycle`, with an annotation of `ahead` cycles.
  void Begin(Cycle cycle, fabric::Packet& packet, Cycle ahead = 0);
  void Back(Cycle cycle, const tlm::tlm_phase& phase, fabric::Packet& packet, Cycle ahead = 0);
  void BackAt(Cycle cycle, const tlm::tlm_phase& phase, fabric::Packet& packet, sc_core::sc_time delay);
  /// A right packet: begun in `cycle`, ended four cycles after.
  void Pass(Cycle cycle, fabric::Packet& packet);
  void Block(Cycle cycle, fabric::Packet& packet);
  void At(Cycle cycle, std::function<void()> action) { script_.At(cycle, std::move(action)); }

  void set_receiver(const Answer& answer) { receiver_.answer = answer; }
  void set_sender(const Answer& answer) { sender_.answer = answer; }

  /// Runs to the end and names the rules that were broken, in order, "FAB-1 FAB-8".
  std::string Run();
  const fabric::ProtocolChecker& checker() const { return checker_; }
  fabric::PacketPool& pool() { return pool_; }

 private:
  struct End : sc_core::sc_module {
    explicit End(sc_core::sc_module_name name) : sc_module(name) {}
    tlm::tlm_sync_enum Reply(fabric::Packet&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      delay += fabric::TimeOf(answer.delays);
      if (answer.changes_phase) phase = tlm::END_RESP;
      return answer.status;
    }
    void ReceiveBlocking(fabric::Packet&, sc_core::sc_time&) {}
    Answer answer;
  };
  struct Sender : End {
    explicit Sender(sc_core::sc_module_name name) : End(name) { out.register_nb_transport_bw(static_cast<End*>(this), &End::Reply); }
    tlm_utils::simple_initiator_socket<End, 32, fabric::Types> out{"out"};
  };
  struct Receiver : End {
    explicit Receiver(sc_core::sc_module_name name) : End(name) {
      in.register_nb_transport_fw(static_cast<End*>(this), &End::Reply);
      in.register_b_transport(static_cast<End*>(this), &End::ReceiveBlocking);
    }
    tlm_utils::passthrough_target_socket<End, 32, fabric::Types> in{"in"};
  };

  fabric::PacketPool pool_;
  std::vector<fabric::Packet*> made_;
  Script script_{"script"};
  Sender sender_{"sender"};
  fabric::ProtocolChecker checker_;
  Receiver receiver_{"receiver"};
};

}  // namespace tilefly::systemc
