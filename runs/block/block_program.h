// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tilefly::runs {

/// The GoogleTest program that compares a block's RTL with golden.
struct BlockProgram {
  std::string block;
  std::filesystem::path file;
  std::string filter;         ///< of its tests
  bool whole_switch = false;  ///< compared inside a whole switch, without waves of its own
};

/// Names that `--block` takes.
std::vector<std::string> KnownBlocks();

/// Finds the program: in the build tree that this program is of, or where it was installed. Throws UsageError for an
/// unknown block, and for a program that is not there.
BlockProgram FindBlockProgram(const std::string& block);

/// The comparisons of RTL and golden among the program's tests: those of the files *_rtl_test.cc. `scratch` is a file
/// that may be written. Throws std::runtime_error when the program does not list its tests.
std::vector<std::string> ComparisonTests(const BlockProgram& program, const std::filesystem::path& scratch);

}  // namespace tilefly::runs
