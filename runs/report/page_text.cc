// SPDX-License-Identifier: Apache-2.0
#include "runs/report/page_text.h"

#include <nlohmann/json.hpp>

namespace tilefly::runs {

/// Bytes that are not UTF-8 become the replacement character.
std::string DumpText(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// JSON that may stand in a script element: `<` occurs only inside strings, and as an escape it can neither end the
/// element nor open a comment in it.
std::string ScriptJson(const nlohmann::json& value) {
  std::string safe;
  for (const char c : DumpText(value)) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

std::string EscapeHtml(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

/// `page` with every mark replaced by its text, in one pass: a mark inside a text stays as it is.
std::string FillPage(std::string_view page, std::initializer_list<std::pair<std::string_view, std::string>> texts) {
  std::string filled;
  while (!page.empty()) {
    std::size_t first = std::string_view::npos;
    const std::pair<std::string_view, std::string>* next = nullptr;
    for (const auto& entry : texts) {
      const std::size_t at = page.find(entry.first);
      if (at < first) {
        first = at;
        next = &entry;
      }
    }
    filled += page.substr(0, first);
    if (next == nullptr) break;
    filled += next->second;
    page.remove_prefix(first + next->first.size());
  }
  return filled;
}

}  // namespace tilefly::runs
