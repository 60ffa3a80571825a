// SPDX-License-Identifier: Apache-2.0
// Packets and acks by hand through one cycle-exact device, and the packets, acks and pauses of flows that leave it.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cosim/device_factory.h"
#include "cosim/errors.h"
#include "cosim/setup/frame.h"
#include "golden/common/register_write.h"
#include "testbenches/bench/settings.h"

namespace tilefly::cosim {

inline constexpr Cycle kRegistersStand = 16;  // cycles after the last write

struct Case {
  std::string device;
  const Profile* profile;
  int near;  ///< port of this switch towards the source
  int far;   ///< towards the destination
};

/// A device with fabric links at all ports and what the test puts on them; keeps the acks that leave, and takes.
class AckScript {
 public:
  AckScript(const Case& one, std::unique_ptr<Device> device) : device_(std::move(device)) {
    const auto ports = static_cast<std::size_t>(one.profile->ports);
    inputs_.links.resize(ports);
    inputs_.link_up.assign(ports, true);
  }

  void SetMode(int port, bool edge, bool flows = false) {
    PortMode mode;
    mode.std_format = false;
    mode.enable = mode.cut_through = mode.credits = true;
    mode.acks = edge;
    mode.flows = flows;
    Write(port, PortReg::kMode, mode.ToBits());
  }
  /// MARK_ON, MARK_HARD and FULL of a port.
  void SetMark(int port, int on, int hard, int full) {
    Write(port, PortReg::kFlowMark,
          FlowMark::Of(static_cast<std::uint64_t>(on), static_cast<std::uint64_t>(hard), static_cast<std::uint64_t>(full)).ToBits());
  }

  /// Puts a packet on the link, from this cycle on.
  void Send(int port, const Frame& frame) {
    Link& link = inputs_.links[static_cast<std::size_t>(port)];
    for (int k = 0; k < frame.words(); ++k) {
      link.word = MakeWord(frame, k);
      Step();
    }
    link.word = Word{};
  }

  /// Puts a packet on the link, from `cycle` on, while others may be on other links. `Run` drives it.
  void SendAt(Cycle cycle, int port, const Frame& frame) {
    for (int k = 0; k < frame.words(); ++k) words_[{cycle + k, port}] = MakeWord(frame, k);
  }

  /// Puts an ack on the link in this cycle; returns it.
  Cycle SendAck(int port, const Ctrl& ack) {
    Link& link = inputs_.links[static_cast<std::size_t>(port)];
    link.ctrl = ack;
    const Cycle cycle = device_->cycle();
    Step();
    link.ctrl = Ctrl{};
    return cycle;
  }

  std::uint64_t Count(int port, Counter counter) {
    inputs_.cfg = golden::ReadRegister(port, CfgSpace::kCounter, static_cast<int>(counter));
    Step();
    inputs_.cfg = Cfg{};
    Run(kRegistersStand);
    return device_->Counter(port, static_cast<int>(counter));
  }

  void Run(Cycle cycles) {
    for (Cycle end = device_->cycle() + cycles; device_->cycle() < end;) Step();
  }

  std::vector<std::pair<int, Cycle>> acks() const {
    std::vector<std::pair<int, Cycle>> all;
    for (const auto& [at, ctrl] : acks_) all.push_back(at);
    return all;
  }
  const Ctrl& ack(int port, Cycle cycle) const { return acks_.at({port, cycle}); }
  Cycle take(int port) const { return takes_.at(port).back(); }
  /// Cycles of all takes and grants of a port.
  const std::vector<Cycle>& takes(int port) const { return takes_.at(port); }
  const std::vector<Cycle>& grants(int port) const { return grants_.at(port); }
  /// The slot of `cycle`, which has a pause of a flow.
  const Ctrl& pause(int port, Cycle cycle) const { return pauses_.at({port, cycle}); }
  /// Headers of the packets that left by a port.
  std::vector<Header> headers(int port) const { return Of(headers_, port); }
  /// Cycles in which an input held a packet, released one, and requested.
  std::vector<Cycle> holds(int port) const { return Of(holds_, port); }
  std::vector<Cycle> gos(int port) const { return Of(gos_, port); }
  std::vector<Cycle> requests(int port) const { return Of(requests_, port); }
  Cycle cycle() const { return device_->cycle(); }

 private:
  void Write(int port, PortReg reg, std::uint64_t data) {
    inputs_.cfg = golden::WriteRegister(port, CfgSpace::kPort, static_cast<int>(reg), data);
    Step();
    inputs_.cfg = Cfg{};
    Run(kRegistersStand);
  }

  void Step() {
    const Cycle now = device_->cycle();
    const std::vector<Link>& links = device_->Outputs();
    const Observation& observation = device_->Observe();
    for (std::size_t p = 0; p < links.size(); ++p) {
      const int port = static_cast<int>(p);
      if (links[p].ctrl.ack_valid) acks_[{port, now}] = links[p].ctrl;
      if (observation.ports[p].take_valid) takes_[port].push_back(now - 1);
      if (observation.ports[p].dec_valid) grants_[port].push_back(now - 1);
      if (observation.ports[p].hold_valid) holds_[port].push_back(now - 1);
      if (observation.ports[p].go_valid) gos_[port].push_back(now - 1);
      if (observation.ports[p].req_valid) requests_[port].push_back(now - 1);
      if (links[p].ctrl.pause_valid) pauses_[{port, now}] = links[p].ctrl;
      if (links[p].word.valid && links[p].word.sop) headers_[port].push_back(Header::UnpackBytes(links[p].word.data.data()));
    }
    if (words_.empty()) {
      device_->Step(inputs_);
      return;
    }
    Device::Inputs inputs = inputs_;
    for (; !words_.empty() && words_.begin()->first.first == now; words_.erase(words_.begin()))
      inputs.links[static_cast<std::size_t>(words_.begin()->first.second)].word = words_.begin()->second;
    device_->Step(inputs);
  }

  template <typename T>
  static std::vector<T> Of(const std::map<int, std::vector<T>>& by_port, int port) {
    const auto found = by_port.find(port);
    return found == by_port.end() ? std::vector<T>() : found->second;
  }

  std::unique_ptr<Device> device_;
  Device::Inputs inputs_;
  std::map<std::pair<int, Cycle>, Ctrl> acks_;  ///< that left, by port and cycle
  std::map<int, std::vector<Cycle>> takes_, grants_;  ///< by port
  std::map<int, std::vector<Cycle>> holds_, gos_, requests_;  ///< by port
  std::map<int, std::vector<Header>> headers_;                ///< of packets that left, by port
  std::map<std::pair<int, Cycle>, Ctrl> pauses_;              ///< slots with one, by port and cycle
  std::map<std::pair<Cycle, int>, Word> words_;       ///< to come, by cycle and port
};

/// Null: this build has no model of it.
inline std::unique_ptr<AckScript> MakeAckScript(const Case& one) {
  try {
    return std::make_unique<AckScript>(one, MakeDevice(one.device, *one.profile));
  } catch (const UsageError&) {
    if (bench::TierFromEnvironment() == bench::Tier::kFull) throw;
    return nullptr;
  }
}

/// Every cycle-exact device.
inline std::vector<Case> AckCases() {
  return {{"golden", &kRosetta64, 19, 56},
          {"rtl", &kRosetta64, 19, 56},
          {"golden", &kTile8, 3, 6},
          {"rtl", &kTile8, 3, 6},
          {"rtl-flat", &kTile8, 3, 6}};
}
inline std::string NameOfCase(const ::testing::TestParamInfo<Case>& info) {
  return (info.param.device == "rtl-flat" ? "flat" : info.param.device) + "_" + info.param.profile->name;
}

/// A packet to `far` of the own switch (all registers are at reset: group 0, switch 0), which came `hop` switches far.
inline Frame PacketFrom(int src, int far, int hop, int length) {
  Frame frame;
  frame.enh = true;
  frame.header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  frame.header.len = static_cast<std::uint16_t>(length);
  frame.header.src = static_cast<std::uint32_t>(1 << 11 | src);
  frame.header.dst = static_cast<std::uint32_t>(far);
  frame.header.hop = static_cast<std::uint8_t>(hop);
  frame.header.flow = 0x155;
  frame.header.path = 0x2345'6789 & 0x3fff'ffff;
  frame.bytes.assign(static_cast<std::size_t>(length), 0x5a);
  Seal(&frame.bytes);
  return frame;
}

}  // namespace tilefly::cosim
