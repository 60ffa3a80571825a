// SPDX-License-Identifier: Apache-2.0
#include "qos/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "qos/buffers.h"
#include "qos/check.h"
#include "qos/class_reader.h"
#include "qos/quantity.h"
#include "support/errors.h"
#include "support/text.h"
#include "support/yaml_map.h"

namespace tilefly::qos {
namespace {

Entry ReadEntry(const YAML::Node& node, const std::string& file, int index, const std::vector<TrafficClass>& classes) {
  const std::string what = fmt::format("entry {}", index);
  if (node.IsScalar()) {
    if (node.Scalar() != "empty")
      throw UsageError(fmt::format("{}: {}: '{}' is neither {{class: NAME, weight: CREDITS}} nor empty",
                                   OriginOf(file, node), what, node.Scalar()));
    return {};
  }
  YamlMap map(node, file, what);
  Entry entry;
  entry.owner = FindClass(classes, map.Text("class"), map.Origin("class"));
  const std::int64_t weight = ParseInteger(map.Text("weight"), map.Origin("weight"));
  if (weight < 1 || weight > kMaxWeight)
    throw UsageError(fmt::format("{}: {} is not between 1 and {} credits", map.Origin("weight"), weight, kMaxWeight));
  entry.weight = static_cast<int>(weight);
  map.Finish();
  return entry;
}

int ReadTenths(YamlMap* map, const std::string& key) {
  const double value = ParseReal(map->Text(key), map->Origin(key)) * 10;
  if (!(value >= 1 && value <= 10.0 * kMaxWeight) || std::abs(value - std::round(value)) > 1e-6)
    throw UsageError(fmt::format("{}: not a multiple of 0.1 between 0.1 and {}", map->Origin(key), kMaxWeight));
  return static_cast<int>(std::lround(value));
}

std::optional<Origin> ReadOrigin(YamlMap* root) {
  const YAML::Node node = root->Find("planned");
  if (!node.IsDefined()) return std::nullopt;
  YamlMap map(node, root->file(), "planned");
  Origin origin;
  origin.k = ReadTenths(&map, "k");
  origin.w = ReadTenths(&map, "w");
  const std::int64_t pool = ParseInteger(map.Text("pool"), map.Origin("pool"));
  if (pool < 1 || pool > kMaxEntries * kMaxWeight)
    throw UsageError(fmt::format("{}: {} is not between 1 and {}", map.Origin("pool"), pool, kMaxEntries * kMaxWeight));
  origin.pool = static_cast<int>(pool);
  map.Finish();
  return origin;
}

/// The sums that the file states are those of its entries.
void CompareTotals(YamlMap* root, const Table& table) {
  const YAML::Node node = root->Find("totals");
  if (!node.IsDefined()) return;
  YamlMap map(node, root->file(), "totals");
  const std::vector<Holding> held = Holdings(table);
  for (std::size_t c = 0; c < table.classes.size(); ++c) {
    const std::string& name = table.classes[c].name;
    const std::int64_t stated = ParseInteger(map.Text(name), map.Origin(name));
    if (stated != held[c].weight)
      throw UsageError(fmt::format("{}: {} is stated, the entries of the class sum to {}", map.Origin(name), stated,
                                   held[c].weight));
  }
  map.Finish();
}

}  // namespace

Table ReadTable(const std::filesystem::path& file) {
  YamlMap root(LoadYaml(file), file.string(), "table");
  root.Require("table", fmt::format("a wish list has none: make a table of it with tilefly qos plan {} --output FILE",
                                    file.string()));
  Table table;
  table.units = ReadUnits(&root);
  table.classes = ReadClasses(&root, table.units, /*shares=*/false);
  table.shared_buffer = ReadSharedBuffer(&root, table.units);
  for (const YAML::Node& node : root.List("table"))
    table.entries.push_back(ReadEntry(node, file.string(), table.size(), table.classes));
  const int size = table.size();
  if (size < 1 || size > kMaxEntries || (size & (size - 1)) != 0)
    throw UsageError(
        fmt::format("{}: {} entries; a power of two up to {} was expected", root.Origin("table"), size, kMaxEntries));
  for (const TrafficClass& one : table.classes) {
    if (one.distance > size)
      throw UsageError(fmt::format("{}: class {} has distance {}, the table {} entries", root.Origin("classes"),
                                   one.name, one.distance, size));
    if (one.rank > 0)
      throw UsageError(fmt::format("{}: class {}: 'latency' is for wish lists; a table has distances",
                                   root.Origin("classes"), one.name));
  }
  table.origin = ReadOrigin(&root);
  CompareTotals(&root, table);
  root.Finish();
  return table;
}

Table LoadTable(const std::filesystem::path& file) {
  Table table = ReadTable(file);
  RefuseErrors(CheckTable(table).findings, file.string());
  return table;
}

std::string ToYaml(const Table& table) {
  std::string text = UnitsYaml(table.units);
  if (table.origin) {
    text += fmt::format("planned: {{k: {}, w: {}, pool: {}}}\n", TenthsText(table.origin->k),
                        TenthsText(table.origin->w), table.origin->pool);
  }
  if (table.shared_buffer) text += fmt::format("shared_buffer: {} credits\n", *table.shared_buffer);
  text += "classes:\n";
  for (const TrafficClass& one : table.classes) text += ClassYaml(one);
  text += "totals:\n";
  const std::vector<Holding> held = Holdings(table);
  for (std::size_t c = 0; c < held.size(); ++c)
    text += fmt::format("  {}: {}\n", table.classes[c].name, held[c].weight);
  text += "table:\n";
  for (const Entry& entry : table.entries) {
    text += entry.owner < 0
                ? std::string("  - empty\n")
                : fmt::format("  - {{class: {}, weight: {}}}\n", table.classes[entry.owner].name, entry.weight);
  }
  return text;
}

std::vector<Holding> Holdings(const Table& table) {
  std::vector<Holding> holdings(table.classes.size());
  const int size = table.size();
  for (std::size_t c = 0; c < holdings.size(); ++c) {
    Holding& held = holdings[c];
    int last = -1;
    for (int i = 0; i < 2 * size; ++i) {  // twice round, so that the gap over the end is seen
      const Entry& entry = table.entries[i % size];
      if (entry.owner != static_cast<int>(c)) continue;
      if (last >= 0) held.gap = std::max(held.gap, i - last);
      last = i;
      if (i >= size) continue;
      held.least = held.entries == 0 ? entry.weight : std::min(held.least, entry.weight);
      held.most = std::max(held.most, entry.weight);
      held.weight += entry.weight;
      ++held.entries;
    }
  }
  return holdings;
}

int TotalWeight(const Table& table) {
  int total = 0;
  for (const Entry& entry : table.entries) total += entry.weight;
  return total;
}

std::string TenthsText(int tenths) { return fmt::format("{}.{}", tenths / 10, tenths % 10); }

}  // namespace tilefly::qos
