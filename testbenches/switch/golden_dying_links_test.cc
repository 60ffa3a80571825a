// SPDX-License-Identifier: Apache-2.0
// Links of retry ports die one after the other, and requests go back (docs/blocks/link_retry.md, Taken back). A switch whose
// outputs are all visited in every cycle and one that is stepped only when it asks for it do the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <tuple>
#include <vector>

#include "golden/common/register_write.h"
#include "testbenches/bench/settings.h"
#include "testbenches/bench/stimulus.h"
#include "testbenches/switch/packet_rig.h"

namespace tilefly::golden {
namespace {

/// A packet that a link took.
struct Gone {
  Cycle cycle;
  int port;
  int input;
  int length;
  friend bool operator==(const Gone& a, const Gone& b) {
    return std::tie(a.cycle, a.port, a.input, a.length) == std::tie(b.cycle, b.port, b.input, b.length);
  }
  friend std::ostream& operator<<(std::ostream& out, const Gone& one) {
    return out << "cycle " << one.cycle << ", port " << one.port << ", input " << one.input << ", " << one.length << " B";
  }
};

class DyingLinks {
 public:
  DyingLinks(std::uint32_t seed, bool every) : random_(seed), every_(every), rig_(kTile8) {
    PortMode mode;
    mode.enable = mode.cut_through = mode.credits = mode.retry = true;
    mode.std_format = false;
    Write(CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
    Write(CfgSpace::kSwitch, static_cast<int>(SwitchReg::kAddress), 1);
    Write(CfgSpace::kRouteSwitch, 0, 0x0f);  // all packets are for switch 0, by ports 0 to 3, from the others
    rig_.RunTo(40);
    rig_.on_departure([&](const Departure& d) {
      gone_.push_back({d.take, d.port, static_cast<int>(d.payload), d.length});
      lost_ += d.lost;
    });
    rig_.set_source([&](int port) {
      const auto index = static_cast<std::uint32_t>(port);
      const std::uint32_t n = sent_[index]++;
      const int cells = random_.Between(1, random_.Chance(160, "small", n / 16, index) ? 4 : 60, "cells", n, index);
      const Cycle later = n % 16 == 0 ? random_.Between(0, 900, "silence", n, index) : 0;
      return PacketRig::Request{0, 48 * cells - 16, 0, port < 4 ? kNever : rig_.cycle() + later};
    });
  }
  /// A link of ports 0 to 3 dies every so often, until one is left.
  void Run(Cycle cycles) {
    std::vector<int> alive = {0, 1, 2, 3};
    for (Cycle now = rig_.cycle(); now < cycles; now = rig_.cycle()) {
      if (now % (cycles / 5) == 0 && alive.size() > 1) {
        const std::size_t which = random_.Below(alive.size(), "dies", now);
        rig_.device().LinkUp(alive[which], false, now + 1);
        alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(which));
      }
      if (every_) Write(CfgSpace::kSwitch, static_cast<int>(SwitchReg::kSize), 0);
      rig_.RunTo(now + 1);
      Audit audit;
      if (now % 64 == 0) rig_.device().Check(&audit);
      ASSERT_TRUE(audit.broken().empty()) << audit.Message() << ", cycle " << now;
    }
  }
  int Rerouted() {
    int sum = 0;
    for (int p = 0; p < kTile8.ports; ++p)
      sum += static_cast<int>(rig_.device().ReadCounter(p, static_cast<int>(Counter::kRerouted)));
    return sum;
  }
  const std::vector<Gone>& gone() const { return gone_; }
  std::uint64_t drops() const { return rig_.drops(); }
  int lost() const { return lost_; }

 private:
  void Write(CfgSpace space, int index, std::uint64_t data) {
    rig_.device().Write(rig_.cycle(), WriteRegister(kAllPorts, space, index, data));
  }

  bench::Stimulus random_;
  bool every_;
  PacketRig rig_;
  std::array<std::uint32_t, kMaxPorts> sent_{};
  std::vector<Gone> gone_;
  int lost_ = 0;
};

TEST(DyingLinks, VisitsAreMadeWheneverRequestsGoBack) {
  const Cycle cycles = std::max<Cycle>(4000, bench::CyclesOf(bench::TierFromEnvironment()));
  int rerouted = 0, lost = 0;
  for (std::uint32_t round = 0; round < 4; ++round) {
    const std::uint32_t seed = bench::SeedOf(bench::RootSeed(), "dying links") + round;
    DyingLinks every(seed, true), due(seed, false);
    ASSERT_NO_FATAL_FAILURE(every.Run(cycles));
    ASSERT_NO_FATAL_FAILURE(due.Run(cycles));
    for (std::size_t i = 0; i < std::min(every.gone().size(), due.gone().size()); ++i)
      ASSERT_EQ(due.gone()[i], every.gone()[i]) << "seed " << seed;
    ASSERT_EQ(due.gone().size(), every.gone().size());
    EXPECT_EQ(due.Rerouted(), every.Rerouted());
    rerouted += due.Rerouted();
    lost += due.lost();
    EXPECT_EQ(due.drops(), 0u) << "a port is left";
  }
  EXPECT_GT(rerouted, 20);
  EXPECT_GT(lost, 5);
}

}  // namespace
}  // namespace tilefly::golden
