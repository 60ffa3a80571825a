// SPDX-License-Identifier: Apache-2.0
#include "conform/run/child_test.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string.h>

#include <chrono>
#include <cstring>

#include "conform/run/library_room.h"
#include "runs/common/child_process.h"
#include "support/errors.h"
#include "support/exit_code.h"

namespace tilefly::conform {
namespace {

runs::ChildOptions ChildOf(const std::vector<std::string>& command, const ConformOptions& options,
                           const std::atomic<bool>* stop) {
  runs::ChildOptions child;
  child.command = command;
  child.environment = {LibraryRoom()};
  child.stop = stop;
  child.with_its_own = true;
  child.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(options.limit_s);
  return child;
}

}  // namespace

void RequireLoads(const ConformOptions& options, const Capability& capability, const std::atomic<bool>* stop) {
  if (capability.library.empty()) return;  // its ports were compared when it was built
  runs::ChildOptions child =
      ChildOf({options.program, "conform", "test", options.file, "--library", capability.library}, options, stop);
  const std::string prefix = "tilefly: ";  // of what the program complains about
  std::string said;
  child.on_line = [&](const std::string& line) {
    if (line.rfind(prefix, 0) == 0) said = line.substr(prefix.size());
  };
  const runs::ChildEnd end = runs::RunChild(child);
  if (end.kind == runs::ChildEnd::Kind::kExited && end.code == kUsage && !said.empty()) throw UsageError(said);
}

std::vector<std::string> CommandOf(const ConformOptions& options, const OneTest& one) {
  std::vector<std::string> command = {options.program, "conform", "test", options.file, "--library",
                                      one.library,     "--test",  one.id, "--seed",     std::to_string(one.seed)};
  const auto add = [&](std::initializer_list<std::string> words) { command.insert(command.end(), words); };
  if (!one.senders.empty()) add({"--senders", fmt::format("{}", fmt::join(one.senders, ","))});
  if (one.frames > 0) add({"--frames", std::to_string(one.frames)});
  if (!one.waves.file.empty())
    add({"--waves", one.waves.file, "--from", std::to_string(one.waves.from), "--to", std::to_string(one.waves.to)});
  return command;
}

nlohmann::ordered_json RunInChild(const ConformOptions& options, const OneTest& one, const std::atomic<bool>* stop) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  runs::ChildOptions child = ChildOf(CommandOf(options, one), options, stop);
  nlohmann::ordered_json result;
  std::string said;  // the last line beside the result
  child.on_line = [&](const std::string& line) {
    if (line.rfind(kResultMark, 0) == 0) {
      result = nlohmann::ordered_json::parse(line.substr(std::strlen(kResultMark)), nullptr, false);
    } else if (!line.empty()) {
      said = line;
    }
  };
  const runs::ChildEnd end = runs::RunChild(child);
  const auto set = [&](const char* verdict, const char* rule, const std::string& reason) {
    result = nlohmann::ordered_json{
        {"test", one.id}, {"seed", one.seed}, {"verdict", verdict}, {"rule", rule}, {"reason", reason}};
  };
  switch (end.kind) {
    case runs::ChildEnd::Kind::kExited:
      if (end.code != 0 || !result.is_object())
        set("fail", "device",
            said.empty() ? fmt::format("the device ended the process with exit code {}, without a message", end.code)
                         : said);
      break;
    case runs::ChildEnd::Kind::kSignalled:
      set("fail", "device",
          fmt::format("the device ended the process: {} ({})", strsignal(end.code),
                      said.empty() ? "no message" : said));
      break;
    case runs::ChildEnd::Kind::kTimedOut:
      set("undecided", "time", fmt::format("not over after {} s; give more by --limit", options.limit_s));
      break;
    case runs::ChildEnd::Kind::kStopped:
      set("undecided", "time", "interrupted");
  }
  result["seconds"] = std::chrono::duration<double>(Clock::now() - begin).count();
  return result;
}

}  // namespace tilefly::conform
