// SPDX-License-Identifier: Apache-2.0
// tilefly_ingress_port against golden's InputPort with flow channels (docs/blocks/flow_channel.md): packets are held and released,
// beside packets that are taken back, while acks are marked, late, lost and forged, and registers and tables change.
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "Vrtl_ingress_rosetta64.h"
#include "Vrtl_ingress_tile8.h"
#include "Vrtl_ingress_tile8___024root.h"
#include "testbenches/ingress/class_writes.h"
#include "testbenches/ingress/ingress_harness.h"

namespace tilefly::bench {
namespace {

constexpr Cycle kStretch = 3000;  ///< then the port runs empty and gets another MODE

constexpr std::array kFlowCounters = {Counter::kFlowHeld,  Counter::kFlowFull,   Counter::kFlowThrottled, Counter::kFlowLost,
                                      Counter::kFlowStray, Counter::kFlowPauses, Counter::kMarksIn};

/// How a stretch of cycles is.
struct Stretch {
  PortMode mode;
  Mix mix;
  int grants, reroutes, lost;
  Cycle round_trip;
  Shares shares;
};

Stretch MakeStretch(const Stimulus& random, const TableWrites& tables, int number, Cycle now) {
  Stretch stretch{tables.RandomMode(now), Mix{}, -1, 0, 40, 60, Shares::kOff};
  stretch.mode.acks = stretch.mode.flows = number % 8 != 7;
  stretch.mode.credits = number % 4 != 3;
  stretch.mode.cut_through = number % 2 == 0;
  stretch.mix.few = number % 3 != 2;
  stretch.mix.elsewhere = 240;
  stretch.mix.classes = number % 6 == 3 ? 8 : 1 + number % 2;
  stretch.mix.one_set = number % 2 == 0;
  stretch.mix.small = number % 4 < 2 || stretch.mix.one_set;
  stretch.mix.bare = number % 5 == 4 ? 200 : 24;
  stretch.mix.taken = 4;
  stretch.mix.wrong = 4;
  stretch.reroutes = number % 3 == 1 ? 100 : 0;
  stretch.lost = random.Chance(64, "acks: none", number) ? 256 : 40;
  stretch.round_trip = random.Chance(128, "acks: late", number) ? 60 : 1200;
  stretch.grants = random.Chance(160, "all grants", number) ? 256 : -1;
  stretch.shares = static_cast<Shares>(random.Below(static_cast<std::uint64_t>(Shares::kCount), "shares", number));
  return stretch;
}

/// Acks of the packets that have left, as the network brings them home.
class Network {
 public:
  explicit Network(const Stimulus& random) : random_(random) {}

  /// A packet leaves.
  void Take(const Cell& cell, Cycle now, const Stretch& stretch, bool ending) {
    const Header header = Header::UnpackBytes(cell.data.data());
    if (header.hop != 1 || header.dst == 0xf'ffff || header.kind == static_cast<int>(Kind::kRed)) return;
    if (!ending && random_.Chance(stretch.lost, "ack: lost", now)) return;
    Ack ack = Draw(now);
    ack.cells = cell.cells;
    ack.gen = header.gen;
    ack.by_class = header.an;
    ack.tc = header.tc;
    ack.dst = header.dst;
    ack.flow = header.flow;
    last_ = ack;
    Cycle home = now + 30 + static_cast<Cycle>(random_.Below(static_cast<std::uint64_t>(stretch.round_trip), "ack: home", now));
    while (acks_.count(home) != 0) ++home;
    acks_[home] = ack;
  }
  /// The ack that comes home in cycle `now`; now and then one that nobody has made.
  std::optional<Ack> Home(Cycle now, bool ending) {
    const auto found = acks_.find(now);
    if (found != acks_.end()) {
      const Ack ack = found->second;
      acks_.erase(found);
      return ack;
    }
    if (ending || !random_.Chance(2, "ack: forged", now)) return std::nullopt;
    Ack ack = Draw(now);
    ack.cells = static_cast<std::uint8_t>(random_.Between(0, 89, "ack: cells", now));
    ack.gen = random_.Chance(128, "ack: gen", now);
    ack.by_class = random_.Chance(64, "ack: by class", now);
    ack.tc = static_cast<std::uint8_t>(random_.Below(8, "ack: class", now));
    ack.dst = random_.Chance(200, "ack: last", now) ? last_.dst : static_cast<std::uint32_t>(random_.Below(1 << 20, "ack: to", now));
    return ack;
  }

 private:
  Ack Draw(Cycle now) const {
    constexpr std::array kShares = {0, 1, 30, 89, 200, 4095};
    Ack ack;
    ack.mark = random_.Chance(128, "ack: mark", now);
    ack.share = static_cast<std::uint16_t>(kShares[random_.Below(kShares.size(), "ack: share", now)]);
    return ack;
  }

  const Stimulus& random_;
  std::map<Cycle, Ack> acks_;  ///< by the cycle in which they come home
  Ack last_;
};

/// A register of flow channels gets another value.
Cfg FlowWrite(const Stimulus& random, int port, Cycle now) {
  if (random.Chance(128, "flows: mark", now)) {
    return Write(CfgSpace::kPort, port, static_cast<int>(PortReg::kFlowMark),
                 FlowMark::Of(10, 20, random.Below(400, "flows: full", now)).ToBits());
  }
  return Write(CfgSpace::kPort, port, static_cast<int>(PortReg::kFlowChannel),
               tilefly::FlowChannel::Of(random.Below(4, "flows: deadline", now), random.Below(4, "flows: idle", now),
                                        random.Below(8, "flows: grow", now), random.Below(200, "flows: hold", now),
                                        random.Below(256, "flows: period", now),
                                        random.Below(3, "flows: first", now) * random.Below(60, "flows: cells", now)).ToBits());
}

template <typename Model>
void BeginCounts(IngressHarness<Model>*) {}
/// In the runs from edges.
void BeginCounts(IngressHarness<Vrtl_ingress_tile8>* harness) {
  auto& all = *harness->dut().rootp;
  QData* const counts[] = {&all.ingress_with_tables__DOT__u_port__DOT__u_flow_counters__DOT__held_q,
                           &all.ingress_with_tables__DOT__u_port__DOT__u_flow_counters__DOT__full_q,
                           &all.ingress_with_tables__DOT__u_port__DOT__u_flow_counters__DOT__throttled_q,
                           &all.ingress_with_tables__DOT__u_port__DOT__u_flow_counters__DOT__lost_q,
                           &all.ingress_with_tables__DOT__u_port__DOT__u_flow_counters__DOT__stray_q,
                           &all.ingress_with_tables__DOT__u_port__DOT__u_flow_counters__DOT__pauses_q,
                           &all.ingress_with_tables__DOT__u_port__DOT__u_flow_counters__DOT__marked_q};
  for (std::size_t i = 0; i < kFlowCounters.size(); ++i) harness->BeginCount(static_cast<int>(kFlowCounters[i]), counts[i]);
}

template <typename Model>
void CompareFlows(const Profile& profile, int port, PowerUp power_up, double of_tier) {
  constexpr Cycle kDrain = 800;  // at least
  Comparison run({of_tier, 25, 0, kDrain, power_up});
  IngressHarness<Model> harness(&run, profile, port);
  if (power_up.edge > 0) BeginCounts(&harness);
  harness.ShowDowns();
  const Stimulus& random = run.stimulus();
  const TableWrites tables(profile, random, port);
  const ClassWrites classes(random, port);
  GrantSource grants;
  Network network(random);
  Stretch stretch = MakeStretch(random, tables, 0, 0);
  WordSource source(
      random, [&](Cycle now) { return MakeIngressPacket(profile, random, tables, stretch.mix, now); }, 24, 1);
  const bool all = power_up.edge == 0 && of_tier >= 1;
  std::array<Bin, kFlowCounters.size()> bins;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    bins[i] = run.AddBin(ToString(kFlowCounters[i]), all ? 20 : 0);
  }
  const Bin taken = run.AddBin("a packet is taken back at a port with flow channels", all ? 20 : 0);
  const Bin both = run.AddBin("a packet is held while another one is released", all ? 1 : 0);

  std::vector<Cfg> writes = tables.setup();  // still to be written, from `written` on
  std::size_t written = 0;
  int number = 0;
  Cycle end = 0;
  bool starting = false;  // the stretch's registers are written; its words begin when they are in force
  std::array<std::uint64_t, kFlowCounters.size()> before{};
  while (run.Next()) {
    const Cycle now = run.cycle();
    Cfg cfg;
    bool quiet = now >= end || run.draining();
    if (written < writes.size()) {
      cfg = writes[written++];
    } else if (quiet && harness.idle_cycles() > 80 && !starting && !run.draining()) {
      stretch = MakeStretch(random, tables, number++, now);
      writes = classes.Setup(stretch.shares, now);
      for (const Cfg& write : tables.routes().Stretch(now)) writes.push_back(write);
      written = 0;
      cfg = Write(CfgSpace::kPort, port, static_cast<int>(PortReg::kMode), stretch.mode.ToBits());
      starting = true;
    } else if (starting && harness.idle_cycles() > 10 && !run.draining()) {
      starting = false;
      source.set_lanes(harness.lanes());
      source.set_level(-1);
      end = now + kStretch;
      quiet = false;
    } else if (random.Chance(4, "flows: write", now)) {
      cfg = FlowWrite(random, port, now);
    } else if (!quiet && random.Chance(16, "change", now)) {
      cfg = random.Chance(96, "change: class", now)    ? classes.Change(stretch.shares, now)
            : random.Chance(128, "change: route", now) ? tables.routes().Change(now)
                                                       : tables.Change(now);
    } else if (!quiet && random.Chance(16, "read", now)) {
      cfg = Write(CfgSpace::kCounter, port, static_cast<int>(random.Below(42, "read: index", now)), 0);
      cfg.read = true;
    }
    harness.TakeBack(quiet ? 16 : stretch.reroutes);
    const int level = quiet ? 256 : stretch.grants < 0 ? random.Level("grants", now / 4) : stretch.grants;
    const bool link_up = !random.Chance(6, "down", now / 64) || random.Chance(160, "down: word", now);
    std::optional<Ack> ack = network.Home(now, quiet);
    if (!harness.edge()) ack.reset();
    harness.Step(source.Next(now, quiet), link_up, cfg, grants.Next(random, now, level), ack);
    harness.DrainUntilEmpty();

    const golden::InputPort::Outputs& outputs = harness.outputs();
    if (outputs.request) grants.Request(now, {outputs.request->destination, outputs.request->request.vl});
    if (outputs.cell && outputs.cell->cell.sop) network.Take(outputs.cell->cell, now, stretch, quiet);
    for (std::size_t i = 0; i < bins.size(); ++i) {
      const std::uint64_t count = harness.golden().Counter(static_cast<int>(kFlowCounters[i]));
      run.Hit(bins[i], count != before[i]);
      before[i] = count;
    }
    run.Hit(taken, harness.rerouted() && stretch.mode.flows);
    run.Hit(both, harness.observed().hold_valid && harness.observed().go_valid);
  }
}

TEST(FlowChannels, EqualsGoldenInEveryCycleWith8Ports) { CompareFlows<Vrtl_ingress_tile8>(kTile8, 5, kZeros, 6); }

TEST(FlowChannels, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareFlows<Vrtl_ingress_tile8>(kTile8, 2, power_up, 0.2); });
}

TEST(FlowChannels, EqualsGoldenFromTheEdgesOfLongLivedState) {
  FromEdges([](PowerUp power_up) { CompareFlows<Vrtl_ingress_tile8>(kTile8, 5, power_up, 0.35); });
}

TEST(FlowChannels, EqualsGoldenInEveryCycleWith64Ports) { CompareFlows<Vrtl_ingress_rosetta64>(kRosetta64, 41, kZeros, 8); }

}  // namespace
}  // namespace tilefly::bench
