// SPDX-License-Identifier: Apache-2.0
// A Deficit Table with its classes, as a file and in memory.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "qos/traffic_class.h"

namespace tilefly::qos {

/// An entry without a class is empty: the scheduler passes it over.
struct Entry {
  int owner = -1;  ///< index into Table::classes; -1: empty
  int weight = 0;  ///< credits
};

/// With what a planner chose its weights (S4, section 4.4). k and w in tenths.
struct Origin {
  int k = 0;
  int w = 0;
  int pool = 0;
};

struct Table {
  Units units;
  std::vector<TrafficClass> classes;
  std::vector<Entry> entries;
  std::optional<Origin> origin;
  std::optional<int> shared_buffer;  ///< credits of an input buffer that all classes share; else what is left

  int size() const { return static_cast<int>(entries.size()); }
};

/// Reads a table and refuses what is not one: unknown keys, classes, weights that do not add up. Throws UsageError.
/// Whether it is a good table is not looked at: CheckTable.
Table ReadTable(const std::filesystem::path& file);

/// Reads a table that a switch may use: ReadTable, and a UsageError with the figures of every error of CheckTable.
Table LoadTable(const std::filesystem::path& file);

/// As YAML; ReadTable gives the same table.
std::string ToYaml(const Table& table);

/// Sums over the entries of one class.
struct Holding {
  int entries = 0;
  int weight = 0;
  int least = 0;  ///< smallest weight of an entry
  int most = 0;   ///< greatest weight of an entry
  int gap = 0;    ///< most entries from one of its entries to its next, cyclically
};

/// Of every class, in the order of Table::classes.
std::vector<Holding> Holdings(const Table& table);
int TotalWeight(const Table& table);

/// Value in tenths as text: 29 is "2.9".
std::string TenthsText(int tenths);

}  // namespace tilefly::qos
