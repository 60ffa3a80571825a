// SPDX-License-Identifier: Apache-2.0
// The reduction ring of 16 ports, RTL beside golden: the published example, and the rate of long vectors
// (docs/blocks/reduction.md, Collect lanes, Rate and deadlock).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "Vrtl_red_cfu_tile16.h"
#include "Vrtl_red_tile_tile16.h"
#include "testbenches/reduction/ring_harness.h"
#include "testbenches/reduction/stream_peers.h"

namespace tilefly::bench {
namespace {

using Harness = RingHarness<Vrtl_red_tile_tile16, Vrtl_red_cfu_tile16>;

constexpr Cycle kDrain = 1;  ///< at least

/// One vector of the children, from the lock on. `look(harness)` sees every cycle.
template <typename Look>
void RunVector(Comparison* run, StreamPeers* peers, Look&& look) {
  Harness harness(run, kTile16, peers, nullptr);
  const std::vector<Cfg> writes = peers->Writes();
  while (run->Next()) {
    const auto now = static_cast<std::size_t>(run->cycle());
    Harness::Stimuli stimuli;
    stimuli.eager = true;
    if (now < writes.size()) stimuli.cfg = writes[now];
    if (now == writes.size() + golden::kWriteLatency) peers->Begin(run->cycle());
    harness.Step(stimuli);
    look(harness);
    if (!peers->complaint().empty()) run->Fail(peers->complaint());
    run->DrainUntil(harness.Settled(run->cycle()));
  }
}

golden::PortMask Ports(const std::vector<int>& ports) {
  golden::PortMask mask = 0;
  for (const int port : ports) mask |= golden::Bit(port);
  return mask;
}

std::vector<std::uint8_t> Repeat(float value, int bytes) {
  std::vector<std::uint8_t> data(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i + sizeof value <= data.size(); i += sizeof value)
    std::memcpy(&data[i], &value, sizeof value);
  return data;
}

TEST(Ring16, ThePublishedExampleTakesFiveStepsLeftOneRightOneInTheCfu) {
  const std::vector<int> ports = {0, 1, 2, 3, 4, 7, 9, 13};
  const std::vector<float> operands = {1e8f, 1.0f, -1e8f, 3.0f, 1e-3f, 7.0f, 1e7f, -2.5f};
  Comparison run(Comparison::Options{1, 0, 1200, kDrain});
  StreamPeers::Vector vector;
  vector.type = RedType::kFloat32;
  vector.bytes = 32;
  vector.operands = [&](int port, int) {
    return Repeat(operands[static_cast<std::size_t>(std::find(ports.begin(), ports.end(), port) - ports.begin())], 32);
  };
  StreamPeers peers(kTile16, Ports(ports), vector);
  Cycle launch = -1;
  std::vector<std::pair<Cycle, int>> steps;  ///< cycles since the launch, port
  std::vector<Cycle> meets;
  RunVector(&run, &peers, [&](Harness& harness) {
    const Cycle now = run.cycle();
    const CfuObs cfu = harness.observed_cfu();
    if (cfu.launch_valid && golden::IsStream(static_cast<RedCandidate>(cfu.launch_number))) launch = now;
    if (launch < 0) return;
    for (int p = 0; p < kTile16.ports; ++p) {
      const RedObs seen = harness.observed(p);
      if (seen.step_valid && seen.step_part && !seen.step_brief && seen.step_operands == 3)
        steps.emplace_back(now - launch, p);
    }
    if (cfu.meet_valid && !cfu.meet_brief && cfu.meet_operands == 3) meets.push_back(now - launch);
  });
  const std::vector<std::pair<Cycle, int>> expected = {{7, 1}, {13, 2}, {19, 3}, {25, 4}, {31, 13}, {43, 7}};
  EXPECT_EQ(steps, expected);
  EXPECT_EQ(meets, std::vector<Cycle>{49});
  // The machine's own arithmetic, in the order of the page.
  volatile float left = operands[0];
  for (std::size_t i = 1; i < 6; ++i) left = left + operands[i];
  volatile float right = operands[6] + operands[7];
  volatile float sum = left + right;
  ASSERT_EQ(peers.results().size(), ports.size());
  for (const StreamPeers::Result& result : peers.results())
    EXPECT_EQ(result.data, Repeat(sum, 32)) << "port " << result.port;
}

/// Data words of a port's results for each cycle of its link, from the middle of a vector to its end.
double Rate(golden::PortMask children, int segments) {
  Comparison run(Comparison::Options{1, 25, 2000 + 140 * segments, kDrain});
  StreamPeers::Vector vector;
  vector.type = RedType::kFloat32;
  vector.bytes = kTile16.red_bytes;
  vector.segments = segments;
  vector.operands = [](int, int segment) { return Repeat(static_cast<float>(segment), kTile16.red_bytes); };
  StreamPeers peers(kTile16, children, vector);
  RunVector(&run, &peers, [](Harness&) {});
  EXPECT_TRUE(peers.done());
  std::vector<Cycle> ends;
  const float parts = static_cast<float>(__builtin_popcountll(children));
  for (const StreamPeers::Result& result : peers.results()) {
    if (result.port != golden::LowestBit(children)) continue;
    EXPECT_EQ(result.data, Repeat(parts * static_cast<float>(ends.size()), kTile16.red_bytes));
    ends.push_back(result.last);
  }
  if (ends.size() < 2) return 0;
  const std::size_t from = ends.size() / 2;
  const auto words = static_cast<double>((ends.size() - 1 - from) * static_cast<std::size_t>(kTile16.red_words));
  return words / static_cast<double>(ends.back() - ends[from]);
}

TEST(Ring16, RunsAtTheRateOfThePageWhicheverPortsTakePart) {
  constexpr double kOfThePage = 128.0 / 132.0;
  constexpr int kSegments = 32;
  const Stimulus random(RootSeed());
  for (const golden::PortMask children :
       {Ports({0, 1}), Ports({0, 15}), Ports({7, 8}), Ports({2, 5, 11}), Ports({0, 1, 2, 3, 4, 5, 6, 7}),
        golden::PortMask{0xFFFF}, (random.Bits("ports", 0) & 0xFFFF) | 0x8001}) {
    EXPECT_NEAR(Rate(children, kSegments), kOfThePage, 0.002) << std::hex << children;
  }
}

}  // namespace
}  // namespace tilefly::bench
