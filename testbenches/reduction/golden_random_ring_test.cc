// SPDX-License-Identifier: Apache-2.0
// Drawn streams through the golden ring: what comes back against a fold of the operands in the order of the page, and a
// switch that is only visited when it wants to be against one that is visited in every cycle.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "testbenches/reduction/stream_hosts.h"

namespace tilefly::golden {
namespace {

using Bytes8 = std::vector<std::uint8_t>;

/// A stream of drawn parts.
struct Trial {
  PortMask ports = 0;
  Red what;
  int segments = 0;
  int operation = 1;
  std::vector<std::vector<Bytes8>> operands;  ///< of each segment, by port; empty: takes part without
};

Trial Draw(const Profile& profile, std::mt19937_64* random) {
  const auto below = [&](int n) { return static_cast<int>((*random)() % static_cast<unsigned>(n)); };
  Trial trial;
  while (trial.ports == 0) trial.ports = (*random)() & (*random)() & (~PortMask{0} >> (kMaxPorts - profile.ports));
  RedOp op;
  RedType type;
  do {
    op = static_cast<RedOp>(below(12));
    type = static_cast<RedType>(below(7));
  } while (!IsLegal(op, type));
  const int unit = UnitBytes(op, type);
  const int most = below(3) == 0 ? profile.red_bytes : 200;
  trial.what = SegmentHeader(0, 0, 0, op, type, unit * (1 + below(most / unit)));
  trial.segments = 1 + below(9);
  trial.operation = 1 + below(trial.segments);
  for (int i = 0; i < trial.segments; ++i) {
    trial.operands.emplace_back(static_cast<std::size_t>(profile.ports));
    ForEachBit(trial.ports, [&](int p) {
      if (below(5) == 0) return;
      Bytes8& data = trial.operands.back()[static_cast<std::size_t>(p)];
      for (int b = 0; b < trial.what.bytes; ++b) data.push_back(static_cast<std::uint8_t>((*random)()));
    });
  }
  return trial;
}

Operands WordOfData(const Bytes8& data, int k) {
  Operands word{};
  for (int b = 0; b < kOperandBytes && kOperandBytes * k + b < static_cast<int>(data.size()); ++b) {
    word[static_cast<std::size_t>(b)] = data[static_cast<std::size_t>(kOperandBytes * k + b)];
  }
  return word;
}

/// One operand after the other, from the left; none when all are empty.
Bytes8 Fold(const Red& what, const std::vector<Bytes8>& operands) {
  Bytes8 sum;
  for (const Bytes8& data : operands) {
    if (data.empty()) continue;
    if (sum.empty()) {
      sum = data;
      continue;
    }
    for (int k = 0; kOperandBytes * k < what.bytes; ++k) {
      Operation operation{static_cast<RedOp>(what.op), static_cast<RedType>(what.dtype), RedRnd::kNearest, false, 31};
      const int left = what.bytes - kOperandBytes * k;
      if (left < kOperandBytes) operation.last = static_cast<std::uint8_t>(left - 1);
      const Operands y = Combine(operation, WordOfData(sum, k), WordOfData(data, k)).y;
      for (int b = 0; b < std::min(left, kOperandBytes); ++b) {
        sum[static_cast<std::size_t>(kOperandBytes * k + b)] = y[static_cast<std::size_t>(b)];
      }
    }
  }
  return sum;
}

Bytes8 Expected(const Red& what, const std::vector<Bytes8>& operands) {
  const auto half = operands.begin() + static_cast<std::ptrdiff_t>(operands.size() / 2);
  return Fold(what, {Fold(what, {operands.begin(), half}), Fold(what, {half, operands.end()})});
}

/// Runs the trial; all that the peers got. It goes on with a loaded switch after so many cycles.
std::vector<RedRig::Got> GotOf(const Profile& profile, const Trial& trial, RedRig::Visits visits,
                               Cycle reload = kNever) {
  RedRig rig(profile, visits);
  rig.SetTree(0, {trial.ports, 0, -1, false, 20000});
  StreamHosts hosts(rig, 0, trial.ports, trial.segments, trial.what, [&](int port, int segment) {
    return trial.operands[static_cast<std::size_t>(segment)][static_cast<std::size_t>(port)];
  });
  hosts.set_operation(trial.operation);
  EXPECT_EQ(hosts.Lock(0, 0), 1);
  if (reload != kNever) {
    hosts.Run(reload);
    rig.Reload();
  }
  EXPECT_TRUE(hosts.Run(trial.segments * 600 + 3000));
  rig.Drain();
  EXPECT_EQ(rig.bytes_kept(), 0u);
  return rig.got;
}

TEST(Stream, BringsTheOperandsCombinedInTheOrderOfThePorts) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 60; ++i) {
    const Profile& profile = i % 6 == 5 ? kRosetta64 : i % 2 == 0 ? kTile8 : kTile16;
    const Trial trial = Draw(profile, &random);
    SCOPED_TRACE(i);
    std::vector<int> seen(static_cast<std::size_t>(profile.ports));
    for (const RedRig::Got& packet : GotOf(profile, trial, RedRig::Visits::kAll)) {
      if (packet.red.what != static_cast<std::uint8_t>(RedWhat::kResult)) continue;
      const int segment = seen[static_cast<std::size_t>(packet.port)]++;
      EXPECT_EQ(packet.red.seq, segment);
      const Bytes8 expected = Expected(trial.what, trial.operands[static_cast<std::size_t>(segment)]);
      EXPECT_EQ(packet.red.empty, expected.empty());
      EXPECT_EQ(packet.data, expected) << "segment " << segment << " at port " << packet.port;
      EXPECT_EQ(packet.red.ends, (segment + 1) % trial.operation == 0 || segment + 1 == trial.segments);
    }
    ForEachBit(trial.ports, [&](int p) { EXPECT_EQ(seen[static_cast<std::size_t>(p)], trial.segments); });
  }
}

TEST(Stream, IsTheSameWhenOnlyTheCyclesThatMatterAreVisited) {
  std::mt19937_64 random(12);
  for (int i = 0; i < 30; ++i) {
    const Profile& profile = i % 6 == 5 ? kRosetta64 : kTile16;
    const Trial trial = Draw(profile, &random);
    SCOPED_TRACE(i);
    const auto all = GotOf(profile, trial, RedRig::Visits::kAll);
    const auto needed = GotOf(profile, trial, RedRig::Visits::kNeeded);
    ExpectTheSame(all, needed);
  }
}

TEST(Stream, GoesOnAfterALoadAsIfThereHadBeenNone) {
  std::mt19937_64 random(13);
  for (int i = 0; i < 20; ++i) {
    const Trial trial = Draw(kTile16, &random);
    SCOPED_TRACE(i);
    const auto one = GotOf(kTile16, trial, RedRig::Visits::kNeeded);
    const auto loaded = GotOf(kTile16, trial, RedRig::Visits::kNeeded, 1 + static_cast<Cycle>(random() % 400));
    ExpectTheSame(one, loaded);
  }
}

}  // namespace
}  // namespace tilefly::golden
