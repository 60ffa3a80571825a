// SPDX-License-Identifier: Apache-2.0
// Links that go down while packets wait for them, and other links that lead to the same switch (docs/blocks/link_retry.md, Taken
// back): RTL beside golden in every cycle, and where the packets come out.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "testbenches/lockstep/link_runs.h"
#include "testbenches/lockstep/linked_switches.h"

namespace tilefly::bench {
namespace {

constexpr int kDiscard = 0, kBlock = 1;
constexpr Cycle kFirstUp = 600;
/// Cycles of a link down behind which MODE may be written: no word of a packet is to come.
constexpr Cycle kMacIsEmpty = 540;
constexpr std::uint32_t kToAll = (1u << 20) - 1;

constexpr std::uint32_t AddressOf(std::size_t at, int port) {
  return static_cast<std::uint32_t>(at << golden::kPortBits) | static_cast<std::uint32_t>(port);
}

/// What the records of the first switch say of grants that take packets back.
struct Reroutes {
  std::int64_t decided = 0, arrived = 0;
  void Look(LinkedSwitches* mesh) {
    for (const Portobs& port : mesh->device(0).Observe().ports) {
      decided += port.dec_reroute;
      arrived += port.gin_reroute;
    }
  }
};

/// Runs up to cycle `until`; links come up in cycle 600.
void RunTo(LinkedSwitches* mesh, Cycle until, Reroutes* reroutes) {
  while (mesh->cycle < until) {
    if (mesh->cycle == kFirstUp) {
      for (cosim::LinkDecides& link : mesh->decides) link.Raise();
    }
    ASSERT_NO_THROW(mesh->Step()) << "cycle " << mesh->cycle;
    if (mesh->cycle > 1) reroutes->Look(mesh);
  }
}

/// Hosts have stopped: all that is inside comes out, some of it by a slow link.
void Finish(LinkedSwitches* mesh, Reroutes* reroutes) {
  constexpr Cycle kLongest = 30'000;  // without a packet that leaves
  mesh->Mend();
  std::int64_t least = mesh->packets();
  Cycle latest = mesh->cycle + kLongest;
  do {
    ASSERT_NO_FATAL_FAILURE(RunTo(mesh, mesh->cycle + 1000, reroutes));
    if (mesh->packets() < least) latest = mesh->cycle + kLongest;
    least = std::min(least, mesh->packets());
    ASSERT_LT(mesh->cycle, latest) << mesh->packets() << " packets are stuck";
  } while (mesh->packets() != 0);
  ASSERT_NO_FATAL_FAILURE(RunTo(mesh, mesh->cycle + 3000, reroutes));
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NO_THROW(mesh->device(i).CheckDrained()) << "switch " << i;
  EXPECT_NO_THROW(mesh->CompareCounters());
  EXPECT_EQ(mesh->Count(0, Counter::kRerouted), static_cast<std::uint64_t>(reroutes->arrived));
  EXPECT_EQ(reroutes->decided, reroutes->arrived);
}

Header HeaderTo(std::size_t at, int port, std::uint32_t destination, int length, int tc) {
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  header.len = static_cast<std::uint16_t>(length);
  header.tc = header.vl = static_cast<std::uint8_t>(tc);
  header.src = AddressOf(at, port);
  header.dst = destination;
  return header;
}

/// Hosts of the first switch send to those of the second, which know every packet.
class Deliveries {
 public:
  explicit Deliveries(const Stimulus& random) : random_(random) {}

  bool Send(std::size_t at, int port, Cycle now, LinkedHost* host) {
    const auto index = static_cast<std::uint32_t>(port);
    const int tc = static_cast<int>(random_.Below(8, "class", now, index));
    if (stopped || at != 0 || port == 7 || now < kFirstUp + 100 || !host->Ready(now, tc)) return false;
    if (!random_.Spell("packet", now, index)) return false;
    const std::uint32_t destination = AddressOf(1, random_.Between(3, 6, "to", now, index));
    Header header = HeaderTo(at, port, destination, random_.Between(64, 1500, "length", now, index), tc);
    header.mode = static_cast<std::uint8_t>(random_.Below(4, "mode", now, index));
    header.flow = static_cast<std::uint16_t>(random_.Below(8, "flow", now, index));
    WirePacket packet = MakeWithHeader(random_, 8 * now + port, header);
    ++out_[FrameOf(packet.bytes)];
    host->Start(now, std::move(packet), 0);
    ++sent;
    return true;
  }
  void Take(std::size_t at, const std::vector<std::uint8_t>& bytes) {
    const auto known = out_.find(FrameOf(bytes));
    if (known == out_.end()) return;  // a copy that was cut off on a link
    EXPECT_EQ(at, 1u);
    EXPECT_EQ(known->second--, 1) << "a packet came twice";
    ++received;
  }

  bool stopped = false;
  std::int64_t sent = 0, received = 0;

 private:
  static std::vector<std::uint8_t> FrameOf(const std::vector<std::uint8_t>& bytes) {
    return {bytes.begin() + Header::kBytes, bytes.end()};
  }
  Stimulus random_;
  std::map<std::vector<std::uint8_t>, int> out_;
};

/// One link of two is down at a time. No packet is lost but those in its output buffer and its replay buffer: there is always another
/// way.
TEST(TakenBackRtl, PacketsGoByTheOtherLinks) {
  const Stimulus random = StimulusOf("the other links");
  Deliveries deliveries(random);
  LinkedSwitches mesh(
      MeshSetup{}, random,
      [&](std::size_t at, int port, Cycle now, LinkedHost* host) { return deliveries.Send(at, port, now, host); },
      [&](std::size_t at, int, const std::vector<std::uint8_t>& bytes, const Header*) { deliveries.Take(at, bytes); }, Rtl());
  Reroutes reroutes;
  mesh.Write(0, golden::kAllPorts, CfgSpace::kRouteSwitch, 1, 3);  // two links, and as much for them as three carry
  for (int n = 0; n < 10; ++n) {
    ASSERT_NO_FATAL_FAILURE(RunTo(&mesh, 2000 + 2500 * n, &reroutes));
    mesh.decides[static_cast<std::size_t>(n % 2)].TakeDown(mesh.cycle, 1200 + 11 * n);
  }
  ASSERT_NO_FATAL_FAILURE(RunTo(&mesh, mesh.cycle + 2500, &reroutes));
  deliveries.stopped = true;
  ASSERT_NO_FATAL_FAILURE(Finish(&mesh, &reroutes));
  const auto lost = static_cast<std::int64_t>(mesh.Count(0, Counter::kTxLost));
  const auto replay_lost = static_cast<std::int64_t>(mesh.Count(0, Counter::kReplayLost));
  const std::int64_t missing = deliveries.sent - deliveries.received;
  EXPECT_GE(missing, lost);
  EXPECT_LE(missing, lost + replay_lost);
  EXPECT_GT(deliveries.received, 1500);
  EXPECT_GT(reroutes.arrived, 100);
  EXPECT_EQ(mesh.Count(0, Drop::kNoRoute), 0u);
  EXPECT_EQ(mesh.Count(0, Counter::kRoutedMin), mesh.Count(0, Counter::kRxPackets)) << "counted again";
  EXPECT_EQ(mesh.Count(0, Counter::kRxPackets), static_cast<std::uint64_t>(deliveries.sent)) << "counted again";
}

/// With `block` requests stay, and no packet is taken back.
TEST(TakenBackRtl, NothingComesBackWithBlock) {
  const Stimulus random = StimulusOf("block");
  Deliveries deliveries(random);
  MeshSetup setup;
  setup.down = kBlock;
  LinkedSwitches mesh(
      setup, random,
      [&](std::size_t at, int port, Cycle now, LinkedHost* host) { return deliveries.Send(at, port, now, host); },
      [&](std::size_t at, int, const std::vector<std::uint8_t>& bytes, const Header*) { deliveries.Take(at, bytes); },
      RtlInFullTier());
  Reroutes reroutes;
  ASSERT_NO_FATAL_FAILURE(RunTo(&mesh, 2000, &reroutes));
  mesh.decides[0].TakeDown(mesh.cycle, 1200);
  ASSERT_NO_FATAL_FAILURE(RunTo(&mesh, mesh.cycle + 4000, &reroutes));
  deliveries.stopped = true;
  ASSERT_NO_FATAL_FAILURE(Finish(&mesh, &reroutes));
  EXPECT_EQ(reroutes.arrived, 0);
  EXPECT_EQ(mesh.Count(0, Counter::kTxLost), 0u);
  EXPECT_LE(deliveries.sent - deliveries.received, static_cast<std::int64_t>(mesh.Count(0, Counter::kReplayLost)));
}

/// Packets of all kinds, and registers that change: what is looked up the second time is not what was looked up the first time.
class AllKinds {
 public:
  explicit AllKinds(const Stimulus& random) : random_(random) {}

  bool Send(std::size_t at, int port, Cycle now, LinkedHost* host) {
    const auto index = static_cast<std::uint32_t>(8 * at) + static_cast<std::uint32_t>(port);
    const int tc = Below(8, "class", now, index);
    if (stopped || now < kFirstUp / 2 || !host->Ready(now, tc) || !random_.Spell("packet", now, index)) return false;
    const Cycle name = 16 * now + index;
    WirePacket packet = host->bare() ? MakeBareFrame(at, now, name, index) : MakePacket(at, port, tc, now, name, index);
    const bool cut = random_.Chance(12, "cut", now, index);
    host->Start(now, std::move(packet), cut ? 1 + Below(6, "cut at", now, index) : 0);
    return true;
  }
  /// Registers of the first switch.
  void Write(Cycle now, LinkedSwitches* mesh) {
    if (!random_.Chance(4, "write", now) || !mesh->written()) return;
    const auto mask = random_.Bits("mask", now) & (random_.Chance(60, "all masks", now) ? 0xff : 0x87);
    const int which = Below(8, "register", now, 0);
    const int number = 1 + Below(3, "number", now, 0);
    switch (which) {
      case 0:
      case 1:
        return mesh->Write(0, golden::kAllPorts, CfgSpace::kRouteSwitch, number, number == 1 ? mask | 3 : mask);
      case 2:
        return mesh->Write(0, golden::kAllPorts, CfgSpace::kRouteGroup, number, mask);
      case 3:
        return mesh->Write(0, golden::kAllPorts, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kSize), SwitchSize::Of(4, 4).ToBits());
      case 4:
        return mesh->Write(0, Below(8, "port", now, 0), CfgSpace::kClass,
                           static_cast<int>(ClassIndex::Of(static_cast<std::uint64_t>(ClassReg::kMtu),
                                                           static_cast<std::uint64_t>(Below(8, "of class", now, 0))).ToBits()),
                           random_.Chance(128, "limit", now) ? 0 : 20);
      case 5:
        return mesh->Write(0, golden::kAllPorts, CfgSpace::kClass,
                           static_cast<int>(ClassIndex::Of(static_cast<std::uint64_t>(ClassReg::kShare),
                                                           static_cast<std::uint64_t>(number)).ToBits()),
                           ClassShare::Of(20, 400, random_.Chance(128, "lossy", now)).ToBits());
      case 6:
        return mesh->Write(0, golden::kAllPorts, CfgSpace::kClass, static_cast<int>(TableReg::kClassShared), 600);
      default:
        if (random_.Chance(60, "down", now)) mesh->WriteRetry(0, Below(kMeshLinks, "link", now, 0), Below(4, "behaviour", now, 0));
    }
  }

  bool stopped = false;

 private:
  static constexpr std::uint8_t kLateHop = 12;

  int Below(std::uint64_t n, Purpose purpose, Cycle cycle, std::uint32_t index) const {
    return static_cast<int>(random_.Below(n, purpose, cycle, index));
  }
  WirePacket MakeBareFrame(std::size_t at, Cycle now, Cycle name, std::uint32_t index) const {
    return MakeBare(random_, name, RandomLength(random_, 64, 1500, name), [&](std::uint8_t* bytes) {
      const int kind = Below(4, "bare: to", now, index);
      const std::uint32_t address = AddressOf(1 - at, 3 + Below(4, "bare: port", now, index));
      for (int i = 0; i < 6; ++i) bytes[i] = kind == 0 ? 0xff : kind == 1 ? 0x01 : i == 0 ? 0x02 : 0;
      if (kind < 2) return;
      bytes[3] = static_cast<std::uint8_t>(address >> 16);
      bytes[4] = static_cast<std::uint8_t>(address >> 8);
      bytes[5] = static_cast<std::uint8_t>(address);
    });
  }
  WirePacket MakePacket(std::size_t at, int port, int tc, Cycle now, Cycle name, std::uint32_t index) const {
    const int kind = Below(16, "to", now, index);
    std::uint32_t destination = AddressOf(1 - at, 3 + Below(5, "to port", now, index));
    if (kind == 0) destination = AddressOf(at, Below(kMeshPorts, "own port", now, index));
    if (kind == 1 || kind == 2) destination = kToAll;
    if (kind >= 3 && kind < 6) destination = AddressOf(32 * static_cast<std::size_t>(1 + Below(3, "group", now, index)), 4);
    Header header = HeaderTo(at, port, destination, RandomLength(random_, 64, 4000, name), tc);
    header.mode = static_cast<std::uint8_t>(Below(8, "mode", now, index));
    header.ordered = random_.Chance(100, "ordered", now, index);
    header.flow = static_cast<std::uint16_t>(Below(6, "flow", now, index));
    header.hop = static_cast<std::uint8_t>(random_.Chance(190, "begins", now, index) ? 0 : Below(4, "hop", now, index));
    if (kind == 0) header.hop = kLateHop;  // to a link's port: it comes back
    header.via_valid = random_.Chance(128, "by via", now, index);
    const int via = Below(6, "via", now, index);
    header.via = static_cast<std::uint16_t>(via < 4 ? via : 32 * (via - 3));
    return MakeWithHeader(random_, name, header);
  }
  Stimulus random_;
};

/// Links that go down, alone and together, each for its time, while requests wait at them; MODE is written behind every second
/// link down, so that best effort retries again.
class DownTimes {
 public:
  DownTimes(const Stimulus& random, int delay) : random_(random), delay_(delay) {}

  void Cause(LinkedSwitches* mesh) {
    const Cycle now = mesh->cycle;
    for (std::size_t l = 0; l < kMeshLinks; ++l) {
      const auto index = static_cast<std::uint32_t>(l);
      cosim::LinkDecides& link = mesh->decides[l];
      if (random_.Below(1600, "down", now, index) == 0 && now > kFirstUp + 300) {
        link.TakeDown(now, static_cast<Cycle>(random_.Below(1500, "down time", now, index)));
      }
      if (link.downs() > downs_[l]) {
        downs_[l] = link.downs();
        write_[l] = now + delay_ + kMacIsEmpty;
      }
      if (now == write_[l] && downs_[l] % 2 == 0 && !link.up(0, now) && !link.up(1, now)) mesh->WriteMode(static_cast<int>(l));
    }
  }

 private:
  Stimulus random_;
  int delay_;
  std::array<int, kMeshLinks> downs_{};
  std::array<Cycle, kMeshLinks> write_{};
};

/// A packet that comes by a link and leaves by a link goes to the next lane, so that packets that go back and forth cannot wait
/// for each other in a circle.
void RaiseLanes(LinkedSwitches* mesh) {
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::uint64_t entry = 0; entry < 128; ++entry) {
      const std::uint64_t tc = entry / 16, lane = entry % 16;
      mesh->Write(i, golden::kAllPorts, CfgSpace::kVlmap, static_cast<int>(VlmapIndex::Of(1, 1, lane, tc).ToBits()), (lane + 1) % 16);
    }
  }
}

void CompareAllKinds(int run, std::map<int, std::uint64_t>* totals, Reroutes* reroutes) {
  const bool full = TierFromEnvironment() == Tier::kFull;
  MeshSetup setup;
  setup.delay = full ? 1 + 13 * run % 97 : 15;
  setup.down = run % 4;
  setup.broken_words = run % 2 == 0 ? 60 : 0;
  setup.cut_through = run % 3 != 2;
  setup.flows = run % 4 >= 2;
  const Stimulus random(SeedOf(RootSeed(), "all kinds") + static_cast<std::uint32_t>(run));
  AllKinds kinds(random);
  DownTimes downs(random, setup.delay);
  LinkedSwitches mesh(
      setup, random, [&](std::size_t at, int port, Cycle now, LinkedHost* host) { return kinds.Send(at, port, now, host); },
      [](std::size_t, int, const std::vector<std::uint8_t>&, const Header*) {}, Rtl());
  for (int number = 1; number < 4; ++number) {
    mesh.Write(0, golden::kAllPorts, CfgSpace::kRouteGroup, number, kMeshLinkPorts);
    mesh.Write(1, golden::kAllPorts, CfgSpace::kRouteGroup, number, kMeshHostPorts);
    if (number > 1) mesh.Write(0, golden::kAllPorts, CfgSpace::kRouteSwitch, number, 0x36);
    if (number > 1) mesh.Write(1, golden::kAllPorts, CfgSpace::kRouteSwitch, number, kMeshHostPorts);
  }
  RaiseLanes(&mesh);
  // Marks that few waiting cells make, and deadlines after which lost packets let held ones go.
  for (std::size_t i = 0; i < 2; ++i) {
    mesh.Write(i, golden::kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kFlowMark), FlowMark::Of(8, 60, 120).ToBits());
    mesh.Write(i, golden::kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kFlowChannel),
               tilefly::FlowChannel::Of(2, 2, 3, 89, 64, 0).ToBits());
  }
  Reroutes own;
  const Cycle cycles = full ? 120'000 : 10'000;
  while (mesh.cycle < cycles) {
    downs.Cause(&mesh);
    kinds.Write(mesh.cycle, &mesh);
    ASSERT_NO_FATAL_FAILURE(RunTo(&mesh, mesh.cycle + 1, &own));
  }
  kinds.stopped = true;
  mesh.Mend();
  for (cosim::LinkDecides& link : mesh.decides) link.TakeDown(mesh.cycle);  // plain ports, and what they have lost, end with it
  ASSERT_NO_FATAL_FAILURE(RunTo(&mesh, mesh.cycle + setup.delay + kMacIsEmpty, &own));
  for (int l = 0; l < kMeshLinks; ++l) {
    mesh.WriteRetry(0, l, kDiscard);
    mesh.WriteMode(l);
  }
  ASSERT_NO_FATAL_FAILURE(Finish(&mesh, &own));
  EXPECT_GT(mesh.device(0).compared_busy(), 2000);
  EXPECT_GT(own.arrived, setup.down == kBlock ? -1 : 20);
  for (const tilefly::Drop reason : kDropValues) (*totals)[static_cast<int>(reason)] += mesh.Count(0, reason);
  for (const Counter counter : kCounterValues) (*totals)[static_cast<int>(counter)] += mesh.Count(0, counter);
  reroutes->arrived += own.arrived;
}

TEST(TakenBackRtl, RtlEqualsGoldenWhileLinksGoDown) {
  std::map<int, std::uint64_t> totals;
  Reroutes reroutes;
  for (int run = 0; run < (TierFromEnvironment() == Tier::kFull ? 24 : TierFromEnvironment() == Tier::kCi ? 6 : 4); ++run) {
    SCOPED_TRACE("run " + std::to_string(run));
    CompareAllKinds(run, &totals, &reroutes);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(reroutes.arrived, 300);
  for (const tilefly::Drop reason : {Drop::kNoRoute, Drop::kClassMtu, Drop::kClassFull, Drop::kHopLimit}) {
    EXPECT_GT(totals[static_cast<int>(reason)], 0u) << ToString(reason);
  }
  for (const Counter counter : {Counter::kFlowHeld, Counter::kFlowThrottled, Counter::kFlowLost, Counter::kMarksIn, Counter::kFlowPauses}) {
    EXPECT_GT(totals[static_cast<int>(counter)], 20u) << ToString(counter);
  }
  for (const Counter counter : {Counter::kTxLost, Counter::kReplayLost, Counter::kRxDamaged, Counter::kRoutedNonmin}) {
    EXPECT_GT(totals[static_cast<int>(counter)], 0u) << ToString(counter);
  }
}

}  // namespace
}  // namespace tilefly::bench
