// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/command.h"
#include "apps/given_settings.h"
#include "qos/check.h"
#include "qos/picture.h"
#include "qos/planner.h"
#include "qos/report.h"
#include "runs/common/command.h"
#include "support/errors.h"
#include "support/text.h"

namespace tilefly::apps {
namespace {

/// What was given on the command line; each subcommand has its part of it.
struct GivenQos {
  std::string file;
  std::string output;
  std::string svg;
  std::string k, w, pool;
  std::string color = "auto";
  bool json = false;
};

std::optional<int> Tenths(const std::string& text, const std::string& option) {
  if (text.empty()) return std::nullopt;
  const double tenths = ParseReal(text, option) * 10;
  if (!(tenths >= 1 && tenths <= 10.0 * qos::kMaxWeight) || std::abs(tenths - std::round(tenths)) > 1e-6)
    throw UsageError(
        fmt::format("{}: '{}' is not a multiple of 0.1 between 0.1 and {}", option, text, qos::kMaxWeight));
  return static_cast<int>(std::lround(tenths));
}

std::optional<int> Pool(const std::string& text) {
  if (text.empty()) return std::nullopt;
  constexpr int kMost = qos::kMaxEntries * qos::kMaxWeight;
  const std::int64_t pool = ParseInteger(text, "--pool");
  if (pool < 1 || pool > kMost) throw UsageError(fmt::format("--pool: {} is not between 1 and {}", pool, kMost));
  return static_cast<int>(pool);
}

/// The table goes to the file of --output; without one to standard output, and what was decided to standard error.
int RunPlan(const GivenQos& given) {
  const qos::Overrides overrides = {Tenths(given.k, "--k"), Tenths(given.w, "--w"), Pool(given.pool)};
  const qos::Plan plan = qos::MakePlan(qos::LoadWishes(given.file), overrides);
  const std::string yaml = qos::ToYaml(plan.table);
  if (!given.output.empty()) WriteFile(given.output, yaml);
  if (given.json) {
    fmt::print("{}\n", qos::PlanJson(plan).dump(2));
  } else if (given.output.empty()) {
    fmt::print(stderr, "{}", qos::PlanText(plan));
    fmt::print("{}", yaml);
  } else {
    fmt::print("{}", qos::PlanText(plan));
  }
  return kPassed;
}

int RunCheck(const GivenQos& given) {
  const qos::Table table = qos::ReadTable(given.file);
  const qos::CheckResult result = qos::CheckTable(table);
  if (given.json) {
    fmt::print("{}\n", qos::CheckJson(table, result).dump(2));
  } else {
    fmt::print("{}", qos::CheckText(table, result));
  }
  return result.errors() == 0 ? kPassed : kCheckFailed;
}

int RunShow(const GivenQos& given) {
  const qos::Table table = qos::ReadTable(given.file);
  if (!given.svg.empty()) WriteFile(given.svg, qos::SvgPicture(table));
  if (given.json) {
    fmt::print("{}\n", qos::TableJson(table).dump(2));
    return kPassed;
  }
  const bool color = given.color == "always" || (given.color == "auto" && isatty(STDOUT_FILENO) == 1);
  fmt::print("{}", qos::TextPicture(table, color));
  return kPassed;
}

Command AddPart(const Command& qos, const char* name, const char* help, const char* file, GivenQos* given,
                std::function<void()> run) {
  const Command part = qos.AddCommand(name, help);
  part.Add("file", &given->file, file).Required();
  part.AddFlag("--json", &given->json, "print JSON on standard output");
  part.Callback([part, name = std::string("qos ") + name, run = std::move(run)] {
    CheckOptions(name, part);
    run();
  });
  return part;
}

}  // namespace

void AddQos(const Command& program, int* status) {
  const Command qos = program.AddCommand("qos", "plan, check and show Deficit Tables");
  qos.Footer(
      "Examples:\n  tilefly qos plan plans/study7.yaml --output table.yaml\n  tilefly qos check table.yaml\n  tilefly "
      "qos show table.yaml --svg table.svg");
  qos.RequireCommand();
  auto given = std::make_shared<GivenQos>();
  const Command plan = AddPart(qos, "plan", "makes a table from wishes of classes", "YAML file of wishes", given.get(),
                               [given, status] { *status = RunPlan(*given); });
  RefuseFolder(plan);
  plan.Add("--output", &given->output, "YAML file for the table [standard output]");
  plan.Add("--k", &given->k, "pool decoupling parameter [the smallest that fits]");
  plan.Add("--w", &given->w, "weight decoupling parameter [the smallest that fits]");
  plan.Add("--pool", &given->pool, "credits that the table divides [entries x gmtu x k]");
  AddPart(qos, "check", "shows shares, waits and errors of a table", "YAML file of the table", given.get(),
          [given, status] { *status = RunCheck(*given); });
  const Command show = AddPart(qos, "show", "a picture of the slots by class", "YAML file of the table", given.get(),
                               [given, status] { *status = RunShow(*given); });
  show.Add("--svg", &given->svg, "SVG file for a drawing of the table");
  show.Add("--color", &given->color, "auto, always or never").OneOf({"auto", "always", "never"});
}

}  // namespace tilefly::apps
