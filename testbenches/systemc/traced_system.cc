// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/traced_system.h"

#include "systemc/system/system_registers.h"

namespace tilefly::systemc {
namespace {

constexpr int kSerdesLanes = 4;

}  // namespace

void Trace::Carries(const network::LinkEvent& event) {
  if (event.kind != network::LinkKind::kPacket || wiring_.far(event.node, event.port).endpoint < 0) return;
  if (event.record.operation == network::PacketRecord::kBrokenOff) return;
  if (event.from_nic) {
    const Cycle first = event.wire + wiring_.far(event.node, event.port).delay;
    places_[{event.record.source, event.wire}] = packets.size();
    packets.push_back({event.node, event.port, first, event.header});
  } else {
    packets.at(places_.at({event.record.source, event.record.sent})).delivered = event.wire;
  }
}

void TraceNic::Step(Cycle now) {
  sent_.Drain(now, [&](const Due& due) {
    fabric::Packet& packet = pool_->Make();
    packet.number = due.place;
    packet.header = due.header;
    packet.length = due.header.length();
    tlm::tlm_phase phase = fabric::BEGIN_PACKET;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    out->nb_transport_fw(packet, phase, delay);
    packet.release();
  });
}

tlm::tlm_sync_enum TraceNic::Receive(fabric::Packet& packet, tlm::tlm_phase&, sc_core::sc_time& delay) {
  const Cycle wire = fabric::CycleOfCall(delay);
  broken_off += packet.broken_off;
  if (!packet.broken_off) {
    Cycle& delivered = delivered_->at(packet.number);
    twice += delivered >= 0;
    delivered = wire;
  }
  tlm::tlm_phase phase = fabric::END_PACKET;
  sc_core::sc_time back = delay + fabric::TimeOf(packet.Duration(kSerdesLanes) + 1 + 2 * delay_);
  in->nb_transport_bw(packet, phase, back);
  return tlm::TLM_ACCEPTED;
}

TracedSystem::TracedSystem(const topology::Topology& topology, const network::Wiring& wiring,
                           const std::vector<Sent>& packets, const TracedLinks& links) {
  delivered.assign(packets.size(), -1);
  const network::RoutingOptions routing = network::RoutingOptions::Named(links.routing);
  const SystemRegisters writes(topology, kTile8, wiring, routing, 0, kSerdesLanes, 1, true);
  for (int node = 0; node < wiring.nodes(); ++node)
    switches.push_back(std::make_unique<Switch>(("switch" + std::to_string(node)).c_str(), kTile8));
  for (int node = 0; node < wiring.nodes(); ++node) {
    for (const Cfg& write : writes.Writes(node)) switches[static_cast<std::size_t>(node)]->Write(write);
    for (int port = 0; port < kTile8.ports; ++port) AddPort(wiring, node, port, links);
  }
  for (const auto& [from, one] : links_) {
    const network::FarEnd& far = wiring.far(from.first, from.second);
    const std::pair<int, int> to{far.node, far.port};
    if (from < to) RetryLink::Join(one.get(), links_.at(to).get());
  }
  for (const PlannedDown& down : links.downs) link(down.node, down.port).Down(down.from, down.cycles);
  for (std::size_t i = 0; i < packets.size(); ++i) nics.at({packets[i].node, packets[i].port})->Send(i, packets[i]);
}

void TracedSystem::AddPort(const network::Wiring& wiring, int node, int port, const TracedLinks& links) {
  Switch& own = *switches[static_cast<std::size_t>(node)];
  const network::FarEnd& far = wiring.far(node, port);
  const std::string name = "s" + std::to_string(node) + "p" + std::to_string(port);
  if (far.node >= 0) return AddLink(far, name, node, port, links);
  if (far.endpoint >= 0) {
    auto& nic = nics[{node, port}];
    nic = std::make_unique<TraceNic>((name + "_nic").c_str(), far.delay, &pool, &delivered);
    own.out(port).bind(nic->in);
    nic->out.bind(own.in(port));
    return;
  }
  no_partners_.push_back(std::make_unique<NoPartner>((name + "_none").c_str()));
  own.out(port).bind(no_partners_.back()->in);
  no_partners_.back()->out.bind(own.in(port));
}

void TracedSystem::AddLink(const network::FarEnd& far, const std::string& name, int node, int port,
                           const TracedLinks& links) {
  Switch& own = *switches[static_cast<std::size_t>(node)];
  RetryLinkOptions options = links.link;
  options.delay = far.delay;
  options.direction = golden::kMaxPorts * node + port;
  if (const auto ber = links.bers.find(options.direction); ber != links.bers.end()) options.word_ber = ber->second;
  auto& link = links_[{node, port}];
  link = std::make_unique<RetryLink>((name + "_link").c_str(), kTile8, options);
  link->set_user(own.Repeat(port, link.get()));
  fabric::ProtocolChecker::Options checks;
  checks.lanes = kSerdesLanes;
  checks.credit = RetryLink::AnyCredit();
  checkers_.push_back(std::make_unique<fabric::ProtocolChecker>((name + "_checker").c_str(), checks));
  own.out(port).bind(checkers_.back()->in);
  checkers_.back()->out.bind(link->in);
  checkers_.push_back(std::make_unique<fabric::ProtocolChecker>((name + "_end_checker").c_str(), checks));
  link->out.bind(checkers_.back()->in);
  checkers_.back()->out.bind(switches[static_cast<std::size_t>(far.node)]->in(far.port));
}

std::string TracedSystem::NotHome() {
  std::string text;
  for (const auto& [at, nic] : nics) text += nic->twice > 0 ? std::string(nic->name()) + ": a packet came twice\n" : "";
  for (const auto& checker : checkers_) {
    checker->Finish();
    for (const fabric::Violation& violation : checker->violations())
      text += std::string(checker->name()) + ": " + violation.rule + " " + violation.what + "\n";
  }
  if (pool.held() != 0) text += std::to_string(pool.held()) + " packets are held\n";
  for (const auto& one : switches) text += one->Drained() ? "" : std::string(one->name()) + ": is not drained\n";
  return text;
}

std::uint64_t TracedSystem::Sum(int counter) const {
  std::uint64_t sum = 0;
  for (const auto& one : switches) {
    for (int port = 0; port < kTile8.ports; ++port) sum += one->ReadCounter(port, counter);
  }
  return sum;
}

LinkCounts TracedSystem::counts() const {
  LinkCounts sum;
  for (const auto& [at, link] : links_) {
    sum.bad_words += link->counts().bad_words;
    sum.replays += link->counts().replays;
    sum.broken_copies += link->counts().broken_copies;
    sum.given_up += link->counts().given_up;
    sum.downs += link->counts().downs;
    sum.lost += link->counts().lost;
  }
  return sum;
}

}  // namespace tilefly::systemc
