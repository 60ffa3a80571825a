// SPDX-License-Identifier: Apache-2.0
// tilefly_ingress_port against golden's InputPort while outputs give packets back and ports go down (docs/blocks/link_retry.md,
// "Taken back"): packets of all kinds, cut through and stored, whose copies end, which pass the pipeline again, and which find
// tables, registers and ports that have changed.
#include <gtest/gtest.h>

#include "Vrtl_ingress_rosetta64.h"
#include "Vrtl_ingress_tile8.h"
#include "testbenches/ingress/class_writes.h"
#include "testbenches/ingress/ingress_harness.h"

namespace tilefly::bench {
namespace {

constexpr Cycle kStretch = 1500;  ///< then the port runs empty and gets another MODE

/// How a stretch of cycles is.
struct Stretch {
  PortMode mode;
  Mix mix;
  int grants, reroutes;
  Shares shares;
};

Stretch MakeStretch(const Stimulus& random, const TableWrites& tables, int number, Cycle now) {
  Stretch stretch{tables.RandomMode(now), Mix{}, -1, 64, Shares::kOff};
  stretch.mode.enable = stretch.mode.credits = true;
  stretch.mode.cut_through = number % 2 == 0;
  stretch.mode.lanes = static_cast<std::uint8_t>(number % 8 < 6 ? 4 : 1 + number / 8 % 3);
  stretch.mode.acks = number % 3 == 0;
  stretch.mix.elsewhere = 200;
  stretch.mix.flows = 6;
  stretch.mix.few = number % 5 == 4;
  stretch.mix.small = number % 4 < 2;
  stretch.mix.bare = random.Chance(80, "bare", number) ? 200 : 24;
  stretch.mix.replicated = number % 4 == 1 ? 160 : 32;
  stretch.mix.taken = 8;
  constexpr std::array<int, 4> kReroutes = {16, 128, 240, 256};
  stretch.reroutes = kReroutes[random.Below(kReroutes.size(), "reroutes", number)];
  stretch.grants = random.Chance(96, "all grants", number) ? 256 : -1;
  stretch.shares = static_cast<Shares>(random.Below(static_cast<std::uint64_t>(Shares::kCount), "shares", number));
  return stretch;
}

template <typename Model>
void CompareTakenBack(const Profile& profile, int port, PowerUp power_up, double of_tier) {
  constexpr Cycle kDrain = 800;  // at least
  Comparison run({of_tier, 25, 0, kDrain, power_up});
  IngressHarness<Model> harness(&run, profile, port);
  harness.ShowDowns();
  const Stimulus& random = run.stimulus();
  const TableWrites tables(profile, random, port);
  const ClassWrites classes(random, port);
  GrantSource grants;
  Stretch stretch = MakeStretch(random, tables, 0, 0);
  WordSource source(
      random, [&](Cycle now) { return MakeIngressPacket(profile, random, tables, stretch.mix, now); }, 24, 1);
  const Bin taken = run.AddBin("a packet is taken back", 100);
  const Bin arriving = run.AddBin("a packet is taken back while a packet arrives", 20);
  const Bin no_route = run.AddBin("NO_ROUTE", 20);
  const Bin mtu = run.AddBin("CLASS_MTU", 1);
  const Bin two = run.AddBin("two packets are dropped in a cycle", power_up.edge == 0 && of_tier >= 1 ? 1 : 0);
  const Bin chased = run.AddBin("a cell leaves while a packet arrives", 20);
  const Bin empty = run.AddBin("the port runs empty", 1);

  std::vector<Cfg> writes = tables.setup();  // still to be written, from `written` on
  std::size_t written = 0;
  int number = 0;
  Cycle end = 0;
  bool starting = false;  // the stretch's registers are written; its words begin when they are in force
  while (run.Next()) {
    const Cycle now = run.cycle();
    Cfg cfg;
    bool quiet = now >= end || run.draining();
    if (written < writes.size()) {
      cfg = writes[written++];
    } else if (quiet && harness.idle_cycles() > 80 && !starting && !run.draining()) {
      run.Hit(empty, number > 0);
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
    } else if (!quiet && random.Chance(24, "change", now)) {
      cfg = random.Chance(96, "change: class", now)    ? classes.Change(stretch.shares, now)
            : random.Chance(128, "change: route", now) ? tables.routes().Change(now)
                                                       : tables.Change(now);
    } else if (!quiet && random.Chance(8, "read", now)) {
      cfg = Write(CfgSpace::kCounter, port, static_cast<int>(random.Below(28, "read: index", now)), 0);
      cfg.read = true;
    }
    harness.TakeBack(quiet ? 64 : stretch.reroutes);
    const int level = quiet ? 256 : stretch.grants < 0 ? random.Level("grants", now / 4) : stretch.grants;
    std::optional<Ack> ack;
    if (harness.edge() && !run.draining() && random.Chance(24, "ack", now)) {
      ack.emplace();
      ack->flow = static_cast<std::uint16_t>(random.Below(6, "ack: flow", now));
      ack->cells = static_cast<std::uint8_t>(random.Between(1, 12, "ack: cells", now));
    }
    const bool link_up = !random.Chance(6, "down", now / 64) || random.Chance(160, "down: word", now);
    harness.Step(source.Next(now, quiet), link_up, cfg, grants.Next(random, now, level), ack);
    harness.DrainUntilEmpty();

    const golden::InputPort::Outputs& outputs = harness.outputs();
    if (outputs.request) grants.Request(now, {outputs.request->destination, outputs.request->request.vl});
    const unsigned drops = harness.drops_counted();
    run.Hit(taken, harness.rerouted());
    run.Hit(arriving, harness.rerouted() && !source.idle());
    run.Hit(no_route, (drops >> static_cast<int>(Drop::kNoRoute) & 1) != 0);
    run.Hit(mtu, (drops >> static_cast<int>(Drop::kClassMtu) & 1) != 0);
    run.Hit(two, (drops & (drops - 1)) != 0);
    run.Hit(chased, outputs.cell && outputs.cell->cell.sop && !source.idle());
  }
}

TEST(TakenBack, EqualsGoldenInEveryCycleWith8Ports) { CompareTakenBack<Vrtl_ingress_tile8>(kTile8, 5, kZeros, 6); }

TEST(TakenBack, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareTakenBack<Vrtl_ingress_tile8>(kTile8, 2, power_up, 0.2); });
}

TEST(TakenBack, EqualsGoldenInEveryCycleWith64Ports) { CompareTakenBack<Vrtl_ingress_rosetta64>(kRosetta64, 41, kZeros, 3); }

}  // namespace
}  // namespace tilefly::bench
