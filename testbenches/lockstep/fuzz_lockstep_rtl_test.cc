// SPDX-License-Identifier: Apache-2.0
// RTL against golden under inputs that break every rule of the link: equal in every cycle at every port all the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "cosim/golden_device.h"
#include "cosim/lockstep/lockstep.h"
#include "cosim/verilated/verilated_array.h"
#include "testbenches/bench/record.h"
#include "testbenches/bench/settings.h"
#include "cosim/traffic/fuzz_stimulus.h"

namespace tilefly::cosim {
namespace {

bool OfRetry(Counter counter) { return counter >= Counter::kTxReplayEvent && counter <= Counter::kLanesBack; }

/// Counters of flow channels that acks of random bits hardly reach: tests of flow channels count them.
bool OfFlows(Counter counter) {
  const bool reached = counter == Counter::kFlowStray || counter == Counter::kMarksMade;
  return counter >= Counter::kFlowHeld && counter <= Counter::kMarksIn && !reached;
}

struct Amount {
  unsigned seeds;
  Cycle cycles;
};

/// How much to run, by the environment: its cycles in all, else its tier.
Amount AmountOf(const Amount& quick, const Amount& ci, const Amount& full) {
  constexpr Cycle kOfSeed = 10'000;
  const Cycle cycles = bench::CyclesFromEnvironment();
  if (cycles != 0) return {static_cast<unsigned>((cycles + kOfSeed - 1) / kOfSeed), std::min(cycles, kOfSeed)};
  const bench::Tier tier = bench::TierFromEnvironment();
  return tier == bench::Tier::kFull ? full : tier == bench::Tier::kCi ? ci : quick;
}

/// For a program that reads what was compared.
void WriteRecord(const Lockstep& lockstep, unsigned seed, const Divergence* divergence) {
  bench::ComparisonRecord record;
  record.test = bench::CurrentTest();
  record.seed = seed;
  record.cycles = lockstep.cycle();
  record.compared = lockstep.compared();
  record.compared_busy = lockstep.compared_busy();
  if (divergence != nullptr) {
    record.failed_at = divergence->cycle;
    const std::string summary = divergence->Summary();
    record.failure = summary.substr(summary.find(", ") + 2);  // the record has the cycle
    record.events = divergence->history;
  }
  bench::WriteRecord(record);
}

/// Sums over the runs of every counter, by index.
using Seen = std::map<int, std::uint64_t>;

Seen RunFuzz(const Profile& profile, const Amount& amount) {
  Seen seen;
  for (unsigned run = 0; run < amount.seeds; ++run) {
    const unsigned seed = bench::RootSeed() + run;
    SCOPED_TRACE("seed " + std::to_string(seed));
    FuzzStimulus stimulus(profile, seed);
    auto golden = std::make_unique<GoldenDevice>(profile);
    const golden::Switch& inside = golden->golden_switch();
    Lockstep lockstep(std::make_unique<VerilatedArray>(profile, DeviceOptions{}), std::move(golden));
    try {
      Device::Inputs inputs;
      inputs.links.resize(profile.ports);
      inputs.link_up.assign(profile.ports, true);
      const auto step = [&](const Device::Inputs& now) {
        lockstep.Compare();
        lockstep.Step(now);
      };
      for (const Cfg& write : stimulus.Setup()) {
        inputs.cfg = write;
        step(inputs);
      }
      inputs.cfg = Cfg{};
      for (int i = 0; i < 20; ++i) step(inputs);
      const Cycle end = lockstep.cycle() + amount.cycles;
      while (lockstep.cycle() < end) step(stimulus.Next(lockstep.cycle(), lockstep.Outputs(), true));
      // Settings with which everything drains, whatever the others were.
      for (const Cfg& write : stimulus.Release()) {
        Device::Inputs calm = stimulus.Next(lockstep.cycle(), lockstep.Outputs(), false);
        calm.cfg = write;
        step(calm);
      }
      const Cycle latest = end + 400000;  // full buffers before a link of one lane
      while (lockstep.cycle() < latest && inside.packets() != 0) {
        step(stimulus.Next(lockstep.cycle(), lockstep.Outputs(), false));
      }
      EXPECT_EQ(inside.packets(), 0u) << "packets are stuck";
      for (const Cfg& read : lockstep.CounterReads()) {
        inputs.cfg = read;
        step(inputs);
      }
      inputs.cfg = Cfg{};
      for (int i = 0; i < 20; ++i) step(inputs);
      lockstep.CompareCounters();
      for (int port = 0; port < profile.ports; ++port) {
        for (const Drop reason : kDropValues) seen[static_cast<int>(reason)] += inside.ReadCounter(port, static_cast<int>(reason));
        for (const Counter counter : kCounterValues) {
          seen[static_cast<int>(counter)] += inside.ReadCounter(port, static_cast<int>(counter));
        }
      }
    } catch (const DivergenceError& error) {
      std::string history;
      for (const std::string& line : error.divergence().history) history += "\n  " + line;
      WriteRecord(lockstep, seed, &error.divergence());
      ADD_FAILURE() << error.what() << history;
      return seen;
    }
    WriteRecord(lockstep, seed, nullptr);
    EXPECT_GT(lockstep.compared_busy(), 100);
  }
  return seen;
}

TEST(FuzzLockstep, RtlAndGoldenAreEqualWith8Ports) {
  const Amount quick = {16, 6000};
  const Amount amount = AmountOf(quick, {60, 10000}, {400, 20000});
  Seen seen = RunFuzz(kTile8, amount);
  if (amount.seeds < quick.seeds) return;  // asked for less than any tier: not every reason is bound to occur
  for (const Drop reason : kDropValues) {
    // Full buffers have a test of their own.
    if (reason == Drop::kNone || reason == Drop::kBufferFull) continue;
    EXPECT_GT(seen[static_cast<int>(reason)], 0u) << "never dropped for " << ToString(reason);
  }
  for (const Counter counter : kCounterValues) {
    if (OfFlows(counter)) continue;
    if (OfRetry(counter)) continue;  // no port of these runs retries, and no slot is bad: tests of links count them
    // Reductions that are of use have runs of their own.
    if (counter == Counter::kRxRed || counter == Counter::kRedStale) continue;
    EXPECT_GT(seen[static_cast<int>(counter)], 0u) << "never counted: " << ToString(counter);
  }
}

TEST(FuzzLockstep, RtlAndGoldenAreEqualWith64Ports) { RunFuzz(kRosetta64, AmountOf({1, 3000}, {3, 5000}, {20, 10000})); }

}  // namespace
}  // namespace tilefly::cosim
