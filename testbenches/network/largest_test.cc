// SPDX-License-Identifier: Apache-2.0
// The largest addressable system, built, routed and run (full).
#include <sys/resource.h>

#include "testbenches/network/routed_run.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

/// Largest resident size of this process so far.
std::int64_t PeakBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

TEST(LargestSystem, RunsInSixKibibytesAPort) {
  if (Tier() != bench::Tier::kFull) GTEST_SKIP() << "261,632 endpoints: in tier full";
  const topology::Topology topology = topology::Build("preset:slingshot-max");
  ASSERT_EQ(topology.switches.size(), 16352u);
  for (const char* mode : {"min", "adaptive_0"}) {
    const RunResult result = RunToTheEnd(topology, With(mode, "uniform", 0.1, 5000));
    EXPECT_GT(result.accepted, 0.08) << mode << ": packets take 1,700 of the 3,750 measured cycles to be there";
    EXPECT_EQ(result.share() > 0, mode == std::string("adaptive_0"));
    const std::int64_t ports = static_cast<std::int64_t>(topology.switches.size()) * topology.radix;
    EXPECT_LE(PeakBytes() / ports, 6 * 1024) << mode;
    EXPECT_LE(PeakBytes(), 8'000'000'000) << mode;
    RecordProperty(mode, std::to_string(PeakBytes() / ports) + " bytes a port so far");
  }
}

}  // namespace
}  // namespace tilefly::network
