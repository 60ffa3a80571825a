// SPDX-License-Identifier: Apache-2.0
// A link between two golden switches goes down, and another one leads to the target (docs/blocks/link_retry.md, Taken
// back): all packets arrive, but those that were in an output buffer or a replay buffer.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>

#include "testbenches/bench/settings.h"
#include "testbenches/lockstep/two_ways.h"

namespace tilefly::bench {
namespace {

constexpr int kDiscard = 0, kBlock = 1, kBestEffort = 2;
constexpr Cycle kForEver = 1'000'000'000;

void RunTo(TwoWays* ways, Cycle until) {
  while (ways->cycle < until) {
    ASSERT_NO_THROW(ways->Step()) << "cycle " << ways->cycle;
    ASSERT_EQ(ways->wrong, "");
  }
}

/// Hosts stop; all that is inside comes out.
void Finish(TwoWays* ways) {
  ways->Drain();
  ASSERT_NO_FATAL_FAILURE(RunTo(ways, ways->cycle + 12'000));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(ways->device(i).packets(), 0u) << "switch " << i;
    EXPECT_NO_THROW(ways->lockstep(i).CheckDrained()) << "switch " << i;
    for (int p = 0; p < kTile8.ports; ++p) EXPECT_EQ(ways->device(i).used(p), 0) << "switch " << i << ", port " << p;
  }
  EXPECT_EQ(ways->Count(Counter::kBadCredit), 0);
}

/// What is missing was in output and replay buffers of links that went down. `plain`: ports without retry have no replay
/// buffer, and what is between their output buffer and the far end, packets of 3 words or more, is on no count.
void ExpectLossesOfBuffersOnly(const TwoWays& ways, bool plain = false) {
  const std::int64_t missing = ways.sent + ways.copies_sent - ways.received - ways.copies_received;
  const std::int64_t on_the_way = plain ? 8 * ways.Count(Counter::kLinkDowns) : 0;
  EXPECT_LE(ways.sent - ways.received, ways.Count(Counter::kTxLost) + ways.Count(Counter::kReplayLost) + on_the_way);
  EXPECT_GE(missing, ways.Count(Counter::kTxLost));
  EXPECT_EQ(ways.Count(Drop::kNoRoute), 0);
  EXPECT_EQ(ways.Count(Drop::kBufferFull), 0);
}

/// How often a packet stood in queues of an output, at most; one that was taken back from it stands there again.
class QueueLog final : public golden::StageProbe {
 public:
  void Reached(golden::Stage stage, Cycle, const golden::Packet& packet) override {
    if (stage != golden::Stage::kQueued) return;
    std::map<int, int>& times = times_[packet.payload];
    if (!packet.again) times.clear();
    most = std::max(most, ++times[packet.output]);
  }
  int most = 0;

 private:
  std::map<golden::Payload, std::map<int, int>> times_;
};

class TakenBack : public ::testing::TestWithParam<std::tuple<bool, int>> {
 protected:
  TwoWaysSetup SetupOf() const {
    TwoWaysSetup setup{kTile8};
    setup.cut_through = std::get<0>(GetParam());
    setup.down = std::get<1>(GetParam());
    return setup;
  }
  Stimulus RandomOf(const char* purpose) const { return Stimulus(SeedOf(RootSeed(), purpose)); }
};

TEST_P(TakenBack, ALinkThatDiesForEverCostsWhatItsBuffersHeld) {
  TwoWays ways(SetupOf(), RandomOf("dies for ever"));
  std::array<QueueLog, 2> queues;
  for (int i = 0; i < 2; ++i) ways.device(i).Follow(&queues[static_cast<std::size_t>(i)]);
  ASSERT_NO_FATAL_FAILURE(RunTo(&ways, 4000));
  EXPECT_EQ(ways.Count(Counter::kRerouted), 0);
  EXPECT_GT(std::min(ways.sent_by[0], ways.sent_by[1]), 20);
  ways.links[0].decides.TakeDown(ways.cycle, kForEver);
  const std::int64_t before = ways.sent_by[0], received = ways.received;
  ASSERT_NO_FATAL_FAILURE(RunTo(&ways, 8000));
  EXPECT_EQ(ways.sent_by[0], before);
  EXPECT_GT(ways.received, received + 200) << "the other link goes on";
  ASSERT_NO_FATAL_FAILURE(Finish(&ways));
  ExpectLossesOfBuffersOnly(ways);
  EXPECT_GT(ways.Count(Counter::kRerouted), 10);
  EXPECT_GT(ways.sent - ways.received, 0) << "nothing was in the buffers";
  for (const QueueLog& log : queues) EXPECT_LE(log.most, 2) << "a packet is taken back from a port at most twice";
}

/// The links take turns; they are never down at once.
TEST_P(TakenBack, LinksThatComeAndGo) {
  TwoWays ways(SetupOf(), RandomOf("come and go"));
  const Cycle time = 700;
  for (int n = 0; n < 10; ++n) {
    ASSERT_NO_FATAL_FAILURE(RunTo(&ways, 1500 + 1400 * n + 13 * n));
    ways.links[static_cast<std::size_t>(n % 2)].decides.TakeDown(ways.cycle, time);
  }
  ASSERT_NO_FATAL_FAILURE(RunTo(&ways, ways.cycle + 2000));
  ASSERT_NO_FATAL_FAILURE(Finish(&ways));
  ExpectLossesOfBuffersOnly(ways, std::get<1>(GetParam()) == kBestEffort);
  EXPECT_GT(ways.Count(Counter::kRerouted), 100);
  EXPECT_EQ(ways.Count(Counter::kLinkDowns), 20);
}

/// Classes are lossy, so all packets are in the account of their class; replicated packets end at a link that is down.
TEST_P(TakenBack, CopiesEndAndSharesComeHome) {
  TwoWaysSetup setup = SetupOf();
  setup.broadcasts = 80;
  setup.lossy = 4;
  TwoWays ways(setup, RandomOf("copies"));
  for (int n = 0; n < 6; ++n) {
    ASSERT_NO_FATAL_FAILURE(RunTo(&ways, 1500 + 2000 * n + 17 * n));
    ways.links[n % 3 == 2 ? 1u : 0u].decides.TakeDown(ways.cycle, 700);
  }
  ASSERT_NO_FATAL_FAILURE(RunTo(&ways, ways.cycle + 2000));
  ASSERT_NO_FATAL_FAILURE(Finish(&ways));
  EXPECT_GT(ways.copies_sent - ways.copies_received, 20);
  EXPECT_GT(ways.copies_received, 200);
  EXPECT_GT(ways.Count(Counter::kRerouted), 20);
  EXPECT_EQ(ways.Count(Drop::kClassFull) + ways.Count(Drop::kNoRoute), 0);
}

std::string NameOf(const ::testing::TestParamInfo<std::tuple<bool, int>>& of) {
  return std::string(std::get<0>(of.param) ? "CutThrough" : "Stored") +
         (std::get<1>(of.param) == kDiscard ? "Discard" : "BestEffort");
}
INSTANTIATE_TEST_SUITE_P(All, TakenBack,
                         ::testing::Combine(::testing::Bool(), ::testing::Values(kDiscard, kBestEffort)), NameOf);

/// In the mode block nothing is taken back, and nothing is lost but what the replay buffer held.
TEST(TakenBackNot, InTheModeBlock) {
  TwoWaysSetup setup{kTile8};
  setup.down = kBlock;
  TwoWays ways(setup, Stimulus(SeedOf(RootSeed(), "block")));
  ASSERT_NO_FATAL_FAILURE(RunTo(&ways, 4000));
  ways.links[0].decides.TakeDown(ways.cycle, 3000);
  ASSERT_NO_FATAL_FAILURE(RunTo(&ways, 9000));
  ASSERT_NO_FATAL_FAILURE(Finish(&ways));
  EXPECT_EQ(ways.Count(Counter::kRerouted), 0);
  EXPECT_EQ(ways.Count(Counter::kTxLost), 0);
  EXPECT_LE(ways.sent - ways.received, ways.Count(Counter::kReplayLost));
}

}  // namespace
}  // namespace tilefly::bench
