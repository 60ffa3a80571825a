// SPDX-License-Identifier: Apache-2.0
// Garbage on links with retry (docs/blocks/link_retry.md, Tests): RTL beside golden in every cycle, no hang, every packet of the
// other ports comes once, and what began at a port with garbage was passed on or counted as dropped.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "cosim/device_factory.h"
#include "testbenches/bench/settings.h"
#include "testbenches/links/garbage_end.h"
#include "testbenches/links/star_links.h"

namespace tilefly::bench {
namespace {

constexpr Cycle kFirstUp = 600;
constexpr Cycle kMacIsEmpty = 540;  ///< cycles of a link down behind which MODE may be written

/// A star with garbage at some ports of the switch in the middle. Links of the other ports are clean.
class Garbage {
 public:
  Garbage(const Profile& profile, golden::PortMask ports, std::uint32_t seed)
      : setups_(Setups(profile, ports)), star(setups_, Stimulus(seed), cosim::MakeDevice("rtl", profile), ports) {
    std::vector<std::uint32_t> to;
    for (int host = 0; host < star.hosts(); ++host) to.push_back(star.AddressOfHost(host));
    golden::ForEachBit(ports, [&](int port) { to.push_back(StarLinks::AddressOfPort(port)); });
    golden::ForEachBit(ports, [&](int port) {
      ends_[port] = std::make_unique<GarbageEnd>(setups_[static_cast<std::size_t>(port)], port,
                                                 seed + static_cast<std::uint32_t>(port), to, &star.books);
      star.Stand(port, ends_[port].get());
    });
  }

  /// Up to cycle `until`, or while `goes_on` is true.
  template <typename GoesOn>
  void Run(Cycle until, GoesOn&& goes_on) {
    while (star.cycle < until && goes_on()) {
      if (star.cycle == kFirstUp) star.Raise();
      ASSERT_NO_FATAL_FAILURE(star.StepOrFail());
    }
  }
  void Run(Cycle until) {
    Run(until, [] { return true; });
  }
  /// Behind a link down the garbage is over, and the ports retry again.
  void BecomeHonest() {
    for (const auto& [port, end] : ends_) {
      end->BecomeHonest();
      star.link(port).decides.TakeDown(star.cycle, 2000);
    }
    ASSERT_NO_FATAL_FAILURE(Run(star.cycle + kMacIsEmpty));
    for (const auto& [port, end] : ends_) star.WriteMode(port);
  }
  bool Quiet() const {
    if (star.books.sent() != star.books.received() || !star.AllHome()) return false;
    return std::all_of(ends_.begin(), ends_.end(), [](const auto& one) { return one.second->Quiet(); });
  }
  const GarbageEnd& end(int port) const { return *ends_.at(port); }
  /// A good packet to each port with garbage, and one from it.
  void Probe() {
    for (const auto& [port, end] : ends_) {
      const int host = 5 * port % star.hosts();
      star.host(host).Ask(StarLinks::AddressOfPort(port));
      end->Send(StarLinks::AddressOfPort(port), star.AddressOfHost(star.hosts() - 1 - host));
    }
  }

 private:
  static std::vector<PortSetup> Setups(const Profile& profile, golden::PortMask ports) {
    std::vector<PortSetup> setups;
    for (int port = 0; port < profile.ports; ++port) {
      PortSetup setup{profile, true, true, 7, {}, {}};
      setup.longest = 400;
      if ((ports >> port & 1) != 0) {
        setup.cut_through = port % 3 != 0;
        setup.down = __builtin_popcountll(ports & (golden::Bit(port) - 1)) % 3;
        setup.limit = 6;
        setup.timer = 1000;
        setup.watchdog = 150;
        setup.serdes.back = 1;
      }
      setups.push_back(setup);
    }
    return setups;
  }

  const std::vector<PortSetup> setups_;
  std::map<int, std::unique_ptr<GarbageEnd>> ends_;  ///< by port

 public:
  StarLinks star;
};

void ExpectSurvives(const Profile& profile, golden::PortMask ports, Cycle cycles) {
  const std::uint32_t seed = SeedOf(RootSeed(), CurrentTest());
  SCOPED_TRACE("seed " + std::to_string(seed));
  Garbage garbage(profile, ports, seed);
  StarLinks& star = garbage.star;
  ASSERT_NO_FATAL_FAILURE(garbage.Run(cycles));
  const std::int64_t honest = star.books.received();
  EXPECT_GT(honest, cycles * (profile.ports - __builtin_popcountll(ports)) / 200) << "the other ports' packets hardly move";
  star.Stop();
  ASSERT_NO_FATAL_FAILURE(garbage.BecomeHonest());
  ASSERT_NO_FATAL_FAILURE(garbage.Run(star.cycle + 3000));
  for (int round = 0; round < 3; ++round) garbage.Probe();
  const Cycle latest = star.cycle + 60'000;
  ASSERT_NO_FATAL_FAILURE(garbage.Run(latest, [&] { return !garbage.Quiet(); }));
  EXPECT_LT(star.cycle, latest) << star.books.sent() - star.books.received() << " packets are stuck or lost";
  ASSERT_NO_FATAL_FAILURE(garbage.Run(star.cycle + 3000));
  EXPECT_EQ(star.books.sent(), star.books.received());
  EXPECT_NO_THROW(star.CheckDrained());
  ASSERT_NO_FATAL_FAILURE(star.CompareCounters());
  EXPECT_GT(star.device().compared_busy(), cycles);

  std::map<Counter, std::uint64_t> counts;
  std::map<tilefly::Drop, std::uint64_t> drops;
  golden::ForEachBit(ports, [&](int port) {
    std::uint64_t accounted = star.Counter(port, Counter::kRxPackets);
    for (const tilefly::Drop reason : kDropValues) {
      drops[reason] += star.Dropped(port, reason);
      if (reason != tilefly::Drop::kNoEthHeader) accounted += star.Dropped(port, reason);  // that is an output's
    }
    // A packet that was taken back and then has no route counts as received and as dropped.
    const auto begun = static_cast<std::uint64_t>(garbage.end(port).begun().count());
    EXPECT_LE(begun, accounted) << "packets that began at port " << port;
    EXPECT_LE(accounted, begun + star.Counter(port, Counter::kRerouted)) << "packets that began at port " << port;
    for (const Counter counter : kCounterValues) counts[counter] += star.Counter(port, counter);
  });
  for (const tilefly::Drop reason : {tilefly::Drop::kHeader, tilefly::Drop::kBroken, tilefly::Drop::kHopLimit}) {
    EXPECT_GT(drops[reason], 0u) << ToString(reason);
  }
  for (const Counter counter :
       {Counter::kRxStray, Counter::kBadCredit, Counter::kRxAckNackSeqErr, Counter::kRxBad, Counter::kRxUnexpectedSeq,
        Counter::kRxDuplicateSeq, Counter::kRxExpectedSeqGood, Counter::kRxBadCtl, Counter::kCreditsHealed, Counter::kOldStamps,
        Counter::kLinkDowns, Counter::kLinkGivenUp, Counter::kTxReplayEvent, Counter::kLanesFailed}) {
    EXPECT_GT(counts[counter], 0u) << ToString(counter);
  }
}

TEST(GarbageLinksOf8, HarmNoOtherPort) {
  const Tier tier = TierFromEnvironment();
  ExpectSurvives(kTile8, 0b0100'1010, tier == Tier::kFull ? 1'000'000 : tier == Tier::kCi ? 100'000 : 40'000);
}

TEST(GarbageLinksOf64, HarmNoOtherPort) {
  const Tier tier = TierFromEnvironment();
  if (tier == Tier::kQuick) GTEST_SKIP() << "tiers ci and full";
  ExpectSurvives(kRosetta64, 0x8001'0204'4010'0801, tier == Tier::kFull ? 50'000 : 6000);
}

}  // namespace
}  // namespace tilefly::bench
