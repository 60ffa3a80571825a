// SPDX-License-Identifier: Apache-2.0
// The golden switch routes by the loads of its own outputs, known to the cycle: every choice is that of the page's
// formulas over loads that are written down in every cycle.
#include <gtest/gtest.h>

#include <map>

#include "golden/routing/draws.h"
#include "golden/switch/switch.h"
#include "testbenches/bench/bites.h"
#include "testbenches/bench/settings.h"
#include "testbenches/bench/stimulus.h"
#include "testbenches/routing/chooser_rig.h"
#include "testbenches/routing/loads_by_cycle.h"

namespace tilefly::golden {
namespace {

constexpr int kInputs = 4;
constexpr int kGroups = 16;
constexpr std::uint32_t kSeed = 4711;
constexpr PortMask kMinimal = 0b0011'0000;
constexpr int kLinks[] = {3, 5};  // minimal and not: LENGTH of ports of class 0
constexpr int kBias = 40;

/// Masks of the groups: two ports towards kFarGroup, some of four towards the others, none towards one.
PortMask MaskOf(int group) {
  return group == kFarGroup ? kMinimal : group == 5 ? 0 : static_cast<PortMask>(1 + group % 15) << 4;
}

class RoutedSwitch {
 public:
  RoutedSwitch() : random_(bench::SeedOf(bench::RootSeed(), bench::CurrentTest())), device_(kTile8) {
    PortMode mode;
    mode.enable = mode.cut_through = true;
    mode.std_format = false;
    Write(RouteWrite(CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits()));
    Write(RouteWrite(SwitchReg::kAddress, kOwn.ToBits()));
    Write(RouteWrite(SwitchReg::kSize, SwitchSize::Of(kGroups, 0).ToBits()));
    Write(RouteWrite(SwitchReg::kSeed, kSeed));
    SwitchLength length;
    length.min_far[0] = kLinks[0];
    length.nonmin_far[0] = kLinks[1];
    Write(RouteWrite(SwitchReg::kLength, length.ToBits()));
    Write(RouteWrite(SwitchReg::kBias, kBias));
    for (int group = 0; group < kGroups; ++group) Write(RouteWrite(CfgSpace::kRouteGroup, group, MaskOf(group)));
    device_.Observe(&observed_);
  }

  /// A cycle: with `traffic` packets start at free inputs.
  void Step(bool traffic) {
    if (now_ > kStart && traffic) {
      for (int input = 0; input < kInputs; ++input) Start(input);
    }
    device_.Step(now_);
    for (const Departure& departure : device_.output().links.packets) Judge(departure);
    for (int p = 0; p < kTile8.ports; ++p) history_.Set(now_, p, device_.load(p));
    ++now_;
    if (now_ % 16 != 0) return;
    Audit audit;
    device_.Check(&audit);
    ASSERT_EQ(bench::BrokenIds(audit), "") << now_;
  }

  Cycle now() const { return now_; }
  std::size_t inside() const { return device_.packets(); }
  int minimal = 0, nonminimal = 0, by_load = 0;

 private:
  static constexpr Cycle kStart = 60;
  struct Sent {
    int input;
    Cycle a0;
    std::uint32_t drawn;
  };
  struct Expected {
    int output;
    int via;  ///< group, -1: none
    bool by_load;
  };

  void Write(const Cfg& write) { device_.Write(bus_++, write); }

  void Start(int input) {
    const auto index = static_cast<std::uint32_t>(input);
    if (now_ < free_[index] || !random_.Spell("start", now_, index)) return;
    Header header = HeaderTo(kFar, RouteMode::kAdaptive0);
    header.len = static_cast<std::uint16_t>(
        random_.Chance(200, "small", now_, index) ? 64 : 64 + random_.Below(1000, "length", now_, index));
    const Payload number = static_cast<Payload>(sent_.size());
    sent_.push_back({input, now_, drawn_[index]++});
    device_.Arrive(input, now_, {true, HeaderBits(header), number});
    free_[index] = now_ + CeilDiv(header.len + 16, kWordBytes);
  }

  /// The page's choice for a packet that came in at cycle a0, which is its trigger.
  Expected Choice(const Sent& sent) const {
    const Draws draws(Scramble(kSeed), FabricAddress(kOwn.group, kOwn.number, sent.input), sent.drawn);
    const auto load = [&](int output) { return history_.Visible(sent.a0 + 16, kTile8.load_epoch_cycles, output); };
    Expected best{ChoosePort(draws.minimal_port(0), kMinimal), -1, false};
    const int first = best.output;
    int lowest = load(first) * kLinks[0];
    const auto offer = [&](int output, int via, int cost) {
      if (cost >= lowest) return;
      lowest = cost;
      best = {output, via, true};
    };
    const int second = ChoosePort(draws.minimal_port(1), kMinimal);
    offer(second, -1, load(second) * kLinks[0]);
    for (int i = 0; i < 2; ++i) {
      const int group = ChooseNumber(draws.target(i), kGroups);
      if (group == kOwnGroup || group == kFarGroup || MaskOf(group) == 0) continue;
      const int output = ChoosePort(draws.nonminimal_port(i), MaskOf(group));
      offer(output, group, load(output) * kLinks[1] + kBias);
    }
    return best;
  }

  void Judge(const Departure& departure) {
    const Sent& sent = sent_[departure.payload];
    const Expected expected = Choice(sent);
    const Header header = departure.header.Unpack();
    ASSERT_EQ(departure.port, expected.output) << "packet " << departure.payload << " of cycle " << sent.a0;
    ASSERT_EQ(header.via_valid, expected.via >= 0);
    ASSERT_EQ(header.via, expected.via >= 0 ? SwitchAddress({expected.via, 0}).ToBits() : 0);
    ++(expected.via >= 0 ? nonminimal : minimal);
    by_load += expected.by_load;
  }

  bench::Stimulus random_;
  Switch device_;
  SwitchObservation observed_;
  LoadsByCycle history_;
  std::vector<Sent> sent_;
  std::array<std::uint32_t, kInputs> drawn_{};
  std::array<Cycle, kInputs> free_{};
  Cycle bus_ = 0;
  Cycle now_ = 0;
};

TEST(RoutedSwitch, EveryChoiceIsThatOfTheLoadsOfItsEpoch) {
  RoutedSwitch rig;
  const Cycle cycles = bench::CyclesOf(bench::TierFromEnvironment());
  while (rig.now() < cycles && !testing::Test::HasFailure()) rig.Step(true);
  for (int i = 0; i < 100000 && rig.inside() != 0 && !testing::Test::HasFailure(); ++i) rig.Step(false);
  EXPECT_EQ(rig.inside(), 0u);
  EXPECT_GT(rig.minimal, cycles / 40);
  EXPECT_GT(rig.nonminimal, cycles / 200);
  EXPECT_GT(rig.by_load, cycles / 100);
}

}  // namespace
}  // namespace tilefly::golden
