// SPDX-License-Identifier: Apache-2.0
// Time series of one switch: levels are those of the observation record at the ends of intervals, whatever ends the run.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "cosim/device_factory.h"
#include "cosim/golden_device.h"
#include "runs/switch/switch_run.h"
#include "runs/switch/switch_samples.h"
#include "testbenches/cosim/fake_switch.h"

namespace tilefly::cosim {
namespace {

constexpr Cycle kWidth = 130;

runs::RunOptions Sampled() {
  runs::RunOptions options;
  options.profile = &kTile8;
  options.kinds = runs::ParsePortKinds("fabric", 8);
  options.generator.load = 0.9;
  options.generator.size = "64,1024";
  options.max_cycles = 2000;
  options.sample = kWidth;
  return options;
}

/// The observation of every cycle.
class Levels final : public Recorder {
 public:
  void Record(Lockstep& lockstep, const Device::Inputs&) override {
    ports[lockstep.cycle()] = lockstep.Observe().ports;
  }

  std::map<Cycle, std::vector<Portobs>> ports;
};

TEST(SwitchSamples, LevelsAreThoseOfTheRecordAtTheEndsOfIntervals) {
  runs::SwitchRun run(Sampled(), MakeDevice("golden", kTile8), nullptr);
  Levels levels;
  runs::RunControl control;
  control.recorder = &levels;
  ASSERT_EQ(run.Run(control).verdict, runs::Verdict::kPass);
  const network::Samples& samples = run.sampler()->samples();
  ASSERT_GT(samples.intervals(), 2000 / kWidth);
  int loads = 0, cells = 0;
  for (int port = 0; port < 8; ++port) {
    for (int i = 0; i < samples.intervals(); ++i) {
      const Cycle end = std::min(samples.begin() + (i + 1) * kWidth, run.sampler()->end());
      const Portobs& record = levels.ports.at(end)[static_cast<std::size_t>(port)];
      EXPECT_EQ(samples.groups()[port][i].load, record.load) << port << ", interval " << i;
      EXPECT_EQ(samples.groups()[port][i].buffered, record.ibuf_cells) << port << ", interval " << i;
      loads += record.load;
      cells += record.ibuf_cells;
    }
  }
  EXPECT_GT(loads, 0);
  EXPECT_GT(cells, 0);
}

TEST(SwitchSamples, OfARunThatFailsEndInItsCycle) {
  runs::SwitchRun run(Sampled(), std::make_unique<FakeSwitch>(kTile8, Bug::kWrongPort), nullptr);
  const runs::Outcome outcome = run.Run({});
  ASSERT_EQ(outcome.verdict, runs::Verdict::kFail);
  const runs::SampleTable table = SwitchSamples(run, true);
  EXPECT_EQ(table.begin + table.cycles, run.lockstep().cycle() + 1);
  std::int64_t packets = 0;
  for (int i = 0; i < table.intervals; ++i)
    packets += static_cast<std::int64_t>(table.Row(table.series.front(), i)[runs::SampleColumn::kReceivedPackets]);
  EXPECT_EQ(packets, run.scoreboard().books().copies);
  EXPECT_TRUE(std::isnan(table.Row(table.series.front(), table.intervals - 1)[runs::SampleColumn::kBufferCells]));
}

TEST(SwitchSamples, OfDevicesWithoutLevelsHaveNone) {
  runs::SwitchRun run(Sampled(), MakeDevice("golden", kTile8), nullptr);
  run.Run({});
  const runs::SampleTable table = SwitchSamples(run, false);
  for (const runs::SampleSeries& series : table.series) {
    EXPECT_TRUE(std::isnan(table.Row(series, 0)[runs::SampleColumn::kLoadCells])) << series.scope;
    EXPECT_TRUE(std::isnan(table.Row(series, 0)[runs::SampleColumn::kBufferCells])) << series.scope;
  }
}

}  // namespace
}  // namespace tilefly::cosim
