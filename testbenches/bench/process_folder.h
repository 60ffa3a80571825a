// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace tilefly::bench {

/// A folder of this process alone, since several tests run at a time; it goes when the process ends.
inline const std::filesystem::path& ProcessFolder() {
  struct Folder {
    Folder() : path(std::filesystem::path(::testing::TempDir()) / ("tilefly_test_" + std::to_string(getpid()))) {
      std::filesystem::create_directories(path);
    }
    ~Folder() {
      if (owner == getpid()) std::filesystem::remove_all(path);  // not a child
    }
    const pid_t owner = getpid();
    const std::filesystem::path path;
  };
  static const Folder folder;
  return folder.path;
}

}  // namespace tilefly::bench
