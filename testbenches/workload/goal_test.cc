// SPDX-License-Identifier: Apache-2.0
// GOAL text: what is read, and where complaints point.
#include "workload/goal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "support/errors.h"
#include "testbenches/workload/ideal_network.h"

namespace tilefly::workload {
namespace {

constexpr const char* kPair = R"(// two ranks
num_ranks 2
rank 0 {
  l1: calc 100 cpu 1   /* before
                          sending */
  l2: send 8b to 1 tag 3 cpu 0 nic 0
  recv 20b from 1
  l2 requires l1
}
rank 1 {
  a: recv 8b from 0 tag 3
  b: send 16b to 0
  b irequires a }
)";

TEST(Goal, ReadsOperationsAndWhatTheyWaitFor) {
  const Schedule schedule = ParseGoal(kPair, "pair.goal");
  ASSERT_EQ(schedule.ranks.size(), 2u);
  const Rank& first = schedule.ranks[0];
  ASSERT_EQ(first.operations.size(), 3u);
  EXPECT_EQ(first.operations[0].cpu, 1);
  EXPECT_EQ(first.operations[1].amount, 8);
  EXPECT_EQ(first.operations[1].tag, 3u);
  EXPECT_EQ(first.operations[2].peer, 1);
  ASSERT_EQ(first.dependencies.size(), 1u);
  EXPECT_EQ(first.dependencies[0].operation, 1);
  EXPECT_FALSE(first.dependencies[0].started);
  EXPECT_TRUE(schedule.ranks[1].dependencies.at(0).started);
  EXPECT_EQ(schedule.Describe(0, 1), "send 8b to 1 tag 3 (l2, line 6)");
  // Rank 1 sends once its receive is posted: at 0, there at 1. Rank 0 sends at 100.
  IdealNetwork network(schedule);
  EXPECT_EQ(network.Run(), 101);
  EXPECT_TRUE(network.done());
}

/// Each complaint begins with file, line and column.
TEST(Goal, MalformedTextIsRefusedWithItsPlace) {
  const auto refused = [](const std::string& text, const std::string& place, const std::string& word) {
    try {
      ParseGoal(text, "x.goal");
      ADD_FAILURE() << text;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("x.goal:" + place + ": ")) << text;
      EXPECT_THAT(error.what(), testing::HasSubstr(word)) << text;
      if (text.find("calc -") != std::string::npos) EXPECT_THAT(error.what(), Not(testing::HasSubstr("any source")));
    }
  };
  const std::string two = "num_ranks 2\n";
  refused("", "1:1", "num_ranks");
  refused("rank 0 {}\n", "1:1", "num_ranks");
  refused("num_ranks 0\n", "1:11", "no ranks");
  refused("num_ranks many\n", "1:11", "'many'");
  refused(two + "rank 2 {\n}\n", "2:6", "more than 1");
  refused(two + "rank 0 {\n}\nrank 0 {\n}\n", "4:6", "rank 0 is there already");
  refused(two + "rank 0 {\nl1: send 8b to 1\n", "4:1", "close it by }");
  refused(two + "rank 0 {\nl1: sned 8b to 1\n}\n", "3:5", "'sned'");
  refused(two + "rank 0 {\nl1: send 8 to 1\n}\n", "3:12", "'b'");
  refused(two + "rank 0 {\nl1: send 8b from 1\n}\n", "3:13", "'to'");
  refused(two + "rank 0 {\nl1: send 8b to 2\n}\n", "3:16", "no rank 2");
  refused(two + "rank 0 {\nl1: recv 8b from -1\n}\n", "3:18", "not supported");
  refused(two + "rank 0 {\ncalc -5\n}\n", "3:6", "a time in ns is to be a whole number, 0 to 1125899906842624");
  refused(two + "rank 0 {\nl1: send 8b to 1 tag 4294967296\n}\n", "3:22", "4294967295");
  refused(two + "rank 0 {\nl1: send 8b to 1 nic 1\n}\n", "3:22", "one NIC");
  refused(two + "rank 0 {\nl1: calc 5 nic 0\n}\n", "3:12", "line is to end");
  refused(two + "rank 0 {\nl1: calc 5\nl1: calc 6\n}\n", "4:1", "label 'l1'");
  refused(two + "rank 0 {\nl1: calc 5\nl1 requires l2\n}\n", "4:13", "'l2'");
  refused(two + "rank 0 {\nl1: calc 5\nl3 irequires l1\n}\n", "4:1", "'l3'");
  refused(two + "rank 0 {\nl1 wants l2\n}\n", "3:1", "neither a label");
  refused(two + "/* no end\n", "2:1", "*/");
  refused(two + "rank 0 {\nl1: send 8b to 0\n}\n", "3:1", "to itself");
  refused(two + "rank 0 {\nl1: send 8b to 1 tag 5\n}\nrank 1 {\n}\n", "3:1",
          "rank 1 never receives it; 1 sent and 0 received");
  refused(two + "rank 0 {\nl1: send 8b to 1 tag 5\n}\nrank 1 {\nx: recv 8b from 0 tag 6\n}\n", "3:1", "never receives");
  refused(two + "rank 0 {\n}\nrank 1 {\nx: recv 8b from 0 tag 6\n}\n", "5:1", "rank 0 never sends it");
  refused(two + "rank 0 {\nl1: send 8b to 1\n}\nrank 1 {\nx: recv 7b from 0\n}\n", "6:1", "8 bytes");
}

TEST(Goal, ACycleOfDependenciesIsNamed) {
  try {
    ParseGoal("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\nc: calc 3\na requires c\nc irequires b\nb requires a\n}\n",
              "x.goal");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(
        error.what(),
        testing::HasSubstr(
            "calc 1 (a, line 3) waits for calc 3 (c, line 5) waits for calc 2 (b, line 4) waits for the first"));
  }
}

/// Real schedules of the folder that TILEFLY_DATA names.
TEST(Goal, RealSchedulesAreReadAndEnd) {
  const char* const data = std::getenv("TILEFLY_DATA");
  if (data == nullptr) GTEST_SKIP() << "TILEFLY_DATA is not set";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(data) / "goal")) {
    if (entry.path().extension() != ".goal") continue;
    const Schedule schedule = ReadGoal(entry.path());
    IdealNetwork network(schedule);
    network.Run();
    EXPECT_TRUE(network.done()) << entry.path();
    EXPECT_EQ(network.bytes, schedule.Bytes());
    EXPECT_GT(network.messages, 0);
    ++files;
  }
  EXPECT_GT(files, 0);
}

TEST(Goal, AFileThatCannotBeReadIsNamed) { EXPECT_THROW(ReadGoal("/no/such.goal"), UsageError); }

}  // namespace
}  // namespace tilefly::workload
