// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "apps/command_line.h"
#include "runs/common/command.h"

namespace tilefly::apps {

/// What every subcommand is given.
struct Common {
  std::vector<std::string> arguments;  ///< of the command line, for the manifest
  const std::atomic<bool>* stop = nullptr;
};

/// What surrounds the runs of a command. `output_dir` empty: a new one below out/; `verbosity`: -1 quiet, 1 verbose.
runs::SessionOptions SessionOf(const Common& common, const std::string& output_dir, int verbosity);

/// Each adds a command to `program`; its callback stores the exit code in `*status`.
void AddCosim(const Command& program, const Common& common, int* status);
void AddNet(const Command& program, const Common& common, int* status);
void AddRepro(const Command& program, const Common& common, int* status);
void AddConform(const Command& program, const Common& common, int* status);
void AddQos(const Command& program, int* status);
void AddTopo(const Command& program, int* status);
void AddCompare(const Command& program, int* status);
void AddOpen(const Command& program, int* status);
void AddDoctor(const Command& program, int* status);

/// Throws UsageError when the file cannot be made, std::runtime_error when it cannot be finished, so that a full disk
/// is not taken for a wrong argument.
void WriteFile(const std::string& file, const std::string& text);

}  // namespace tilefly::apps
