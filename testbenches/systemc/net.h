// SPDX-License-Identifier: Apache-2.0
// `tilefly net` in a test.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "network/processes.h"
#include "runs/system/net_session.h"
#include "testbenches/bench/process_folder.h"

namespace tilefly::systemc {

/// A session with these settings in the folder `name`; by default three groups of two switches with two endpoints each.
struct Net {
  Net(const std::string& name, std::vector<std::pair<std::string, std::string>> values) {
    const std::filesystem::path folder = bench::ProcessFolder() / name;
    std::filesystem::remove_all(folder);
    runs::NetSettings settings;
    values.insert(values.begin(),
                  {{"topology", "dragonfly:p=2,a=2,h=1"}, {"waves.mode", "off"}, {"max_cycles", "6000"}});
    for (const auto& [path, value] : values) settings.Set(path, value, "test");
    runs::SessionOptions options;
    options.output_dir = folder;
    options.verbosity = -1;
    session = std::make_unique<runs::NetSession>(std::move(settings), std::move(options), runs::CheckpointOptions{},
                                                  alone.get());
  }

  std::unique_ptr<network::Alone> alone = std::make_unique<network::Alone>();
  std::unique_ptr<runs::NetSession> session;
};

}  // namespace tilefly::systemc
