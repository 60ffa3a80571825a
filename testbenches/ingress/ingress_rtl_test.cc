// SPDX-License-Identifier: Apache-2.0
// tilefly_ingress_port with tilefly_tables against golden's InputPort (docs/blocks/ingress.md and link.md: ING-1 to ING-7).
#include <gtest/gtest.h>

#include "Vrtl_ingress_rosetta64.h"
#include "Vrtl_ingress_tile8.h"
#include "Vrtl_ingress_tile8___024root.h"
#include "testbenches/ingress/class_writes.h"
#include "testbenches/ingress/ingress_harness.h"
#include "testbenches/ingress/share_watch.h"

namespace tilefly::bench {
namespace {

/// A stretch of traffic; after it the port runs empty and gets another MODE.
struct Segment {
  enum class Goal { kTime, kFullBuffer, kNoCopyEntry };  ///< what ends it before its time
  Cycle cycles;
  Mix mix;
  int arrivals;  ///< of 256 idle cycles of the link; -1: varying
  int grants;    ///< of 256 cycles; -1: varying
  PortMode mode;
  Goal goal = Goal::kTime;
  Shares shares = Shares::kMixed;
};

class Plan {
 public:
  Plan(const Stimulus& random, const TableWrites& tables) : random_(random), tables_(tables) {}

  Segment Make(int number, Cycle now) const {
    Segment segment{1500, Mix{}, -1, -1, tables_.RandomMode(now)};
    segment.shares = static_cast<Shares>(random_.Below(static_cast<std::uint64_t>(Shares::kCount), "shares", number));
    if (number % 8 == 0) {  // the buffer runs full
      segment.cycles = 9000;
      segment.goal = Segment::Goal::kFullBuffer;
      segment.mix.few = true;
      segment.mix.small = number % 16 == 0;
      segment.arrivals = 256;
      segment.grants = 0;
      segment.mix.bare = random_.Chance(128, "bare", number) ? 256 : 8;
      segment.mix.replicated = 0;
      segment.mode.lanes = 4;
      segment.mode.credits = true;
      segment.shares = number % 16 == 0 ? Shares::kOff : Shares::kAmple;
    } else if (number % 8 == 1) {  // the copy entries run out
      segment.cycles = 4000;
      segment.goal = Segment::Goal::kNoCopyEntry;
      segment.arrivals = 256;
      segment.grants = 8;
      segment.mix.replicated = 256;
      segment.mix.small = true;
      segment.mode.lanes = 4;
      segment.shares = Shares::kAmple;
    } else if (number % 8 == 2) {  // granted at once: transfers run after the words, or behind those of copies
      segment.grants = 256;
      segment.mix.bare = 8;
      segment.mode.cut_through = true;
      if (number % 16 != 2) segment.mix.replicated = 128;
      segment.mix.elsewhere = 160;
      segment.shares = Shares::kOff;
    } else if (number % 8 == 3) {
      segment.mix.wrong = 64;
      segment.mix.small = true;
      segment.shares = Shares::kSwitched;
    } else if (number % 8 == 4) {
      segment.mode.cut_through = false;
      segment.mix.bare = 200;
      segment.shares = Shares::kCaps;
      Crowd(number % 16 < 8, &segment);
    } else if (number % 8 == 5) {  // stored, against what the classes share
      segment.mode.cut_through = false;
      segment.shares = Shares::kShared;
      Crowd(true, &segment);
    } else if (number % 8 == 6) {  // all are cut through
      segment.mode.cut_through = true;
      segment.mix.bare = 0;
      segment.shares = number % 16 == 6 ? Shares::kCaps : Shares::kMixed;
      Crowd(number % 16 < 8, &segment);
    } else {  // to other switches, in quick succession
      segment.cycles = 4000;
      segment.mix.elsewhere = 256;
      segment.mix.small = number % 16 == 7;
      segment.mix.bare = 32;
      segment.mix.replicated = 0;
    }
    return segment;
  }

 private:
  /// Packets come faster than they go, so that shares are used up; small ones find every limit to the cell.
  static void Crowd(bool small, Segment* segment) {
    segment->mix.few = true;
    segment->mix.small = small;
    segment->arrivals = 256;
    segment->grants = segment->mix.small ? 24 : 8;
  }

  const Stimulus& random_;
  const TableWrites& tables_;
};

struct Bins {
  explicit Bins(Comparison* run) {
    for (const Drop reason : {Drop::kFcs, Drop::kStomped, Drop::kShort, Drop::kLong, Drop::kHeader, Drop::kBroken,
                              Drop::kUnknownMac, Drop::kNoRoute, Drop::kHopLimit, Drop::kBufferFull, Drop::kControl,
                              Drop::kClassMtu, Drop::kClassFull, Drop::kRed}) {
      drops[static_cast<std::size_t>(reason)] = run->AddBin(ToString(reason), 1);
    }
    replicated = run->AddBin("more copies than copy entries", 1);
    chased = run->AddBin("a cell leaves while its packet arrives", 1);
    no_credit = run->AddBin("a request for more than one packet of its queue", 1);
    stomped = run->AddBin("a packet leaves as bad", 1);
    for (const bool cut : {false, true}) {
      used[cut] = run->AddBin(cut ? "the reduction port uses a packet cut through" : "the reduction port uses a stored packet", 1);
      refused[cut] = run->AddBin(cut ? "a packet cut through is taken and not used" : "a stored packet is taken and not used", 1);
      taken_badly[cut] = run->AddBin(cut ? "a packet cut through is taken and ends badly" : "a stored packet is taken and ends badly", 1);
    }
    passes = run->AddBin("a packet for another switch's aggregation node leaves", 1);
    empty = run->AddBin("the port runs empty (ING-1)", 1);
  }
  std::array<Bin, kDropValues.size()> drops{};
  Bin replicated{}, chased{}, no_credit{}, stomped{}, passes{}, empty{};
  std::array<Bin, 2> used{}, refused{}, taken_badly{};  ///< stored, cut through
};

/// Whether the first cell is of a packet for an aggregation node.
bool IsForANode(const Cell& cell) {
  const golden::HeaderBits header(cell.data.data());
  return header.is_red() && header.an();
}

template <typename Model>
void BeginCounts(IngressHarness<Model>*) {}
/// In the runs from edges.
void BeginCounts(IngressHarness<Vrtl_ingress_tile8>* harness) {
  auto& all = *harness->dut().rootp;
  const std::pair<Counter, QData*> counts[] = {
      {Counter::kRxPackets, &all.ingress_with_tables__DOT__u_port__DOT__u_counters__DOT__packets_q},
      {Counter::kRxStomped, &all.ingress_with_tables__DOT__u_port__DOT__u_counters__DOT__stomped_q},
      {Counter::kRxDamaged, &all.ingress_with_tables__DOT__u_port__DOT__u_counters__DOT__damaged_q},
      {Counter::kRxStray, &all.ingress_with_tables__DOT__u_port__DOT__u_counters__DOT__stray_q},
      {Counter::kRxPause, &all.ingress_with_tables__DOT__u_port__DOT__u_counters__DOT__pause_q},
      {Counter::kRoutedMin, &all.ingress_with_tables__DOT__u_port__DOT__u_counters__DOT__minimal_q},
      {Counter::kRoutedNonmin, &all.ingress_with_tables__DOT__u_port__DOT__u_counters__DOT__nonminimal_q}};
  for (const auto& [counter, count] : counts) harness->BeginCount(static_cast<int>(counter), count);
  auto& drops = all.ingress_with_tables__DOT__u_port__DOT__u_counters__DOT__drop_count_mem;
  all.ingress_with_tables__DOT__u_port__DOT__u_counters__DOT__drops_known_q = 0xffff;
  for (const Drop drop : kDropValues)
    harness->BeginCount(static_cast<int>(drop), &drops[static_cast<std::size_t>(drop)]);
}

template <typename Model>
void ComparePort(const Profile& profile, int port, PowerUp power_up, double of_tier) {
  constexpr Cycle kDrain = 500;  // at least
  Comparison run({of_tier, 25, 0, kDrain, power_up});
  IngressHarness<Model> harness(&run, profile, port);
  if (power_up.edge > 0) BeginCounts(&harness);
  const Bins bins(&run);
  const Stimulus& random = run.stimulus();
  const TableWrites tables(profile, random, port);
  const ClassWrites classes(random, port);
  const Plan plan(random, tables);
  ShareWatch watch(&run, harness.golden(), port, profile.mtu_cells);
  GrantSource grants;
  Segment segment = plan.Make(0, 0);
  WordSource source(
      random, [&](Cycle now) { return MakeIngressPacket(profile, random, tables, segment.mix, now); }, 24, 1);

  std::vector<Cfg> setup = tables.setup();  // still to be written, from `written` on
  std::size_t written = 0;
  int number = 0;
  Cycle segment_end = 0;
  bool starting = false;  // the segment's registers are written; its words begin when they are in force
  while (run.Next()) {
    const Cycle now = run.cycle();
    Cfg cfg;
    bool quiet = now >= segment_end || run.draining();
    if (written < setup.size()) {
      cfg = setup[written++];
    } else if (quiet && harness.idle_cycles() > 80 && !starting && !run.draining()) {
      if (number > 0) {
        run.Compare("ING-1: used when empty", static_cast<std::uint64_t>(harness.golden().used()), 0);
        run.Hit(bins.empty);
      }
      segment = plan.Make(number++, now);
      setup = classes.Setup(segment.shares, now);
      for (const Cfg& write : tables.routes().Stretch(now)) setup.push_back(write);
      written = 0;
      cfg = Write(CfgSpace::kPort, port, static_cast<int>(PortReg::kMode), segment.mode.ToBits());
      starting = true;
    } else if (starting && harness.idle_cycles() > 10 && !run.draining()) {
      starting = false;
      source.set_lanes(harness.lanes());
      source.set_level(segment.arrivals);
      segment_end = now + segment.cycles;
      quiet = false;
    } else if (!quiet && random.Chance(16, "change", now)) {
      cfg = random.Chance(96, "change: class", now)    ? classes.Change(segment.shares, now)
            : random.Chance(96, "change: route", now) ? tables.routes().Change(now)
                                                      : tables.Change(now);
    } else if (random.Chance(power_up.edge > 0 && !quiet ? 64 : 4, "read", now)) {
      cfg = Write(CfgSpace::kCounter, random.Chance(16, "read: other", now) ? 127 : port, static_cast<int>(random.Below(28, "read", now)), 0);
      cfg.read = true;
      if (quiet && harness.idle_cycles() > 60) cfg = Cfg{};  // lets the port become idle
    }
    const bool link_up = !random.Chance(6, "down", now / 64) || random.Chance(160, "down: word", now);
    const int level = quiet ? 256 : segment.grants < 0 ? random.Level("grants", now / 4) : segment.grants;
    const std::optional<GrantSource::Queue> grant = grants.Next(random, now, level);
    watch.Before();
    harness.Step(source.Next(now, quiet), link_up, cfg, grant);
    harness.DrainUntilEmpty();

    const golden::InputPort::Outputs& outputs = harness.outputs();
    watch.After(outputs, harness.drops_counted(), !segment.mode.cut_through, segment.mode.cut_through && segment.mix.bare == 0);
    if (outputs.request) {
      grants.Request(now, {outputs.request->destination, outputs.request->request.vl});
      run.Hit(bins.no_credit, outputs.request->request.more);
    }
    for (std::size_t reason = 0; reason < bins.drops.size(); ++reason) {
      if ((harness.drops_counted() >> reason) & 1) run.Hit(bins.drops[reason]);
    }
    using TakenEnd = typename IngressHarness<Model>::TakenEnd;
    const TakenEnd end = harness.taken_end();
    run.Hit(bins.used[segment.mode.cut_through], end == TakenEnd::kUsed);
    run.Hit(bins.refused[segment.mode.cut_through], end == TakenEnd::kRefused);
    run.Hit(bins.taken_badly[segment.mode.cut_through], end == TakenEnd::kDamaged);
    const bool no_entry = harness.golden().packets() > static_cast<std::size_t>(profile.copy_entries + 200);
    run.Hit(bins.replicated, no_entry);
    const bool full = ((harness.drops_counted() >> static_cast<int>(Drop::kBufferFull)) & 1) != 0;
    if (segment.goal == Segment::Goal::kNoCopyEntry ? no_entry : segment.goal == Segment::Goal::kFullBuffer && full) {
      segment_end = std::min(segment_end, now + 100);
    }
    if (outputs.cell) {
      run.Hit(bins.stomped, outputs.cell->cell.bad);
      run.Hit(bins.chased, outputs.cell->cell.sop && !source.idle());
      run.Hit(bins.passes, outputs.cell->cell.sop && IsForANode(outputs.cell->cell));
    }
  }
}

TEST(IngressPort, EqualsGoldenInEveryCycleWith8Ports) {
  ComparePort<Vrtl_ingress_tile8>(kTile8, 5, kZeros, 6);
}

TEST(IngressPort, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { ComparePort<Vrtl_ingress_tile8>(kTile8, 2, power_up, 0.1); });
}

TEST(IngressPort, EqualsGoldenFromTheEdgesOfLongLivedState) {
  FromEdges([](PowerUp power_up) { ComparePort<Vrtl_ingress_tile8>(kTile8, 5, power_up, 0.35); });
}

TEST(IngressPort, EqualsGoldenInEveryCycleWith64Ports) {
  ComparePort<Vrtl_ingress_rosetta64>(kRosetta64, 41, kZeros, 6);
}

}  // namespace
}  // namespace tilefly::bench
