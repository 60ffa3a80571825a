// SPDX-License-Identifier: Apache-2.0
#include "runs/repro/csv_table.h"

#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

namespace tilefly::runs {

CsvTable::CsvTable(const std::filesystem::path& file) : name_(file.string()), in_(file) {
  if (!in_ || !ReadFields()) throw std::runtime_error(fmt::format("{}: is missing or empty", name_));
  for (std::size_t i = 0; i < fields_.size(); ++i) columns_[std::string(fields_[i])] = i;
}

bool CsvTable::ReadFields() {
  if (!std::getline(in_, line_)) return false;
  fields_.clear();
  const std::string_view all = line_;
  for (std::size_t begin = 0; begin <= all.size();) {
    const std::size_t end = std::min(all.find(',', begin), all.size());
    fields_.push_back(all.substr(begin, end - begin));
    begin = end + 1;
  }
  return true;
}

bool CsvTable::Next() {
  if (!ReadFields()) return false;
  if (fields_.size() != columns_.size())
    throw std::runtime_error(
        fmt::format("{}: a line of {} fields for {} columns", name_, fields_.size(), columns_.size()));
  return true;
}

std::string_view CsvTable::Text(const std::string& column) const {
  const auto found = columns_.find(column);
  if (found == columns_.end()) throw std::runtime_error(fmt::format("{}: has no column {}", name_, column));
  return fields_[found->second];
}

double CsvTable::Number(const std::string& column) const {
  return std::strtod(std::string(Text(column)).c_str(), nullptr);
}

}  // namespace tilefly::runs
