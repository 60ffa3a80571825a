// SPDX-License-Identifier: Apache-2.0
// An FST file while it is written: variables first, then their changes in order of time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tilefly::systemc {

class FstFile {
 public:
  /// Number of a variable in the file.
  using Variable = std::uint32_t;

  /// Throws std::runtime_error when `file` cannot be written. The file has a temporary name until Close.
  explicit FstFile(std::filesystem::path file);
  FstFile(const FstFile&) = delete;
  FstFile& operator=(const FstFile&) = delete;
  ~FstFile();

  void OpenScope(const std::string& name);
  void CloseScope();
  /// Adds a variable to the open scope: `bits` bits, unknown until they change, or a text, empty until then.
  Variable AddBits(const std::string& name, int bits);
  Variable AddText(const std::string& name);

  /// The changes that follow are at time `ps`, which must not decrease.
  void Time(std::uint64_t ps);
  /// Changes a variable to the digits 0, 1, x, the highest first.
  void ChangeBits(Variable variable, const std::string& digits);
  void ChangeText(Variable variable, const std::string& text);
  /// Throws std::runtime_error when the disk is full.
  void Close();

 private:
  std::string Unfinished() const { return file_.string() + ".part"; }

  const std::filesystem::path file_;
  void* writer_;
};

}  // namespace tilefly::systemc
