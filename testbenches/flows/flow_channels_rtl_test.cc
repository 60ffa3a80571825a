// SPDX-License-Identifier: Apache-2.0
// tilefly_flow_channels against golden's FlowChannels (docs/blocks/flow_channel.md), with the second reading of the page
// beside both: every output in every cycle.
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "Vrtl_flow_channels.h"
#include "Vrtl_flow_channels_small.h"
#include "testbenches/bench/edges.h"
#include "testbenches/flows/flow_compare.h"
#include "testbenches/flows/flow_rig.h"
#include "testbenches/flows/flow_traffic.h"

namespace tilefly::bench {
namespace {

/// What a Verilated model is (CMakeLists.txt).
template <typename Model>
FlowScope ScopeOf();
template <>
FlowScope ScopeOf<Vrtl_flow_channels>() {
  return {};
}
template <>
FlowScope ScopeOf<Vrtl_flow_channels_small>() {
  return SmallScope();
}

/// Channels with so many cells in flight that the highest bit of a count is set.
class HoardBins {
 public:
  explicit HoardBins(Comparison* run) : run_(run) {
    for (const char* const which : {"an entry has 2^19 cells", "an entry has 2^19 cells of the older generation",
                                    "a class channel has 2^19 cells", "a class channel has 2^19 cells of the older generation"}) {
      bins_.push_back(run->AddBin(which, 1000));
    }
  }
  void Add(const golden::FlowChannels& channels) {
    channels.ForEach([&](const golden::FlowState& state) {
      const std::size_t first = state.of_class() ? 2 : 0;
      run_->Hit(bins_[first], state.cells >> 19 != 0);
      run_->Hit(bins_[first + 1], state.old >> 19 != 0);
    });
  }

 private:
  Comparison* run_;
  std::vector<Bin> bins_;
};

template <typename Model>
void CompareFlows(Comparison* run, const FlowScope& scope, int least) {
  FlowLines lines(run, least);
  FlowRig<Model> rtl(run, scope.port);
  FlowPair pair(run, scope.table, scope.port);
  FlowTraffic traffic(scope, run->stimulus());
  std::optional<HoardBins> hoards;
  if (scope.hoards) hoards.emplace(run);
  const Cycle first = FirstCycle(run->power_up()) / scope.phase * scope.phase;
  while (run->Next()) {
    const Cycle now = first + run->cycle();
    const FlowInputs in = traffic.Draw(now, run->draining());
    const FlowOutputs out = pair.Step(now, in);
    CompareFlowOutputs(run, rtl.Settle(now, in), out);
    traffic.See(now, in, out);
    if (hoards) hoards->Add(pair.golden.channels);
    if (run->cycle() == run->cycles() - 1) lines.Add(pair.naive);
    rtl.Edge();
    run->DrainUntil(run->draining() && traffic.drained() && pair.golden.channels.quiescent());
  }
}

constexpr Cycle kDrain = 20'000;

/// Of the tier's cycles. Without comparing a run goes on behind an assertion that fails in every cycle, and each time
/// says so: a tenth is enough there.
double Share(double of_tier) { return ComparesFromEnvironment() ? of_tier : of_tier / 10; }

TEST(FlowChannelsBlock, EqualsGoldenInEveryCycle) {
  Comparison run({Share(30), 25, 0, kDrain});
  CompareFlows<Vrtl_flow_channels>(&run, ScopeOf<Vrtl_flow_channels>(), 10);
}
TEST(FlowChannelsBlock, EqualsGoldenWithASmallTableAndShortSweeps) {
  Comparison run({Share(20), 25, 0, kDrain});
  CompareFlows<Vrtl_flow_channels_small>(&run, ScopeOf<Vrtl_flow_channels_small>(), 10);
}
/// Counts of cells grow to their highest bit, in entries and in a class channel, while all steps act on them.
TEST(FlowChannelsBlock, EqualsGoldenWithHoardsInASmallTable) {
  Comparison run({1, 25, 92'000, kDrain});
  FlowScope scope = ScopeOf<Vrtl_flow_channels_small>();
  scope.hoards = true;
  scope.phase = 100'000;
  CompareFlows<Vrtl_flow_channels_small>(&run, scope, 0);
}
/// No ack is lost, doubled, late or forged: in the end no channel has a cell in flight.
TEST(FlowChannelsBlock, CountsAreExactWhenNothingIsLost) {
  Comparison run({Share(10), 25, 0, kDrain});
  FlowScope scope;
  scope.losses = false;
  CompareFlows<Vrtl_flow_channels>(&run, scope, 0);
}
TEST(FlowChannelsBlock, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) {
    Comparison run({0.2, 25, 0, kDrain, power_up});
    CompareFlows<Vrtl_flow_channels>(&run, ScopeOf<Vrtl_flow_channels>(), 0);
  });
}
TEST(FlowChannelsBlock, EqualsGoldenWithASmallTableFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) {
    Comparison run({0.4, 25, 0, kDrain, power_up});
    CompareFlows<Vrtl_flow_channels_small>(&run, ScopeOf<Vrtl_flow_channels_small>(), 0);
  });
}
TEST(FlowChannelsBlock, EqualsGoldenFromTheEdgesOfTime) {
  FromEdges([](PowerUp power_up) {
    Comparison run({0.4, 25, 0, kDrain, power_up});
    CompareFlows<Vrtl_flow_channels_small>(&run, ScopeOf<Vrtl_flow_channels_small>(), 0);
  });
}

}  // namespace
}  // namespace tilefly::bench
