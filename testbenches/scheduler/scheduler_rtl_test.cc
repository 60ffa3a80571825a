// SPDX-License-Identifier: Apache-2.0
// tilefly_scheduler against golden's DeficitTable (docs/blocks/scheduler.md): tables of 8, 64 and 128 entries,
// rewritten and changed while they work, classes that come and go, candidates that are missing, groups, maxima, frozen
// cycles.
#include <gtest/gtest.h>

#include <array>

#include "Vrtl_scheduler_128.h"
#include "Vrtl_scheduler_64.h"
#include "Vrtl_scheduler_8.h"
#include "golden/scheduler/deficit_table.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/port_bits.h"

namespace tilefly::bench {
namespace {

constexpr int kPort = 5;
constexpr int kAllPorts = 127;

/// The classes' head requests. A head stays until it is granted; its candidate may be missing for some cycles.
class Heads {
 public:
  Heads(const Profile& profile, const Stimulus& random) : profile_(profile), random_(random) {}

  golden::Head Of(golden::Cycle now, int c) const {
    const auto index = static_cast<std::uint32_t>(c);
    if (random_.Chance(random_.Level("busy", now, index) / 2, "busy", now, index)) return {};
    const golden::Cycle request = requests_[index];
    const int most = random_.Chance(64, "large", request, index)       ? profile_.mtu_cells
                     : random_.Chance(128, "middling", request, index) ? 20
                                                                       : 3;
    return {random_.Between(1, most, "cells", request, index), random_.Chance(128, "more", request, index)};
  }
  void Granted(int c) { ++requests_[static_cast<std::size_t>(c)]; }

 private:
  const Profile& profile_;
  const Stimulus& random_;
  std::array<golden::Cycle, golden::kMaxClasses> requests_{};
};

/// An access on the register bus: mostly entries of the bank not in use, and the other registers of the scheduler.
Cfg RandomAccess(const Profile& profile, const Stimulus& random, golden::Cycle now) {
  Cfg cfg;
  cfg.valid = random.Spell("access", now);
  if (!cfg.valid) return cfg;
  cfg.read = random.Chance(16, "read", now);
  cfg.port = random.Chance(224, "this port", now) ? kPort
             : random.Chance(128, "all", now)     ? kAllPorts
                                                  : static_cast<std::uint8_t>(random.Below(127, "port", now));
  cfg.data = random.Bits("data", now);
  const std::uint64_t kind = random.Below(64, "kind", now);
  if (kind == 0) {
    cfg.space = static_cast<std::uint8_t>(random.Below(16, "space", now));
    cfg.index = static_cast<std::uint16_t>(random.Below(2048, "index", now));
  } else if (kind < 6) {
    cfg.space = static_cast<std::uint8_t>(CfgSpace::kClass);
    cfg.index = static_cast<std::uint16_t>(random.Chance(64, "far", now)
                                               ? random.Below(80, "index", now)
                                               : random.Below(8, "class", now) * 8 + random.Below(2, "register", now));
    // Mostly one group, so that its classes share the output; costs about that of the link, and some that take their
    // time.
    if (random.Chance(96, "group 0", now)) cfg.data &= ~std::uint64_t{3};
    const std::uint64_t cost = random.Below(8, "cost kind", now);
    if (cost < 4)
      cfg.data &= ~std::uint64_t{0xffff};
    else if (cost < 6)
      cfg.data &= ~std::uint64_t{0xff'fcff};  // whole cycles, so that a bucket is empty to the point
    else if (cost < 7)
      cfg.data &= ~std::uint64_t{0xfc00};
    if (random.Chance(128, "shallow", now)) cfg.data &= 0x3fff'ffff;
  } else if (kind == 6 && random.Chance(128, "swap", now)) {
    cfg.space = static_cast<std::uint8_t>(CfgSpace::kDtable);
    cfg.index = golden::kSwapIndex;
  } else {
    cfg.space = static_cast<std::uint8_t>(CfgSpace::kDtable);
    cfg.index =
        static_cast<std::uint16_t>(random.Below(static_cast<std::uint64_t>(profile.dtable_entries + 2), "entry", now));
    // Weights of a few packets, entries that are empty, and now and then the largest weights.
    const std::uint64_t weight = random.Below(8, "weight kind", now);
    const std::uint64_t most = weight == 0 ? 1 : weight == 1 ? 4096 : weight < 5 ? 16 : 180;
    cfg.data = (cfg.data & ~std::uint64_t{0xfff}) | random.Below(most, "weight", now);
  }
  return cfg;
}

bool IsOfScheduler(const Cfg& cfg) {
  return cfg.valid && !cfg.read && (cfg.port == kPort || cfg.port == kAllPorts) &&
         (cfg.space == static_cast<int>(CfgSpace::kDtable) || cfg.space == static_cast<int>(CfgSpace::kClass));
}

struct Bins {
  explicit Bins(Comparison* run)
      : serves(run->AddBin("a current entry grants again", 200)),
        rotates(run->AddBin("the next entry grants in the same cycle", 200)),
        moves(run->AddBin("the next entry's head does not fit", 50)),
        serve_waits(run->AddBin("waits for the class being served", 100)),
        next_waits(run->AddBin("waits at an entry that begins", 50)),
        same_class(run->AddBin("the next entry is of the same class", 20)),
        wraps(run->AddBin("the search wraps", 50)),
        group(run->AddBin("a group above 0 is served", 100)),
        interrupts(run->AddBin("a lower group's current entry is kept", 100)),
        shaped(run->AddBin("a maximum holds a class back", 100)),
        frozen(run->AddBin("a current entry while no decision is made", 100)),
        waits(run->AddBin("a class with a deficit waits for its next request", 50)),
        entry_is_kept(run->AddBin("what the current entry had left is kept as deficit", 10)),
        forgets(run->AddBin("a deficit is forgotten", 20)),
        swaps(run->AddBin("the banks change places in a cycle with a grant", 2)),
        regrouped(run->AddBin("the class of a current entry changes its group", 2)) {}
  Bin serves, rotates, moves, serve_waits, next_waits, same_class, wraps, group, interrupts, shaped, frozen, waits,
      entry_is_kept, forgets, swaps, regrouped;
};

/// What golden's state says before and after a decision.
struct View {
  explicit View(const golden::DeficitTable& table) {
    for (int c = 0; c < golden::kMaxClasses; ++c) deficit[static_cast<std::size_t>(c)] = table.deficit(c);
    for (int g = 0; g < golden::kGroups; ++g) {
      current[static_cast<std::size_t>(g)] = table.current(g);
      pointer[static_cast<std::size_t>(g)] = table.pointer(g);
    }
  }
  std::array<int, golden::kMaxClasses> deficit;
  std::array<bool, golden::kGroups> current;
  std::array<int, golden::kGroups> pointer;
};

template <typename Model>
class Harness {
 public:
  Harness(Comparison* run, const Profile& profile, golden::Cycle epoch)
      : run_(*run),
        profile_(profile),
        epoch_(epoch),
        bins_(run),
        dut_(run),
        table_(profile),
        golden_(profile),
        heads_(profile, run->stimulus()) {
    Clear(&dut_->cfg_i);
    dut_->port_i = kPort;
    dut_->cycle_i = 0;
    dut_->run_i = dut_->more_i = 0;
    dut_->wanted_i = dut_->sendable_i = 0;
    dut_->serve_cells_i = dut_->next_cells_i = 0;
    dut_.Reset();
  }

  void Step() {
    const golden::Cycle now = run_.cycle();
    const Stimulus& random = run_.stimulus();
    const Cfg cfg = RandomAccess(profile_, random, now);
    const bool runs = random.Chance(240, "run", now) && !random.Chance(16, "frozen", now / 32);
    unsigned wanted = 0, sendable = 0;
    for (int c = 0; c < profile_.classes; ++c) {
      const auto index = static_cast<std::uint32_t>(c);
      if (!random.Spell("wanted", now, index)) continue;
      wanted |= 1u << c;
      if (random.Chance(224, "may send", now / 8, index)) sendable |= 1u << c;
    }
    Drive(now, cfg, runs, wanted, sendable);

    const View before(golden_);
    golden::Decision decision;
    if (runs)
      decision = golden_.Decide(epoch_ + now, table_, wanted, sendable, [&](int c) { return heads_.Of(now, c); });
    Compare(decision);
    if (runs) {
      NoteDecision(before, decision, wanted, sendable);
    } else {
      for (const bool current : before.current) run_.Hit(bins_.frozen, current);
    }
    if (decision.outcome == golden::Outcome::kGranted) heads_.Granted(decision.tc);
    if (IsOfScheduler(cfg)) Write(cfg, decision);
    dut_.Edge();
  }

 private:
  void Drive(golden::Cycle now, const Cfg& cfg, bool runs, unsigned wanted, unsigned sendable) {
    PutStruct(&dut_->cfg_i, 0, cfg);
    dut_->cycle_i = static_cast<QData>(epoch_ + now);
    dut_->run_i = runs;
    dut_->wanted_i = static_cast<CData>(runs ? wanted : 0);  // as the grant unit does
    dut_->sendable_i = static_cast<CData>(runs ? sendable : 0);
    dut_->serve_cells_i = dut_->next_cells_i = dut_->more_i = 0;
    dut_.Settle();
    golden::Head serve, next;
    if (dut_->serve_o != 0) serve = heads_.Of(now, dut_->serve_class_o);
    dut_->serve_cells_i = static_cast<CData>(serve.cells);
    dut_.Settle();
    if (dut_->next_o != 0) next = heads_.Of(now, dut_->next_class_o);
    dut_->next_cells_i = static_cast<CData>(next.cells);
    dut_.Settle();
    dut_->more_i = dut_->grant_next_o != 0 ? next.more : serve.more;
    dut_.Settle();
  }

  golden::Outcome OutcomeOfDut() {
    if (dut_->grant_serve_o != 0 || dut_->grant_next_o != 0) return golden::Outcome::kGranted;
    if (dut_->next_o != 0) return dut_->next_cells_i == 0 ? golden::Outcome::kWaits : golden::Outcome::kMoved;
    return dut_->serve_o != 0 ? golden::Outcome::kWaits : golden::Outcome::kNothing;
  }

  void Compare(const golden::Decision& decision) {
    run_.Compare("outcome", static_cast<std::uint64_t>(OutcomeOfDut()), static_cast<std::uint64_t>(decision.outcome));
    const bool next = dut_->next_o != 0;
    if (decision.outcome != golden::Outcome::kNothing) {
      run_.Busy();
      run_.Compare("class", next ? dut_->next_class_o : dut_->serve_class_o, decision.tc);
      run_.Event("outcome, class, cells, more", {static_cast<int>(decision.outcome), decision.tc,
                                                 next ? dut_->next_cells_i : dut_->serve_cells_i, dut_->more_i});
    }
    // Before the edge the RTL shows whether the state of this cycle is settled; golden's is the next one.
    if (run_.cycle() > 0) run_.Compare("settled", dut_->settled_o, settled_);
    settled_ = !golden_.unsettled();
  }

  void NoteDecision(const View& before, const golden::Decision& decision, unsigned wanted, unsigned sendable) {
    const View after(golden_);
    const bool next = dut_->next_o != 0, granted = decision.outcome == golden::Outcome::kGranted;
    const bool waits = decision.outcome == golden::Outcome::kWaits;
    run_.Hit(bins_.serves, granted && !next);
    run_.Hit(bins_.rotates, granted && next);
    run_.Hit(bins_.moves, decision.outcome == golden::Outcome::kMoved);
    run_.Hit(bins_.serve_waits, waits && !next);
    run_.Hit(bins_.next_waits, waits && next);
    if (decision.outcome != golden::Outcome::kNothing) {
      const int g = table_.tc(decision.tc).group;
      run_.Hit(bins_.group, g > 0);
      run_.Hit(bins_.same_class, next && dut_->serve_o != 0 && dut_->serve_class_o == dut_->next_class_o);
      run_.Hit(bins_.wraps,
               next && after.pointer[static_cast<std::size_t>(g)] <= before.pointer[static_cast<std::size_t>(g)]);
      for (int lower = 0; lower < g; ++lower)
        run_.Hit(bins_.interrupts, after.current[static_cast<std::size_t>(lower)]);
    }
    for (int c = 0; c < profile_.classes; ++c) {
      const auto i = static_cast<std::size_t>(c);
      const bool is_wanted = ((wanted >> c) & 1) != 0;
      run_.Hit(bins_.shaped,
               ((sendable >> c) & 1) != 0 && golden_.EligibleFrom(c) > epoch_ + run_.cycle() && table_.tc(c).cost != 0);
      run_.Hit(bins_.waits, !is_wanted && after.deficit[i] != 0);
      run_.Hit(bins_.entry_is_kept, !is_wanted && after.deficit[i] != 0 && after.deficit[i] != before.deficit[i]);
      run_.Hit(bins_.forgets, before.deficit[i] != 0 && after.deficit[i] == 0);
    }
  }

  void Write(const Cfg& cfg, const golden::Decision& decision) {
    run_.Event("write: space, index, data", {cfg.space, cfg.index, static_cast<std::int64_t>(cfg.data)});
    const bool swap = cfg.space == static_cast<int>(CfgSpace::kDtable) && cfg.index == golden::kSwapIndex;
    run_.Hit(bins_.swaps, swap && decision.outcome == golden::Outcome::kGranted);
    if (decision.outcome != golden::Outcome::kNothing && cfg.space == static_cast<int>(CfgSpace::kClass) &&
        cfg.index == 8 * decision.tc) {
      run_.Hit(bins_.regrouped, table_.tc(decision.tc).group != (cfg.data & 3));
    }
    table_.Write(static_cast<CfgSpace>(cfg.space), cfg.index, cfg.data);
    if (swap) golden_.Restart(table_.entries());
    settled_ = !golden_.unsettled();
  }

  Comparison& run_;
  const Profile& profile_;
  golden::Cycle epoch_;
  Bins bins_;
  Dut<Model> dut_;
  golden::SchedulerTable table_;
  golden::DeficitTable golden_;
  Heads heads_;
  bool settled_ = true;
};

template <typename Model>
void CompareSchedulers(int entries, PowerUp power_up, double of_tier, golden::Cycle epoch = 0) {
  Profile profile = kTile8;
  profile.dtable_entries = entries;
  Comparison run(of_tier, power_up);
  Harness<Model> harness(&run, profile, epoch);
  while (run.Next()) harness.Step();
}

TEST(Scheduler, EqualsGoldenInEveryCycleWith8Entries) { CompareSchedulers<Vrtl_scheduler_8>(8, kZeros, 5); }

TEST(Scheduler, EqualsGoldenInEveryCycleWith64Entries) { CompareSchedulers<Vrtl_scheduler_64>(64, kZeros, 5); }

TEST(Scheduler, EqualsGoldenInEveryCycleWith128Entries) { CompareSchedulers<Vrtl_scheduler_128>(128, kZeros, 5); }

/// The shapers' times keep their distance from each other however late it is.
TEST(Scheduler, EqualsGoldenLate) { CompareSchedulers<Vrtl_scheduler_8>(8, kZeros, 2, golden::Cycle{1} << 46); }

TEST(Scheduler, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareSchedulers<Vrtl_scheduler_64>(64, power_up, 0.1); });
}

}  // namespace
}  // namespace tilefly::bench
