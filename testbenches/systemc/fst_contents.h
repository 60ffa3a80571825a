// SPDX-License-Identifier: Apache-2.0
// What an FST file holds, read back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tilefly::systemc {

struct FstContents {
  /// Throws std::runtime_error when it is none.
  explicit FstContents(const std::filesystem::path& file);

  /// Value of a variable of bits at `time`, as a number; throws std::runtime_error when it is unknown then.
  std::uint64_t At(const std::string& variable, std::uint64_t time) const;

  using Changes = std::vector<std::pair<std::uint64_t, std::string>>;  ///< time, value
  std::map<std::string, Changes> variables;  ///< by scopes and name, "switch.tile_0.input_1.in_0.stage", without [..]
  int time_exponent;                         ///< of a unit of time in seconds: -12
};

}  // namespace tilefly::systemc
