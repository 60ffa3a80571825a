// SPDX-License-Identifier: Apache-2.0
// Runs of `tilefly cosim` and `tilefly net` with the test libraries of devices/.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "network/processes.h"
#include "runs/switch/session.h"
#include "runs/system/net_session.h"
#include "testbenches/bench/process_folder.h"

namespace tilefly::conform {

using Values = std::vector<std::pair<std::string, std::string>>;

inline std::string LibraryFile(const std::string& name) { return std::string(TILEFLY_TEST_LIBRARIES) + "/" + name + ".so"; }
/// "lib:FILE" of a library of devices/.
inline std::string Library(const std::string& name) { return "lib:" + LibraryFile(name); }

inline std::string ReadText(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// In a new folder.
inline runs::SessionOptions InFolder() {
  static int folders = 0;
  runs::SessionOptions options;
  options.output_dir = bench::ProcessFolder() / ("run" + std::to_string(++folders));
  options.verbosity = -1;
  return options;
}

/// A `tilefly cosim` of tile8 in a folder of its own; it has run when it is made.
struct Cosim {
  explicit Cosim(const std::string& devices, Values values = {}, runs::SessionOptions options = InFolder()) {
    runs::Settings settings;
    values.insert(values.begin(), {{"devices", devices},
                                   {"profile", "tile8"},
                                   {"max_cycles", "1500"},
                                   {"traffic.size", "64,1024"},
                                   {"waves.mode", "off"}});
    for (const auto& [path, value] : values) settings.Set(path, value, "test");
    runs::Session session(std::move(settings), std::move(options));
    status = session.Run();
    results = session.results();
    folder = session.folder();
  }

  std::string Log() const { return ReadText(folder / "log.txt"); }
  std::string Message() const { return results.value("message", ""); }

  int status = 0;
  nlohmann::ordered_json results;
  std::filesystem::path folder;
};

/// A `tilefly net` of three groups of two switches; `devices` as for --device.
struct Net {
  explicit Net(const std::string& devices, Values values = {}) {
    runs::NetSettings settings;
    values.insert(values.begin(), {{"topology", "dragonfly:p=2,a=2,h=1"},
                                   {"devices.switches", devices},
                                   {"waves.mode", "off"},
                                   {"max_cycles", "2000"}});
    for (const auto& [path, value] : values) settings.Set(path, value, "test");
    network::Alone alone;
    const runs::SessionOptions options = InFolder();
    runs::NetSession session(std::move(settings), options, runs::CheckpointOptions{}, &alone);
    status = session.Run();
    results = session.results();
    log = ReadText(options.output_dir / "log.txt");
  }

  int status = 0;
  nlohmann::ordered_json results;
  std::string log;
};

}  // namespace tilefly::conform
