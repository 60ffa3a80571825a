// SPDX-License-Identifier: Apache-2.0
#include "qos/planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "qos/buffers.h"
#include "qos/check.h"
#include "qos/placement.h"
#include "qos/quantity.h"
#include "support/errors.h"

namespace tilefly::qos {
namespace {

int CeilDiv(std::int64_t a, std::int64_t b) { return static_cast<int>((a + b - 1) / b); }

/// One attempt: a k, the pool that follows, and what the classes' weights leave them of entries.
struct Attempt {
  int k = 0;
  int pool = 0;
  std::vector<int> weights;
  std::vector<Spacing> spacing;
};

class Planner {
 public:
  Planner(WishList wishes, const Overrides& overrides) : wishes_(std::move(wishes)), overrides_(overrides) {
    for (const TrafficClass& one : wishes_.classes) needed_.push_back(CeilDiv(wishes_.entries, one.distance));
  }

  Plan Run() {
    CheckWishes();
    CheckDistances();
    const int last = LastK();
    if (overrides_.k || overrides_.pool) return RunFixed(last);
    bool given_up = false;  // then the order that keeps the distances waits for a pool with which it fits
    for (int k = 1; k <= last; ++k) {
      if (!MinimumsFit(k)) continue;
      const Attempt attempt = Try(k);
      if (!given_up) {
        const Placement placement = Place(wishes_.entries, attempt.spacing);
        if (placement.outcome == Placement::Outcome::kFound) return Finish(attempt, placement.owners);
        given_up = placement.outcome == Placement::Outcome::kGivenUp;
      }
      if (given_up && Fits(attempt)) return Finish(attempt, order_);
    }
    Refuse(Try(last), given_up ? Placement::Outcome::kGivenUp : Placement::Outcome::kImpossible);
  }

 private:
  std::int64_t EntryCredits() const { return std::int64_t{wishes_.entries} * wishes_.units.gmtu; }

  /// Greatest k: no more than w, and the average weight of an entry fits the register.
  int LastK() const {
    const int most = std::max(1, 10 * kMaxWeight / wishes_.units.gmtu);
    return overrides_.w ? std::min(*overrides_.w, most) : most;
  }

  /// With the user's k or pool there is one attempt. A k that is not given is the published one, for the record.
  Plan RunFixed(int last) const {
    int k = overrides_.k.value_or(1);
    while (!overrides_.k && k < last && !MinimumsFit(k)) ++k;
    const Attempt attempt = Try(k);
    const Placement placement = Place(wishes_.entries, attempt.spacing);
    if (placement.outcome != Placement::Outcome::kFound) Refuse(attempt, placement.outcome);
    return Finish(attempt, placement.owners);
  }

  [[noreturn]] void Throw(const std::vector<std::string>& reasons) const {
    std::string text = fmt::format("{}: no table can meet these wishes:", wishes_.file);
    for (const std::string& reason : reasons) text += "\n  " + reason;
    throw UsageError(text);
  }

  void CheckWishes() const {
    std::vector<std::string> reasons;
    for (const Finding& finding : CheckClasses(wishes_.classes)) reasons.push_back(finding.text);
    for (const Finding& finding : CheckBuffers(wishes_.classes, wishes_.shared_buffer, kRosetta64))
      reasons.push_back(finding.text);
    if (overrides_.w && overrides_.k && *overrides_.w < *overrides_.k)
      reasons.push_back(fmt::format("--w {} is less than --k {}: an entry could not hold the pool's average",
                                    TenthsText(*overrides_.w), TenthsText(*overrides_.k)));
    if (!reasons.empty()) Throw(reasons);
  }

  /// Whether the order that keeps the distances has as many entries of each class as its weight allows.
  bool Fits(const Attempt& attempt) const {
    for (std::size_t c = 0; c < needed_.size(); ++c) {
      const auto entries = std::count(order_.begin(), order_.end(), static_cast<int>(c));
      if (entries < attempt.spacing[c].least || entries > attempt.spacing[c].most) return false;
    }
    return true;
  }

  /// Finds an order that keeps the distances, whatever the weights.
  void CheckDistances() {
    std::vector<Spacing> spacing;
    std::string entries;
    for (std::size_t c = 0; c < needed_.size(); ++c) {
      spacing.push_back({wishes_.classes[c].distance, needed_[c], wishes_.entries, needed_[c]});
      entries += fmt::format("{}{} {} (distance {})", c == 0 ? "" : ", ", wishes_.classes[c].name, needed_[c],
                             wishes_.classes[c].distance);
    }
    const int sum = std::accumulate(needed_.begin(), needed_.end(), 0);
    if (sum > wishes_.entries)
      Throw({fmt::format("the distances ask for {} entries, {} more than the table's {}: {}", sum,
                         sum - wishes_.entries, wishes_.entries, entries)});
    const Placement placement = Place(wishes_.entries, spacing);
    order_ = placement.owners;
    if (placement.outcome == Placement::Outcome::kFound) return;
    Throw({fmt::format(
        "{} in {} entries that keeps all distances: {}; distances that are powers of two fit whenever "
        "their entries do",
        placement.outcome == Placement::Outcome::kImpossible ? "there is no order" : "the search found no order",
        wishes_.entries, entries)});
  }

  /// The published condition on k: min phi < phi for all classes.
  bool MinimumsFit(int k) const {
    for (std::size_t c = 0; c < needed_.size(); ++c) {
      const TrafficClass& one = wishes_.classes[c];
      if (std::int64_t{needed_[c]} * one.mtu * 10 * kWhole >= one.share * EntryCredits() * k) return false;
    }
    return true;
  }

  /// Most weight of an entry while w is not known: what fits the register.
  int MostWeight() const {
    return overrides_.w ? std::min(CeilDiv(std::int64_t{wishes_.units.gmtu} * *overrides_.w, 10), kMaxWeight)
                        : kMaxWeight;
  }

  Attempt Try(int k) const {
    Attempt attempt;
    attempt.k = k;
    attempt.pool = overrides_.pool.value_or(CeilDiv(EntryCredits() * k, 10));
    std::vector<std::int64_t> shares;
    for (const TrafficClass& one : wishes_.classes) shares.push_back(one.share);
    attempt.weights = Apportion(shares, attempt.pool);
    for (std::size_t c = 0; c < needed_.size(); ++c) {
      const TrafficClass& one = wishes_.classes[c];
      Spacing spacing;
      spacing.distance = one.distance;
      spacing.least = std::max(needed_[c], CeilDiv(attempt.weights[c], MostWeight()));
      spacing.most = std::min(wishes_.entries, attempt.weights[c] / one.mtu);
      spacing.wanted = std::max(spacing.least, attempt.weights[c] / (2 * one.mtu));
      attempt.spacing.push_back(spacing);
    }
    return attempt;
  }

  /// Which class has too little or too much weight, and by how much.
  [[noreturn]] void Refuse(const Attempt& attempt, Placement::Outcome outcome) const {
    const std::string with = fmt::format("with k {} and a pool of {} credits", TenthsText(attempt.k), attempt.pool);
    std::vector<std::string> reasons;
    int entries = 0;
    for (std::size_t c = 0; c < needed_.size(); ++c) {
      const TrafficClass& one = wishes_.classes[c];
      const int weight = attempt.weights[c];
      const std::string has =
          fmt::format("class {}: {}, its {} are {} credits", one.name, with, ShareText(one.share), weight);
      if (needed_[c] > weight / one.mtu) {
        reasons.push_back(fmt::format("{}; {} entries (distance {}) of an MTU of {} need {}, {} more", has, needed_[c],
                                      one.distance, one.mtu, needed_[c] * one.mtu, needed_[c] * one.mtu - weight));
      } else if (attempt.spacing[c].least > attempt.spacing[c].most) {
        const int most = attempt.spacing[c].most;
        reasons.push_back(
            fmt::format("{}; at most {} entries may share them (MTU {}), of at most {} credits: {} too many", has, most,
                        one.mtu, MostWeight(), weight - most * MostWeight()));
      }
      entries += attempt.spacing[c].least;
    }
    if (reasons.empty() && entries > wishes_.entries)
      reasons.push_back(
          fmt::format("{}, the weights need {} entries of at most {} credits, {} more than the table's {}", with,
                      entries, MostWeight(), entries - wishes_.entries, wishes_.entries));
    if (reasons.empty())
      reasons.push_back(
          fmt::format("{}, {} keeps all distances with the entries that the weights allow", with,
                      outcome == Placement::Outcome::kGivenUp ? "the search found no order that" : "no order"));
    Throw(reasons);
  }

  /// The published search for w: the smallest from k up with max phi > phi for all classes; with a pool of the user's
  /// its weights must fit too.
  int FindW(const Attempt& attempt, const std::vector<Holding>& held) const {
    if (overrides_.w) return *overrides_.w;
    const auto fits = [&](int w) {
      for (std::size_t c = 0; c < held.size(); ++c) {
        const std::int64_t share = wishes_.classes[c].share;
        if (std::int64_t{held[c].entries} * w * kWhole <= share * wishes_.entries * attempt.k) return false;
        if (std::int64_t{held[c].entries} * CeilDiv(std::int64_t{wishes_.units.gmtu} * w, 10) < attempt.weights[c])
          return false;
      }
      return true;
    };
    int w = attempt.k;
    while (!fits(w)) ++w;
    return w;
  }

  Plan Finish(const Attempt& attempt, const std::vector<int>& owners) const {
    Plan plan;
    plan.table.units = wishes_.units;
    plan.table.classes = wishes_.classes;
    plan.table.shared_buffer = wishes_.shared_buffer;
    for (const int owner : owners) plan.table.entries.push_back({owner, 0});
    const std::vector<Holding> held = Holdings(plan.table);
    std::vector<std::int64_t> given(held.size());
    for (Entry& entry : plan.table.entries) {  // weight / n each; who gets one more is spread evenly
      if (entry.owner < 0) continue;
      const std::int64_t j = given[entry.owner]++;
      const std::int64_t n = held[entry.owner].entries;
      const std::int64_t weight = attempt.weights[entry.owner];
      entry.weight = static_cast<int>((weight * (j + 1) + n - 1) / n - (weight * j + n - 1) / n);
    }
    const int w = FindW(attempt, held);
    plan.table.origin = Origin{attempt.k, w, attempt.pool};
    for (std::size_t c = 0; c < held.size(); ++c) {
      const double n_of_pool = static_cast<double>(held[c].entries) / attempt.pool;
      plan.assignable.push_back(
          {n_of_pool * wishes_.classes[c].mtu, n_of_pool * wishes_.units.gmtu * static_cast<double>(w) / 10});
    }
    return plan;
  }

  WishList wishes_;
  Overrides overrides_;
  std::vector<int> needed_;  ///< entries that the distance asks for
  std::vector<int> order_;   ///< owners of entries that keep the distances
};

}  // namespace

Plan MakePlan(WishList wishes, const Overrides& overrides) {
  Resolve(&wishes);
  return Planner(std::move(wishes), overrides).Run();
}

Table LoadTableOrPlan(const std::filesystem::path& file) {
  const YAML::Node root = LoadYaml(file);
  if (root.IsMap() && root["table"].IsDefined()) return LoadTable(file);
  return MakePlan(LoadWishes(file), {}).table;
}

std::vector<int> Apportion(const std::vector<std::int64_t>& shares, int pool) {
  std::vector<int> weights;
  std::vector<std::int64_t> remainders;
  std::int64_t sum = 0;
  std::int64_t left = 0;
  for (const std::int64_t share : shares) {
    const std::int64_t quota = share * pool;
    weights.push_back(static_cast<int>(quota / kWhole));
    remainders.push_back(quota % kWhole);
    sum += remainders.back();
  }
  left = (sum + kWhole / 2) / kWhole;
  std::vector<int> order(shares.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return remainders[a] > remainders[b]; });
  for (std::int64_t i = 0; i < left; ++i) ++weights[order[i]];
  return weights;
}

}  // namespace tilefly::qos
