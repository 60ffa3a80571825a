// SPDX-License-Identifier: Apache-2.0
// When a link is down and up, rule by rule (docs/blocks/link_retry.md, "The link decides").
#include "cosim/endpoint/link_decides.h"

#include <gtest/gtest.h>

#include "cosim/endpoint/lanes_in_use.h"

namespace tilefly::cosim {
namespace {

constexpr int kWireDelay = 100, kLongestWords = 133;
constexpr Cycle kDownMin = 2 * kWireDelay + 548;  ///< DOWN_MIN

class Decides : public ::testing::Test {
 protected:
  void SetUp() override { link.Raise(); }
  /// The first cycle from `from` on in which an end is up, or down.
  Cycle First(std::size_t end, bool up, Cycle from) {
    Cycle c = from;
    while (link.up(end, c) != up) ++c;
    return c;
  }
  LinkDecides link{kWireDelay, kLongestWords};
};

TEST_F(Decides, ALinkIsDownUntilItIsRaised) {
  EXPECT_FALSE(LinkDecides(kWireDelay, kLongestWords).works(5));
  EXPECT_TRUE(link.works(5));
}

TEST_F(Decides, APlanTakesBothEndsDownAtOnce) {
  link.TakeDown(1000, 3000);
  for (const std::size_t end : {0, 1}) {
    EXPECT_TRUE(link.up(end, 999));
    EXPECT_EQ(First(end, false, 0), 1000);
    EXPECT_EQ(First(end, true, 1000), 4000);
  }
  link.TakeDown(9000, 10);
  EXPECT_EQ(First(0, true, 9000), 9000 + kDownMin) << "DOWN_MIN";
  EXPECT_EQ(link.downs(), 2);
}

TEST_F(Decides, TheFarEndOfAPortThatGivesUpSeesItByTheDelayLater) {
  link.Retrain(5000);
  EXPECT_TRUE(link.Fails(1, 700));
  EXPECT_FALSE(link.Fails(1, 700)) << "once";
  EXPECT_FALSE(link.Fails(1, 701)) << "it is down";
  EXPECT_EQ(First(1, false, 0), 701);
  EXPECT_EQ(First(0, false, 0), 701 + kWireDelay);
  for (const std::size_t end : {0, 1}) EXPECT_EQ(First(end, true, 900), 701 + 5000);
  EXPECT_EQ(link.given_up(1), 1);
  EXPECT_EQ(link.given_up(0), 0);
}

TEST_F(Decides, BothEndsMayGiveUpBeforeTheyHear) {
  EXPECT_TRUE(link.Fails(0, 700));
  EXPECT_TRUE(link.Fails(1, 750));
  EXPECT_EQ(First(1, false, 0), 751);
  EXPECT_EQ(First(0, true, 900), 701 + kDownMin) << "from the first of the two on";
  EXPECT_EQ(link.downs(), 1);
}

TEST_F(Decides, AnUpIsPutOffToTheLeastTime) {
  EXPECT_EQ(link.BringUp(500), -1) << "it is up";
  link.TakeDown(1000, kNever);
  EXPECT_EQ(link.comes_up(), kNever);
  EXPECT_EQ(link.BringUp(1010), 1000 + kDownMin);
  EXPECT_EQ(First(0, true, 1000), 1000 + kDownMin);
  link.TakeDown(9000, kNever);
  EXPECT_EQ(link.BringUp(9000 + 2 * kDownMin), 9000 + 2 * kDownMin);
  EXPECT_FALSE(link.up(1, 8999 + 2 * kDownMin));
  EXPECT_TRUE(link.up(1, 9000 + 2 * kDownMin));
}

TEST_F(Decides, ASecondDownLastsFromItsOwnCycleOn) {
  link.TakeDown(1000, 2000);
  link.TakeDown(2500, 3000);
  EXPECT_EQ(First(0, true, 1000), 5500);
  EXPECT_EQ(link.downs(), 1);
  link.TakeDown(5500, 1);
  EXPECT_FALSE(link.up(0, 5500)) << "it does not come up in between";
  EXPECT_EQ(First(0, true, 5500), 5501);
  EXPECT_EQ(link.downs(), 1);
}

TEST(LanesInUse, AreThoseThatTheSenderWasNotToldToLeaveOut) {
  LanesInUse lanes(4);
  EXPECT_EQ(lanes.Of(4), 0b1111u);
  lanes.Told(0b0100);
  EXPECT_EQ(lanes.Of(3), 0b1011u);
  EXPECT_EQ(lanes.Of(4), 0b1111u) << "of packets that began before";
  lanes.Told(0b0110);
  EXPECT_EQ(lanes.Of(2), 0b1001u);
  lanes.Told(0b1111);
  EXPECT_EQ(lanes.Of(1), 0b0001u) << "one is left in use";
  lanes.Down();
  EXPECT_EQ(lanes.Of(4), 0b1111u);
  EXPECT_EQ(LanesInUse(2).Of(2), 0b0011u);
}

}  // namespace
}  // namespace tilefly::cosim
