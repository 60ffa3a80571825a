// SPDX-License-Identifier: Apache-2.0
// Reads the CSV files that a run has left, line by line.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilefly::runs {

/// A CSV file whose fields have no quotes.
class CsvTable {
 public:
  /// Throws std::runtime_error when the file is missing or empty.
  explicit CsvTable(const std::filesystem::path& file);

  /// Goes to the next line; false: there is none. Throws std::runtime_error for a line of another length.
  bool Next();
  /// A field of the line. Throws std::runtime_error for a column that there is not.
  std::string_view Text(const std::string& column) const;
  /// The same as a number; an empty field is 0.
  double Number(const std::string& column) const;

 private:
  bool ReadFields();

  std::string name_;
  std::ifstream in_;
  std::string line_;
  std::vector<std::string_view> fields_;
  std::map<std::string, std::size_t> columns_;
};

}  // namespace tilefly::runs
