// SPDX-License-Identifier: Apache-2.0
// Traffic patterns of one's own, by name (docs/extending.md).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "support/registry.h"

namespace tilefly {

/// Patterns of systems that are not made of a Pattern.
inline constexpr const char* kSystemPatterns[] = {"adversarial", "bursts", "cbr"};

/// What a pattern is made for.
struct PatternRequest {
  std::vector<std::string> arguments;  ///< what stands behind the name, parted by colons: {"3"} of "nearby:3"
  int count = 0;                       ///< who sends and receives, numbered from 0: endpoints, or ports of a switch
  std::uint64_t seed = 0;              ///< of the run, for draws
  std::vector<int> group_of;           ///< of each of a system; of ports of a switch empty
};

/// The destination of packet `number` of `source`; -1 for number 0: the source sends nothing at all. It is called in any
/// order, several times for a packet, by several threads at once, and has to answer the same each time.
using DestinationFunction = std::function<int(int source, std::uint64_t number)>;

/// May throw UsageError for arguments that it does not take.
using PatternMaker = std::function<DestinationFunction(const PatternRequest& request)>;

/// `--traffic NAME:ARGUMENTS` of `net` and `cosim`, and `--background`.
Registry<PatternMaker>& Patterns();

}  // namespace tilefly
