// SPDX-License-Identifier: Apache-2.0
#include "runs/block/block_session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "cosim/errors.h"
#include "runs/common/common_settings.h"
#include "runs/common/manifest.h"
#include "support/text.h"

namespace tilefly::runs {
namespace {

namespace fs = std::filesystem;

constexpr Cycle kBeforeFailure = 400;
constexpr Cycle kWholeWindow = 20'000;  ///< cycles of `--waves full` without --trace-end

Settings Resolved(Settings settings) {
  settings.Resolve();
  return settings;
}

/// A bound of the waves' window; `automatic` unless it is given.
Cycle Bound(const Settings& settings, const char* path, Cycle automatic) {
  return settings.Get(path) == "auto" ? automatic : settings.Integer(path, 0, kMostCycles);
}

}  // namespace

BlockSession::BlockSession(Settings settings, SessionOptions options)
    : settings_(Resolved(std::move(settings))),
      options_(std::move(options)),
      seed_(static_cast<std::uint32_t>(settings_.Integer("seed", 0, 0xffffffff))),
      cycles_(settings_.Integer("max_cycles", 1, kMostCycles)),
      program_(FindBlockProgram(settings_.Get("block"))),
      deadline_(DeadlineOf(settings_)),
      log_((TraceWindow({}), options_), RunName()) {}

/// GoogleTest announces each test.
void BlockSession::ShowProgress(const std::string& line) {
  constexpr const char* kStart = "[ RUN      ] ";
  if (!options_.show_progress || line.rfind(kStart, 0) != 0) return;
  Tell(fmt::format("\r{}: test {} of {}, {}\033[K", program_.block, ++started_, tests_,
                   line.substr(std::string(kStart).size())));
}

ChildEnd BlockSession::RunProgram(const std::string& filter, const std::vector<std::string>& arguments,
                                  std::vector<std::pair<std::string, std::string>> environment, bool logged) {
  ChildOptions child;
  child.command = {program_.file.string(), "--gtest_color=no", "--gtest_filter=" + filter};
  child.command.insert(child.command.end(), arguments.begin(), arguments.end());
  child.environment = std::move(environment);
  child.environment.emplace_back("TILEFLY_CYCLES", fmt::format("{}", cycles_));
  child.environment.emplace_back("TILEFLY_SEED", fmt::format("{}", seed_));
  child.stop = options_.stop;
  child.deadline = deadline_;
  child.on_line = [&](const std::string& line) {
    if (logged) log_.Note(line);
    ShowProgress(line);
  };
  ChildEnd end = RunChild(child);
  if (options_.show_progress) Tell("\r\033[K");
  // Ctrl-C reaches the child from the terminal too, perhaps first.
  if (end.kind == ChildEnd::Kind::kSignalled && end.code == SIGINT) end.kind = ChildEnd::Kind::kStopped;
  return end;
}

int BlockSession::Run() {
  const auto start = std::chrono::steady_clock::now();
  const std::string config = settings_.ToYaml();
  log_.directory().Write("config.resolved.yaml", config);
  log_.directory().Write("manifest.json", ManifestJson(options_.version, options_.arguments, seed_, config, {}));
  for (const std::string& warning : options_.warnings) log_.Say(warning);
  const fs::path report = log_.directory().path() / "tests.json.part",
                 records = log_.directory().path() / "records.json.part";
  const std::vector<std::string> tests = ComparisonTests(program_, report);
  tests_ = tests.size();
  const std::string filter = fmt::format("{}", fmt::join(tests, ":"));
  const ChildEnd end = RunProgram(filter, {"--gtest_fail_fast", "--gtest_output=json:" + report.string()},
                                  {{"TILEFLY_RECORD", records.string()}}, true);
  const BlockOutcome outcome = ReadBlockOutcome(end, report, records);
  fs::remove(report);
  fs::remove(records);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  results_["verdict"] = ToString(outcome.kind);
  if (!outcome.message.empty()) results_["message"] = outcome.message;
  results_["level"] = "block";
  results_["block"] = program_.block;
  results_["seed"] = seed_;
  AddComparisons(outcome, &results_);
  results_["machine"] = {
      {"cpu_s", end.cpu_s},
      {"wall_s", wall.count()},
      {"cycles_per_s", results_["cycles"].is_null()
                           ? nlohmann::ordered_json(nullptr)
                           : nlohmann::ordered_json(results_["cycles"].get<double>() / std::max(wall.count(), 1e-9))}};
  Trace(outcome);
  Conclude(outcome);
  return ExitCodeOf(outcome.kind);
}

/// "FROM:TO" of the waves. Throws UsageError.
std::string BlockSession::TraceWindow(const BlockOutcome& outcome) const {
  const std::string mode = settings_.Get("waves.mode");
  if (mode != "off" && mode != "full" && mode != "on-fail")
    ThrowUnknown(settings_.NameOf("waves.mode"), mode, {"off", "full", "on-fail"});
  if (mode == "full" && program_.whole_switch) {
    throw UsageError(
        fmt::format("--waves full: --block {} is compared inside a whole switch; waves of one: tilefly cosim --level "
                    "switch --waves full",
                    program_.block));
  }
  const Cycle before = mode == "full" ? kWholeWindow : kBeforeFailure;
  const Cycle to =
      Bound(settings_, "waves.end", outcome.failed_at >= 0 ? outcome.failed_at + cosim::kAfterFailure : kMostCycles);
  const Cycle from =
      Bound(settings_, "waves.start", outcome.failed_at >= 0 ? std::max<Cycle>(0, outcome.failed_at - before) : 0);
  if (to < from) throw UsageError(fmt::format("--trace-end: cycle {} is before --trace-start {}", to, from));
  const bool open = outcome.failed_at < 0 && settings_.Get("waves.end") == "auto";
  return fmt::format("{}:{}", from, open ? from + kWholeWindow : to);
}

/// Runs one test again, twice: the first time tells what is compared, the second time is traced.
void BlockSession::Trace(const BlockOutcome& outcome) {
  const std::string mode = settings_.Get("waves.mode");
  const bool failed = outcome.kind == BlockOutcome::Kind::kFail;
  const bool passed = outcome.kind == BlockOutcome::Kind::kPass;
  if (program_.whole_switch || outcome.test.empty()) return;
  if (!(mode == "full" && (passed || failed)) && !(mode == "on-fail" && failed)) return;
  std::string window;
  try {
    window = TraceWindow(outcome);
  } catch (const UsageError&) {
    no_wave_ = "the failure is outside of the window";
    return;
  }
  const fs::path file = log_.directory().Folder("waves") / (failed ? "fail.fst" : "run.fst");
  RunProgram(outcome.test, {"--gtest_repeat=2"}, {{"TILEFLY_WAVES", file.string()}, {"TILEFLY_WAVES_WINDOW", window}},
             false);
  fs::remove(file.string() + ".part");
  fs::remove(file.string() + ".part.hier");
  if (fs::exists(file)) {
    wave_ = file.string();
  } else {
    no_wave_ = fmt::format("{} compared nothing in the cycles {}", outcome.test, window);
  }
}

void BlockSession::Conclude(const BlockOutcome& outcome) {
  if (outcome.kind == BlockOutcome::Kind::kPass) {
    log_.Hold();
    log_.Say(fmt::format("PASS {} seed={}: {} tests, {} comparisons, {} cycles, {} values compared ({} busy)",
                         RunName(), seed_, outcome.cases.size(), outcome.comparisons.size(), results_["cycles"].dump(),
                         results_["compared"].dump(), results_["compared_busy"].dump()));
  } else {
    for (const std::string& event : outcome.events) log_.Say("  " + event);
    log_.Say(fmt::format("{} {} [reseed 0] seed={}", Headline(ToString(outcome.kind)), RunName(), seed_));
    log_.Say("  " + outcome.message);
  }
  if (!wave_.empty()) {
    log_.Say(
        fmt::format("  waves:  {}   (view: gtkwave {})", wave_, fs::path(wave_).replace_extension(".gtkw").string()));
  } else if (!no_wave_.empty()) {
    log_.Say("  waves:  none: " + no_wave_);
  }
  if (outcome.kind != BlockOutcome::Kind::kPass) {
    log_.Say(fmt::format("  repro:  tilefly cosim --config {} --seed {}{}",
                         (log_.directory().path() / "config.resolved.yaml").string(), seed_,
                         program_.whole_switch ? "" : " --waves full"));
  }
  log_.Hold();
  log_.Say(fmt::format("  results: {}", (log_.directory().path() / "results.json").string()));
  log_.directory().Write("junit.xml", JunitXml(RunName(), outcome.cases));
  log_.directory().Write("results.json", results_.dump(2) + "\n");
  log_.Close();
}

}  // namespace tilefly::runs
