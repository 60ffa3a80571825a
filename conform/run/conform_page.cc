// SPDX-License-Identifier: Apache-2.0
#include "conform/run/conform_page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "runs/common/command.h"
#include "runs/report/page_text.h"

namespace tilefly::conform {

extern const char* const kConformTemplate;  // conform.html with its style, by cmake/EmbedFile.cmake

namespace {

using nlohmann::ordered_json;

/// A value as a cell shows it; of what is absent a dash.
std::string Cell(const ordered_json& from, const char* key) {
  if (!from.contains(key) || from.at(key).is_null()) return "-";
  const ordered_json& value = from.at(key);
  if (value.is_string()) return runs::EscapeHtml(value.get<std::string>());
  if (value.is_number_float()) return fmt::format("{:.4g}", value.get<double>());
  return runs::EscapeHtml(value.dump());
}

std::string Row(std::initializer_list<std::string> cells, const std::string& verdict = "") {
  std::string row = verdict.empty() ? "<tr>" : fmt::format("<tr data-verdict=\"{}\">", runs::EscapeHtml(verdict));
  for (const std::string& cell : cells) row += "<td>" + cell + "</td>";
  return row + "</tr>\n";
}

/// What was held against golden.
std::string ComparedCell(const ordered_json& test) {
  if (!test.contains("compared") || test.at("compared").is_null()) return "-";
  const ordered_json& compared = test.at("compared");
  return fmt::format("{} / {} / {}", Cell(compared, "busy"), Cell(compared, "records"), Cell(compared, "counters"));
}

std::string TestRows(const ordered_json& results) {
  std::string rows;
  for (const ordered_json& test : results.at("tests")) {
    const ordered_json frames = test.value("frames", ordered_json::object());
    rows += Row({Cell(test, "test"), Cell(test, "seed"), Cell(test, "verdict"), Cell(test, "reason"),
                 Cell(test, "cycles"), Cell(frames, "offered"), Cell(frames, "delivered"), Cell(frames, "dropped"),
                 Cell(frames, "lost"), Cell(test, "measured"), ComparedCell(test)},
                test.at("verdict"));
  }
  return rows;
}

std::string ClaimRows(const ordered_json& results) {
  std::string rows;
  for (const ordered_json& claim : results.at("claims")) {
    rows += Row({Cell(claim, "claim"), Cell(claim, "bound"), Cell(claim, "reached"), Cell(claim, "verdict"),
                 Cell(claim, "reason")},
                claim.at("verdict"));
  }
  return rows.empty() ? "<tr><td colspan=\"5\">none</td></tr>" : rows;
}

std::string BinRows(const ordered_json& results) {
  std::string rows;
  for (const ordered_json& bin : results.at("bins")) {
    const bool met = bin.at("times") != 0;
    rows += Row({Cell(bin, "bin"), Cell(bin, "what"), met ? Cell(bin, "times") : "never", Cell(bin, "runs")},
                met ? "" : "undecided");
  }
  return rows.empty() ? "<tr><td colspan=\"4\">none: the tests of links count no situations</td></tr>" : rows;
}

std::string ExcuseRows(const ordered_json& results) {
  std::string rows;
  for (const ordered_json& one : results.at("do_not_apply")) rows += Row({Cell(one, "test"), Cell(one, "reason")});
  return rows.empty() ? "<tr><td colspan=\"2\">none: all tests apply</td></tr>" : rows;
}

}  // namespace

std::string ConformPage(const ordered_json& results) {
  const std::string verdict = results.at("verdict");
  const std::string name = results.at("device").at("name");
  const std::string claimed = results.at("claimed");
  const ordered_json shortest = results.at("shortest").is_null() ? ordered_json::object() : results.at("shortest");
  const ordered_json waves = results.at("waves").is_null() ? ordered_json::object() : results.at("waves");
  return runs::FillPage(
      kConformTemplate,
      {{"@TITLE@", runs::EscapeHtml(fmt::format("{}: {} - Tilefly conformance", verdict, name))},
       {"@VERDICT@", runs::EscapeHtml(verdict)},
       {"@HEADLINE@", runs::EscapeHtml(fmt::format("{} {}", runs::Headline(verdict), name))},
       {"@CLAIMED@", runs::EscapeHtml(claimed)},
       {"@DEVICE@", Cell(results.at("device"), "digest")},
       {"@CAPABILITY@", Cell(results.at("capability"), "file") + ", " + Cell(results.at("capability"), "digest")},
       {"@KIT@", Cell(results, "kit")},
       {"@SHORTEST@", Cell(shortest, "reason")},
       {"@REPEAT@", Cell(shortest, "command")},
       {"@WAVES@", Cell(waves, "file")},
       {"@WHY@", Cell(results, "why_undecided")},
       {"@TESTS@", TestRows(results)},
       {"@CLAIMS@", ClaimRows(results)},
       {"@BINS@", BinRows(results)},
       {"@EXCUSES@", ExcuseRows(results)}});
}

}  // namespace tilefly::conform
