// SPDX-License-Identifier: Apache-2.0
// What the command says of extensions, and its exit codes (docs/extending.md).
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/program.h"
#include "support/exit_code.h"
#include "testbenches/bench/process_folder.h"
#include "testbenches/extensions/examples.h"

namespace tilefly {
namespace {

using testing::ExitedWithCode;

class ExtensionsInCommands : public WithExamples {};

/// Ends the process as the program would.
[[noreturn]] void Command(std::vector<std::string> arguments, const std::function<void()>& extend = {}) {
  arguments.insert(arguments.begin(), "my_tilefly");
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  std::exit(RunCommand(static_cast<int>(words.size()), words.data(), extend));
}

/// The same, with what it prints where messages are.
[[noreturn]] void Printed(const std::vector<std::string>& arguments) {
  dup2(STDERR_FILENO, STDOUT_FILENO);
  Command(arguments);
}

TEST_F(ExtensionsInCommands, TopoProvesARuleFreeOfDeadlockOrShowsItsCycle) {
  const auto topo = [](const std::string& rule) { Printed({"topo", "--topology", "ring:n=5", "--deadlock", rule}); };
  EXPECT_EXIT(topo("clockwise"), ExitedWithCode(kPassed), "routing clockwise, 2 lanes: deadlock-free");
  EXPECT_EXIT(topo("clockwise:lanes=1"), ExitedWithCode(kCheckFailed),
              "routing clockwise:lanes=1, 1 lane: DEADLOCK possible");
  EXPECT_EXIT(topo("clockwize"), ExitedWithCode(kUsage), "did you mean 'clockwise'");
}

TEST_F(ExtensionsInCommands, AnErrorOfAnExtensionHasItsKindAndNameAndExitCode3) {
  const auto throws = [] {
    Patterns().Add("gives-up", "",
                   [](const PatternRequest&) -> DestinationFunction { throw std::runtime_error("no more"); });
  };
  const std::string folder = (bench::ProcessFolder() / "extension_error").string();
  EXPECT_EXIT(
      Command({"net", "--topology", "ring:n=5,p=2", "--traffic", "gives-up", "--max-cycles", "100", "-o", folder},
              throws),
      ExitedWithCode(kInternal), "tilefly: traffic pattern gives-up: no more");
}

TEST_F(ExtensionsInCommands, AnEmptyFunctionIsRefusedWhenTheProgramStarts) {
  const auto extend = [] { network::RoutingRules().Add("empty", "", {}); };
  EXPECT_EXIT(Command({"net", "--help"}, extend), ExitedWithCode(kUsage),
              "routing rule 'empty': it was added with an empty function");
}

}  // namespace
}  // namespace tilefly
