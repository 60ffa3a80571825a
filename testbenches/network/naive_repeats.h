// SPDX-License-Identifier: Apache-2.0
// The links of a naive system that send damaged words again: word by word in every cycle, with both halves of the retry
// block at both ends and a wire between them, on which the faults of the plan are drawn cycle by cycle.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "faults/direction_faults.h"
#include "golden/common/stage_times.h"
#include "golden/retry/retry_ends.h"
#include "network/network.h"

namespace tilefly::network {

class NaiveRepeats {
 public:
  using Switches = std::vector<std::unique_ptr<golden::Switch>>;

  NaiveRepeats() = default;
  /// Ports whose MODE.retry is written are those that repeat. Their links come up in the cycle that the page gives.
  NaiveRepeats(const Network& network, Switches* switches) : switches_(switches) {
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
        if (!PortMode::FromBits(write.data).retry) continue;
        const FarEnd& far = network.wiring().far(n, write.port);
        const DirectionPlan& plan = network.faults().Into(n, write.port);
        ports_.emplace(std::pair(n, int{write.port}),
                       Port{far, golden::RetryEnds(network.profile(), (*switches)[n]->first_lanes(write.port)),
                            faults::DirectionFaults(plan.rates, network.options().fault_plan->seed.value_or(network.options().seed),
                                                    static_cast<std::uint32_t>(64 * far.node + far.port)),
                            plan.events, {}, {}, {}, {}, 0, {}, {}});
        (*switches)[n]->LinkUp(write.port, false, 0);
        (*switches)[n]->LinkUp(write.port, true, up_);
      }
    }
  }

  bool broken(golden::Payload attempt) const { return broken_.count(attempt) > 0; }
  std::int64_t accepted = 0, nacks = 0, resent_words = 0, replays = 0, timeouts = 0;

  /// The wires and the blocks' registers, before the switches are stepped.
  void Before(Cycle now) {
    for (auto& [at, port] : ports_) {
      Link link;
      port.from_mac = FromMac(&port, now);
      port.ends.Begin(true, port.mac.empty());
      port.ends.Show(&link);
      if (port.stamp) {
        link.ctrl.wired_valid = true;
        link.ctrl.wired_vl = port.stamp->vl;
        link.ctrl.wired_cells = port.stamp->cells;
      }
      port.stamp.reset();
      ports_.at({port.far.node, port.far.port}).wire.push_back({now + port.far.delay, link});
    }
    for (auto& [at, port] : ports_) Receive(at.first, at.second, &port, now);
    for (auto& [at, port] : ports_) {
      golden::Switch& device = *(*switches_)[at.first];
      port.take_words = 0;
      const golden::PortRegisters& registers = device.registers().port(at.second);
      port.settings = {registers.serdes_lanes(), registers.retry, registers.lanes};
      device.Ready(at.second, port.ends.ready(registers.serdes_lanes()), port.ends.serdes_lanes());
      const golden::RetryOut::Outputs shown = port.ends.Shown();
      if (!shown.start) continue;
      device.Started(now, {static_cast<std::uint8_t>(at.second), shown.start_vl,
                           static_cast<std::uint8_t>((shown.start_len + 16 + 47) / 48), shown.again});
    }
  }

  /// Whether the port's link repeats: then it takes the packet here.
  bool Takes(int n, const golden::Departure& departure) {
    const auto port = ports_.find({n, departure.port});
    if (port == ports_.end()) return false;
    port->second.take_words = departure.format.words;
    port->second.mac.push_back({departure.take + 6, 0, departure.format.words, departure.header, departure.payload});
    return true;
  }

  /// The blocks, after the switches were stepped.
  void After(Cycle now) {
    for (auto& [at, port] : ports_) {
      for (const golden::StampReturn& stamp : (*switches_)[at.first]->output().stamps) {
        if (stamp.port == at.second) port.stamp = stamp.stamp;
      }
      port.ends.Send(now, port.settings, now >= up_, port.from_mac, port.take_words, false);
      port.ends.CountEvents([&](Counter counter, int times) {
        if (counter == Counter::kRxExpectedSeqGood) accepted += times;
        if (counter == Counter::kTxNackCtlOs) nacks += times;
        if (counter == Counter::kTxOkRpt) resent_words += times;
        if (counter == Counter::kTxReplayEvent) replays += times;
        if (counter == Counter::kTxReplayTimeout) timeouts += times;
      });
    }
  }

 private:
  /// A packet that the sending MAC gives to the block.
  struct Sending {
    Cycle first;
    int next;
    int words;
    golden::HeaderBits header;
    golden::Payload payload;
  };
  /// A packet that the receiving MAC is filled with.
  struct Coming {
    bool open = false;
    Cycle first = 0;
    int next = 0, words = 0, length = 0;
    bool missing = false;
    golden::Payload attempt = 0, before = 0;
  };
  struct Port {
    FarEnd far;
    golden::RetryEnds ends;
    faults::DirectionFaults faults;
    std::vector<faults::PlannedEvent> events;
    std::deque<std::pair<Cycle, Link>> wire;
    std::deque<Sending> mac;
    Word from_mac;
    std::optional<golden::CreditStamp> stamp;
    int take_words;
    golden::RetryEnds::Settings settings;
    Coming coming;
  };

  /// Header and payload go as the first bytes of the first word.
  static Word FromMac(Port* port, Cycle now) {
    Word word;
    if (port->mac.empty()) return word;
    Sending& sending = port->mac.front();
    if (now != sending.first + 4 * sending.next / port->settings.lanes) return word;
    word.valid = word.enh = true;
    word.sop = sending.next == 0;
    word.eop = sending.next == sending.words - 1;
    if (word.sop) {
      sending.header.CopyTo(word.data.data());
      for (int b = 0; b < 4; ++b) word.data[16 + b] = static_cast<std::uint8_t>(sending.payload >> 8 * b);
    }
    ++sending.next;
    if (word.eop) port->mac.pop_front();
    return word;
  }

  void Receive(int n, int number, Port* port, Cycle now) {
    Link link;
    if (!port->wire.empty() && port->wire.front().first == now) {
      link = port->wire.front().second;
      port->wire.pop_front();
    }
    for (const faults::PlannedEvent& event : port->events) {
      if (begin_ + event.at == now) port->faults.Begin(event);
    }
    link = port->faults.Pass(link);
    const Word word = port->ends.Receive(link, now >= up_).word;
    golden::Switch& device = *(*switches_)[n];
    if (link.ctrl.wired_valid && now >= up_) device.Stamp(number, now, {link.ctrl.wired_vl, link.ctrl.wired_cells});
    Coming& coming = port->coming;
    if (!coming.open && word.valid) {
      const golden::HeaderBits header(word.data.data());
      coming = {};
      coming.open = true;
      coming.first = now;
      coming.length = header.length();
      coming.words = (coming.length + 16 + 31) / 32;
      for (int b = 0; b < 4; ++b) coming.before |= golden::Payload{word.data[16 + b]} << 8 * b;
      coming.attempt = next_attempt_++;
      device.Arrive(number, now, {true, header, coming.attempt, 4});
    }
    if (!coming.open || now != coming.first + coming.next) return;
    if (!word.valid) coming.missing = true;
    if (++coming.next < coming.words) return;
    coming.open = false;
    const bool stomped = broken(coming.before);
    if (coming.missing || stomped) broken_.insert(coming.attempt);
    if (coming.missing || stomped)
      device.Finish(number, now, {coming.missing ? Drop::kBroken : Drop::kStomped, coming.length, {}});
  }

  Switches* switches_ = nullptr;
  Cycle up_ = 0, begin_ = 0;
  std::map<std::pair<int, int>, Port> ports_;
  golden::Payload next_attempt_ = 1u << 30;
  std::set<golden::Payload> broken_;
};

}  // namespace tilefly::network
