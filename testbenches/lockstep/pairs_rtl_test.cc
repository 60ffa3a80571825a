// SPDX-License-Identifier: Apache-2.0
// Every (input, output) pair of the 64-port switch: it forwards, turns where the timing page says, and its request and
// grant take the same number of cycles, whatever the data crossbar carries for others. The RTL in lockstep with golden does
// it from CI on; only with a saturated data crossbar it does two groups of 256 pairs in CI and every pair in the full tier.
#include <gtest/gtest.h>

#include "testbenches/bench/settings.h"
#include "testbenches/lockstep/hop.h"

namespace tilefly::cosim {
namespace {

constexpr int kPorts = kRosetta64.ports;
constexpr int kGroups = 16;

/// A group is four distances between input and output. Distances 37 (19 to 56) and 55 (18 to 9) are in groups 5 and 7.
class Pairs : public ::testing::TestWithParam<int> {
 protected:
  static bench::Tier tier() { return bench::TierFromEnvironment(); }
  /// `rtl`: the RTL too, which takes longer.
  static std::unique_ptr<ScriptedSwitch> Make(bool rtl) {
    return rtl ? MakeScripted(kRosetta64, "rtl", "golden") : MakeScripted(kRosetta64, "golden");
  }
  /// Calls `visit(input, output)` for the pairs of the group at one distance after another.
  template <typename BeforeDistance, typename Visit>
  static void ForPairs(BeforeDistance before, Visit visit) {
    for (int distance = GetParam(); distance < kPorts; distance += kGroups) {
      before(distance);
      for (int input = 0; input < kPorts; ++input) {
        visit(input, (input + distance) % kPorts);
        if (HasFatalFailure()) return;
      }
    }
  }
};

/// "a lone request takes pop s to decision s + 9, a lone grant its leave cycle + 8": all of a quiet hop's cycles.
void ExpectQuiet(const Hop& hop, int input, int output) {
  ASSERT_EQ(hop.steps, QuietSteps(64)) << input << " to " << output;
  ASSERT_EQ(hop.steps.at("dec_valid") - hop.steps.at("req_valid"), 9);
  ASSERT_EQ(hop.steps.at("gin_valid") - (hop.steps.at("dec_valid") + 3), 8);
  ASSERT_EQ(hop.turns, 2) << "a packet of 64 B has two cells";
  ASSERT_EQ(hop.stray_turns, 0) << input << " to " << output;
}

TEST_P(Pairs, TakeTheSameCyclesWhenNothingElseMoves) {
  const auto devices = Make(tier() != bench::Tier::kQuick);
  ForPairs([](int) {},
           [&](int input, int output) {
             ExpectQuiet(FollowPacket(*devices, input, output, 64), input, output);
           });
  devices->Drain();
  EXPECT_EQ(devices->books().delivered, 4 * kPorts);
}

TEST_P(Pairs, TakeTheSameCyclesWhileTheOtherPortsSaturateTheDataCrossbar) {
  constexpr std::array<int, 3> kLengths = {64, 1024, 4224};
  const bool sample = GetParam() == 5 || GetParam() == 7;
  const auto devices = Make(tier() == bench::Tier::kFull || (tier() == bench::Tier::kCi && sample));
  const int stride = tier() == bench::Tier::kQuick ? 16 : 1;
  int distance = 0;
  const auto fill = [&](int port, bool on) {
    devices->Saturate(port, (port + distance) % kPorts, on ? kLengths[static_cast<std::size_t>(port % 3)] : 0);
  };
  ForPairs(
      [&](int next) {
        devices->Drain();
        distance = next;
        for (int port = 0; port < kPorts; ++port) fill(port, true);
        devices->Run(400);
      },
      [&](int input, int output) {
        if ((input + distance) % stride != 0) return;
        fill(input, false);
        // Until its last packet is gone, its room free and its channel may have another owner.
        while (!devices->Idle(input)) devices->Step();
        devices->Run(8);
        ExpectQuiet(FollowPacket(*devices, input, output, 64), input, output);
        fill(input, true);
      });
  devices->Drain();
}

TEST_P(Pairs, ForwardAllAtOnceInRtlAndGolden) {
  const auto devices = MakeScripted(kRosetta64, "rtl", "golden");
  const std::int64_t before = devices->lockstep().compared_busy();
  for (int distance = GetParam(); distance < kPorts; distance += kGroups) {
    for (int input = 0; input < kPorts; ++input) devices->Send(input, (input + distance) % kPorts, 64);
    devices->Drain();
    for (int input = 0; input < kPorts; ++input) {
      ASSERT_EQ(devices->last(input).output, (input + distance) % kPorts);
      ASSERT_EQ(devices->last(input).first_out - devices->last(input).first_in, 63) << "they meet nowhere";
    }
  }
  EXPECT_EQ(devices->books().delivered, 4 * kPorts);
  EXPECT_GE(devices->lockstep().compared_busy() - before, 4 * kPorts * 3);  // words of 64 B and a header
}

INSTANTIATE_TEST_SUITE_P(Distances, Pairs, ::testing::Range(0, kGroups));

/// The example of the timing page, in every device that is cycle-exact.
TEST(Turn, Of19To56And18To9IsInTheTileOfPorts24And25) {
  const auto devices = MakeScripted(kRosetta64, "rtl", "golden");
  struct Example {
    int input, output, crossbar_input, crossbar_output;
  };
  for (const Example& example : {Example{19, 56, 3, 6}, Example{18, 9, 2, 1}}) {
    std::vector<std::string> seen;
    devices->set_watch([&](Cycle, const Observation& observation) {
      for (std::size_t tile = 0; tile < observation.turns.size(); ++tile) {
        const Turnobs& turn = observation.turns[tile];
        for (int output = 0; output < 8; ++output) {
          if ((turn.valid >> output & 1) == 0) continue;
          seen.push_back("tile of ports " + std::to_string(2 * tile) + "/" + std::to_string(2 * tile + 1) + ", input " +
                         std::to_string(turn.inputs >> 4 * output & 15) + ", output " + std::to_string(output));
        }
      }
    });
    devices->Send(example.input, example.output, 64);
    devices->Drain();
    devices->set_watch(nullptr);
    const std::string expected = "tile of ports 24/25, input " + std::to_string(example.crossbar_input) + ", output " +
                                 std::to_string(example.crossbar_output);
    EXPECT_EQ(seen, std::vector<std::string>(2, expected)) << example.input << " to " << example.output;
  }
}

}  // namespace
}  // namespace tilefly::cosim
