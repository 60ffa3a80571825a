// SPDX-License-Identifier: Apache-2.0
// Runs of `tilefly cosim` with the device of transaction models, in folders of their own.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "runs/switch/session.h"
#include "testbenches/bench/process_folder.h"
#include "testbenches/systemc/bounded.h"

namespace tilefly::systemc {

/// A session of 8 ports, the models against golden, unless `values` (path of a setting, its value) say otherwise.
inline runs::Session Make(const std::string& name, std::vector<std::pair<std::string, std::string>> values) {
  const std::filesystem::path folder = bench::ProcessFolder() / name;
  std::filesystem::remove_all(folder);
  runs::Settings settings;
  values.insert(values.begin(), {{"devices", "systemc,golden"},
                                 {"profile", "tile8"},
                                 {"waves.mode", "off"},
                                 {"max_cycles", std::to_string(CyclesOf(3000))}});
  for (const auto& [path, value] : values) settings.Set(path, value, "test");
  runs::SessionOptions options;
  options.output_dir = folder;
  options.verbosity = -1;
  return {std::move(settings), std::move(options)};
}

inline std::string LogOf(const runs::Session& session) {
  std::ostringstream text;
  text << std::ifstream(session.folder() / "log.txt").rdbuf();
  return text.str();
}

}  // namespace tilefly::systemc
