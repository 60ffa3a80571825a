// SPDX-License-Identifier: Apache-2.0
// Routing of tilefly_ingress_port against golden's (docs/blocks/routing.md: ROUTE-1 to ROUTE-3): packets for other
// switches in quick succession, while masks, registers, other ports' modes and the loads that are shown change. At an
// edge port of the ack network acks come home meanwhile, and ordered flows keep their paths (docs/blocks/acks.md:
// ACK-2, ACK-3).
#include <gtest/gtest.h>

#include "Vrtl_ingress_rosetta64.h"
#include "Vrtl_ingress_tile8.h"
#include "Vrtl_ingress_tile8___024root.h"
#include "testbenches/ingress/ingress_harness.h"
#include "testbenches/ingress/route_watch.h"

namespace tilefly::bench {
namespace {

constexpr Cycle kStretch = 1024;  ///< between new registers of space SWITCH
constexpr Cycle kFlicker = 64;    ///< between writes of seed and address in successive cycles

constexpr int kFlows = 6;  ///< of an edge port: few, so that packets meet in them

PortMode CutThrough(const Stimulus& random, int port, bool edge) {
  PortMode mode;
  mode.enable = mode.cut_through = mode.credits = true;
  mode.lanes = 4;
  mode.acks = edge;
  mode.pclass = static_cast<std::uint8_t>(random.Below(4, "pclass", port));
  mode.default_tc = static_cast<std::uint8_t>(random.Below(8, "default tc", port));
  return mode;
}

/// What is on the register bus: tables first, then changes in flight.
class Writes {
 public:
  Writes(const Stimulus& random, const TableWrites& tables, int port, bool edge)
      : random_(random), tables_(tables), port_(port), waiting_(tables.setup()) {
    waiting_.push_back(
        Write(CfgSpace::kPort, port, static_cast<int>(PortReg::kMode), CutThrough(random, port, edge).ToBits()));
    constexpr int kAll = 127;
    for (int c = 0; c < 8; ++c) {  // modes of bare frames
      const int index = golden::IndexOf(c, ClassReg::kRouting);
      waiting_.push_back(Write(CfgSpace::kClass, kAll, index, random.Bits("bare mode", c)));
    }
    first_ = waiting_.size();
  }

  Cfg Next(Cycle now) {
    if (now % kStretch == 0) Append(tables_.routes().Stretch(now));
    if (now % kFlicker == kFlicker / 2) Append(tables_.routes().Flicker(now));
    if (written_ == first_ && in_force_ < 0) in_force_ = now + golden::kWriteLatency;
    if (written_ < waiting_.size()) return waiting_[written_++];
    if (random_.Chance(12, "change", now)) return tables_.routes().Change(now);
    if (random_.Chance(3, "change: table", now)) return tables_.Change(now);
    if (!random_.Chance(8, "read", now)) return Cfg{};
    Cfg read = Write(CfgSpace::kCounter, port_, static_cast<int>(random_.Below(28, "read: index", now)), 0);
    read.read = true;
    return read;
  }
  /// Whether the port's MODE is in force in cycle `now`.
  bool InForce(Cycle now) const { return in_force_ >= 0 && now > in_force_; }

 private:
  void Append(const std::vector<Cfg>& writes) { waiting_.insert(waiting_.end(), writes.begin(), writes.end()); }

  const Stimulus& random_;
  const TableWrites& tables_;
  int port_;
  std::vector<Cfg> waiting_;
  std::size_t written_ = 0;
  std::size_t first_;  ///< writes before the first packet
  Cycle in_force_ = -1;
};

/// Acks that come home: now and then more than a packet's cells, so that flows end.
std::optional<Ack> RandomAck(const Stimulus& random, Cycle now) {
  if (!random.Spell("ack", now)) return std::nullopt;
  Ack ack;
  ack.flow = static_cast<std::uint16_t>(random.Below(kFlows, "ack: flow", now));
  ack.cells =
      static_cast<std::uint8_t>(random.Between(1, random.Chance(40, "ack: many", now) ? 127 : 2, "ack: cells", now));
  return ack;
}

template <typename Model>
void BeginDraws(IngressHarness<Model>*) {}
/// In the runs from edges.
void BeginDraws(IngressHarness<Vrtl_ingress_tile8>* harness) {
  harness->BeginDraws(&harness->dut().rootp->ingress_with_tables__DOT__u_port__DOT__u_forwarding__DOT__u_pipe__DOT__u_routing__DOT__u_draw__DOT__drawn_q);
}

template <typename Model>
void CompareRouting(const Profile& profile, int port, PowerUp power_up, double of_tier, bool edge = false) {
  constexpr Cycle kDrain = 500;  // at least
  Comparison run({of_tier, 25, 0, kDrain, power_up});
  IngressHarness<Model> harness(&run, profile, port);
  if (power_up.edge > 0) BeginDraws(&harness);
  const Stimulus& random = run.stimulus();
  const TableWrites tables(profile, random, port);
  Writes writes(random, tables, port, edge);
  RouteWatch watch(&run, harness.golden(), port);
  GrantSource grants;
  Mix mix;
  mix.bare = 24;
  mix.replicated = mix.wrong = 0;
  mix.small = true;
  mix.elsewhere = 240;
  if (edge) mix.flows = kFlows;
  WordSource source(
      random, [&](Cycle now) { return MakeIngressPacket(profile, random, tables, mix, now); }, 24, 1);
  const Bin begins = run.AddBin("a flow has its first cells in the network", edge ? 50 : 0);
  const Bin ends = run.AddBin("a flow has none left", edge ? 50 : 0);
  source.set_lanes(4);
  source.set_level(256);
  while (run.Next()) {
    const Cycle now = run.cycle();
    const Cfg cfg = run.draining() ? Cfg{} : writes.Next(now);
    const bool rests = now / kStretch % 8 == 7;  // runs empty now and then
    const bool quiet = run.draining() || !writes.InForce(now) || rests;
    watch.Before();
    const std::size_t flows = harness.golden().flows().size();
    harness.Step(source.Next(now, quiet), true, cfg, grants.Next(random, now, 256),
                 harness.edge() && !run.draining() ? RandomAck(random, now) : std::nullopt);
    harness.DrainUntilEmpty();
    run.Hit(begins, harness.golden().flows().size() > flows);
    run.Hit(ends, harness.golden().flows().size() < flows);
    const golden::InputPort::Outputs& outputs = harness.outputs();
    watch.After(outputs, harness.loads().Equal(now + golden::LoadRing::kAhead));
    if (outputs.request) grants.Request(now, {outputs.request->destination, outputs.request->request.vl});
  }
}

TEST(Routing, EqualsGoldenInEveryCycleWith8Ports) { CompareRouting<Vrtl_ingress_tile8>(kTile8, 5, kZeros, 4); }

TEST(Routing, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareRouting<Vrtl_ingress_tile8>(kTile8, 2, power_up, 0.1); });
}

TEST(Routing, EqualsGoldenFromTheEdgesOfLongLivedState) {
  FromEdges([](PowerUp power_up) { CompareRouting<Vrtl_ingress_tile8>(kTile8, 5, power_up, 0.1); });
}

TEST(OrderedFlows, EqualGoldenInEveryCycleWith8Ports) {
  CompareRouting<Vrtl_ingress_tile8>(kTile8, 5, kZeros, 4, true);
}

TEST(OrderedFlows, EqualGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareRouting<Vrtl_ingress_tile8>(kTile8, 2, power_up, 0.1, true); });
}

TEST(Routing, EqualsGoldenInEveryCycleWith64Ports) {
  CompareRouting<Vrtl_ingress_rosetta64>(kRosetta64, 41, kZeros, 4);
}

}  // namespace
}  // namespace tilefly::bench
