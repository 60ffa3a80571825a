// SPDX-License-Identifier: Apache-2.0
// A golden switch that runs as halves (docs/timing.md, Halves) between the ideal link partners of PacketRig: sources
// that honour credits, sinks that return them with the first word.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "golden/halves/half_switch.h"
#include "network/ring.h"
#include "testbenches/switch/packet_rig.h"

namespace tilefly::golden {

class HalvesRig : private HalfLinks {
 public:
  /// Registers as of PacketRig.
  explicit HalvesRig(const Profile& profile);

  void set_source(PacketRig::Source source) { source_ = std::move(source); }
  /// Sees every packet that leaves; its payload is the number of its input.
  void on_departure(PacketRig::OnDeparture visit) { on_departure_ = std::move(visit); }
  /// Runs up to cycle `end`, exclusive.
  void RunTo(Cycle end);

  Cycle cycle() const { return halves_.done(); }
  /// Packets that left since the last `ResetCounts`.
  std::uint64_t packets() const { return packets_; }
  void ResetCounts() { packets_ = 0; }
  const HalfWays& ways() const { return halves_.ways(); }

 private:
  struct Partner {
    CreditSender credits;
    network::Ring<CreditReturn> returning;  ///< on the source's link
    std::array<std::uint16_t, kMaxLanes> sunk{};
    Cycle next_start = 0;
    PacketRig::Request request{};
    bool has_request = false;
  };

  void Depart(const Departure& departure) override;
  void Return(const CreditReturn& credit) override;
  void PassOn(const AckReturn&) override {}
  void StartPackets(int port, Cycle from, Cycle end);

  const Profile profile_;
  PacketRig registers_;  ///< for the registers of its switch, which is not stepped
  CreditTable table_;
  HeaderBits header_;  ///< what the headers of all packets have in common
  std::vector<Partner> partners_;
  HalfSwitch halves_;
  PacketRig::Source source_;
  PacketRig::OnDeparture on_departure_;
  std::uint64_t packets_ = 0;
};

}  // namespace tilefly::golden
