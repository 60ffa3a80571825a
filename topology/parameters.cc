// SPDX-License-Identifier: Apache-2.0
#include "topology/parameters.h"

#include <fmt/format.h>

#include "support/errors.h"
#include "support/text.h"
#include "topology/topology.h"

namespace tilefly::topology {

double Parameters::Metres(const std::string& key, double initial) {
  const std::string text = Text(key, "");
  return text.empty() ? initial : ParseMetres(text, origin() + ": " + key);
}

double ParseMetres(const std::string& text, const std::string& what) {
  if (text.size() < 2 || text.back() != 'm')
    throw UsageError(fmt::format("{}: '{}' is not a length; write it as 2.6m", what, text));
  const double metres = ParseReal(text.substr(0, text.size() - 1), what);
  if (!(metres >= 0 && metres <= kMaxMetres))
    throw UsageError(fmt::format("{}: '{}' is not between 0m and {}m", what, text, kMaxMetres));
  return metres;
}

std::string MetresText(double metres) { return fmt::format("{}m", metres); }

}  // namespace tilefly::topology
