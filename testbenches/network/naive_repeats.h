// SPDX-License-Identifier: Apache-2.0
// The links of a naive system that send damaged words again: word by word in every cycle, with both halves of the retry
// block at both ends and a wire between them, on which the faults of the plan are drawn cycle by cycle.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "golden/common/stage_times.h"
#include "golden/retry/retry_ends.h"
#include "testbenches/network/naive_nic_link.h"

namespace tilefly::network {

class NaiveRepeats {
 public:
  using Switches = std::vector<std::unique_ptr<golden::Switch>>;
  /// A packet that a NIC has got, whole or broken off.
  struct AtNic {
    int endpoint;
    Cycle last;
    NaiveMacIn::Packet packet;
  };

  /// A packet that the far end of a link has accepted.
  struct Accepted {
    int node, port;
    bool to_nic;
    Cycle tried, first;  ///< first words of its first attempt, and of the one that was accepted

    bool operator<(const Accepted& other) const {
      return std::tie(node, port, to_nic, tried, first) <
             std::tie(other.node, other.port, other.to_nic, other.tried, other.first);
    }
    bool operator==(const Accepted& other) const { return !(*this < other) && !(other < *this); }
  };
  /// A port in a cycle, between the step of its switch and that of its retry block.
  struct PortState {
    bool up, ready, repeats;
  };

  NaiveRepeats() = default;
  /// Ports whose MODE.retry is written are those that repeat. Their links come up in the cycle that the page gives.
  /// `credits_of(endpoint)`: the account of a NIC.
  template <typename CreditsOf>
  NaiveRepeats(const Network& network, Switches* switches, CreditsOf&& credits_of) : switches_(switches) {
    if (!network.options().retry) return;
    Cycle longest = 0;
    for (int n = 0; n < network.nodes(); ++n) {
      for (int port = 0; port < network.profile().ports; ++port)
        longest = std::max<Cycle>(longest, network.wiring().far(n, port).delay);
    }
    begin_ = network.nics().begin;
    up_ = begin_ - 32 * ((std::max<Cycle>(longest + network.profile().vls + 11, 49) + 31) / 32);
    for (int n = 0; n < network.nodes(); ++n) {
      for (const Cfg& write : network.WritesOf(n)) {
        if (static_cast<CfgSpace>(write.space) != CfgSpace::kPort || write.index != 0) continue;
        if (PortMode::FromBits(write.data).retry) AddPort(network, n, write.port);
      }
    }
    for (const auto& [at, port] : ports_) {
      if (port.far.node < 0)
        nics_.emplace(port.far.endpoint, NaiveNicLink(network, {at.first, at.second}, port.state.get(),
                                                      credits_of(port.far.endpoint)));
    }
    std::vector<LinkFault> downs = network.options().faults;
    downs.insert(downs.end(), network.faults().downs().begin(), network.faults().downs().end());
    for (const LinkFault& down : downs)
      ports_.at({down.node, down.port}).state->TakeDown(begin_ + down.at, down.till == kNever ? kNever : begin_ + down.till);
    retrain_ = network.faults().retrain();
  }

  const NaiveAttempts& attempts() const { return attempts_; }
  const NaiveRetryCounts& counts() const { return counts_; }
  /// Cycles are counted from the begin of traffic on and before cycle `end`.
  void CountCyclesBefore(Cycle end) { end_ = end; }
  /// Times that ends have given links up.
  int CountGivenUp() const {
    int count = 0;
    for (const auto& [at, port] : ports_) {
      if (port.far.node < 0 || at < std::pair(port.far.node, int{port.far.port})) count += port.state->given_up;
    }
    return count;
  }
  /// All accepted packets but copies of broken attempts.
  const std::vector<Accepted>& accepted() const { return accepted_; }
  /// None: the port's link does not repeat.
  std::optional<PortState> StateOf(int node, int number, Cycle now) const {
    const auto found = ports_.find({node, number});
    if (found == ports_.end()) return std::nullopt;
    const Port& port = found->second;
    return PortState{port.state->IsUp(now), port.ends.ready(port.settings.lanes), port.ends.repeats()};
  }
  /// The NIC's end of the link of an endpoint; null: it does not repeat.
  NaiveNicLink* NicLink(int endpoint) {
    const auto found = nics_.find(endpoint);
    return found == nics_.end() ? nullptr : &found->second;
  }

  /// What comes to the NICs, before they decide something. Returns the packets that end there in this cycle.
  std::vector<AtNic> ReceiveAtNics(Cycle now) {
    std::vector<AtNic> ended;
    for (auto& [endpoint, nic] : nics_) {
      if (!nic.Receive(now, &attempts_)) continue;
      ended.push_back({endpoint, now, nic.packet()});
      Note(nic.at.at, nic.at.port, true, nic.packet(), nic.tries());
    }
    return ended;
  }

  /// The wires and the blocks' registers, before the switches are stepped.
  void Before(Cycle now) {
    CountCycle(now);
    for (auto& [at, port] : ports_) TurnLink(at.first, at.second, &port, now);
    for (auto& [endpoint, nic] : nics_) nic.GiveUp(now, retrain_);
    for (auto& [at, port] : ports_) SendFromPort(&port, now);
    for (auto& [endpoint, nic] : nics_) ports_.at({nic.at.at, nic.at.port}).wire.push_back(nic.Send(now, &counts_));
    for (auto& [at, port] : ports_) Receive(at.first, at.second, &port, now);
    for (auto& [at, port] : ports_) {
      golden::Switch& device = *(*switches_)[at.first];
      port.take_words = 0;
      const golden::PortRegisters& registers = device.registers().port(at.second);
      port.settings = {registers.serdes_lanes(), registers.retry, registers.lanes};
      device.Ready(at.second, port.ends.ready(registers.serdes_lanes()), port.ends.serdes_lanes());
      const golden::RetryOut::Outputs shown = port.ends.Shown();
      if (shown.link_failed) device.ReplaysFailed(now, at.second);
      if (!shown.start) continue;
      device.Started(now, {static_cast<std::uint8_t>(at.second), shown.start_vl,
                           static_cast<std::uint8_t>((shown.start_len + 16 + 47) / 48), shown.again});
    }
  }

  /// Whether the port's link repeats: then it takes the packet here, and what the control slots have.
  bool Takes(int n, const golden::Departure& departure) {
    const auto port = ports_.find({n, departure.port});
    if (port == ports_.end()) return false;
    if (departure.lost) return true;
    port->second.take_words = departure.format.words;
    port->second.mac_out.Take(departure.take + 6, departure.format.words, departure.header, departure.payload);
    return true;
  }
  bool Takes(int n, const golden::CreditReturn& credit) {
    const auto port = ports_.find({n, credit.port});
    if (port == ports_.end()) return false;
    Ctrl& slot = port->second.slots[credit.wire];
    slot.credit_valid = true;
    slot.credit_vl = credit.vl;
    slot.credit_cells = credit.cells;
    return true;
  }
  bool Takes(int n, const golden::FlowPauseReturn& pause) {
    const auto port = ports_.find({n, pause.port});
    if (port == ports_.end()) return false;
    golden::PutPause(pause.pause, &port->second.slots[pause.wire]);
    return true;
  }
  bool Takes(int n, const golden::AckReturn& ack) {
    const auto port = ports_.find({n, ack.port});
    if (port == ports_.end()) return false;
    golden::PutAck(ack.ack, &port->second.slots[ack.wire]);
    return true;
  }

  /// The blocks, after the switches were stepped.
  void After(Cycle now) {
    for (auto& [at, port] : ports_) {
      for (const golden::StampReturn& stamp : (*switches_)[at.first]->output().stamps) {
        if (stamp.port == at.second) port.stamp = stamp.stamp;
      }
      port.ends.Send(now, port.settings, port.state->IsUp(now), port.from_mac, port.take_words, false);
      port.ends.CountEvents([&](Counter counter, int times) {
        if (counter == Counter::kRxExpectedSeqGood) counts_.accepted += times;
        if (counter == Counter::kTxNackCtlOs) counts_.nacks += times;
        if (counter == Counter::kTxOkRpt) counts_.resent_words += times;
        if (counter == Counter::kTxReplayEvent) counts_.replays += times;
        if (counter == Counter::kTxReplayTimeout) counts_.timeouts += times;
        if (counter == Counter::kLanesFailed) counts_.lanes_failed += times;
        if (counter == Counter::kLanesBack) counts_.lanes_back += times;
      });
    }
  }

 private:
  struct Port {
    FarEnd far;
    std::shared_ptr<NaiveLinkState> state;  ///< of both ends
    golden::RetryEnds ends;
    NaiveFaults faults;
    std::deque<NaiveOnWire> wire;
    NaiveLaneUse use;
    NaiveMacOut mac_out;
    NaiveMacIn mac_in;
    Word from_mac;
    std::optional<golden::CreditStamp> stamp;
    std::map<Cycle, Ctrl> slots;  ///< returns and acks, by their cycle on `link_o`
    int take_words;
    golden::RetryEnds::Settings settings;
    bool gave_up = false;
    NaiveTries tries{};
  };

  void AddPort(const Network& network, int n, int number) {
    const FarEnd& far = network.wiring().far(n, number);
    const DirectionPlan& plan = network.faults().Into(n, number);
    auto state = std::make_shared<NaiveLinkState>(up_, far.delay);
    if (const auto other = ports_.find({far.node, far.port}); other != ports_.end()) state = other->second.state;
    const int sender = far.node >= 0 ? 64 * far.node + far.port : 64 * network.nodes() + far.endpoint;
    ports_.emplace(std::pair(n, number),
                   Port{far,
                        state,
                        golden::RetryEnds(network.profile(), (*switches_)[n]->first_lanes(number)),
                        NaiveFaults(network, plan, static_cast<std::uint32_t>(sender)),
                        {},
                        NaiveLaneUse(far.node >= 0 ? 4 : network.nics().lanes, 2),
                        {},
                        {},
                        {},
                        {},
                        {},
                        0,
                        {}});
  }

  void CountCycle(Cycle now) {
    if (now < begin_ || now >= end_) return;
    for (const auto& [at, port] : ports_) {
      const int cable = port.far.node >= 0 ? 4 : nics_.at(port.far.endpoint).cable();
      counts_.down_cycles += !port.state->IsUp(now);
      counts_.degraded_cycles += port.ends.serdes_lanes() < cable;
    }
    for (const auto& [endpoint, nic] : nics_) {
      counts_.down_cycles += !ports_.at({nic.at.at, nic.at.port}).state->IsUp(now);
      counts_.degraded_cycles += nic.lanes() < nic.cable();
    }
  }

  void TurnLink(int n, int number, Port* port, Cycle now) {
    golden::Switch& device = *(*switches_)[n];
    const bool up = port->state->IsUp(now);
    if (up != (now > 0 && port->state->IsUp(now - 1)) || now == 0) device.LinkUp(number, up, now);
    if (!up) port->gave_up = false;
    if ((device.failing_links() & golden::Bit(number)) == 0 || port->gave_up || !up) return;
    port->gave_up = true;
    port->state->GiveUp(now, retrain_);
  }

  void SendFromPort(Port* port, Cycle now) {
    Link link;
    if (const auto slot = port->slots.find(now); slot != port->slots.end()) {
      link.ctrl = slot->second;
      port->slots.erase(slot);
    }
    port->ends.Begin(true, port->mac_out.empty());
    port->from_mac = port->mac_out.Next(now, port->ends.serdes_lanes());
    port->ends.Show(&link);
    if (port->stamp) {
      link.ctrl.wired_valid = true;
      link.ctrl.wired_vl = port->stamp->vl;
      link.ctrl.wired_cells = port->stamp->cells;
    }
    port->stamp.reset();
    auto& wire = port->far.node >= 0 ? ports_.at({port->far.node, port->far.port}).wire : nics_.at(port->far.endpoint).wire;
    wire.push_back({now + port->far.delay, link, port->use.Of(link, port->ends.serdes_lanes())});
  }

  void Receive(int n, int number, Port* port, Cycle now) {
    Link link;
    unsigned used = 15;
    if (!port->wire.empty() && port->wire.front().cycle == now) {
      link = port->wire.front().link;
      used = port->wire.front().used;
      port->wire.pop_front();
    }
    port->tries.See(now, link.word);
    if (now >= begin_) link = port->faults.Pass(now - begin_, link, used);
    port->use.Hear(link, port->state->IsUp(now));
    const golden::RetryEnds::Passed passed = port->ends.Receive(link, port->state->IsUp(now));
    golden::Switch& device = *(*switches_)[n];
    if (port->state->IsUp(now) && !link.ctrl.err) TellSlot(number, now, link.ctrl, &device);
    const NaiveMacIn::Seen seen = port->mac_in.See(now, passed.word, passed.serdes_lanes, &attempts_);
    if (seen.begins) {
      const NaiveMacIn::Packet& packet = port->mac_in.packet();
      device.Arrive(number, now, {true, packet.header, packet.attempt, packet.lanes});
    }
    if (!seen.ends) return;
    const NaiveMacIn::Packet& packet = port->mac_in.packet();
    const Drop end = packet.missing                        ? Drop::kBroken
                     : attempts_.broken(packet.attempt) ? Drop::kStomped
                                                           : Drop::kNone;
    device.Finish(number, now, {end, packet.header.length(), {}});
    Note(n, number, false, packet, port->tries);
  }

  void Note(int node, int port, bool to_nic, const NaiveMacIn::Packet& packet, const NaiveTries& tries) {
    if (attempts_.broken(packet.attempt)) return;
    accepted_.push_back({node, port, to_nic, tries.FirstOf(packet.before), packet.first});
  }

  static void TellSlot(int number, Cycle now, const Ctrl& slot, golden::Switch* device) {
    if (slot.credit_valid) device->Credit(number, now, slot.credit_vl, slot.credit_cells);
    if (slot.ack_valid) device->Ack(number, now, golden::AckOf(slot));
    if (slot.wired_valid) device->Stamp(number, now, {slot.wired_vl, slot.wired_cells});
  }

  Switches* switches_ = nullptr;
  Cycle up_ = 0, begin_ = 0, retrain_ = 0, end_ = kNever;
  std::map<std::pair<int, int>, Port> ports_;
  std::map<int, NaiveNicLink> nics_;
  NaiveAttempts attempts_;
  NaiveRetryCounts counts_;
  std::vector<Accepted> accepted_;
};

}  // namespace tilefly::network
