// SPDX-License-Identifier: Apache-2.0
// Folders for files that are needed for a while.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace tilefly {

/// A new, empty folder in the system's folder of temporary files. No other process has the folder's name, not even one
/// that ended without removing its own. The folder goes with the object; a forked child leaves it to its parent.
class TemporaryFolder {
 public:
  /// `purpose` begins the folder's name. Throws std::filesystem::filesystem_error where a folder cannot be made.
  explicit TemporaryFolder(const std::string& purpose);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  const std::filesystem::path path_;
  const pid_t owner_;
};

}  // namespace tilefly
