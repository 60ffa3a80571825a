// SPDX-License-Identifier: Apache-2.0
#include "runs/block/block_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "runs/common/command.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;

/// GoogleTest puts file and line before the message.
std::string WithoutPlace(const std::string& failure) {
  const std::size_t end = failure.find('\n');
  return end == std::string::npos ? failure : failure.substr(end + 1);
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

/// A test of GoogleTest's report: its case, and its first failure into the outcome.
void ReadTest(const Json& test, BlockOutcome* outcome) {
  if (test.value("result", "") != "COMPLETED") return;  // left out after a failure
  JunitCase one{test.value("classname", "") + "." + test.value("name", ""), std::stod(test.value("time", "0s")), ""};
  for (const Json& failure : test.value("failures", Json::array())) {
    one.failure += (one.failure.empty() ? "" : "\n") + WithoutPlace(failure.value("failure", ""));
  }
  if (!one.failure.empty() && outcome->kind == BlockOutcome::Kind::kPass) {
    outcome->kind = BlockOutcome::Kind::kFail;
    outcome->test = one.name;
    outcome->message = fmt::format("first failure: {}: {}", one.name, FirstLine(one.failure));
  }
  outcome->cases.push_back(std::move(one));
}

void ReadRecords(const std::filesystem::path& records, BlockOutcome* outcome) {
  std::ifstream in(records);
  for (std::string line; std::getline(in, line);) {
    Json record = Json::parse(line, nullptr, false);
    if (record.is_discarded()) continue;  // the program was ended while it wrote
    const Cycle failed_at = record.value("failed_at", Cycle{-1});
    const std::string test = record.value("test", "");
    // Tests that provoke a difference to see it refused pass all the same.
    if (failed_at >= 0 && outcome->failed_at < 0 && outcome->kind == BlockOutcome::Kind::kFail &&
        test == outcome->test) {
      const int power_up = record.value("power_up", 0);
      const std::string start = power_up == 0 ? "" : fmt::format(" (random registers {})", power_up);
      outcome->failed_at = failed_at;
      outcome->events = record.value("events", std::vector<std::string>());
      outcome->message =
          fmt::format("first divergence: cycle {}, {}{}: {}", failed_at, test, start, record.value("failure", ""));
    }
    outcome->comparisons.push_back(std::move(record));
  }
  if (!outcome->test.empty() || outcome->comparisons.empty()) return;
  const auto shown = std::find_if(outcome->comparisons.begin(), outcome->comparisons.end(),
                                  [](const Json& record) { return record.value("shown", false); });
  const Json& traced = shown == outcome->comparisons.end() ? outcome->comparisons.front() : *shown;
  outcome->test = traced.value("test", "");
}

/// What the end of the process says beyond the report.
void ReadEnd(const ChildEnd& end, bool reported, BlockOutcome* outcome) {
  using Kind = BlockOutcome::Kind;
  const auto ended = [&](Kind kind, std::string message) {
    outcome->kind = kind;
    outcome->message = std::move(message);
  };
  if (end.kind == ChildEnd::Kind::kStopped) {
    ended(Kind::kInterrupted, "interrupted");
  } else if (end.kind == ChildEnd::Kind::kTimedOut) {
    ended(Kind::kTimeout, kTimeIsUp);
  } else if (end.kind == ChildEnd::Kind::kSignalled) {
    ended(Kind::kCrash, fmt::format("the block's program ended by signal {} ({}); log.txt has what it printed",
                                    end.code, strsignal(end.code)));
  } else if (!reported || end.code > 1 || (end.code == 1 && outcome->kind == Kind::kPass)) {
    ended(Kind::kCrash,
          fmt::format("the block's program ended with exit code {}; log.txt has what it printed", end.code));
  } else if (outcome->kind == Kind::kPass && outcome->comparisons.empty()) {
    ended(Kind::kFail, "nothing was compared: the block's program ran no comparison");
  }
}

}  // namespace

const char* ToString(BlockOutcome::Kind kind) {
  switch (kind) {
    case BlockOutcome::Kind::kPass:
      return "pass";
    case BlockOutcome::Kind::kFail:
      return "fail";
    case BlockOutcome::Kind::kCrash:
      return "crash";
    case BlockOutcome::Kind::kTimeout:
      return "timeout";
    case BlockOutcome::Kind::kInterrupted:
      return "interrupted";
  }
  return "";
}

int ExitCodeOf(BlockOutcome::Kind kind) {
  switch (kind) {
    case BlockOutcome::Kind::kPass:
      return kPassed;
    case BlockOutcome::Kind::kFail:
      return kCheckFailed;
    case BlockOutcome::Kind::kCrash:
      return kInternal;
    case BlockOutcome::Kind::kTimeout:
      return kTimedOut;
    case BlockOutcome::Kind::kInterrupted:
      return kInterruptedByUser;
  }
  return kInternal;
}

BlockOutcome ReadBlockOutcome(const ChildEnd& end, const std::filesystem::path& report,
                              const std::filesystem::path& records) {
  BlockOutcome outcome;
  std::ifstream in(report);
  const Json tests = Json::parse(in, nullptr, false);
  const bool reported = !tests.is_discarded();
  if (reported) {
    for (const Json& suite : tests.value("testsuites", Json::array())) {
      for (const Json& test : suite.value("testsuite", Json::array())) ReadTest(test, &outcome);
    }
  }
  ReadRecords(records, &outcome);
  ReadEnd(end, reported, &outcome);
  if (outcome.cases.empty()) {
    outcome.cases.push_back({"whole", 0, outcome.kind == BlockOutcome::Kind::kPass ? "no test ran" : outcome.message});
  }
  return outcome;
}

void AddComparisons(const BlockOutcome& outcome, Json* results) {
  std::int64_t cycles = 0, compared = 0, busy = 0;
  Json bins = Json::object(), list = Json::array();
  for (const Json& record : outcome.comparisons) {
    cycles += record.value("cycles", std::int64_t{0});
    compared += record.value("compared", std::int64_t{0});
    busy += record.value("compared_busy", std::int64_t{0});
    const Json recorded = record.value("bins", Json::object());
    for (const auto& [name, bin] : recorded.items()) {
      bins[name] = bins.value(name, std::int64_t{0}) + bin.value("hits", std::int64_t{0});
    }
    Json shown = record;
    shown.erase("events");
    shown.erase("shown");
    list.push_back(std::move(shown));
  }
  const bool measured = !outcome.comparisons.empty();
  (*results)["cycles"] = measured ? Json(cycles) : Json(nullptr);
  (*results)["compared"] = measured ? Json(compared) : Json(nullptr);
  (*results)["compared_busy"] = measured ? Json(busy) : Json(nullptr);
  (*results)["bins"] = std::move(bins);
  (*results)["comparisons"] = std::move(list);
}

}  // namespace tilefly::runs
