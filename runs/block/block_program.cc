// SPDX-License-Identifier: Apache-2.0
#include "runs/block/block_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cosim/errors.h"
#include "runs/common/child_process.h"
#include "support/text.h"

namespace tilefly::runs {
namespace {

namespace fs = std::filesystem;

/// Blocks that are compared inside a whole switch, by the suite lockstep.
const std::vector<std::string> kInSwitch = {"routing", "switch", "tile"};
constexpr const char* kSwitchSuite = "lockstep";
constexpr const char* kSwitchFilter = "FuzzLockstep.*8Ports";
constexpr const char* kSourceOfComparisons = "_rtl_test.cc";

bool EndsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

std::vector<std::string> KnownBlocks() {
  std::vector<std::string> blocks = Split(TILEFLY_BLOCKS, ',');
  blocks.insert(blocks.end(), kInSwitch.begin(), kInSwitch.end());
  std::sort(blocks.begin(), blocks.end());
  return blocks;
}

BlockProgram FindBlockProgram(const std::string& block) {
  const std::vector<std::string> known = KnownBlocks();
  if (block.empty()) throw UsageError(fmt::format("--level block: name one by --block: {}", fmt::join(known, ", ")));
  if (std::find(known.begin(), known.end(), block) == known.end()) ThrowUnknown("--block", block, known);
  const bool in_switch = std::find(kInSwitch.begin(), kInSwitch.end(), block) != kInSwitch.end();
  const std::string suite = in_switch ? kSwitchSuite : block;
  const std::string name = "test_" + suite;
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& file : {here / "../testbenches" / suite / name, here / TILEFLY_LIBEXEC / name}) {
    if (fs::exists(file)) return {block, file.lexically_normal(), in_switch ? kSwitchFilter : "*", in_switch};
  }
  throw UsageError(
      fmt::format("--block {}: its program {} is neither in the build tree nor installed; build it: scripts/build "
                  "release --target {}",
                  block, name, name));
}

std::vector<std::string> ComparisonTests(const BlockProgram& program, const fs::path& scratch) {
  ChildOptions options;
  options.command = {program.file.string(), "--gtest_list_tests", "--gtest_filter=" + program.filter,
                     "--gtest_output=json:" + scratch.string()};
  const ChildEnd end = RunChild(options);
  std::ifstream in(scratch);
  const auto listing = nlohmann::json::parse(in, nullptr, false);
  in.close();
  fs::remove(scratch);
  if (end.kind != ChildEnd::Kind::kExited || end.code != 0 || listing.is_discarded()) {
    throw std::runtime_error(fmt::format("{}: does not list its tests; build it again", program.file.string()));
  }
  std::vector<std::string> tests;
  for (const auto& suite : listing.at("testsuites")) {
    for (const auto& test : suite.at("testsuite")) {
      if (!EndsWith(test.at("file").get<std::string>(), kSourceOfComparisons)) continue;
      tests.push_back(suite.at("name").get<std::string>() + "." + test.at("name").get<std::string>());
    }
  }
  return tests;
}

}  // namespace tilefly::runs
