// SPDX-License-Identifier: Apache-2.0
// What a bisection looks like in text and JSON.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "topology/bisection.h"

namespace tilefly::topology {
namespace {

const char* NameOf(CutMethod method) {
  switch (method) {
    case CutMethod::kBranchAndBound:
      return "branch and bound";
    case CutMethod::kSpectral:
      return "spectral bound";
    case CutMethod::kRouting:
      return "routing bound";
    case CutMethod::kFlow:
      return "flow bound";
    case CutMethod::kLocalSearch:
      return "local search";
  }
  return "";
}

/// "0-3, 8": the switches of a side.
std::string Ranges(const std::vector<std::uint8_t>& side, std::uint8_t which) {
  std::string text;
  for (std::size_t v = 0; v < side.size(); ++v) {
    if (side[v] != which) continue;
    std::size_t last = v;
    while (last + 1 < side.size() && side[last + 1] == which) ++last;
    if (!text.empty()) text += ", ";
    text += last == v ? fmt::format("{}", v) : fmt::format("{}-{}", v, last);
    v = last;
  }
  return text;
}

std::string Bandwidth(std::int64_t value, std::int64_t scale) { return ToText(MakeRatio(value, scale)); }

}  // namespace

std::string ToText(const Bisection& bisection) {
  const std::string cut = fmt::format("{} local and {} global links", bisection.local_links, bisection.global_links);
  const std::string upper = Bandwidth(bisection.upper, bisection.scale);
  std::string text = fmt::format("minimum bisection, local link 1, global link {}: ", ToText(bisection.alpha));
  if (bisection.exact) {
    text += fmt::format("exactly {} ({}), proved by {}", upper, cut, NameOf(bisection.lower_by));
  } else {
    text += fmt::format("at least {} ({}), at most {} ({}, {})", Bandwidth(bisection.lower, bisection.scale),
                        NameOf(bisection.lower_by), upper, cut, NameOf(bisection.upper_by));
  }
  return text + fmt::format("\nfirst half: switches {}\n", Ranges(bisection.side, 0));
}

std::string ToText(const std::vector<BisectionLine>& envelope) {
  std::string text;
  for (const BisectionLine& line : envelope) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{}", line.local_links);
    if (line.global_links > 0) text += fmt::format("+{}a", line.global_links);
  }
  return "min(" + text + ")";
}

nlohmann::ordered_json ToJson(const Bisection& bisection) {
  return {{"alpha", ToText(bisection.alpha)},
          {"value", static_cast<double>(bisection.upper) / static_cast<double>(bisection.scale)},
          {"exact", bisection.exact},
          {"lower", Bandwidth(bisection.lower, bisection.scale)},
          {"lower_by", NameOf(bisection.lower_by)},
          {"upper", Bandwidth(bisection.upper, bisection.scale)},
          {"upper_by", NameOf(bisection.upper_by)},
          {"local_links", bisection.local_links},
          {"global_links", bisection.global_links},
          {"side", bisection.side},
          {"nodes", bisection.nodes}};
}

}  // namespace tilefly::topology
