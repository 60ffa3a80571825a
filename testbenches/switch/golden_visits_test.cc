// SPDX-License-Identifier: Apache-2.0
// Outputs are visited only when something may move (docs/blocks/egress.md). Against a switch whose outputs are all visited in
// every cycle, which a register write that changes nothing does, every packet must leave in the same cycle: a missing wake
// shows, and so does a deficit that is forgotten late.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "testbenches/bench/settings.h"
#include "testbenches/bench/stimulus.h"
#include "testbenches/scheduler/table4.h"
#include "testbenches/switch/packet_rig.h"

namespace tilefly::golden {
namespace {

using bench::Stimulus;

struct Left {
  Cycle take;
  int port;
  int input;
  int tc;
  int length;
  friend bool operator==(const Left& a, const Left& b) {
    return std::tie(a.take, a.port, a.input, a.tc, a.length) == std::tie(b.take, b.port, b.input, b.tc, b.length);
  }
  friend std::ostream& operator<<(std::ostream& out, const Left& left) {
    return out << "take " << left.take << ", port " << left.port << ", input " << left.input << ", class " << left.tc << ", "
               << left.length << " B";
  }
};

Cfg Write(CfgSpace space, int index, std::uint64_t data, int port = kAllPorts) {
  Cfg write;
  write.valid = true;
  write.space = static_cast<std::uint8_t>(space);
  write.port = static_cast<std::uint8_t>(port);
  write.index = static_cast<std::uint16_t>(index);
  write.data = data;
  return write;
}

/// Random schedulers' registers, credits and links over time, the same for the same seed.
class Changes {
 public:
  explicit Changes(const Stimulus& random) : random_(random) {}

  void Make(Cycle now, PacketRig* rig) const {
    if (now % 64 != 0) return;
    const Cycle spell = now / 64;
    const int port = static_cast<int>(random_.Below(kTile8.ports, "port", spell));
    const int c = static_cast<int>(random_.Below(8, "class", spell));
    const auto write = [&](CfgSpace space, int index, std::uint64_t data) {
      rig->device().Write(now, Write(space, index, data, port));
    };
    switch (random_.Below(6, "what", spell)) {
      case 0:
        return write(CfgSpace::kClass, IndexOf(c, ClassReg::kGroup), random_.Below(4, "group", spell));
      case 1: {
        const std::uint64_t cost = random_.Chance(160, "maximum", spell) ? 100 + random_.Below(4000, "cost", spell) : 0;
        return write(CfgSpace::kClass, IndexOf(c, ClassReg::kMaximum),
                     ClassMaximum::Of(cost, random_.Below(1 << 18, "depth", spell)).ToBits());
      }
      case 2:
        return write(CfgSpace::kDtable, static_cast<int>(random_.Below(64, "entry", spell)),
                     DtableEntry::Of(random_.Below(300, "weight", spell), static_cast<std::uint64_t>(c)).ToBits());
      case 3:
        return write(CfgSpace::kDtable, kSwapIndex, 0);
      case 4:
        return write(CfgSpace::kVlClass, static_cast<int>(random_.Below(16, "lane", spell)), static_cast<std::uint64_t>(c));
      default:
        rig->device().LinkUp(port, false, now + 1);
        rig->device().LinkUp(port, true, now + 2 + static_cast<Cycle>(random_.Below(200, "down", spell)));
    }
  }

 private:
  const Stimulus& random_;
};

/// What leaves a small switch in `cycles`; `every`: all outputs are visited in every cycle.
std::vector<Left> Depart(const SchedulerChoice& scheduler, std::uint32_t seed, Cycle cycles, bool every) {
  const Stimulus random(seed);
  PacketRig rig(kTile8, scheduler);
  // Downstream little room, so that lanes go without credit.
  for (int vl = 0; vl < kMaxLanes; ++vl)
    rig.device().Write(rig.cycle(), Write(CfgSpace::kCredit, vl, CreditLane::Of(89, 120).ToBits()));
  std::array<std::uint32_t, kMaxPorts> sent{};
  rig.set_source([&](int port) {
    const std::uint32_t n = sent[static_cast<std::size_t>(port)]++;
    const Cycle burst = n / 24;
    const auto index = static_cast<std::uint32_t>(port);
    const int output = static_cast<int>(random.Below(random.Chance(128, "hot", burst) ? 2 : kTile8.ports, "output", n, index));
    const int cells = random.Between(1, random.Chance(200, "small", burst, index) ? 4 : 88, "cells", n, index);
    const bool pause = n % 24 == 0 && random.Chance(100, "pause", burst, index);
    const Cycle not_before = pause ? rig.cycle() + random.Between(0, 600, "silence", burst, index) : 0;
    return PacketRig::Request{output, 48 * cells - 16, static_cast<int>(random.Below(8, "tc", n, index)), not_before};
  });
  std::vector<Left> left;
  rig.on_departure([&](const Departure& d) {
    left.push_back({d.take, d.port, static_cast<int>(d.payload), d.header.tc(), d.length});
  });
  const Changes changes(random);
  while (rig.cycle() < cycles) {
    const Cycle now = rig.cycle();
    changes.Make(now, &rig);
    if (every) rig.device().Write(now, Write(CfgSpace::kSwitch, 1, 0));
    rig.RunTo(now + 1);
  }
  return left;
}

class Visits : public testing::TestWithParam<SchedulerName> {};

TEST_P(Visits, AreMadeWheneverSomethingMoves) {
  const Cycle cycles = bench::CyclesOf(bench::TierFromEnvironment());
  SchedulerChoice choice;
  choice.kind = GetParam().kind;
  for (std::uint32_t round = 0; round < 5; ++round) {
    const std::uint32_t seed = bench::SeedOf(bench::RootSeed(), bench::CurrentTest()) + round;
    const std::vector<Left> every = Depart(choice, seed, cycles, true);
    const std::vector<Left> due = Depart(choice, seed, cycles, false);
    ASSERT_GT(every.size(), static_cast<std::size_t>(cycles / 100));
    for (std::size_t i = 0; i < std::min(every.size(), due.size()); ++i) ASSERT_EQ(due[i], every[i]) << "seed " << seed;
    ASSERT_EQ(due.size(), every.size()) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Schedulers, Visits, testing::ValuesIn(kSchedulerNames), [](const auto& info) {
  std::string name(info.param.name);
  name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
  return name;
});

}  // namespace
}  // namespace tilefly::golden
