// SPDX-License-Identifier: Apache-2.0
#include "qos/wish_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "qos/buffers.h"
#include "qos/class_reader.h"
#include "qos/quantity.h"
#include "support/errors.h"
#include "support/text.h"
#include "support/yaml_map.h"

namespace tilefly::qos {
namespace {

/// What the link owes a class before the rest is given away.
std::int64_t Claim(const TrafficClass& one, int lowest_group) {
  return one.group > lowest_group && one.maximum ? one.maximum->share : one.share;
}

void ResolveRest(WishList* wishes) {
  const auto by_group = [](const TrafficClass& a, const TrafficClass& b) { return a.group < b.group; };
  const int lowest = std::min_element(wishes->classes.begin(), wishes->classes.end(), by_group)->group;
  std::int64_t left = kWhole;
  std::vector<TrafficClass*> takers;
  for (TrafficClass& one : wishes->classes) {
    if (one.rest) {
      takers.push_back(&one);
    } else {
      left -= Claim(one, lowest);
    }
  }
  if (takers.empty()) return;
  const auto count = static_cast<std::int64_t>(takers.size());
  if (left < count)
    throw UsageError(fmt::format("{}: class {} wants the rest, and the others leave nothing: they claim {}",
                                 wishes->file, takers[0]->name, ShareText(kWhole - left)));
  for (std::int64_t i = 0; i < count; ++i) takers[i]->share = left * (i + 1) / count - left * i / count;
}

/// Distance of every rank when the first has `first`; nothing when a later one would exceed the table or they do not
/// fit.
std::optional<std::map<int, int>> Distances(const WishList& wishes, int first) {
  std::map<int, int> distances;
  for (const TrafficClass& one : wishes.classes) {
    if (one.rank > 0) distances[one.rank] = 0;
  }
  std::int64_t distance = first;
  for (auto& [rank, given] : distances) {
    given = static_cast<int>(std::min<std::int64_t>(distance, wishes.entries));
    distance *= 2;
  }
  int entries = 0;
  for (const TrafficClass& one : wishes.classes) {
    const int own = one.rank > 0 ? distances[one.rank] : one.distance > 0 ? one.distance : wishes.entries;
    entries += (wishes.entries + own - 1) / own;
  }
  if (entries > wishes.entries) return std::nullopt;
  return distances;
}

void ResolveLatency(WishList* wishes) {
  std::optional<std::map<int, int>> distances;
  for (int first = 1; first <= wishes->entries && !distances; first *= 2) distances = Distances(*wishes, first);
  for (TrafficClass& one : wishes->classes) {
    if (one.rank > 0) {
      if (!distances)
        throw UsageError(
            fmt::format("{}: class {}: no distances for the latency ranks: even one entry for each class "
                        "with a rank does not fit beside the stated distances in {} entries",
                        wishes->file, one.name, wishes->entries));
      one.distance = distances->at(one.rank);
      one.rank = 0;
    } else if (one.distance == 0) {
      one.distance = wishes->entries;
    }
  }
}

}  // namespace

WishList LoadWishes(const std::filesystem::path& file) {
  YamlMap root(LoadYaml(file), file.string(), "wish list");
  WishList wishes;
  wishes.file = file.string();
  wishes.units = ReadUnits(&root);
  const std::int64_t entries = ParseInteger(root.Text("entries", "64"), root.Origin("entries"));
  if (entries < 1 || entries > kMaxEntries || (entries & (entries - 1)) != 0)
    throw UsageError(
        fmt::format("{}: {} is not a power of two between 1 and {}", root.Origin("entries"), entries, kMaxEntries));
  wishes.entries = static_cast<int>(entries);
  wishes.classes = ReadClasses(&root, wishes.units, /*shares=*/true);
  wishes.shared_buffer = ReadSharedBuffer(&root, wishes.units);
  for (const TrafficClass& one : wishes.classes) {
    if (one.distance > entries)
      throw UsageError(fmt::format("{}: class {} has distance {}, the table {} entries", root.Origin("classes"),
                                   one.name, one.distance, entries));
  }
  root.Finish();
  return wishes;
}

void Resolve(WishList* wishes) {
  ResolveRest(wishes);
  ResolveLatency(wishes);
}

}  // namespace tilefly::qos
