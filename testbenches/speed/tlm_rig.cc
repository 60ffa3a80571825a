// SPDX-License-Identifier: Apache-2.0
#include "testbenches/speed/tlm_rig.h"

#include <algorithm>

#include <tlm_utils/tlm_quantumkeeper.h>

#include "golden/common/register_write.h"
#include "golden/credit/credit_sender.h"
#include "golden/ingress/lookup.h"

namespace tilefly::systemc {
namespace {

/// Cycles in which registers are written; nobody sends before.
constexpr Cycle kWritten = 16;

}  // namespace

/// Both ends of a port.
class TlmRig::Partner {
 public:
  virtual ~Partner() = default;
  tlm_utils::simple_initiator_socket<Partner, 32, fabric::Types> out{"out"};
  tlm_utils::passthrough_target_socket<Partner, 32, fabric::Types> in{"in"};

 protected:
  Partner(TlmRig* rig, int port) : rig_(rig), port_(port) {
    out.register_nb_transport_bw(this, &Partner::Hear);
    in.register_nb_transport_fw(this, &Partner::Receive);
    in.register_b_transport(this, &Partner::ReceiveBlocking);
  }
  fabric::Packet& Make(const NextPacket& next) {
    fabric::Packet& packet = rig_->pool_.Make();
    Header header;
    header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
    header.len = static_cast<std::uint16_t>(next.length);
    header.dst = golden::FabricAddress(0, 0, next.destination);
    packet.header = golden::HeaderBits(header);
    packet.length = next.length;
    return packet;
  }
  NextPacket Next() { return rig_->next_(port_); }
  const Profile& profile() const { return rig_->profile_; }

 private:
  virtual tlm::tlm_sync_enum Hear(fabric::Packet&, tlm::tlm_phase&, sc_core::sc_time&) { return tlm::TLM_ACCEPTED; }
  /// The room of a packet is free with its first word.
  tlm::tlm_sync_enum Receive(fabric::Packet& packet, tlm::tlm_phase&, sc_core::sc_time& delay) {
    tlm::tlm_phase phase = fabric::END_PACKET;
    sc_core::sc_time at = delay;
    in->nb_transport_bw(packet, phase, at);
    return tlm::TLM_ACCEPTED;
  }
  void ReceiveBlocking(fabric::Packet&, sc_core::sc_time&) {}

  TlmRig* rig_;
  int port_;
};

class TlmRig::TimedPartner final : public TimedModule, public Partner {
 public:
  TimedPartner(sc_core::sc_module_name name, TlmRig* rig, int port)
      : TimedModule(name), Partner(rig, port), table_(profile()), next_(Next()) {
    Wake(std::max(kWritten, next_.not_before));
  }

 private:
  struct Returned {
    int vl;
    int cells;
  };
  tlm::tlm_sync_enum Hear(fabric::Packet& packet, tlm::tlm_phase&, sc_core::sc_time& delay) override {
    const Cycle wire = fabric::CycleOfCall(delay);
    returned_.Enter(wire, {packet.header.vl(), packet.cells()});
    if (blocked_) WakeAfter(wire);
    return tlm::TLM_ACCEPTED;
  }
  void Step(Cycle now) override {
    returned_.Drain(now - 1, [&](const Returned& returned) {
      home_[returned.vl] = static_cast<std::uint16_t>(home_[returned.vl] + returned.cells);
      credits_.Return(returned.vl, home_[returned.vl], table_);
    });
    if (const Cycle earliest = std::max(next_.not_before, next_start_); now < earliest) return Wake(earliest);
    blocked_ = !credits_.LaneOk(0, table_, profile().mtu_cells);
    if (blocked_) {
      if (returned_.Next() != kNever) WakeAfter(returned_.Next());
      return;
    }
    fabric::Packet& packet = Make(next_);
    credits_.Grant(0, packet.cells(), table_);
    next_start_ = now + packet.words();
    tlm::tlm_phase phase = fabric::BEGIN_PACKET;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    out->nb_transport_fw(packet, phase, delay);
    packet.release();
    next_ = Next();
    Wake(std::max(next_.not_before, next_start_));
  }

  golden::CreditTable table_;
  golden::CreditSender credits_;
  std::array<std::uint16_t, golden::kMaxLanes> home_{};
  golden::Agenda<Returned> returned_;
  NextPacket next_;
  Cycle next_start_ = 0;
  bool blocked_ = false;
};

class TlmRig::LoosePartner final : public sc_core::sc_module, public Partner {
 public:
  LoosePartner(sc_core::sc_module_name name, TlmRig* rig, int port) : sc_module(name), Partner(rig, port) {
    sc_core::sc_spawn([this] { Send(); }, sc_core::sc_gen_unique_name("send"));
  }

 private:
  void Send() {
    sc_core::wait(fabric::TimeOf(kWritten));
    tlm_utils::tlm_quantumkeeper keeper;
    keeper.reset();
    for (Cycle next_start = kWritten;;) {
      const NextPacket next = Next();
      const Cycle start = std::max(next.not_before, next_start);
      keeper.set(fabric::TimeOf(start) - sc_core::sc_time_stamp());
      if (keeper.need_sync()) keeper.sync();
      fabric::Packet& packet = Make(next);
      next_start = start + packet.words();
      sc_core::sc_time delay = keeper.get_local_time();
      out->b_transport(packet, delay);
      packet.release();
    }
  }
};

TlmRig::TlmRig(const Profile& profile, Timing timing, Cycle quantum, NextOf next)
    : profile_(profile), next_(std::move(next)), device_("switch", profile_) {
  PortMode mode;
  mode.enable = mode.cut_through = mode.credits = true;
  mode.std_format = false;
  device_.Write(golden::WriteRegister(golden::kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits()));
  tlm_utils::tlm_quantumkeeper::set_global_quantum(fabric::TimeOf(quantum));
  for (int port = 0; port < profile_.ports; ++port) {
    const std::string name = "partner" + std::to_string(port);
    if (timing == Timing::kLoose) {
      partners_.push_back(std::make_unique<LoosePartner>(name.c_str(), this, port));
    } else {
      partners_.push_back(std::make_unique<TimedPartner>(name.c_str(), this, port));
    }
    partners_.back()->out.bind(device_.in(port));
    device_.out(port).bind(partners_.back()->in);
  }
}

TlmRig::~TlmRig() = default;

}  // namespace tilefly::systemc
