// SPDX-License-Identifier: Apache-2.0
// tilefly_scheduler against golden's DeficitTable (docs/blocks/scheduler.md): tables of 8, 64 and 128 entries,
// rewritten and changed while they work, classes that come and go, requests on their way, candidates that are missing,
// groups, maxima, frozen cycles.
#include <gtest/gtest.h>

#include "Vrtl_scheduler_128.h"
#include "Vrtl_scheduler_64.h"
#include "Vrtl_scheduler_8.h"
#include "golden/scheduler/deficit_table.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/edges.h"
#include "testbenches/bench/port_bits.h"
#include "testbenches/scheduler/scheduler_bins.h"
#include "testbenches/scheduler/scheduler_stimulus.h"

namespace tilefly::bench {
namespace {

template <typename Model>
class Harness {
 public:
  Harness(Comparison* run, const Profile& profile, bool leaps)
      : run_(*run),
        profile_(profile),
        leaps_(leaps),
        epoch_(FirstCycle(run->power_up())),
        bins_(run, profile.class_hold),
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
    const Cycle now = run_.cycle();
    const Stimulus& random = run_.stimulus();
    if (leaps_ && epoch_ >> 47 == 0 && random.Chance(2, "leap", now)) {
      epoch_ += Cycle{1} << random.Below(40, "how far", now);
    }
    const Cfg cfg = RandomAccess(profile_, random, now);
    const bool runs = random.Chance(240, "run", now) && !random.Chance(16, "frozen", now / 32);
    const bool stopped = random.Chance(24, "stop", now / 32);  // the far end takes nothing
    unsigned wanted = 0, sendable = 0;
    for (int c = 0; c < profile_.classes; ++c) {
      const auto index = static_cast<std::uint32_t>(c);
      if (!random.Spell("wanted", now, index)) continue;
      wanted |= 1u << c;
      if (!stopped && random.Chance(224, "may send", now / 8, index)) sendable |= 1u << c;
    }
    Drive(now, cfg, runs, wanted, sendable);

    const SchedulerView before(golden_);
    const unsigned eligible = Eligible(epoch_ + now);
    golden::Decision decision;
    if (runs)
      decision = golden_.Decide(epoch_ + now, table_, wanted, sendable, [&](int c) { return heads_.Of(now, c); });
    Compare(decision, wanted);
    if (runs) {
      const bool next = dut_->next_o != 0, serve = dut_->serve_o != 0;
      bins_.Decided(table_, before, SchedulerView(golden_),
                    {wanted, sendable, eligible, serve, next, dut_->serve_class_o == dut_->next_class_o, decision});
    } else {
      bins_.Frozen(before);
    }
    if (decision.outcome == golden::Outcome::kGranted) heads_.Granted(decision.tc);
    if (IsOfScheduler(cfg)) Write(cfg, decision);
    dut_.Edge();
  }

 private:
  void Drive(Cycle now, const Cfg& cfg, bool runs, unsigned wanted, unsigned sendable) {
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

  /// Classes whose maxima let them go.
  unsigned Eligible(Cycle now) const {
    unsigned classes = 0;
    for (int c = 0; c < profile_.classes; ++c) {
      if (table_.tc(c).cost == 0 || golden_.EligibleFrom(c) <= now) classes |= 1u << c;
    }
    return classes;
  }

  golden::Outcome OutcomeOfDut(unsigned wanted) {
    if (dut_->grant_serve_o != 0 || dut_->grant_next_o != 0) return golden::Outcome::kGranted;
    if (dut_->next_o != 0) return dut_->next_cells_i == 0 ? golden::Outcome::kWaits : golden::Outcome::kMoved;
    if (dut_->serve_o == 0) return golden::Outcome::kNothing;
    return ((wanted >> dut_->serve_class_o) & 1) != 0 ? golden::Outcome::kWaits : golden::Outcome::kExpects;
  }

  void Compare(const golden::Decision& decision, unsigned wanted) {
    run_.Compare("outcome", static_cast<std::uint64_t>(OutcomeOfDut(wanted)), static_cast<std::uint64_t>(decision.outcome));
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

  void Write(const Cfg& cfg, const golden::Decision& decision) {
    run_.Event("write: space, index, data", {cfg.space, cfg.index, static_cast<std::int64_t>(cfg.data)});
    const bool swap = cfg.space == static_cast<int>(CfgSpace::kDtable) && cfg.index == golden::kSwapIndex;
    const SchedulerView view(golden_);
    if (swap) bins_.Swapped(view, decision);
    const ClassIndex at = ClassIndex::FromBits(cfg.index);
    if (cfg.space == static_cast<int>(CfgSpace::kClass) && at.tc < profile_.classes &&
        static_cast<ClassReg>(at.which) == ClassReg::kGroup) {
      bins_.Regrouped(table_, view, at.tc, ClassGroup::FromBits(cfg.data).group);
    }
    table_.Write(static_cast<CfgSpace>(cfg.space), cfg.index, cfg.data);
    if (swap) golden_.Restart(table_.entries());
    settled_ = !golden_.unsettled();
  }

  Comparison& run_;
  const Profile& profile_;
  bool leaps_;               // the tile sleeps now and then
  Cycle epoch_;  // number of the first cycle, and cycles slept
  SchedulerBins bins_;
  Dut<Model> dut_;
  golden::SchedulerTable table_;
  golden::DeficitTable golden_;
  Heads heads_;
  bool settled_ = true;
};

template <typename Model>
void CompareSchedulers(int entries, PowerUp power_up, double of_tier, bool leaps = false) {
  Profile profile = kTile8;
  profile.dtable_entries = entries;
  Comparison run(of_tier, power_up);
  Harness<Model> harness(&run, profile, leaps);
  while (run.Next()) harness.Step();
}

TEST(Scheduler, EqualsGoldenInEveryCycleWith8Entries) { CompareSchedulers<Vrtl_scheduler_8>(8, kZeros, 5); }

TEST(Scheduler, EqualsGoldenInEveryCycleWith64Entries) { CompareSchedulers<Vrtl_scheduler_64>(64, kZeros, 5); }

TEST(Scheduler, EqualsGoldenInEveryCycleWith128Entries) { CompareSchedulers<Vrtl_scheduler_128>(128, kZeros, 5); }

/// The shapers' times grow by a bit.
TEST(Scheduler, EqualsGoldenFromTheEdgesOfLongLivedState) {
  FromEdges([](PowerUp power_up) { CompareSchedulers<Vrtl_scheduler_8>(8, power_up, 0.25); });
}

/// The shapers' times keep their distance from each other however late it is, and however long nobody asked.
TEST(Scheduler, EqualsGoldenAfterSleep) { CompareSchedulers<Vrtl_scheduler_8>(8, kZeros, 5, true); }

TEST(Scheduler, EqualsGoldenFromRandomRegistersWith8Entries) {
  FromRandomRegisters([](PowerUp power_up) { CompareSchedulers<Vrtl_scheduler_8>(8, power_up, 0.1); });
}

TEST(Scheduler, EqualsGoldenFromRandomRegistersWith64Entries) {
  FromRandomRegisters([](PowerUp power_up) { CompareSchedulers<Vrtl_scheduler_64>(64, power_up, 0.1); });
}

}  // namespace
}  // namespace tilefly::bench
