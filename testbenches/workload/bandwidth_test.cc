// SPDX-License-Identifier: Apache-2.0
// Sizes and factors of docs/workloads.md, Bandwidth, and jobs that stand idle.
#include "workload/bandwidth.h"

#include <gtest/gtest.h>

#include "support/errors.h"

namespace tilefly::workload {
namespace {

Job JobOf(const std::string& traffic) { return MakeWorkload(traffic, "", 16, Allocation::kLinear, 1).jobs.front(); }

TEST(Bandwidth, IsThatOfTheTestsOfNccl) {
  struct Case {
    const char* traffic;
    double bytes, factor;
  };
  for (const Case& one :
       {Case{"allreduce:ring,bytes=1000,ranks=8", 1000, 14.0 / 8},
        Case{"allreduce:rabenseifner,bytes=1000,ranks=5", 1000, 8.0 / 5},
        Case{"allreduce:sharp,bytes=1000,ranks=4", 1000, 6.0 / 4},
        Case{"alltoall:bytes=1000,ranks=8,iterations=3", 8000, 7.0 / 8},
        Case{"gather:bytes=1000,ranks=4", 4000, 3.0 / 4}, Case{"broadcast:bytes=1000,ranks=4", 1000, 1},
        Case{"broadcast:sharp,bytes=1000,ranks=4", 1000, 1}, Case{"reduce:sharp,bytes=1000,ranks=4", 1000, 1}}) {
    const std::optional<CollectiveSize> size = CollectiveSizeOf(JobOf(one.traffic));
    ASSERT_TRUE(size.has_value()) << one.traffic;
    EXPECT_DOUBLE_EQ(size->bytes, one.bytes) << one.traffic;
    EXPECT_DOUBLE_EQ(size->factor, one.factor) << one.traffic;
  }
}

TEST(Bandwidth, OtherPatternsHaveNone) {
  for (const char* traffic : {"pingpong", "bisection", "barrier", "halo3d", "sweep3d", "barrier:sharp"})
    EXPECT_FALSE(CollectiveSizeOf(JobOf(traffic)).has_value()) << traffic;
}

TEST(OnlyJobs, KeepPlacesAndMakeTheOthersIdle) {
  const std::string traffic = "pingpong:ranks=4+alltoall:ranks=6+gather:ranks=3";
  const Workload all = MakeWorkload(traffic, "", 16, Allocation::kRandom, 5);
  Workload some = all;
  RunOnly("2/0", &some);
  for (std::size_t j = 0; j < all.jobs.size(); ++j) {
    EXPECT_EQ(some.jobs[j].endpoints, all.jobs[j].endpoints);
    EXPECT_EQ(some.jobs[j].idle, j == 1);
    EXPECT_EQ(some.jobs[j].schedule.ranks[0].operations.empty(), j == 1);
  }
  EXPECT_EQ(some.Free(), all.Free());
  EXPECT_EQ(all.Free().size(), 3u);
}

TEST(OnlyJobs, RefuseWhatIsNoJob) {
  Workload all = MakeWorkload("pingpong:ranks=4+alltoall:ranks=6", "", 16, Allocation::kLinear, 5);
  for (const char* numbers : {"2", "-1", "0/0", "x"}) EXPECT_THROW(RunOnly(numbers, &all), UsageError) << numbers;
}

}  // namespace
}  // namespace tilefly::workload
