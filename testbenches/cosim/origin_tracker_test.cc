// SPDX-License-Identifier: Apache-2.0
#include "cosim/scoreboard/origin_tracker.h"

#include <gtest/gtest.h>

namespace tilefly::cosim {
namespace {

Observation Nothing() {
  Observation observation;
  observation.ports.resize(8);
  observation.turns.resize(4);
  return observation;
}

Observation Pick(int input, int output) {
  Observation observation = Nothing();
  observation.ports[static_cast<std::size_t>(input)].pick_valid = true;
  observation.ports[static_cast<std::size_t>(input)].pick_dst = static_cast<std::uint8_t>(output);
  return observation;
}

Observation Take(int output, int row) {
  Observation observation = Nothing();
  observation.ports[static_cast<std::size_t>(output)].take_valid = true;
  observation.ports[static_cast<std::size_t>(output)].take_row = static_cast<std::uint8_t>(row);
  return observation;
}

TEST(OriginTracker, FollowsRowsIntoTheLink) {
  OriginTracker tracker(kTile8);  // inputs 0-3 are row 0, 4-7 row 1
  tracker.Sample(10, Pick(2, 5));
  tracker.Sample(11, Pick(6, 5));
  tracker.Sample(12, Pick(1, 5));
  tracker.Sample(31, Take(5, 1));
  tracker.Sample(41, Take(5, 0));
  tracker.Sample(51, Take(5, 0));
  EXPECT_EQ(tracker.Origin(5, 38), 6);  // taken in 30, the cycle before the record, on the wire in 38
  // The packet taken in 40 had no words; the next one is found all the same.
  EXPECT_EQ(tracker.Origin(5, 58), 1);
  EXPECT_EQ(tracker.Origin(5, 70), -1);
}

TEST(OriginTracker, KnowsNothingWithoutARecord) {
  OriginTracker tracker(kTile8);
  tracker.Sample(10, Nothing());
  EXPECT_EQ(tracker.Origin(3, 20), -1);
}

}  // namespace
}  // namespace tilefly::cosim
