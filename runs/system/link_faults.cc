// SPDX-License-Identifier: Apache-2.0
#include "runs/system/link_faults.h"

#include <fmt/format.h>

#include <limits>

#include "runs/common/common_settings.h"
#include "support/errors.h"
#include "support/text.h"

namespace tilefly::runs {
namespace {

std::int64_t Number(const std::string& text, const std::string& one, std::int64_t most) {
  const std::int64_t value = ParseInteger(text, "--fail-link " + one);
  if (value < 0 || value > most)
    throw UsageError(fmt::format("--fail-link {}: {} is not between 0 and {}", one, value, most));
  return value;
}

}  // namespace

std::vector<network::LinkFault> ParseLinkFaults(const std::string& text) {
  std::vector<network::LinkFault> faults;
  for (const std::string& one : Split(text, ',')) {
    const std::size_t dot = one.find('.'), at = one.find('@');
    if (dot == std::string::npos || at == std::string::npos || at < dot)
      throw UsageError(fmt::format("--fail-link {}: write it as SWITCH.PORT@CYCLE: 3.17@5000", one));
    const auto small = [&](std::size_t from, std::size_t to) {
      return static_cast<int>(Number(one.substr(from, to - from), one, std::numeric_limits<int>::max()));
    };
    faults.push_back({small(0, dot), small(dot + 1, at), Number(one.substr(at + 1), one, kMostCycles)});
  }
  return faults;
}

}  // namespace tilefly::runs
