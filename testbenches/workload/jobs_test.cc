// SPDX-License-Identifier: Apache-2.0
// Jobs and the places of their ranks; packets of messages.
#include "workload/jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "support/errors.h"
#include "workload/segments.h"

namespace tilefly::workload {
namespace {

using testing::ElementsAre;

TEST(Jobs, LinearAndInterleavedAllocation) {
  const std::string mix = "alltoall:ranks=2+gather:ranks=4";
  const Workload linear = MakeWorkload(mix, "", 8, Allocation::kLinear, 1);
  EXPECT_THAT(linear.jobs[0].endpoints, ElementsAre(0, 1));
  EXPECT_THAT(linear.jobs[1].endpoints, ElementsAre(2, 3, 4, 5));
  EXPECT_EQ(linear.seats[6].job, -1);
  EXPECT_EQ(linear.seats[4].job, 1);
  EXPECT_EQ(linear.seats[4].rank, 2);
  const Workload mixed = MakeWorkload(mix, "", 8, Allocation::kInterleaved, 1);
  EXPECT_THAT(mixed.jobs[0].endpoints, ElementsAre(0, 2));
  EXPECT_THAT(mixed.jobs[1].endpoints, ElementsAre(1, 3, 4, 5));
}

TEST(Jobs, RandomAllocationIsDrawn) {
  const std::string mix = "alltoall:ranks=20+gather";
  const Workload first = MakeWorkload(mix, "", 64, Allocation::kRandom, 1);
  EXPECT_EQ(first.jobs[0].endpoints, MakeWorkload(mix, "", 64, Allocation::kRandom, 1).jobs[0].endpoints);
  EXPECT_NE(first.jobs[0].endpoints, MakeWorkload(mix, "", 64, Allocation::kRandom, 2).jobs[0].endpoints);
  std::set<std::int32_t> used(first.jobs[0].endpoints.begin(), first.jobs[0].endpoints.end());
  used.insert(first.jobs[1].endpoints.begin(), first.jobs[1].endpoints.end());
  EXPECT_EQ(used.size(), 64u);
}

TEST(Jobs, PlacesCanBeGivenAndRanksShareWhatIsLeft) {
  const Workload workload = MakeWorkload("pingpong:at=7/2+alltoall+gather:ranks=3", "", 10, Allocation::kLinear, 1);
  EXPECT_THAT(workload.jobs[0].endpoints, ElementsAre(7, 2));
  EXPECT_EQ(workload.jobs[1].schedule.ranks.size(), 5u);
  EXPECT_THAT(workload.jobs[1].endpoints, ElementsAre(0, 1, 3, 4, 5));
  EXPECT_THAT(workload.jobs[2].endpoints, ElementsAre(6, 8, 9));
}

TEST(Jobs, Refusals) {
  const auto refused = [](const std::string& text, const std::string& word) {
    try {
      MakeWorkload(text, "", 8, Allocation::kLinear, 1);
      ADD_FAILURE() << text;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(word)) << text;
    }
  };
  refused("alltoall:ranks=9", "9 ranks for 8 endpoints");
  refused("alltoall:ranks=5+gather:ranks=4", "9 ranks for 8 endpoints");
  refused("alltoall:at=1/8", "no endpoint 8");
  refused("alltoall:at=1/1", "endpoint 1 has a rank already");
  refused("alltoall:at=1/2,ranks=3", "leave ranks out");
  refused("alltoall:ranks=8+gather", "the other jobs leave no endpoint for it");
  refused("alltoall:ranks=0", "ranks=0 is a job without ranks");
  refused("alltoall:ranks=1", "1 ranks");
  EXPECT_THROW(ParseAllocation("linaer"), UsageError);
}

TEST(Jobs, PatternsAreToldFromSyntheticTraffic) {
  EXPECT_TRUE(IsPattern("alltoall"));
  EXPECT_TRUE(IsPattern("allreduce:ring,bytes=5"));
  EXPECT_TRUE(IsPattern("barrier+gather"));
  EXPECT_FALSE(IsPattern("uniform"));
  EXPECT_FALSE(IsPattern("permutation:tornado"));
}

/// 62 bytes around the data, 78 in the first packet: the standards' sum without preamble.
TEST(Segments, HeadersAreThoseOfTheStandards) {
  EXPECT_EQ(FrameOf(0, false), 62);
  EXPECT_EQ(FrameOf(0, true), 78);
  EXPECT_EQ(FrameOf(4096, true), 4174);
  EXPECT_EQ(FrameOf(5, true), 86);
  EXPECT_EQ(MostData(4224), 4096);
  EXPECT_EQ(MostData(600), 520);
  EXPECT_EQ(PacketsOf(0, 4096), 1);
  EXPECT_EQ(PacketsOf(4096, 4096), 1);
  EXPECT_EQ(PacketsOf(4097, 4096), 2);
  std::int64_t sum = 0;
  for (int i = 0; i < PacketsOf(100'001, 4096); ++i) sum += DataOf(100'001, 4096, i);
  EXPECT_EQ(sum, 100'001);
}

}  // namespace
}  // namespace tilefly::workload
