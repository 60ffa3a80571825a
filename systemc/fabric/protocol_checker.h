// SPDX-License-Identifier: Apache-2.0
// Checks the rules FAB-1 to FAB-9 of the fabric protocol (docs/systemc.md) on one link. It is a module between two
// sockets that passes on every call unchanged.
#pragma once

#include <map>
#include <queue>
#include <string>
#include <vector>

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "golden/credit/credit_sender.h"
#include "systemc/fabric/packet.h"
#include "systemc/fabric/time.h"

namespace tilefly::fabric {

/// A rule that was broken.
struct Violation {
  std::string rule;  ///< FAB-1 ...
  std::string what;
  Cycle cycle;       ///< of the call
};

class ProtocolChecker final : public sc_core::sc_module {
 public:
  struct Options {
    int lanes = 4;         ///< lanes of the link
    bool credits = true;   ///< FAB-4 holds
    golden::CreditTable credit;
    Cycle cable = 0;       ///< cycles from the sender to the checker: BEGIN_PACKET's times are so much later
    bool silent = false;   ///< no SystemC report of a violation: the user reads `violations`
  };
  /// Most cycles that an annotation may have. The longest cable takes 39,063.
  static constexpr Cycle kMostAhead = 65536;

  ProtocolChecker(sc_core::sc_module_name name, const Options& options);

  tlm_utils::passthrough_target_socket<ProtocolChecker, 32, Types> in{"in"};    ///< to be bound to the sender
  tlm_utils::simple_initiator_socket<ProtocolChecker, 32, Types> out{"out"};    ///< to be bound to the receiver

  /// Checks FAB-8: every packet that began has ended. It is called at the end of the simulation, or before by a user
  /// who knows when that is; a packet is reported once.
  void Finish();
  const std::vector<Violation>& violations() const { return violations_; }
  /// Number of calls that were checked.
  std::uint64_t checked() const { return checked_; }

 private:
  /// A packet on this link.
  struct Hop {
    golden::HeaderBits header;
    const Frame* frame;
    int length;
    int cells;
    int lane;
    Cycle first;    ///< of BEGIN_PACKET
    bool ended;
    bool answered;  ///< ACK came, or none may come
    bool open;      ///< LAST_WORD is to come
    bool missed;    ///< FAB-8 was reported
  };
  /// Cells that go free.
  struct Return {
    Cycle cycle;
    int lane;
    int cells;
    bool operator<(const Return& other) const { return cycle > other.cycle; }
  };

  tlm::tlm_sync_enum Forward(Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum Backward(Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void Blocking(Packet& packet, sc_core::sc_time& delay);
  void end_of_simulation() override { Finish(); }

  void CheckCall(const Packet& packet, const sc_core::sc_time& delay);
  void CheckReturn(const char* path, tlm::tlm_sync_enum status, bool changed);
  void Begin(const Packet& packet, Cycle cycle);
  void Close(const Packet& packet, Cycle cycle);
  void End(const Packet& packet, Cycle cycle, bool dropped);
  void Acknowledge(const Packet& packet);
  void Pause(const Packet& packet);
  void CheckCredit(int lane, Cycle cycle);
  void Use(bool blocking);
  void Violate(const char* rule, const std::string& what);

  const Options options_;
  std::map<const Packet*, Hop> hops_;
  std::priority_queue<Return> returns_;
  std::array<int, golden::kMaxLanes> used_{};  ///< cells begun and not free, by lane
  Cycle last_begin_ = -1;
  Cycle link_free_ = 0;
  const Packet* open_ = nullptr;  ///< whose last word is to come
  std::uint64_t checked_ = 0;
  bool used_blocking_ = false;
  bool used_phases_ = false;
  std::vector<Violation> violations_;
};

}  // namespace tilefly::fabric
