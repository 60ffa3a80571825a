// SPDX-License-Identifier: Apache-2.0
// One switch of each profile that runs as halves, against a switch that is stepped, between the same ideal partners.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "support/random.h"
#include "testbenches/bench/settings.h"
#include "testbenches/halves/halves_rig.h"

namespace tilefly::golden {
namespace {

using LeftPacket = std::tuple<Cycle, int, Payload, int, int>;

/// What a port sends is a function of its number and of how much it has sent: both rigs ask in an order of their own.
class Source {
 public:
  Source(const Profile& profile, double load, bool mixed) : ports_(profile.ports), load_(load), mixed_(mixed) {}

  PacketRig::Request operator()(int port) {
    Sent& sent = sent_[static_cast<std::size_t>(port)];
    Stream stream(bench::RootSeed(), static_cast<std::uint32_t>(port), static_cast<std::uint64_t>(sent.number++), Purpose::kOrder);
    const int length = mixed_ ? 32 + static_cast<int>(stream.Below(4193)) : 496;
    const int words = CeilDiv(length + HeaderBits::kBytes, kWordBytes);
    const Cycle not_before = sent.next;
    sent.next += words + static_cast<Cycle>(stream.Below(static_cast<std::uint64_t>(2 * words * (1 / load_ - 1)) + 1));
    return {static_cast<int>(stream.Below(static_cast<std::uint64_t>(ports_))), length, 0, not_before};
  }

 private:
  struct Sent {
    std::int64_t number = 0;
    Cycle next = 0;
  };
  int ports_;
  double load_;
  bool mixed_;
  std::vector<Sent> sent_ = std::vector<Sent>(kMaxPorts);
};

template <typename Rig>
std::vector<LeftPacket> RunOf(const Profile& profile, double load, bool mixed, Cycle cycles) {
  Rig rig(profile);
  std::vector<LeftPacket> left;
  rig.set_source(Source(profile, load, mixed));
  rig.on_departure([&](const Departure& departure) {
    left.emplace_back(departure.take, departure.port, departure.payload, departure.header.vl(), departure.length);
  });
  rig.RunTo(cycles);
  std::sort(left.begin(), left.end());
  while (!left.empty() && std::get<Cycle>(left.back()) >= cycles - 1) left.pop_back();
  return left;
}

TEST(HalvesRig, OneSwitchSendsTheSamePacketsInTheSameCycles) {
  for (const Profile* const profile : {&kTile8, &kTile16, &kRosetta64}) {
    for (const double load : {0.3, 0.7, 1.0}) {
      for (const bool mixed : {false, true}) {
        const Cycle cycles = 10'000 + 320'000 / profile->ports;
        const std::vector<LeftPacket> stepped = RunOf<PacketRig>(*profile, load, mixed, cycles);
        const std::vector<LeftPacket> halves = RunOf<HalvesRig>(*profile, load, mixed, cycles);
        EXPECT_GT(stepped.size(), 50u);
        ASSERT_EQ(halves.size(), stepped.size()) << profile->name << ", load " << load << ", mixed " << mixed;
        for (std::size_t i = 0; i < stepped.size(); ++i)
          ASSERT_EQ(halves[i], stepped[i]) << profile->name << ", load " << load << ", mixed " << mixed << ", packet " << i;
      }
    }
  }
}

}  // namespace
}  // namespace tilefly::golden
