// SPDX-License-Identifier: Apache-2.0
#include "apps/between.h"

#include <fmt/format.h>

#include <string>

namespace tilefly::apps {

CLI::Validator Between(std::int64_t low, std::int64_t high) {
  const auto refuse = [low, high](const std::string& text) -> std::string {
    double number = 0;
    if (!CLI::detail::lexical_cast(text, number)) return fmt::format("'{}' is no number", text);
    // So that a NaN is refused, too.
    const bool within = number >= static_cast<double>(low) && number <= static_cast<double>(high);
    return within ? "" : fmt::format("{} is not between {} and {}", text, low, high);
  };
  return {refuse, fmt::format("{}..{}", low, high)};
}

CLI::Validator NotEmpty() {
  const auto refuse = [](const std::string& text) -> std::string {
    return text.empty() ? "the name is empty; give one, or leave the option out" : "";
  };
  return {refuse, ""};
}

}  // namespace tilefly::apps
