// SPDX-License-Identifier: Apache-2.0
// A system as the page says it, without any shortcut: every switch is stepped in every cycle, every NIC looks in every
// cycle, what is on a link waits in a map by its cycle. Slow, and written apart from golden/network.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "testbenches/network/delivery_probe.h"

namespace tilefly::golden {

class NaiveSystem {
 public:
  /// Switches, registers, wiring and traffic of `network`, which has not run.
  explicit NaiveSystem(const Network& network) : network_(network), nics_(network.topology().endpoints.size()) {
    const auto& options = network.options();
    for (int n = 0; n < network.nodes(); ++n)
      switches_.push_back(std::make_unique<Switch>(network.profile(), options.scheduler));
    for (int n = 0; n < network.nodes(); ++n) {
      Cycle bus = 0;
      for (const Cfg& write : network.WritesOf(n)) writes_[bus++].push_back({n, write});
    }
    for (std::size_t e = 0; e < nics_.size(); ++e) {
      if (const auto source = network.nics().traffic->Begin(static_cast<int>(e), network.nics().begin)) {
        nics_[e].source = *source;
        nics_[e].sends = true;
      }
    }
  }

  std::vector<Delivery> Run(Cycle end) {
    for (Cycle now = 0; now < end; ++now) {
      for (const auto& [n, write] : writes_[now]) switches_[n]->Write(now, write);
      DriveNics(now);
      for (const auto& [n, port, packet] : packets_[now]) Tell(n, port, now, packet);
      for (const auto& [n, port, credit] : credits_[now]) switches_[n]->Credit(port, now, credit.vl, credit.cells);
      for (int n = 0; n < network_.nodes(); ++n) {
        switches_[n]->Step(now);
        Collect(n);
      }
      for (const auto& [e, credit] : nic_credits_[now])
        nics_[e].credits.Return(credit.vl, credit.cells, network_.nics().credits);
      packets_.erase(now);
      credits_.erase(now);
      nic_credits_.erase(now);
      writes_.erase(now);
    }
    return deliveries_;
  }

 private:
  struct NaiveNic {
    bool sends = false;
    Traffic::Source source;
    Cycle link_free = 0;
    CreditSender credits;
    std::array<std::uint16_t, kMaxLanes> freed{};
  };
  struct ToSwitch {
    int node;
    int port;
    HeaderBits header;
  };
  struct CreditToSwitch {
    int node;
    int port;
    LinkCredit credit;
  };

  void DriveNics(Cycle now) {
    const NicSetup& setup = network_.nics();
    for (int e = 0; e < static_cast<int>(nics_.size()); ++e) {
      NaiveNic& nic = nics_[e];
      if (!nic.sends || now >= setup.end || now < nic.link_free) continue;
      const Traffic::NewPacket packet = setup.traffic->Head(e, nic.source);
      if (packet.created > now) continue;
      const int lane = setup.lane[packet.tc];
      if (!nic.credits.LaneOk(lane, setup.credits, setup.mtu_cells)) continue;
      nic.credits.Grant(lane, CellsOf(packet.length), setup.credits);
      nic.link_free = now + (4 * ((packet.length + 16 + 31) / 32) + setup.lanes - 1) / setup.lanes;
      Header header;
      header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
      header.len = static_cast<std::uint16_t>(packet.length);
      header.tc = static_cast<std::uint8_t>(packet.tc);
      header.vl = static_cast<std::uint8_t>(lane);
      header.src = setup.addresses[e];
      header.dst = setup.addresses[packet.destination];
      const topology::Port port = network_.topology().endpoints[e].port;
      packets_[now + network_.wiring().far(port.at, port.port).delay].push_back(
          {port.at, port.port, HeaderBits(header)});
      setup.traffic->Advance(e, &nic.source);
    }
  }

  void Tell(int n, int port, Cycle now, const HeaderBits& header) {
    switches_[n]->Arrive(port, now, {true, header, 0});
    const int words = (header.length() + 16 + 31) / 32;
    const int lanes = switches_[n]->registers().port(port).lanes();
    switches_[n]->Finish(port, now + 4 * (words - 1) / lanes, {Drop::kNone, header.length(), {}});
  }

  void Collect(int n) {
    for (const Departure& departure : switches_[n]->output().links.packets) {
      const FarEnd& far = network_.wiring().far(n, departure.port);
      const Cycle first = departure.take + 8 + far.delay;
      if (far.node >= 0) {
        packets_[first].push_back({far.node, far.port, departure.header});
        continue;
      }
      const Header header = departure.header.Unpack();
      const Cycle last = first + 4 * (departure.format.words - 1) / departure.lanes;
      deliveries_.push_back({last, header.src, header.dst, header.len, header.hop});
      std::uint16_t& freed = nics_[far.endpoint].freed[header.vl];
      freed = static_cast<std::uint16_t>(freed + (header.len + 16 + 47) / 48);
      credits_[last + 1 + far.delay].push_back({n, departure.port, {0, freed, header.vl}});
    }
    for (const CreditReturn& credit : switches_[n]->output().credits) {
      const FarEnd& far = network_.wiring().far(n, credit.port);
      const LinkCredit message{credit.wire + far.delay, credit.cells, credit.vl};
      if (far.node >= 0) {
        credits_[message.wire].push_back({far.node, far.port, message});
      } else {
        nic_credits_[message.wire].push_back({far.endpoint, message});
      }
    }
  }

  const Network& network_;
  std::vector<std::unique_ptr<Switch>> switches_;
  std::vector<NaiveNic> nics_;
  std::map<Cycle, std::vector<std::pair<int, Cfg>>> writes_;
  std::map<Cycle, std::vector<ToSwitch>> packets_;
  std::map<Cycle, std::vector<CreditToSwitch>> credits_;
  std::map<Cycle, std::vector<std::pair<int, LinkCredit>>> nic_credits_;
  std::vector<Delivery> deliveries_;
};

}  // namespace tilefly::golden
