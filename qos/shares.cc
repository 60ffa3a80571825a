// SPDX-License-Identifier: Apache-2.0
#include "qos/shares.h"

#include <algorithm>

namespace tilefly::qos {
namespace {

/// Divides `capacity` among `members` by weight; those whose part reaches their maximum get that and leave the rest to
/// the others. Returns what nobody may take.
double Divide(double capacity, std::vector<int> members, const Table& table, const std::vector<Holding>& held,
              std::vector<double>* shares) {
  while (!members.empty()) {
    double weight = 0;
    for (const int c : members) weight += held[c].weight;
    if (weight == 0) break;
    const auto part = [&](int c) { return capacity * held[c].weight / weight; };
    const auto full = std::partition(members.begin(), members.end(), [&](int c) {
      const auto& maximum = table.classes[c].maximum;
      return !maximum || static_cast<double>(maximum->share) / kWhole > part(c);
    });
    if (full == members.end()) {
      for (const int c : members) (*shares)[c] = part(c);
      return 0;
    }
    double taken = 0;
    for (auto c = full; c != members.end(); ++c) {
      (*shares)[*c] = static_cast<double>(table.classes[*c].maximum->share) / kWhole;
      taken += (*shares)[*c];
    }
    capacity = std::max(0.0, capacity - taken);
    members.erase(full, members.end());
  }
  return capacity;
}

}  // namespace

std::vector<double> ExpectedShares(const Table& table) {
  const std::vector<Holding> held = Holdings(table);
  std::vector<double> shares(table.classes.size());
  double capacity = 1;
  for (int group = kMaxGroup; group >= 0; --group) {
    std::vector<int> members;
    for (std::size_t c = 0; c < shares.size(); ++c) {
      if (table.classes[c].group == group && held[c].weight > 0) members.push_back(static_cast<int>(c));
    }
    capacity = Divide(capacity, std::move(members), table, held, &shares);
  }
  return shares;
}

}  // namespace tilefly::qos
