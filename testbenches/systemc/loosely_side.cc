// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/loosely_side.h"

#include <algorithm>
#include <memory>

#include <systemc>
#include <tlm_utils/tlm_quantumkeeper.h>

#include "systemc/common/timed_module.h"
#include "systemc/credit/credit_link.h"
#include "systemc/fabric/packet_pool.h"
#include "systemc/fabric/protocol_checker.h"
#include "systemc/switch/switch.h"
#include "testbenches/systemc/received.h"

namespace tilefly::systemc {
namespace {

/// Cycles in which the registers are written; nobody runs ahead before.
constexpr Cycle kWritten = 16;

struct Shared {
  fabric::PacketPool pool;
  Outcome outcome;
  RedPeers* peers;  ///< null: no reductions
};

class LoosePartner final : public TimedModule {
 public:
  LoosePartner(sc_core::sc_module_name name, int port, const ContractSetup& setup, const std::vector<Offer>& offers,
               Shared* shared)
      : TimedModule(name),
        port_(port),
        setup_(setup),
        offers_(offers),
        shared_(shared),
        waits_(shared->peers != nullptr && shared->peers->IsInTree(port)) {
    in.register_b_transport(this, &LoosePartner::ReceiveBlocking);
    sc_core::sc_spawn([this] { Send(); }, sc_core::sc_gen_unique_name("send"));
  }

  tlm_utils::simple_initiator_socket<LoosePartner, 32, fabric::Types> out{"out"};
  tlm_utils::passthrough_target_socket<LoosePartner, 32, fabric::Types> in{"in"};

 private:
  /// A reduction packet whose last word is due.
  struct Heard {
    Cycle first;
    golden::HeaderBits header;
    FramePointer frame;
  };

  void ReceiveBlocking(fabric::Packet& packet, sc_core::sc_time& delay) {
    const Cycle wire = fabric::CycleOfCall(delay);
    if (packet.header.is_red()) {
      const Cycle last = wire + packet.words() - 1;
      heard_.Enter(last, {wire, packet.header, packet.frame});
      return WakeAfter(last);
    }
    Outcome& outcome = shared_->outcome;
    outcome.deliveries.push_back(Received(setup_, port_, wire, packet));
    outcome.end = std::max(outcome.end, wire);
  }

  void Step(Cycle now) override {
    heard_.Drain(now - 1, [&](const Heard& heard) {
      shared_->peers->Receive(port_, heard.first, now - 1, heard.header, heard.frame);
    });
    news_.notify(sc_core::SC_ZERO_TIME);
  }

  /// The time of the next reduction packet, kNever without one.
  Cycle NextReduction() const {
    if (shared_->peers == nullptr) return kNever;
    const std::optional<RedNext> red = shared_->peers->Next(port_);
    return red ? red->at : kNever;
  }

  void Send() {
    sc_core::wait(fabric::TimeOf(kWritten));
    tlm_utils::tlm_quantumkeeper keeper;
    keeper.reset();
    Cycle next_start = 0;
    for (std::size_t next = 0;;) {
      const Cycle red = NextReduction();
      const Cycle offer = next < offers_.size() ? offers_[next].at : kNever;
      if (red == kNever && offer == kNever) {
        if (!waits_) return;
        sc_core::wait(news_);
        continue;
      }
      const Cycle now = fabric::CycleAt(sc_core::sc_time_stamp());
      const Cycle free = std::max(next_start, now);
      const bool reduces = std::max(red, free) <= std::max(offer, free);
      const Cycle start = std::max(std::min(red, offer), free);
      keeper.set(fabric::TimeOf(start) - sc_core::sc_time_stamp());
      if (waits_ && start > now) {  // who waits for answers does not run ahead of them
        sc_core::wait(fabric::TimeOf(start - now), news_);
        continue;
      }
      if (keeper.need_sync()) keeper.sync();
      fabric::Packet& packet = reduces ? MakeReduction() : MakeOffered(offers_[next++]);
      next_start = start + packet.words();
      sc_core::sc_time delay = keeper.get_local_time();
      out->b_transport(packet, delay);
      packet.release();
    }
  }

  fabric::Packet& MakeReduction() {
    const RedSend red = shared_->peers->Pop(port_);
    fabric::Packet& packet = shared_->pool.Make();
    packet.header = red.header;
    packet.length = red.header.length();
    packet.bad = red.bad;
    packet.frame = red.frame;
    return packet;
  }

  fabric::Packet& MakeOffered(const Offer& offer) {
    fabric::Packet& packet = shared_->pool.Make();
    packet.header = offer.header;
    packet.length = offer.header.length();
    packet.bad = offer.bad;
    packet.enh = offer.bare == nullptr;
    packet.frame = packet.enh ? MakeFrame(offer.id, packet.length) : offer.bare;
    return packet;
  }

  const int port_;
  const ContractSetup& setup_;
  const std::vector<Offer>& offers_;
  Shared* shared_;
  const bool waits_;  ///< it is in a tree
  golden::Agenda<Heard> heard_;
  sc_core::sc_event news_;
};

}  // namespace

LooseRun RunLoosely(const ContractSetup& setup, const Offers& offers, Cycle quantum, RedPeers* peers, Cycle late) {
  Shared shared;
  shared.peers = peers;
  Switch device("switch", setup.profile, setup.scheduler);
  fabric::ProtocolChecker::Options options;
  options.silent = true;
  std::vector<std::unique_ptr<LoosePartner>> partners;
  std::vector<std::unique_ptr<fabric::ProtocolChecker>> checkers;
  std::vector<std::unique_ptr<CreditLink>> links;
  for (int port = 0; port < setup.profile.ports; ++port) {
    const std::string number = std::to_string(port);
    partners.push_back(std::make_unique<LoosePartner>(("partner" + number).c_str(), port, setup, offers[port], &shared));
    checkers.push_back(std::make_unique<fabric::ProtocolChecker>(("checker" + number).c_str(), options));
    partners.back()->out.bind(checkers.back()->in);
    checkers.back()->out.bind(device.in(port));
    links.push_back(std::make_unique<CreditLink>(("link" + number).c_str(), late));
    device.out(port).bind(links.back()->in);
    links.back()->out.bind(partners.back()->in);
  }
  for (const Cfg& write : setup.writes) device.Write(write);
  tlm_utils::tlm_quantumkeeper::set_global_quantum(fabric::TimeOf(quantum));
  sc_core::sc_start(fabric::TimeOf(kWritten - 1));
  const std::uint64_t before = device.kernel_events();
  sc_core::sc_start();

  LooseRun run{std::move(shared.outcome), 0, shared.pool.held(), device.kernel_events() - before};
  for (int p = 0; p < setup.profile.ports; ++p) {
    auto& counters = run.outcome.counters.emplace_back();
    for (int index = 0; index <= static_cast<int>(kCounterValues.back()); ++index) {
      counters.push_back(device.ReadCounter(p, index));
    }
  }
  for (const auto& checker : checkers) run.broken_rules += checker->violations().size();
  return run;
}

}  // namespace tilefly::systemc
