// SPDX-License-Identifier: Apache-2.0
// The flow account of edge ports and the path that ordered flows keep (docs/blocks/acks.md, Flow account), against a
// model that goes through all packets and acks in the order of their cycles.
#include <map>

#include "golden/routing/draws.h"
#include "testbenches/acks/ack_rig.h"
#include "testbenches/bench/settings.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::golden {
namespace {

constexpr PortMask kEdges = Bit(0) | Bit(1);
constexpr int kFirstGroup = 5, kGroups = 16;  ///< destinations are in three groups from 5 on

TEST(FlowAccount, EqualsAMap) {
  const bench::Stimulus random(bench::SeedOf(bench::RootSeed(), bench::CurrentTest()));
  FlowAccount account;
  std::map<std::pair<int, int>, std::uint32_t> map;
  std::size_t most = 0;
  for (Cycle now = 0; now < 60000; ++now) {
    const int port = static_cast<int>(random.Below(64, "port", now));
    const int flow = static_cast<int>(random.Below(now % 20000 < 10000 ? 8 : 1024, "flow", now));
    const int cells = random.Between(1, 89, "cells", now);
    std::uint32_t& expected = map[{port, flow}];
    if (random.Chance(now % 20000 < 16000 ? 120 : 20, "enters", now)) {
      account.Enter(port, flow, cells, nullptr);
      expected += static_cast<std::uint32_t>(cells);
    } else {
      account.Acknowledge(port, flow, cells);
      expected -= std::min(expected, static_cast<std::uint32_t>(cells));
    }
    ASSERT_EQ(account.cells(port, flow), expected);
    if (expected == 0) map.erase({port, flow});
    ASSERT_EQ(account.size(), map.size());
    most = std::max(most, map.size());
    if (now % 500 != 0) continue;
    Audit audit;
    account.Check(&audit);
    ASSERT_EQ(bench::BrokenIds(audit), "");
  }
  EXPECT_GT(most, 1000u);
}

TEST(FlowAccount, CountsUpTo20Bits) {
  FlowAccount account;
  for (int i = 0; i < (1 << 20) / 64 + 100; ++i) account.Enter(3, 7, 64, nullptr);
  EXPECT_EQ(account.cells(3, 7), (1u << 20) - 1);
  account.Acknowledge(3, 7, 10);
  EXPECT_EQ(account.cells(3, 7), (1u << 20) - 11);
}

/// A switch with two edge ports, four ways out of it, and a model beside it.
class OrderedFlows {
 public:
  OrderedFlows() : random_(bench::SeedOf(bench::RootSeed(), bench::CurrentTest())), rig_(kTile8, kEdges) {
    rig_.Write(WriteRegister(kAllPorts, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kSize), kGroups));
    for (int group = 0; group < kGroups; ++group) Route(group, 0xf0);
    rig_.Settle();
    rig_.Run(40);
  }

  void Step(bool traffic) {
    const Cycle now = rig_.now();
    if (traffic && random_.Chance(3, "route", now)) {
      Route(static_cast<int>(random_.Below(kGroups, "group", now)), (random_.Below(15, "mask", now) + 1) << 4);
    }
    for (const std::uint32_t port : {0u, 1u}) {
      if (traffic && now >= free_[port] && random_.Spell("start", now, port)) Start(static_cast<int>(port));
    }
    const std::size_t seen = rig_.departures.size();
    // One ack a cycle, so that none waits for another.
    if (!owed_.empty() && owed_.begin()->first <= now) {
      SendAck(owed_.begin()->second);
      owed_.erase(owed_.begin());
    }
    rig_.Step();
    for (std::size_t i = seen; i < rig_.departures.size(); ++i) {
      const Departure& departure = rig_.departures[i];
      const int lag = random_.Between(1, random_.Chance(230, "short", now, departure.payload) ? 60 : 800, "lag", now,
                                      departure.payload);
      owed_.emplace(now + lag, departure);
    }
  }

  /// Goes through everything in order, and compares where packets went and what their headers say.
  void Judge() {
    std::map<Payload, const Departure*> left;
    for (const Departure& departure : rig_.departures) left[departure.payload] = &departure;
    for (const auto& [when, event] : events_) {
      if (event.is_ack) {
        Flow& flow = flows_[{event.port, event.flow}];
        flow.cells -= std::min(flow.cells, event.cells);
        continue;
      }
      const Way way = Expected(event);
      const Departure& departure = *left.at(event.payload);
      ASSERT_EQ(departure.port, way.port) << "packet " << event.payload;
      ASSERT_EQ(departure.header.via(), way.via);
      ASSERT_EQ(departure.header.via_valid(), way.via_valid);
      ++(way.via_valid ? nonminimal : minimal)[event.port];
    }
  }

  AckRig& rig() { return rig_; }
  bool home() const { return owed_.empty(); }
  int kept = 0, hashed = 0, changed = 0;
  std::array<std::uint64_t, 2> minimal{}, nonminimal{};

 private:
  struct Way {
    int port;
    std::uint32_t via;
    bool via_valid;
  };
  struct Event {
    bool is_ack;
    int port;
    int flow;
    int cells;
    Payload payload;
    Header header;
    std::array<PortMask, kGroups> masks;  ///< as of the look-up
  };
  struct Flow {
    int cells = 0;
    bool has_path = false;
    std::uint32_t destination = 0;
    Way way{};
  };

  void Route(int group, PortMask mask) {
    rig_.Write(WriteRegister(kAllPorts, CfgSpace::kRouteGroup, group, mask));
    routes_.emplace(std::max(rig_.now(), last_write_ + 1) + kWriteLatency, std::pair{group, mask});
    last_write_ = std::max(rig_.now(), last_write_ + 1);
  }

  void Start(int port) {
    const Cycle now = rig_.now();
    const auto index = static_cast<std::uint32_t>(port);
    const auto draw = [&](std::uint64_t n, const char* what) { return random_.Below(n, what, now, index); };
    Header header = HeaderFrom(AckRig::Own(port), FabricAddress(kFirstGroup + static_cast<int>(draw(3, "far")), 1, 1),
                               0, 32 + static_cast<int>(draw(90, "length")));
    header.flow = static_cast<std::uint16_t>(draw(3, "flow") * 400);
    header.ordered = draw(5, "ordered") != 0;
    header.mode = static_cast<std::uint8_t>(draw(2, "mode") == 0 ? RouteMode::kMinHash : RouteMode::kNminHash);
    header.via = static_cast<std::uint16_t>(draw(1 << 14, "via"));
    header.via_valid = draw(2, "via_valid") != 0;
    Event event{false, port, header.flow, CellsOf(header.len), rig_.Send(port, header), header, {}};
    for (const auto& [when, route] : routes_) {
      if (when < now + 4) event.masks[static_cast<std::size_t>(route.first)] = route.second;
    }
    events_.emplace(2 * (now + 18), event);
    free_[index] = now + CeilDiv(header.len + 16, kWordBytes) + static_cast<Cycle>(draw(8, "gap"));
  }

  /// Now and then it says too much.
  void SendAck(const Departure& departure) {
    Ack ack;
    ack.flow = static_cast<std::uint16_t>(departure.header.flow());
    ack.cells = static_cast<std::uint8_t>(CellsOf(departure.length));
    ack.port = static_cast<std::uint8_t>(departure.header.source() & 63);
    if (random_.Chance(4, "too much", rig_.now())) ack.cells = 127;
    rig_.SendAck(departure.port, ack);
    events_.emplace(2 * (rig_.now() + 13) + 1, Event{true, ack.port, ack.flow, ack.cells, 0, {}, {}});
  }

  static Way Routed(const Event& event, int flow, bool detours) {
    const Header& header = event.header;
    const std::uint32_t hf = FlowHash(static_cast<std::uint32_t>(flow), header.src, header.dst);
    const std::uint32_t h = HashIn(AckRig::kOwn.group, AckRig::kOwn.number, hf);
    const int far = SwitchAddress::OfPort(header.dst).group;
    const int detour = ChooseNumber(hf >> 16, kGroups);
    const auto mask = [&](int group) { return event.masks[static_cast<std::size_t>(group)]; };
    if (detours && detour != AckRig::kOwn.group && detour != far && mask(detour) != 0) {
      return {ChoosePort(h, mask(detour)), SwitchAddress{detour, 0}.ToBits(), true};
    }
    return {ChoosePort(h, mask(far)), header.via, false};
  }

  Way Expected(const Event& event) {
    const Header& header = event.header;
    Flow& flow = flows_[{event.port, event.flow}];
    Way way = Routed(event, header.flow, header.mode == static_cast<int>(RouteMode::kNminHash));
    if (flow.cells == 0) {
      flow.has_path = header.ordered;
      flow.destination = header.dst;
      flow.way = way;
    } else if (header.ordered && flow.has_path && flow.destination == header.dst) {
      changed += flow.way.port != way.port;
      way = flow.way;
      ++kept;
    } else if (header.ordered) {
      way = Routed(event, 0, false);
      ++hashed;
    }
    flow.cells += event.cells;
    return way;
  }

  bench::Stimulus random_;
  AckRig rig_;
  std::multimap<Cycle, Event> events_;  ///< by twice the cycle, acks after packets
  std::multimap<Cycle, std::pair<int, PortMask>> routes_;
  std::multimap<Cycle, Departure> owed_;
  std::map<std::pair<int, int>, Flow> flows_;
  std::array<Cycle, 2> free_{};
  Cycle last_write_ = -1;
};

TEST(OrderedFlows, KeepTheirPathWhilePacketsAreInFlight) {
  OrderedFlows flows;
  const int cycles = static_cast<int>(bench::CyclesOf(bench::TierFromEnvironment()));
  for (int i = 0; i < cycles && !testing::Test::HasFailure(); ++i) flows.Step(true);
  for (int i = 0; i < 20000 && !(flows.home() && flows.rig().device().packets() == 0); ++i) flows.Step(false);
  for (int i = 0; i < 30; ++i) flows.Step(false);
  flows.Judge();
  EXPECT_EQ(flows.rig().device().flows().size(), 0u);
  EXPECT_GT(flows.kept, cycles / 100);
  EXPECT_GT(flows.hashed, cycles / 100);
  EXPECT_GT(flows.changed, cycles / 2000) << "the path kept is another than the tables say";
  for (const int port : {0, 1}) {
    const auto at = static_cast<std::size_t>(port);
    EXPECT_EQ(flows.rig().Count(port, Counter::kRoutedMin), flows.minimal[at]);
    EXPECT_EQ(flows.rig().Count(port, Counter::kRoutedNonmin), flows.nonminimal[at]);
  }
}

TEST(OrderedFlows, TakeTheLaneOfThePortThatTheyTake) {
  AckRig rig(kTile8, Bit(0));
  PortMode other = AckRig::Fabric();
  other.pclass = 2;
  rig.SetMode(5, other);
  // Class 0, lane 0, from a port of class 0: lane 7 to ports of class 2, lane 3 to those of class 0.
  rig.Write(WriteRegister(kAllPorts, CfgSpace::kVlmap, VlmapIndex::Of(2, 0, 0, 0).ToBits(), 7));
  rig.Write(WriteRegister(kAllPorts, CfgSpace::kVlmap, 0, 3));
  rig.Write(WriteRegister(kAllPorts, CfgSpace::kRouteGroup, 7, Bit(5)));
  rig.Settle();
  Header header = HeaderFrom(AckRig::Own(0), FabricAddress(7, 1, 1), 0);
  header.ordered = true;
  rig.Send(0, header);
  rig.Run(30);
  rig.Write(WriteRegister(kAllPorts, CfgSpace::kRouteGroup, 7, Bit(4)));
  rig.Settle();
  rig.Send(0, header);  // keeps port 5
  rig.Run(5);
  header.flow = 1;
  rig.Send(0, header);
  rig.Drain();
  ASSERT_EQ(rig.departures.size(), 3u);
  std::map<Payload, std::pair<int, int>> ways;
  for (const Departure& departure : rig.departures) ways[departure.payload] = {departure.port, departure.header.vl()};
  EXPECT_EQ(ways[0], std::pair(5, 7));
  EXPECT_EQ(ways[1], std::pair(5, 7));
  EXPECT_EQ(ways[2], std::pair(4, 3));
}

TEST(OrderedFlows, ADroppedPacketChangesNothing) {
  AckRig rig(kTile8, Bit(0));
  rig.Write(WriteRegister(kAllPorts, CfgSpace::kRouteGroup, 7, Bit(5)));
  // Class 0 is lossy with a cap of 3 cells.
  rig.Write(WriteRegister(kAllPorts, CfgSpace::kClass, static_cast<int>(ClassReg::kShare),
                          ClassShare::Of(0, 3, /*lossy=*/true).ToBits()));
  rig.Write(WriteRegister(kAllPorts, CfgSpace::kClass, IndexOf(TableReg::kClassShared), 1000));
  rig.Settle();
  Header header = HeaderFrom(AckRig::Own(0), FabricAddress(7, 1, 1), 0, 200);  // 5 cells
  header.ordered = true;
  rig.Send(0, header);
  rig.Drain();
  EXPECT_EQ(rig.device().ReadCounter(0, static_cast<int>(Drop::kClassFull)), 1u);
  EXPECT_EQ(rig.device().flows().size(), 0u);
  EXPECT_EQ(rig.Count(0, Counter::kRoutedMin), 0u);
  header.len = 100;  // 3 cells
  rig.Send(0, header);
  rig.Drain();
  EXPECT_EQ(rig.device().flows().cells(0, 0), 3u);
  EXPECT_EQ(rig.Count(0, Counter::kRoutedMin), 1u);
}

TEST(OrderedFlows, BehindTheFirstSwitchAreHashed) {
  for (const RouteMode mode :
       {RouteMode::kAdaptive0, RouteMode::kAdaptive1, RouteMode::kMinHash, RouteMode::kNminHash, RouteMode::kInOrder}) {
    AckRig rig(kTile8, 0);
    rig.Write(WriteRegister(kAllPorts, CfgSpace::kRouteGroup, 7, 0xf0));
    rig.Settle();
    Header header = HeaderFrom(FabricAddress(AckRig::kOwn.group, 1, 2), FabricAddress(7, 1, 1), 1);
    header.ordered = true;
    header.flow = 321;
    header.mode = static_cast<std::uint8_t>(mode);
    for (int i = 0; i < 20; ++i) {
      rig.Send(1, header);
      rig.Run(10);
    }
    rig.Drain();
    const std::uint32_t flow = mode == RouteMode::kInOrder ? 0 : 321;
    const int port =
        ChoosePort(HashIn(AckRig::kOwn.group, AckRig::kOwn.number, FlowHash(flow, header.src, header.dst)), 0xf0);
    for (const Departure& departure : rig.departures) EXPECT_EQ(departure.port, port) << ToString(mode);
    EXPECT_EQ(rig.Count(1, Counter::kRoutedMin), 0u) << "it does not decide";
  }
}

}  // namespace
}  // namespace tilefly::golden
