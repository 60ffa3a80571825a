// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <string>
#include <vector>

#include "runs/common/command.h"

namespace tilefly::apps {

/// What every subcommand is given.
struct Common {
  std::vector<std::string> arguments;  ///< of the command line, for the manifest
  const std::atomic<bool>* stop = nullptr;
};

/// What surrounds the runs of a command. `output_dir` empty: a new one below out/; `verbosity`: -1 quiet, 1 verbose.
runs::SessionOptions SessionOf(const Common& common, const std::string& output_dir, int verbosity);

/// Each adds a subcommand to `app`; its callback stores the exit code in `*status`.
void AddCosim(CLI::App* app, const Common& common, int* status);
void AddNet(CLI::App* app, const Common& common, int* status);
void AddRepro(CLI::App* app, const Common& common, int* status);
void AddQos(CLI::App* app, int* status);
void AddTopo(CLI::App* app, int* status);
void AddDoctor(CLI::App* app, int* status);

/// Throws UsageError when the file cannot be made, std::runtime_error when it cannot be finished, so that a full disk is not
/// taken for a wrong argument.
void WriteFile(const std::string& file, const std::string& text);

}  // namespace tilefly::apps
