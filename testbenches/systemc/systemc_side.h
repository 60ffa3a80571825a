// SPDX-License-Identifier: Apache-2.0
// A transaction-level switch between ideal link partners that send offers, a checker on every link.
#pragma once

#include <memory>

#include "systemc/common/timed_module.h"
#include "systemc/credit/credit_link.h"
#include "systemc/fabric/packet_pool.h"
#include "systemc/fabric/protocol_checker.h"
#include "systemc/switch/switch.h"
#include "testbenches/systemc/offers.h"
#include "testbenches/systemc/red_peers.h"

namespace tilefly::systemc {

/// A link partner: sends its offers, and takes what comes.
class Partner final : public TimedModule {
 public:
  struct Shared {
    fabric::PacketPool* pool;
    Outcome outcome;
    RedPeers* peers;  ///< of reductions, null: none
  };
  /// `late`: cycles by which every credit return comes, and a PAUSE is obeyed, too late: a planted fault.
  Partner(sc_core::sc_module_name name, int port, const ContractSetup& setup, const std::vector<Offer>& offers,
          Cycle late, Shared* shared);

  tlm_utils::simple_initiator_socket<Partner, 32, fabric::Types> out{"out"};
  tlm_utils::passthrough_target_socket<Partner, 32, fabric::Types> in{"in"};

  /// All is sent, and all credits are home.
  bool done() const { return next_ == offers_.size() && credits_.AllHome(); }

 private:
  struct Returned {
    int vl;
    int cells;
  };
  /// A reduction packet whose last word is due.
  struct Heard {
    Cycle first;
    golden::HeaderBits header;
    FramePointer frame;
  };
  tlm::tlm_sync_enum Receive(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum Hear(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void Step(Cycle now) override;
  void Send(Cycle now);
  bool SendReduction(Cycle now);
  void HearPause(const fabric::Packet& packet, Cycle wire);
  bool MayStart(Cycle now, const Offer& offer) const;
  void Start(Cycle now, fabric::Packet* packet);
  void Begin(fabric::Packet* packet);
  void Finish(Cycle now);

  const int port_;
  const ContractSetup& setup_;
  const std::vector<Offer>& offers_;
  const Cycle late_;
  Shared* shared_;
  golden::CreditTable table_;
  golden::CreditSender credits_;
  std::array<std::uint16_t, golden::kMaxLanes> home_{};
  golden::Agenda<Returned> returned_;
  golden::Agenda<fabric::Packet*> taken_;
  golden::Agenda<fabric::Packet*> answered_;
  golden::Agenda<Heard> heard_;
  fabric::Packet* open_ = nullptr;       ///< whose last word is to be told
  const Offer* opened_ = nullptr;        ///< what it is of
  Cycle last_word_ = 0;                  ///< its cycle
  golden::Agenda<std::uint16_t> told_;  ///< quanta of PAUSE frames
  Cycle paused_until_ = 0;
  std::size_t next_ = 0;
  Cycle next_start_ = 0;
};

/// What a run told.
struct SystemcRun {
  Outcome outcome;
  double events_a_hop = 0;  ///< kernel events of the switch a packet and hop
  std::uint64_t ring_events = 0;  ///< of its reduction ring
  std::vector<fabric::Violation> violations;
  std::uint64_t checked;     ///< calls that the checkers saw
  std::size_t held;          ///< packets that somebody refers to at the end
};

/// A switch and its partners. The packets' cables have `cable` cycles behind the switch.
class SwitchBench {
 public:
  /// Module names begin with `name`.
  SwitchBench(const std::string& name, const ContractSetup& setup, const Offers& offers, SwitchNode* device,
              fabric::PacketPool* pool, Cycle late = 0, Cycle cable = 0, RedPeers* peers = nullptr);

  /// After the simulation. Counters, statuses and kernel events are the user's to add.
  SystemcRun Collect();

 private:
  SwitchNode* device_;
  fabric::PacketPool* pool_;
  Partner::Shared shared_;
  std::vector<std::unique_ptr<Partner>> partners_;
  std::vector<std::unique_ptr<fabric::ProtocolChecker>> checkers_;
  std::vector<std::unique_ptr<CreditLink>> links_;
};

/// As RunGolden. Once a process.
SystemcRun RunSystemc(const ContractSetup& setup, const Offers& offers, Cycle late = 0, RedPeers* peers = nullptr);

}  // namespace tilefly::systemc
