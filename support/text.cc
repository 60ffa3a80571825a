// SPDX-License-Identifier: Apache-2.0
#include "support/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "support/errors.h"

namespace tilefly {
namespace {

std::size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

template <typename Number>
Number Parse(const std::string& text, const std::string& what, const char* kind) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) throw UsageError(fmt::format("{}: '{}' is not {}", what, text, kind));
  return value;
}

}  // namespace

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  std::size_t from = 0;
  for (std::size_t at; (at = text.find(separator, from)) != std::string::npos; from = at + 1)
    parts.push_back(text.substr(from, at - from));
  parts.push_back(text.substr(from));
  return parts;
}

std::int64_t ParseInteger(const std::string& text, const std::string& what) {
  return Parse<std::int64_t>(text, what, "a whole number");
}

double ParseReal(const std::string& text, const std::string& what) { return Parse<double>(text, what, "a number"); }

std::string Nearest(const std::string& name, const std::vector<std::string>& known) {
  return *std::min_element(known.begin(), known.end(), [&](const std::string& a, const std::string& b) {
    return EditDistance(name, a) < EditDistance(name, b);
  });
}

void ThrowUnknown(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
  throw UsageError(fmt::format("unknown {} '{}'; did you mean '{}'? Known: {}", what, name, Nearest(name, known),
                               fmt::join(known, ", ")));
}

}  // namespace tilefly
