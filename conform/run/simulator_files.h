// SPDX-License-Identifier: Apache-2.0
// What another simulator needs to run tests of the kit on a Verilog top: wrapper, bench, list of sources, commands.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "conform/capability/capability.h"

namespace tilefly::conform {

/// A bench, and how simulators are told of it. Texts of commands are those of a shell, and end with a blank.
struct SimulatorBench {
  std::string command;                                     ///< of `tilefly conform`, that wrote it
  std::vector<std::pair<std::string, std::string>> files;  ///< names and texts
  std::vector<std::string> sources;                        ///< names of those that simulators read, in order
  std::string module;                                      ///< of the bench
  std::string parameters;  ///< of the module, beside PORTS, BEAT_BYTES and DROPS: ", .NAME(VALUE)" each
  std::vector<std::string> tests;
  std::string about;                            ///< what the environment may set: comment lines of the script
  std::string prepare;                          ///< lines of the script before a simulator runs
  std::string verilator, questa, vcs, xcelium;  ///< arguments
  std::string plusargs;                         ///< of a test "$test"
};

/// Writes into `folder` the bench's files, the wrapper of the device, the top, files.f, tests.txt and simulate.sh.
/// Throws UsageError: a device that is a library, a file that cannot be written.
void WriteSimulatorFiles(const Capability& capability, const SimulatorBench& bench,
                         const std::filesystem::path& folder);

}  // namespace tilefly::conform
