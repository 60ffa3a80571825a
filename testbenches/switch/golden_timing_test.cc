// SPDX-License-Identifier: Apache-2.0
// The cycle numbers of docs/timing.md, of a quiet packet through the golden switch, from its observation record. They
// are written apart from golden/common/stage_times.h, whose sums they judge.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "testbenches/switch/packet_rig.h"

namespace tilefly::golden {
namespace {

/// Cycles after the first word of the steps of one packet sent through an otherwise quiet switch.
std::map<std::string, Cycle> StepsOf(const Profile& profile, int input, int output, int length) {
  PacketRig rig(profile);
  SwitchObservation observed;
  rig.device().Observe(&observed);
  std::map<std::string, Cycle> steps;
  rig.on_departure([&](const Departure& departure) { steps["word"] = departure.take + kTakeToWire; });
  const Cycle a0 = rig.cycle() + 50;
  rig.RunTo(a0);
  rig.Send(input, a0, {output, length});
  for (Cycle now = a0; now < a0 + 400; ++now) {
    rig.device().Step(now);
    for (const Departure& departure : rig.device().output().links.packets) steps["word"] = departure.take + kTakeToWire - a0;
    const Portobs& in = observed.ports[input];
    const Portobs& out = observed.ports[output];
    const Cycle at = now - a0;
    if (in.ibuf_cells > 0 && steps.count("admitted") == 0) steps["admitted"] = at;
    if (in.req_valid) steps["requested"] = at;
    if (out.load > 0 && steps.count("at output") == 0) steps["at output"] = at;
    if (out.dec_valid) steps["decided"] = at;
    if (in.gin_valid && in.crd_valid) steps["granted"] = at;
    if (in.pick_valid) steps["picked"] = at;
    if (out.arr_rows != 0) steps["first cell"] = at;
    if (out.take_valid) steps["taken"] = at;
    if (in.ibuf_cells == 0 && steps.count("picked") != 0 && steps.count("freed") == 0) steps["freed"] = at;
    if (out.obuf_room == profile.obuf_cells && steps.count("taken") != 0 && steps.count("room") == 0) steps["room"] = at;
  }
  return steps;
}

TEST(QuietPacket, KeepsEveryOffsetOfTheTimingPage) {
  const auto steps = StepsOf(kRosetta64, 19, 56, 64);
  const std::map<std::string, Cycle> expected = {
      {"admitted", 4}, {"requested", 21}, {"at output", 29}, {"decided", 30}, {"granted", 41},  {"picked", 42},
      {"first cell", 54}, {"taken", 55},  {"word", 63},      {"freed", 47},   {"room", 59}};
  EXPECT_EQ(steps, expected);
}

TEST(QuietPacket, Takes63CyclesBetweenAllPairs) {
  for (int input = 0; input < kRosetta64.ports; input += 7) {
    for (int output = 0; output < kRosetta64.ports; output += 5) {
      ASSERT_EQ(StepsOf(kRosetta64, input, output, 64).at("word"), 63) << input << " to " << output;
    }
  }
}

TEST(QuietPacket, Takes63CyclesInEveryProfile) {
  for (const Profile& profile : kProfiles) {
    EXPECT_EQ(StepsOf(profile, 1, profile.ports - 2, 64).at("word"), 63) << profile.name;
  }
}

TEST(QuietPacket, WaitsForItsCutThroughStartOnlyWhenLong) {
  EXPECT_EQ(StepsOf(kRosetta64, 19, 56, 1024).at("picked"), 42);
  // 4224 B: 133 words, 89 cells: the last cell's word 132 allows a start at a0 + 6 + 132 - 88.
  EXPECT_EQ(StepsOf(kRosetta64, 19, 56, 4224).at("picked"), 50 - 4);
}

}  // namespace
}  // namespace tilefly::golden
