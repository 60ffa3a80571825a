// SPDX-License-Identifier: Apache-2.0
// Random wish lists: every plan keeps them, every refusal is confirmed by trying all tables.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "qos/check.h"
#include "qos/planner.h"
#include "testbenches/bench/settings.h"
#include "testbenches/qos/files.h"

namespace tilefly::qos {
namespace {

using testing::Refusal;
using testing::TemporaryFile;
using Generator = std::mt19937;

int Draw(Generator* generator, int least, int most) {
  return std::uniform_int_distribution<int>(least, most)(*generator);
}

/// Shares of `sum` thousandths, each at least one thousandth.
std::vector<std::int64_t> DrawShares(Generator* generator, int count, int sum) {
  std::vector<std::int64_t> shares(count, 1);
  for (int left = sum - count; left > 0;) {
    const int part = Draw(generator, 1, std::min(left, 200));
    shares[Draw(generator, 0, count - 1)] += part;
    left -= part;
  }
  for (std::int64_t& share : shares) share *= kWhole / 1000;
  return shares;
}

WishList DrawWishes(Generator* generator, int entries, int most_classes, int gmtu, bool powers) {
  WishList wishes;
  wishes.file = "random";
  wishes.units.gmtu = gmtu;
  wishes.entries = entries;
  const int count = Draw(generator, 1, most_classes);
  const auto shares = DrawShares(generator, count, Draw(generator, 0, 1) == 0 ? 1000 : Draw(generator, 300, 1000));
  const int bits = static_cast<int>(std::log2(entries));
  for (int c = 0; c < count; ++c) {
    TrafficClass one;
    one.name = fmt::format("C{}", c);
    one.level = c;
    one.mtu = Draw(generator, 1, gmtu);
    one.share = shares[c];
    one.distance = powers ? 1 << Draw(generator, std::min(2, bits), bits) : Draw(generator, 1, entries);
    one.routing = "min";
    one.lanes = {c};
    wishes.classes.push_back(one);
  }
  return wishes;
}

int CeilTenths(std::int64_t value, int tenths) { return static_cast<int>((value * tenths + 9) / 10); }

/// All that a plan must keep, from its table alone.
void ExpectKept(const WishList& wishes, const Plan& plan) {
  const Table& table = plan.table;
  const int size = wishes.entries;
  ASSERT_EQ(table.size(), size);
  const int most_weight = CeilTenths(wishes.units.gmtu, table.origin->w);
  for (int c = 0; c < static_cast<int>(wishes.classes.size()); ++c) {
    const TrafficClass& wish = wishes.classes[c];
    std::int64_t weight = 0;
    for (int i = 0; i < size; ++i) {
      const Entry& entry = table.entries[i];
      if (entry.owner == c) {
        weight += entry.weight;
        EXPECT_GE(entry.weight, wish.mtu);
        EXPECT_LE(entry.weight, most_weight);
      }
      bool met = false;  // in any window of `distance` entries there is one of the class
      for (int j = i; j < i + wish.distance; ++j) met = met || table.entries[j % size].owner == c;
      EXPECT_TRUE(met) << "class " << c << " from entry " << i;
    }
    EXPECT_LT(std::abs(weight * kWhole - wish.share * table.origin->pool), kWhole) << "class " << c;
  }
  EXPECT_GE(table.origin->w, table.origin->k);
  EXPECT_EQ(CheckTable(table).errors(), 0);
}

/// No smaller k has min phi < phi for the entries that the distances ask for, and no smaller w has max phi > phi.
void ExpectSmallest(const WishList& wishes, const Plan& plan) {
  const std::vector<Holding> held = Holdings(plan.table);
  const int k = plan.table.origin->k;
  const int w = plan.table.origin->w;
  const auto violated = [&](auto condition) {
    bool any = false;
    for (std::size_t c = 0; c < held.size(); ++c) any = any || !condition(wishes.classes[c], held[c]);
    return any;
  };
  const __int128 entries = wishes.entries;
  const __int128 unit = kWhole;
  if (k > 1) {
    EXPECT_TRUE(violated([&](const TrafficClass& one, const Holding&) {
      return entries / one.distance * one.mtu * 10 * unit < one.share * entries * wishes.units.gmtu * (k - 1);
    })) << "k could be less than "
        << k;
  }
  if (w > k) {
    EXPECT_TRUE(violated([&](const TrafficClass& one, const Holding& own) {
      return own.entries * unit * (w - 1) > one.share * entries * k &&
             own.entries * CeilTenths(wishes.units.gmtu, w - 1) >= own.weight;
    })) << "w could be less than "
        << w;
  }
}

/// Whether the entries' register alone forbids it: the smallest k with min phi < phi for all classes is above the greatest,
/// or makes a pool whose weights, a credit more for the rounding, need more entries than there are.
bool RegisterForbids(const WishList& wishes) {
  const auto needed = [&](const TrafficClass& one) { return (wishes.entries + one.distance - 1) / one.distance; };
  const std::int64_t credits = std::int64_t{wishes.entries} * wishes.units.gmtu;
  std::int64_t k = 1;
  for (const TrafficClass& one : wishes.classes)
    k = std::max(k, std::int64_t{needed(one)} * one.mtu * 10 * kWhole / (one.share * credits) + 1);
  const std::int64_t pool = (credits * k + 9) / 10;
  std::int64_t entries = 0;
  for (const TrafficClass& one : wishes.classes)
    entries += std::max<std::int64_t>(needed(one), (pool * one.share / kWhole + 1) / kMaxWeight + 1);
  return entries > wishes.entries || k > 10 * kMaxWeight / wishes.units.gmtu;
}

TEST(RandomWishes, ThousandAreMetOrDoNotFit) {
  Generator generator(bench::SeedOf(bench::RootSeed(), bench::CurrentTest()));
  int met = 0;
  int odd = 0;
  int too_many = 0;
  int too_heavy = 0;
  int given_up = 0;
  for (int round = 0; round < 1000; ++round) {
    const bool powers = round % 4 != 0;
    const int entries = 32 << Draw(&generator, 0, 2);
    const int gmtu = Draw(&generator, 1, 89);
    const WishList wishes = DrawWishes(&generator, entries, 8, gmtu, powers);
    int needed = 0;
    for (const TrafficClass& one : wishes.classes) needed += (wishes.entries + one.distance - 1) / one.distance;
    SCOPED_TRACE(fmt::format("round {}: {} entries of {} needed", round, needed, wishes.entries));
    Plan plan;
    const std::string refusal = Refusal([&] { plan = MakePlan(wishes, {}); });
    if (refusal.empty()) {
      ASSERT_LE(needed, wishes.entries);
      ExpectKept(wishes, plan);
      if (powers) ExpectSmallest(wishes, plan);
      const TemporaryFile file(ToYaml(plan.table));
      EXPECT_EQ(ToYaml(LoadTable(file.path())), ToYaml(plan.table));
      ++met;
      odd += !powers;
    } else if (needed > wishes.entries) {
      EXPECT_THAT(refusal, ::testing::HasSubstr(fmt::format("ask for {} entries", needed)));
      ++too_many;
    } else if (refusal.find("order") == std::string::npos) {
      if (powers) EXPECT_TRUE(RegisterForbids(wishes)) << refusal;
      ++too_heavy;
    } else {
      EXPECT_FALSE(powers) << refusal;
      given_up += refusal.find("the search found no order") != std::string::npos;
    }
    if (HasFailure()) return;
  }
  fmt::print(
      "met {} ({} with odd distances), refused for too many entries {}, for too great weights {}, search given up {}\n",
      met, odd, too_many, too_heavy, given_up);
  EXPECT_GE(met, 300);
  EXPECT_GE(odd, 30);
  EXPECT_GE(too_many, 30);
}

/// Whether any table of so many entries keeps the distances and has these totals with entries from MTU to
/// `most_weight`.
bool AnyTable(const WishList& wishes, const std::vector<std::int64_t>& totals, int most_weight) {
  const int size = wishes.entries;
  const int count = static_cast<int>(wishes.classes.size());
  std::vector<int> owners(size, 0);  // `count`: empty
  while (true) {
    bool good = true;
    for (int c = 0; c < count && good; ++c) {
      int entries = 0;
      for (int i = 0; i < size && good; ++i) {
        entries += owners[i] == c;
        bool met = false;
        for (int j = i; j < i + wishes.classes[c].distance; ++j) met = met || owners[j % size] == c;
        good = met;
      }
      good = good && entries * wishes.classes[c].mtu <= totals[c] && totals[c] <= std::int64_t{entries} * most_weight;
    }
    if (good) return true;
    int at = 0;
    while (at < size && ++owners[at] > count) owners[at++] = 0;
    if (at == size) return false;
  }
}

/// Largest remainder, by handing out one credit at a time.
std::vector<std::int64_t> TotalsOf(const WishList& wishes, int pool) {
  std::vector<std::int64_t> totals;
  std::int64_t wanted = 0;
  std::int64_t sum = 0;
  for (const TrafficClass& one : wishes.classes) {
    totals.push_back(one.share * pool / kWhole);
    wanted += one.share * pool;
    sum += totals.back();
  }
  wanted = (2 * wanted + kWhole) / (2 * kWhole);
  std::vector<bool> raised(totals.size());
  for (; sum < wanted; ++sum) {
    std::size_t best = totals.size();
    std::int64_t best_remainder = -1;
    for (std::size_t c = 0; c < totals.size(); ++c) {
      const std::int64_t remainder = wishes.classes[c].share * pool % kWhole;
      if (raised[c] || remainder <= best_remainder) continue;
      best = c;
      best_remainder = remainder;
    }
    raised[best] = true;
    ++totals[best];
  }
  return totals;
}

TEST(RandomWishes, RefusalsAreConfirmedByTryingAllTables) {
  Generator generator(bench::SeedOf(bench::RootSeed(), bench::CurrentTest()));
  int met = 0;
  int refused = 0;
  for (int round = 0; round < 1000; ++round) {
    const bool large = Draw(&generator, 0, 1) == 1;
    const int gmtu = Draw(&generator, 1, 6);
    const bool powers = Draw(&generator, 0, 3) == 0;
    const WishList wishes = DrawWishes(&generator, large ? 8 : 4, large ? 3 : 4, gmtu, powers);
    Overrides overrides;
    overrides.w = Draw(&generator, 10, 30);
    overrides.pool = Draw(&generator, 1, wishes.entries * wishes.units.gmtu * 2);
    const std::string refusal = Refusal([&] {
      const Plan plan = MakePlan(wishes, overrides);
      ExpectKept(wishes, plan);
    });
    const bool possible =
        AnyTable(wishes, TotalsOf(wishes, *overrides.pool), CeilTenths(wishes.units.gmtu, *overrides.w));
    ASSERT_EQ(refusal.empty(), possible) << "round " << round << ": " << refusal;
    (possible ? met : refused) += 1;
  }
  fmt::print("met {}, refused {}\n", met, refused);
  EXPECT_GE(met, 100);
  EXPECT_GE(refused, 300);
}

/// The same without a pool of the user's: some pool of some k up to w must do.
TEST(RandomWishes, SearchedPoolsAreRefusedOnlyWhenNoneDoes) {
  Generator generator(bench::SeedOf(bench::RootSeed(), bench::CurrentTest()));
  int met = 0;
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    const int entries = Draw(&generator, 0, 1) == 1 ? 8 : 4;
    const int gmtu = Draw(&generator, 1, 6);
    const WishList wishes = DrawWishes(&generator, entries, 3, gmtu, false);
    Overrides overrides;
    overrides.w = Draw(&generator, 5, 30);
    const std::string refusal = Refusal([&] { ExpectKept(wishes, MakePlan(wishes, overrides)); });
    bool possible = false;
    for (int k = 1; k <= *overrides.w && !possible; ++k) {
      bool published = true;  // min phi < phi
      for (const TrafficClass& one : wishes.classes) {
        const std::int64_t needed = (wishes.entries + one.distance - 1) / one.distance;
        published = published && needed * one.mtu * 10 * kWhole < one.share * wishes.entries * wishes.units.gmtu * k;
      }
      possible = published && AnyTable(wishes, TotalsOf(wishes, CeilTenths(wishes.entries * wishes.units.gmtu, k)),
                                       CeilTenths(wishes.units.gmtu, *overrides.w));
    }
    ASSERT_EQ(refusal.empty(), possible) << "round " << round << ": " << refusal;
    (possible ? met : refused) += 1;
  }
  fmt::print("met {}, refused {}\n", met, refused);
  EXPECT_GE(met, 50);
  EXPECT_GE(refused, 50);
}

}  // namespace
}  // namespace tilefly::qos
