// SPDX-License-Identifier: Apache-2.0
// What a table gives each class, and what is wrong with it.
#pragma once

#include <string>
#include <vector>

#include "qos/table.h"

namespace tilefly::qos {

struct Finding {
  bool error = false;  ///< otherwise a warning
  std::string text;    ///< class or entry, figures, remedy
};

/// What one class gets.
struct ClassFigures {
  Holding held;
  double share = 0;     ///< its weight of the table's
  double expected = 0;  ///< share of the link while all classes are backlogged: with priority groups and maximums
  /// Greatest wait from becoming active, or from a grant, to the next grant: credits of others, and cycles of a fabric
  /// link; see docs/qos.md.
  std::int64_t wait_credits = 0;
  std::int64_t wait_cycles = 0;
};

struct CheckResult {
  std::vector<ClassFigures> classes;  ///< in the order of Table::classes
  std::vector<Finding> findings;
  int errors() const;
};

CheckResult CheckTable(const Table& table);

/// What the wishes of classes have wrong by themselves, whatever the table: minimums above the link, a maximum below
/// the minimum, a group above the lowest without a maximum.
std::vector<Finding> CheckClasses(const std::vector<TrafficClass>& classes);

/// Throws a UsageError with every error among the findings about a table of this file.
void RefuseErrors(const std::vector<Finding>& findings, const std::string& file);

}  // namespace tilefly::qos
