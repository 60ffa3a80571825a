// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace tilefly::runs {

/// The folder of one run. Files are written under a temporary name and renamed when whole.
class RunDirectory {
 public:
  /// Creates the folder. Throws UsageError when it cannot be written or is not empty; the one of an earlier command, by
  /// its manifest, may hold something. While this lives no other process has the folder of a command.
  explicit RunDirectory(std::filesystem::path path, const std::string& command = "");
  /// A folder that was made and has nothing in it goes: the run was refused.
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;
  /// A new folder below out/, named after the run and the time.
  static std::filesystem::path NewName(const std::string& run);

  const std::filesystem::path& path() const { return path_; }
  /// Throws std::runtime_error with the file and the reason.
  void Write(const std::string& name, const std::string& text) const;
  /// A folder in it, created on demand.
  std::filesystem::path Folder(const std::string& name) const;

 private:
  void Lock();

  std::filesystem::path path_;
  bool made_ = false;
  int lock_ = -1;  ///< the file `lock`, open; -1: none
};

/// A file of the folder that is written piece by piece. It has its name when it is whole.
class RunFile {
 public:
  /// Throws std::runtime_error with the file and the reason, as Write and Close do.
  RunFile(const RunDirectory& directory, const std::string& name);
  void Write(std::string_view text);
  void Close();

 private:
  void RequireWritten() const;

  const std::filesystem::path path_;
  const std::filesystem::path part_;
  std::ofstream out_;
};

/// A case of `junit.xml`.
struct JunitCase {
  std::string name;
  double seconds;
  std::string failure;  ///< empty: passed
};
std::string JunitXml(const std::string& suite, const std::vector<JunitCase>& cases);

}  // namespace tilefly::runs
