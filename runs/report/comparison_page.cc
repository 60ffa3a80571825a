// SPDX-License-Identifier: Apache-2.0
#include "runs/report/comparison_page.h"

#include <nlohmann/json.hpp>

#include "runs/report/page_text.h"

namespace tilefly::runs {

extern const char* const kComparisonTemplate;  // comparison.html with its parts, by cmake/EmbedFile.cmake

namespace {

/// Those of a mean or of what differs, for a reader without script.
std::string FigureRows(const nlohmann::json& comparison) {
  std::string rows;
  for (const nlohmann::json& one : comparison.at("figures")) {
    if (one.at("relation") == "equal") continue;
    rows += "<tr>";
    for (const char* key : {"point", "path", "relation", "a", "b"}) {
      const nlohmann::json value = one.value(key, nlohmann::json(""));
      rows += "<td>" + EscapeHtml(value.is_string() ? value.get<std::string>() : DumpText(value)) + "</td>";
    }
    rows += "</tr>\n";
  }
  return rows;
}

}  // namespace

std::string RenderComparison(const nlohmann::ordered_json& comparison) {
  const nlohmann::json plain = comparison;
  const std::string title = plain.at("verdict").get<std::string>() + ": " +
                            plain.at("a").at("directory").get<std::string>() + " and " +
                            plain.at("b").at("directory").get<std::string>() + " - Tilefly comparison";
  return FillPage(kComparisonTemplate,
                  {{"@TITLE@", EscapeHtml(title)},
                   {"@PLAIN_ROWS@", FigureRows(plain)},
                   {"@RUN_JSON@", ScriptJson({{"results", plain}, {"detail", nlohmann::json::object()}})}});
}

}  // namespace tilefly::runs
