// SPDX-License-Identifier: Apache-2.0
// All ports of a switch on wires that fail at once (docs/blocks/link_retry.md, Tests): RTL beside golden in every cycle.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>

#include "cosim/device_factory.h"
#include "testbenches/bench/settings.h"
#include "testbenches/lockstep/link_mishaps.h"
#include "testbenches/links/star_links.h"

namespace tilefly::bench {
namespace {

using Totals = std::map<Counter, std::uint64_t>;

bool LongFrames(int run) { return run % 3 == 2; }

/// Ports differ in their mode of LINK_DOWN_BEHAVIOR, delay, cable, way of switching, and in what their wires do. `run` deals
/// them anew.
std::vector<PortSetup> MixedPorts(const Profile& profile, const Stimulus& random, int run) {
  std::vector<PortSetup> ports;
  for (int port = 0; port < profile.ports; ++port) {
    const auto draw = [&](int below, const char* what) {
      return static_cast<int>(random.Below(static_cast<std::uint64_t>(below), what, run, static_cast<std::uint32_t>(port)));
    };
    PortSetup setup{profile, true, true, 7, {}, {}};
    setup.cut_through = draw(4, "stored") != 0;
    setup.delay = 1 + draw(60, "delay");
    const int rate = draw(4, "rate");  // of 0: a wire on which only mishaps happen
    setup.words = {0.001 * rate, 0.001 * rate, 0.0005 * rate, 0.0005 * rate, 1 + draw(3, "run of bad words")};
    setup.slots = {0.002 * rate, 0.002 * rate, 0.004 * rate, 0.002 * rate, 1};
    setup.down = (port + run) % 4;
    setup.limit = 4;
    setup.lanes = draw(4, "cable") == 0 ? 1 + draw(3, "lanes") : 4;
    const int timer = 2 * setup.delay + 2 * golden::WordOffset(profile.mtu_words_enh, setup.lanes) + 40;
    setup.watchdog = 6 * timer / 64 + 1;
    setup.serdes.fail = 2;
    setup.serdes.back = 1;
    setup.longest = LongFrames(run) ? 4000 : 1500;
    ports.push_back(setup);
  }
  return ports;
}

/// Hosts have stopped: goes on until all is home, calling `act(cycle)` before each step.
template <typename Act>
void ComeHome(StarLinks* star, Act&& act) {
  const Cycle begin = star->cycle, latest = begin + 60'000;
  for (int quiet = 0; quiet < 500 && star->cycle < latest;) {
    act(star->cycle);
    ASSERT_NO_FATAL_FAILURE(star->StepOrFail());
    quiet = star->cycle > begin + 1000 && star->AllHome() ? quiet + 1 : 0;
  }
  EXPECT_LT(star->cycle, latest) << "packets or credits do not come home";
  EXPECT_NO_THROW(star->CheckDrained());
  ASSERT_NO_FATAL_FAILURE(star->CompareCounters());
}

/// Traffic and mishaps up to cycle `last`; then all links go down once more, wires are clean, and all comes home.
void RtlEqualsGolden(const Profile& profile, int run, Cycle last, Cycle period, Totals* totals) {
  SCOPED_TRACE("run " + std::to_string(run));
  const Stimulus random(SeedOf(RootSeed(), CurrentTest()) + static_cast<std::uint32_t>(run));
  const std::vector<PortSetup> setups = MixedPorts(profile, random, run);
  StarLinks star(setups, random, cosim::MakeDevice("rtl", profile));
  std::vector<LinkMishaps> mishaps;
  for (const PortSetup& setup : setups) {
    mishaps.emplace_back(setup, random, period, last, static_cast<std::uint32_t>(mishaps.size()));
  }
  const auto act = [&](Cycle now) {
    for (int port = 0; port < profile.ports; ++port) {
      if (mishaps[static_cast<std::size_t>(port)].Cause(now, &star.link(port))) star.WriteMode(port);
    }
  };
  while (star.cycle < last) {
    act(star.cycle);
    ASSERT_NO_FATAL_FAILURE(star.StepOrFail());
  }
  star.Stop();
  ASSERT_NO_FATAL_FAILURE(ComeHome(&star, act));
  EXPECT_GT(star.device().compared_busy(), last * profile.ports / 8);
  // What else was sent was in the buffers of links that went down: each of them every 6,000 cycles or so.
  EXPECT_GT(star.books.received(), star.books.sent() / (LongFrames(run) ? 4 : 2));
  for (int port = 0; port < profile.ports; ++port) {
    EXPECT_GT(star.Counter(port, Counter::kRxExpectedSeqGood), 0u) << "port " << port;
    EXPECT_GT(star.Counter(port, Counter::kLinkDowns), 0u) << "port " << port;
    // A plain port, behind best effort, takes a repeated slot for a new one.
    if (setups[static_cast<std::size_t>(port)].down != 2) EXPECT_EQ(star.Counter(port, Counter::kBadCredit), 0u) << "port " << port;
    for (const Counter counter : kCounterValues) (*totals)[counter] += star.Counter(port, counter);
  }
}

/// Runs together reach everything that can happen to a link.
void ExpectAllHappened(const Totals& totals) {
  for (const Counter counter :
       {Counter::kTxReplayEvent, Counter::kTxOkRpt, Counter::kTxReplayTimeout, Counter::kRxExpectedSeqGood, Counter::kRxBad,
        Counter::kRxUnexpectedSeq, Counter::kRxDuplicateSeq, Counter::kRxReplayEvent, Counter::kTxAckCtlOs,
        Counter::kTxNackCtlOs, Counter::kRxAckCtlOs, Counter::kRxNackCtlOs, Counter::kRxBadCtl, Counter::kCreditsHealed,
        Counter::kLinkDowns, Counter::kLinkGivenUp, Counter::kWatchdog, Counter::kTxLost, Counter::kReplayLost,
        Counter::kLanesFailed})
    EXPECT_GT(totals.at(counter), 0u) << ToString(counter);
}

TEST(SurvivingPortsOf8, RtlEqualsGoldenWhileAllWiresFail) {
  const Tier tier = TierFromEnvironment();
  const int runs = tier == Tier::kFull ? 20 : tier == Tier::kCi ? 2 : 1;
  Totals totals;
  for (int run = 0; run < runs; ++run) {
    RtlEqualsGolden(kTile8, run, tier == Tier::kFull ? 200'000 : 20'000, 5000, &totals);
    if (HasFatalFailure()) return;
  }
  ExpectAllHappened(totals);
}

/// Links go down again and again under short packets: in many of these cycles a packet is taken, and is in REPLAY_LOST, too.
TEST(SurvivingPortsOf8, LoseWithALinkWhatIsTakenInItsLastCycle) {
  const Stimulus random(SeedOf(RootSeed(), CurrentTest()));
  constexpr std::array kModes = {0, 1, 3};  // those in which a port goes on to retry
  std::vector<PortSetup> setups;
  for (int port = 0; port < kTile8.ports; ++port) {
    PortSetup setup{kTile8, true, true, 3 + 5 * port, {}, {}};
    setup.longest = 160;
    setup.down = kModes[static_cast<std::size_t>(port) % kModes.size()];
    setups.push_back(setup);
  }
  StarLinks star(setups, random, cosim::MakeDevice("rtl", kTile8));
  const Cycle last = TierFromEnvironment() == Tier::kFull ? 100'000 : 12'000;
  std::int64_t downs = 0, taken = 0;
  while (star.cycle < last) {
    const Cycle now = star.cycle;
    if (now == 600) star.Raise();
    for (int port = 0; port < star.ports() && now > 1000; ++port) {
      cosim::LinkDecides& decides = star.link(port).decides;
      if (decides.up(0, now) && random.Below(600, "down", now, static_cast<std::uint32_t>(port)) == 0) decides.TakeDown(now);
    }
    ASSERT_NO_FATAL_FAILURE(star.StepOrFail());
    for (int port = 0; port < star.ports() && now > 1000; ++port) {
      const cosim::LinkDecides& decides = star.link(port).decides;
      if (decides.up(0, now) || !decides.up(0, now - 1)) continue;
      ++downs;
      taken += star.device().Observe().ports[static_cast<std::size_t>(port)].take_valid;
    }
  }
  EXPECT_GT(downs, 40);
  EXPECT_GE(taken, 4);
  star.Stop();
  ASSERT_NO_FATAL_FAILURE(ComeHome(&star, [](Cycle) {}));
}

TEST(SurvivingPortsOf64, RtlEqualsGoldenWhileAllWiresFail) {
  const Tier tier = TierFromEnvironment();
  if (tier == Tier::kQuick) GTEST_SKIP() << "tiers ci and full";
  Totals totals;
  RtlEqualsGolden(kRosetta64, 0, tier == Tier::kFull ? 50'000 : 6000, 5000, &totals);
  if (HasFatalFailure()) return;
  if (tier == Tier::kFull) ExpectAllHappened(totals);
}

}  // namespace
}  // namespace tilefly::bench
