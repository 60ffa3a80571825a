// SPDX-License-Identifier: Apache-2.0
#include "runs/report/report.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "runs/report/page_text.h"

namespace tilefly::runs {

extern const char* const kReportTemplate;  // template.html with its parts, by cmake/EmbedFile.cmake

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const json* Member(const json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

/// The member as text, or "" when there is none.
std::string Text(const json& object, const char* key) {
  const json* member = Member(object, key);
  if (member == nullptr || member->is_null()) return "";
  return member->is_string() ? member->get<std::string>() : DumpText(*member);
}

std::string Title(const json& results) {
  std::string title;
  for (const char* key : {"verdict", "level", "traffic"}) {
    const std::string text = Text(results, key);
    if (!text.empty()) title += text + ' ';
  }
  return title + "- Tilefly run report";
}

/// The main numbers as table rows, for a reader without script.
std::string PlainRows(const json& results) {
  struct Row {
    const char* label;
    const char* group;  ///< object in `results` that has the key; null: `results` itself
    const char* key;
  };
  static constexpr Row kRows[] = {
      {"verdict", nullptr, "verdict"},
      {"cycles", nullptr, "cycles"},
      {"words compared", nullptr, "compared"},
      {"of these busy", nullptr, "compared_busy"},
      {"packets offered", "books", "offered"},
      {"packets delivered", "books", "delivered"},
      {"packets dropped, by reason", "books", "drops"},
      {"packets lost with links", "books", "lost"},
      {"packets in flight", "books", "in_flight"},
      {"latency, median, ns", "latency_ns", "median"},
      {"latency, p99, ns", "latency_ns", "p99"},
      {"latency, max, ns", "latency_ns", "max"},
      {"seed", nullptr, "seed"},
  };
  std::string rows;
  for (const Row& row : kRows) {
    const json* owner = row.group == nullptr ? &results : Member(results, row.group);
    const std::string text = owner == nullptr ? "" : Text(*owner, row.key);
    if (!text.empty()) rows += std::string("<tr><th>") + row.label + "</th><td>" + EscapeHtml(text) + "</td></tr>\n";
  }
  return rows;
}

/// Makes `path` relative to `dir` when it lies in it; otherwise leaves it.
void MakeRelative(const fs::path& dir, json& path) {
  if (!path.is_string()) return;
  const fs::path given = path.get<std::string>();
  if (given.is_relative() && fs::exists(dir / given)) return;
  const fs::path relative = fs::absolute(given).lexically_normal().lexically_relative(fs::absolute(dir).lexically_normal());
  if (!relative.empty() && *relative.begin() != "..") path = relative.generic_string();
}

json WithFiles(const fs::path& dir, json detail) {
  if (!detail.is_object()) detail = json::object();
  if (detail.contains("waves")) {
    for (json& wave : detail["waves"]) {
      if (wave.is_object() && wave.contains("path")) MakeRelative(dir, wave["path"]);
    }
  }
  if (detail.contains("captures")) {
    for (json& capture : detail["captures"]) MakeRelative(dir, capture);
  }
  if (!detail.contains("files")) {
    detail["files"] = json::array();
    for (const char* name :
         {"results.json", "manifest.json", "config.resolved.yaml", "junit.xml", "stats.csv", "samples.csv", "journeys.csv",
          "journeys.json", "hops.csv", "nics.csv", "flows.csv", "faults.csv", "jobs.csv", "log.txt"}) {
      if (fs::exists(dir / name)) detail["files"].push_back(name);
    }
  }
  return detail;
}

}  // namespace

std::string RenderReport(const json& results, const json& detail) {
  return FillPage(kReportTemplate, {{"@TITLE@", EscapeHtml(Title(results))},
                                {"@PLAIN_ROWS@", PlainRows(results)},
                                {"@RUN_JSON@", ScriptJson({{"results", results}, {"detail", detail}})}});
}

fs::path WriteReport(const fs::path& dir, const json& results, const json& detail) {
  const fs::path page = dir / "report.html";
  const fs::path draft = dir / "report.html.tmp";
  {
    std::ofstream out(draft, std::ios::binary);
    out << RenderReport(results, WithFiles(dir, detail));
    out.close();
    if (!out) throw std::runtime_error(draft.string() + ": cannot write: " + std::strerror(errno));
  }
  std::error_code error;
  fs::rename(draft, page, error);
  if (error) throw std::runtime_error(page.string() + ": cannot write: " + error.message());
  return page;
}

}  // namespace tilefly::runs
