// SPDX-License-Identifier: Apache-2.0
// A golden switch whose links a test drives cycle by cycle: packets and acks in, what leaves written down, every
// invariant looked at.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "golden/common/register_write.h"
#include "golden/switch/switch.h"
#include "testbenches/bench/bites.h"

namespace tilefly::golden {

/// A header of a packet that comes in after so many hops.
inline Header HeaderFrom(std::uint32_t source, std::uint32_t destination, int hop, int length = 64) {
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  header.len = static_cast<std::uint16_t>(length);
  header.src = source;
  header.dst = destination;
  header.hop = static_cast<std::uint8_t>(hop);
  return header;
}

class AckRig {
 public:
  static constexpr SwitchAddress kOwn{3, 9};

  /// All ports enabled, cut through, credits, with header; those in `edges` with MODE.acks.
  AckRig(const Profile& profile, PortMask edges, int lanes = 4)
      : profile_(profile), device_(profile), sunk_(profile.ports) {
    for (int port = 0; port < profile.ports; ++port) {
      PortMode mode = Fabric(lanes);
      mode.acks = (edges & Bit(port)) != 0;
      SetMode(port, mode);
    }
    Write(WriteRegister(kAllPorts, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kAddress), kOwn.ToBits()));
    device_.Observe(&observed_);
    Run(bus_ + kWriteLatency + 1);
  }
  static PortMode Fabric(int lanes = 4) {
    PortMode mode;
    mode.enable = mode.cut_through = mode.credits = true;
    mode.std_format = false;
    mode.lanes = static_cast<std::uint8_t>(lanes);
    return mode;
  }
  /// Fabric address of a port of the switch.
  static std::uint32_t Own(int port) { return FabricAddress(kOwn.group, kOwn.number, port); }

  void Write(const Cfg& write) {
    bus_ = std::max(bus_, now_);
    device_.Write(bus_++, write);
  }
  void SetMode(int port, const PortMode& mode) {
    Write(WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits()));
  }
  /// Runs until writes have taken effect.
  void Settle() { Run(bus_ + kWriteLatency + 1 - now_); }

  /// The packet's first word is on the port's link in the cycle to come. Its number.
  Payload Send(int port, const Header& header) {
    device_.Arrive(port, now_, {true, HeaderBits(header), packets_});
    return packets_++;
  }
  /// The ack is on the port's link in the cycle to come.
  void SendAck(int port, const Ack& ack) { device_.Ack(port, now_, ack); }

  void Step() {
    device_.Step(now_);
    for (const Departure& departure : device_.output().links.packets) {
      departures.push_back(departure);
      const int vl = departure.header.vl();
      std::uint16_t& sunk = sunk_[departure.port][vl];
      sunk = static_cast<std::uint16_t>(sunk + CellsOf(departure.length));
      if (device_.registers().port(departure.port).mode.credits && departure.has_words()) {
        device_.Credit(departure.port, departure.take + kTakeToWire, vl, sunk);
      }
    }
    for (const AckReturn& ack : device_.output().acks) acks.push_back(ack);
    Audit audit;
    if (now_ % 8 == 0) device_.Check(&audit);
    EXPECT_EQ(bench::BrokenIds(audit), "") << "cycle " << now_;
    ++now_;
  }
  void Run(Cycle cycles) {
    for (const Cycle end = now_ + cycles; now_ < end;) Step();
  }
  /// Until nothing is inside.
  void Drain() {
    for (int i = 0; i < 100000 && (device_.packets() != 0 || device_.NextActive() != kNever); ++i) Step();
    EXPECT_EQ(device_.packets(), 0u);
  }

  std::uint64_t Count(int port, Counter counter) const { return device_.ReadCounter(port, static_cast<int>(counter)); }
  /// Sum over the ports.
  std::uint64_t Count(Counter counter) const {
    std::uint64_t sum = 0;
    for (int port = 0; port < profile_.ports; ++port) sum += Count(port, counter);
    return sum;
  }
  Cycle now() const { return now_; }
  Switch& device() { return device_; }
  const Profile& profile() const { return profile_; }

  std::vector<Departure> departures;
  std::vector<AckReturn> acks;  ///< that go out on links

 private:
  const Profile profile_;
  Switch device_;
  SwitchObservation observed_;
  std::vector<std::array<std::uint16_t, kMaxLanes>> sunk_;
  Payload packets_ = 0;
  Cycle bus_ = 0;
  Cycle now_ = 0;
};

}  // namespace tilefly::golden
