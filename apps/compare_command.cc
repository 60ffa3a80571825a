// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/command.h"
#include "apps/given_settings.h"
#include "runs/compare/comparison_output.h"
#include "support/errors.h"

namespace tilefly::apps {
namespace {

struct GivenCompare {
  std::string a, b;
  std::string output;
  bool judged = false;
  bool json = false;
  bool verbose = false;
};

int RunCompare(const GivenCompare& given) {
  if (given.a.empty() || given.b.empty())
    throw UsageError("compare: two run directories are compared; give their folders: tilefly compare A B");
  if (!given.output.empty() && std::filesystem::path(given.output).extension() != ".html")
    throw UsageError(
        fmt::format("--output {}: it is a page for a browser; give a name that ends in .html", given.output));
  const runs::Comparison comparison =
      runs::Compare(runs::ReadRunFolder(given.a), runs::ReadRunFolder(given.b), given.judged);
  const std::filesystem::path page(given.output);
  if (page.filename() == "report.html" && std::filesystem::exists(page.parent_path() / "manifest.json"))
    throw UsageError(fmt::format("--output {}: that is the report of the run there; give another name", given.output));
  if (!given.output.empty()) WriteFile(given.output, runs::ComparisonHtml(comparison));
  if (given.json) {
    fmt::print("{}\n", runs::ComparisonJson(comparison).dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    fmt::print("{}", runs::ComparisonText(comparison, given.verbose));
    if (!given.output.empty()) fmt::print("page: {}\n", given.output);
  }
  return comparison.ExitCode();
}

}  // namespace

void AddCompare(const Command& program, int* status) {
  const Command command = program.AddCommand("compare", "compares settings and results of two run directories");
  auto given = std::make_shared<GivenCompare>();
  command.Add("A", &given->a, "folder of a run, a sweep, a search or a study");
  command.Add("B", &given->b, "another one of the same command");
  command.AddFlag("--judged", &given->judged, "only figures with a confidence interval");
  RefuseFolder(command);
  command.Add("--output", &given->output, "page for a browser, FILE.html");
  command.AddFlag("--json", &given->json, "print JSON on standard output");
  command.AddFlag("-v,--verbose", &given->verbose, "every figure that is not equal, not only the first ones");
  command.Footer(
      "Exit code: 0 nothing differs in the results, 1 something does or cannot be decided, 2 wrong use.\n"
      "Examples:\n"
      "  tilefly compare out/before out/after\n"
      "  tilefly compare out/min out/valiant --output compare.html");
  command.Callback([given, status, command] {
    CheckOptions("compare", command);
    *status = RunCompare(*given);
  });
}

}  // namespace tilefly::apps
