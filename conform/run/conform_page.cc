// SPDX-License-Identifier: Apache-2.0
#include "conform/run/conform_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "runs/common/command.h"
#include "runs/report/page_text.h"

namespace tilefly::conform {

extern const char* const kConformTemplate;  // conform.html with its style, by cmake/EmbedFile.cmake

namespace {

using nlohmann::ordered_json;

constexpr const char* kNone = "-";  // of what is absent

/// A value as a cell shows it.
std::string Cell(const ordered_json& from, const char* key) {
  if (!from.contains(key) || from.at(key).is_null()) return kNone;
  const ordered_json& value = from.at(key);
  if (value.is_string()) return runs::EscapeHtml(value.get<std::string>());
  if (value.is_number_float()) return fmt::format("{:.4g}", value.get<double>());
  return runs::EscapeHtml(value.dump());
}

/// A table of results. A column that has nothing in any row is not shown.
class Table {
 public:
  /// `columns`: their headers; `words`: the one with sentences.
  Table(std::vector<std::string> columns, std::string words) : columns_(std::move(columns)), words_(std::move(words)) {}

  void Add(std::vector<std::string> cells, const std::string& verdict = "") {
    rows_.push_back({std::move(cells), verdict});
  }

  /// In a section with this title; `none` says what it means that there is no row.
  std::string Section(const std::string& title, const std::string& none, const std::string& note = "") const {
    std::string text = fmt::format("  <h2>{}</h2>\n", title);
    if (rows_.empty()) return text + fmt::format("  <p>{}</p>\n", none);
    if (!note.empty()) text += fmt::format("  <p>{}</p>\n", note);
    text += fmt::format("  <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table>\n<thead><tr>", title);
    for (std::size_t at = 0; at < columns_.size(); ++at) {
      if (Shown(at)) text += fmt::format("<th{}>{}</th>", columns_[at] == words_ ? " class=\"words\"" : "", columns_[at]);
    }
    text += "</tr></thead>\n<tbody>\n";
    for (const auto& [cells, verdict] : rows_) {
      text += verdict.empty() ? "<tr>" : fmt::format("<tr data-verdict=\"{}\">", runs::EscapeHtml(verdict));
      for (std::size_t at = 0; at < columns_.size(); ++at) {
        if (Shown(at))
          text += fmt::format("<td data-of=\"{}\"{}>{}</td>", columns_[at], cells[at] == kNone ? " class=\"none\"" : "",
                              cells[at]);
      }
      text += "</tr>\n";
    }
    return text + "</tbody></table></div>\n";
  }

 private:
  bool Shown(std::size_t column) const {
    return std::any_of(rows_.begin(), rows_.end(), [&](const auto& row) { return row.first[column] != kNone; });
  }

  const std::vector<std::string> columns_;
  const std::string words_;
  std::vector<std::pair<std::vector<std::string>, std::string>> rows_;
};

/// What was held against golden.
std::string ComparedCell(const ordered_json& test) {
  if (!test.contains("compared") || test.at("compared").is_null()) return kNone;
  const ordered_json& compared = test.at("compared");
  return fmt::format("{} / {} / {}", Cell(compared, "busy"), Cell(compared, "records"), Cell(compared, "counters"));
}

/// Waves of a failure, where a browser finds them beside the page.
std::string WavesLink(const ordered_json& results) {
  if (results.at("waves").is_null()) return kNone;
  const std::string file = Cell(results.at("waves"), "file");
  return fmt::format("<a href=\"{}\">{}</a>, it fails in cycle {}", file, file, Cell(results.at("waves"), "failed_at"));
}

/// Why a test failed, and its waves, if they are of this run.
std::string ReasonCell(const ordered_json& results, const ordered_json& test) {
  const std::string reason = Cell(test, "reason");
  const ordered_json& shortest = results.at("shortest");
  const bool waved = !results.at("waves").is_null() && !shortest.is_null() && shortest.at("test") == test.at("test") &&
                     shortest.at("seed") == test.at("seed");
  if (!waved) return reason;
  const bool shortened = shortest.value("shortened", false);
  return reason + (shortened ? "; waves of its shortest stimulus: " : "; waves: ") + WavesLink(results);
}

/// Those that say something against the device are first.
std::string TestSection(const ordered_json& results) {
  Table table({"test", "seed", "verdict", "reason", "cycles", "frames in", "copies out", "dropped as they must", "lost",
               "measured", "compared with golden: busy words / records / counters"},
              "reason");
  for (const char* verdict : {"fail", "undecided", "pass"}) {
    for (const ordered_json& test : results.at("tests")) {
      if (test.at("verdict") != verdict) continue;
      const ordered_json frames = test.value("frames", ordered_json::object());
      table.Add({Cell(test, "test"), Cell(test, "seed"), Cell(test, "verdict"), ReasonCell(results, test),
                 Cell(test, "cycles"), Cell(frames, "offered"), Cell(frames, "delivered"), Cell(frames, "dropped"),
                 Cell(frames, "lost"), Cell(test, "measured"), ComparedCell(test)},
                verdict);
    }
  }
  return table.Section("Tests", "No test was run.");
}

std::string ClaimSection(const ordered_json& results) {
  Table table({"claim", "bound", "reached", "verdict", "reason"}, "reason");
  for (const ordered_json& claim : results.at("claims")) {
    const std::string reason = Cell(claim, "reason");
    table.Add({Cell(claim, "claim"), Cell(claim, "bound"), Cell(claim, "reached"), Cell(claim, "verdict"),
               reason.empty() ? kNone : reason},
              claim.at("verdict"));
  }
  return table.Section("Claims", "No claim of L1 was measured.", "latency in cycles; the others are shares.");
}

std::string BinSection(const ordered_json& results) {
  Table table({"bin", "situation", "times", "runs"}, "situation");
  for (const ordered_json& bin : results.at("bins")) {
    const bool met = bin.at("times") != 0;
    table.Add({Cell(bin, "bin"), Cell(bin, "what"), met ? Cell(bin, "times") : "never", Cell(bin, "runs")},
              met ? "" : "undecided");
  }
  return table.Section("Situations", "The tests of links count no situations.", "What the tests have brought the device into.");
}

std::string ExcuseSection(const ordered_json& results) {
  Table table({"test", "reason"}, "reason");
  for (const ordered_json& one : results.at("do_not_apply")) table.Add({Cell(one, "test"), Cell(one, "reason")});
  return table.Section("Tests that do not apply", "All tests apply.");
}

/// What stands in the banner, but for what there is not.
std::string Facts(const ordered_json& results) {
  const ordered_json shortest = results.at("shortest").is_null() ? ordered_json::object() : results.at("shortest");
  std::string lacks;
  for (const ordered_json& lack : results.value("lacks", ordered_json::array()))
    lacks += (lacks.empty() ? "" : ", ") + runs::EscapeHtml(lack.get<std::string>());
  const std::string command = Cell(shortest, "command");
  const std::pair<const char*, std::string> facts[] = {
      {"claimed", Cell(results, "claimed")},
      {"without", lacks.empty() ? kNone : lacks},
      {"undecided because", Cell(results, "why_undecided")},
      {"device", Cell(results.at("device"), "digest")},
      {"capability file", Cell(results.at("capability"), "file") + ", " + Cell(results.at("capability"), "digest")},
      {"kit", Cell(results, "kit")},
      {shortest.value("shortened", false) ? "shortest failure" : "first failure", Cell(shortest, "reason")},
      {"repeat it", command == kNone ? command : "<code>" + command + "</code>"},
      {"waves", WavesLink(results)}};
  std::string rows;
  for (const auto& [name, value] : facts) {
    if (value != kNone) rows += fmt::format("    <dt>{}</dt><dd>{}</dd>\n", name, value);
  }
  return rows;
}

}  // namespace

std::string ConformPage(const ordered_json& results) {
  const std::string verdict = results.at("verdict");
  const std::string name = results.at("device").at("name");
  return runs::FillPage(
      kConformTemplate,
      {{"@TITLE@", runs::EscapeHtml(fmt::format("{}: {} - Tilefly conformance", verdict, name))},
       {"@VERDICT@", runs::EscapeHtml(verdict)},
       {"@HEADLINE@", runs::EscapeHtml(fmt::format("{} {}", runs::Headline(verdict), name))},
       {"@FACTS@", Facts(results)},
       {"@SECTIONS@",
        ClaimSection(results) + TestSection(results) + BinSection(results) + ExcuseSection(results)}});
}

}  // namespace tilefly::conform
