// SPDX-License-Identifier: Apache-2.0
// What a comparison found, for a program that reads it: `tilefly cosim --level block` does.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "golden/common/types.h"

namespace tilefly::bench {

struct ComparisonRecord {
  struct BinCount {
    std::string name;
    std::int64_t minimum;
    std::int64_t hits;
  };
  std::string test;  ///< "Suite.Name"
  int power_up = 0;  ///< PowerUp::start
  std::uint32_t seed = 0;
  bool shown = false;  ///< Comparison::Options::shown
  Cycle cycles = 0;
  std::int64_t compared = 0;       ///< values compared
  std::int64_t compared_busy = 0;  ///< those of them in busy cycles
  std::vector<BinCount> bins;
  Cycle failed_at = -1;     ///< cycle of the first difference; -1: none
  std::string failure;              ///< what differs; empty: nothing
  std::vector<std::string> events;  ///< the last ones before the difference
};

/// Appends the record as one line of JSON to the file that TILEFLY_RECORD names; without it does nothing. Throws
/// std::runtime_error when the file cannot be written.
void WriteRecord(const ComparisonRecord& record);

}  // namespace tilefly::bench
