// SPDX-License-Identifier: Apache-2.0
// Files of a test and what a refusal says.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/errors.h"
#include "testbenches/bench/process_folder.h"

namespace tilefly::qos::testing {

/// A file in the folder of temporary files; removed at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    static int count = 0;
    path_ = bench::ProcessFolder() / (std::string("qos-") + info->name() + "-" + std::to_string(count++) + ".yaml");
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The message of the UsageError that `action` throws; empty when it throws none.
template <typename Action>
std::string Refusal(Action action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace tilefly::qos::testing
