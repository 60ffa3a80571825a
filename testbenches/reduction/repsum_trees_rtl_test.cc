// SPDX-License-Identifier: Apache-2.0
// The reproducible sum end to end, RTL beside golden: operands of the same hosts through rings of every shape of tree,
// at any ports and in any order, give the same bits (docs/blocks/reduction-trees.md, Small-operand engine).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>

#include "Vrtl_red_cfu_tile8.h"
#include "Vrtl_red_tile_tile8.h"
#include "testbenches/reduction/exact_number.h"
#include "testbenches/reduction/rep_summands.h"
#include "testbenches/reduction/rep_windows.h"
#include "testbenches/reduction/ring_harness.h"
#include "testbenches/reduction/small_peers.h"

namespace tilefly::bench {
namespace {

using Harness = RingHarness<Vrtl_red_tile_tile8, Vrtl_red_cfu_tile8>;
using cosim::SmallPublished;

constexpr std::size_t kSources = 7;  ///< with the way up all 8 ports
constexpr int kBitsLost = 5;         ///< RepSum::low

/// A tree of switches; without branches a source.
struct Shape {
  std::vector<Shape> branches;
};

/// What a host says: the sum of its own summands, made by the page and not by golden.
SmallPublished Operand(const std::vector<double>& summands) {
  constexpr int kReproducible = 0x30;
  const golden::RepSum sum = SumOfWindows(summands);
  SmallPublished packet;
  packet.op = kReproducible;
  packet.count = static_cast<int>(summands.size());
  packet.repsum_m = sum.m;
  packet.pad = sum.low;
  for (std::size_t i = 0; i < packet.operands.size(); ++i)
    packet.operands[i] = static_cast<std::uint8_t>(sum.t[i / 8] >> 8 * (i % 8));
  return packet;
}

/// All that a result tells, but for its number.
cosim::Bytes BytesOf(SmallPublished packet) {
  packet.seqno = 0;
  packet.arm = false;
  return packet.ToBytes();
}

/// The summands of the sources, in their order.
using Summands = std::vector<std::vector<double>>;

Summands DrawSummands(const Stimulus& random, Cycle number) {
  Summands sources(kSources);
  const std::vector<double> all = SummandsOf(random, number);
  for (std::size_t i = 0; i < all.size(); ++i) sources[i % kSources].push_back(all[i]);
  for (std::vector<double>& source : sources) {
    if (source.empty()) source.push_back(0);
  }
  return sources;
}

std::vector<double> AllOf(const Summands& sources) {
  std::vector<double> all;
  for (const std::vector<double>& source : sources) all.insert(all.end(), source.begin(), source.end());
  return all;
}

/// The bins, read as one number and rounded.
double ValueOf(const SmallPublished& packet) {
  ExactNumber number;
  for (std::size_t bin = 0; bin < 4; ++bin) {
    std::uint64_t t;
    std::memcpy(&t, &packet.operands[8 * bin], sizeof t);
    number.Add(static_cast<std::int64_t>(t),
               40 * (static_cast<std::int8_t>(packet.repsum_m) - 3 + static_cast<int>(bin)));
  }
  return number.Rounded();
}

double ExactSum(const std::vector<double>& summands) {
  ExactNumber number;
  for (const double summand : summands) number.Add(summand);
  return number.Rounded();
}

/// As a program adds doubles, one after another.
double PlainSum(const std::vector<double>& summands) {
  volatile double sum = 0;
  for (const double summand : summands) sum = sum + summand;
  return sum;
}

/// `count` drawn numbers from 0 on in a drawn order.
std::vector<int> Shuffled(const Stimulus& random, int count, Cycle number) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.Below(i, "order", number, static_cast<std::uint32_t>(i))]);
  return order;
}

/// Runs one switch whose children say `rounds`; returns what goes up.
std::vector<SmallPublished> RunSwitch(const std::vector<int>& children, int parent,
                                      const std::vector<SmallPeers::Round>& rounds) {
  constexpr Cycle kStart = 300, kOfRound = 400, kDrain = 1;  ///< cycles; the drain's are the least
  constexpr int kLeastBusyOf256 = 4;
  Comparison run(
      Comparison::Options{1, kLeastBusyOf256, kStart + kOfRound * static_cast<Cycle>(rounds.size()), kDrain});
  SmallPeers peers(kTile8, children, parent, rounds);
  Harness harness(&run, kTile8, &peers, nullptr);
  const std::vector<Cfg> writes = peers.Writes();
  while (run.Next()) {
    const auto now = static_cast<std::size_t>(run.cycle());
    Harness::Stimuli stimuli;
    stimuli.eager = true;
    if (now < writes.size()) stimuli.cfg = writes[now];
    if (now == writes.size() + golden::kWriteLatency) peers.Begin();
    harness.Step(stimuli);
    if (!peers.complaint().empty()) run.Fail(peers.complaint());
    run.DrainUntil(harness.Settled(run.cycle()));
  }
  EXPECT_TRUE(peers.done()) << "after " << peers.sums().size() << " of " << rounds.size() << " rounds";
  return peers.sums();
}

/// Runs all switches of a tree, those below first: what goes up from one is what a child of the next says.
class TreeRun {
 public:
  /// rounds[r][i]: what source i says.
  TreeRun(const Stimulus& random, int number, const std::vector<SmallPeers::Round>& rounds)
      : random_(random), number_(number), rounds_(rounds) {}

  std::vector<SmallPublished> Up(const Shape& shape) {
    if (shape.branches.empty()) return OfSource(source_++);
    std::vector<SmallPeers::Round> said(rounds_.size());
    for (const Shape& branch : shape.branches) {
      const std::vector<SmallPublished> from = Up(branch);
      if (from.size() != rounds_.size()) return {};  // it has failed there
      for (std::size_t r = 0; r < said.size(); ++r) said[r].push_back(from[r]);
    }
    std::vector<int> ports = Shuffled(random_, kTile8.ports, 100 * number_ + switches_++);
    const int parent = ports.back();
    ports.resize(shape.branches.size());
    return RunSwitch(ports, parent, said);
  }
  std::size_t sources() const { return source_; }
  int switches() const { return switches_; }

 private:
  std::vector<SmallPublished> OfSource(std::size_t source) const {
    std::vector<SmallPublished> said;
    for (const SmallPeers::Round& round : rounds_) said.push_back(round[source]);
    return said;
  }

  const Stimulus& random_;
  int number_;
  const std::vector<SmallPeers::Round>& rounds_;
  std::size_t source_ = 0;
  int switches_ = 0;
};

Shape Sources(int count) { return {std::vector<Shape>(static_cast<std::size_t>(count))}; }

Shape Chain(int sources) { return sources == 2 ? Sources(2) : Shape{{Chain(sources - 1), Shape{}}}; }

constexpr int kOrders = 4;

/// Rounds of one multiset of summands in some orders of the sources, and what each must give.
struct Set {
  std::vector<SmallPeers::Round> rounds;
  SmallPublished expected;
  bool cut;            ///< bits are lost: else the sum is exact
  bool plain_differs;  ///< doubles that are added one after another depend on the order
};

Set DrawSet(const Stimulus& random, Cycle number) {
  const Summands summands = DrawSummands(random, number);
  const std::vector<double> all = AllOf(summands);
  Set set{{}, Operand(all), false, false};
  set.cut = set.expected.pad == kBitsLost;
  if (!set.cut) {
    EXPECT_EQ(ValueOf(set.expected), ExactSum(all)) << "what is expected is the exact sum";
  }
  std::set<double> plain;
  for (int order = 0; order < kOrders; ++order) {
    Summands ordered;
    set.rounds.emplace_back();
    for (const int source : Shuffled(random, kSources, 1'000'000 + kOrders * number + order)) {
      ordered.push_back(summands[static_cast<std::size_t>(source)]);
      set.rounds.back().push_back(Operand(ordered.back()));
    }
    plain.insert(PlainSum(AllOf(ordered)));
  }
  set.plain_differs = plain.size() > 1;
  return set;
}

TEST(RepsumTrees, TheSameBitsForAnyOrderOfSourcesAndAnyTree) {
  const Tier tier = TierFromEnvironment();
  const int sets = tier == Tier::kQuick ? 6 : tier == Tier::kCi ? 24 : 200;
  const Stimulus random(SeedOf(RootSeed(), CurrentTest()));
  std::vector<SmallPeers::Round> rounds;  // each set in each order
  std::vector<SmallPublished> expected;   // of the sets
  for (Cycle number = 0; static_cast<int>(expected.size()) < sets; ++number) {
    const Set set = DrawSet(random, number);
    const bool wants_cut = expected.size() % 2 == 0;
    if (!set.plain_differs || set.cut != wants_cut) continue;
    rounds.insert(rounds.end(), set.rounds.begin(), set.rounds.end());
    expected.push_back(set.expected);
  }

  const Shape flat = Sources(kSources);
  const Shape two_levels{{Sources(2), Sources(3), Shape{}, Shape{}}};
  const Shape three_levels{{Shape{{Sources(2), Sources(2)}}, Shape{}, Sources(2)}};
  const std::vector<std::pair<Shape, int>> trees = {// and their switches
                                                    {flat, 1},
                                                    {flat, 1},
                                                    {two_levels, 3},
                                                    {three_levels, 5},
                                                    {Chain(kSources), 6}};
  for (std::size_t t = 0; t < trees.size(); ++t) {
    TreeRun run(random, static_cast<int>(t), rounds);
    const std::vector<SmallPublished> sums = run.Up(trees[t].first);
    ASSERT_EQ(sums.size(), rounds.size()) << "tree " << t;
    EXPECT_EQ(run.sources(), kSources);
    EXPECT_EQ(run.switches(), trees[t].second);
    for (std::size_t r = 0; r < rounds.size(); ++r) {
      ASSERT_EQ(BytesOf(sums[r]), BytesOf(expected[r / kOrders]))
          << "tree " << t << ", set " << r / kOrders << " in order " << r % kOrders;
    }
  }
}

}  // namespace
}  // namespace tilefly::bench
