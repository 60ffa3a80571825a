// SPDX-License-Identifier: Apache-2.0
// What a command has left in its folder, read back: who ran what with which settings, and what came out.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tilefly::runs {

/// A run directory, or the folder of a sweep, a search or a study.
struct RunFolder {
  std::filesystem::path path;
  std::string command;  ///< "cosim", "cosim block", "net", "net sweep", "net saturation", "repro sharp-latency"
  nlohmann::ordered_json manifest;
  std::vector<std::pair<std::string, std::string>> settings;  ///< values by path, in the order of the file
  nlohmann::ordered_json results;  ///< results.json, sweep.json or saturation.json, less `machine`
  nlohmann::ordered_json machine;  ///< what depends on the machine

  /// The results of a point of a sweep or search, by its folder in this one; null where they are not to be had.
  nlohmann::ordered_json ResultsOfPoint(const std::string& directory) const;
};

/// Throws UsageError when the folder is none of a command: names the file that is missing or broken, and the remedy.
RunFolder ReadRunFolder(const std::filesystem::path& folder);

/// "FOLDER/results.json": the file of the results of a folder with this manifest.
std::filesystem::path ResultsFileOf(const std::filesystem::path& folder, const nlohmann::ordered_json& manifest);

}  // namespace tilefly::runs
