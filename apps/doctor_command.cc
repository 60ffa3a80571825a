// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <memory>

#include "apps/command.h"
#include "runs/common/command.h"

namespace tilefly::apps {
namespace {

/// A program that building, running or looking at results needs.
struct Tool {
  const char* name;
  const char* command;  ///< prints its version, or where it is
  const char* package;  ///< of Debian
  bool required;
  const char* use;
};

constexpr Tool kTools[] = {
    {"clang++", "clang++ --version", "clang", true, "compiles the models"},
    {"verilator", "verilator --version", "verilator", true, "turns the RTL into C++"},
    {"cmake", "cmake --version", "cmake", true, "builds"},
    {"ninja", "ninja --version", "ninja-build", true, "builds"},
    {"python3", "/usr/bin/python3 --version", "python3", true, "generates code from the profiles"},
    {"ccache", "ccache --version", "ccache", false, "makes rebuilding fast"},
    {"yosys", "yosys -V", "yosys", false, "proofs and mutation"},
    {"z3", "z3 --version", "z3", false, "proofs"},
    {"mpirun", "mpirun --version", "openmpi-bin", false, "runs a system on several processes"},
    {"gtkwave", "command -v gtkwave", "gtkwave", false, "shows waves"},  // tells its version on a screen only
    {"tshark", "tshark --version", "tshark", false, "reads the captures of a run"},
};

std::string FirstLineOf(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>/dev/null").c_str(), "r"), pclose);
  std::array<char, 256> line{};
  if (!pipe || std::fgets(line.data(), line.size(), pipe.get()) == nullptr) return "";
  std::string text = line.data();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

int RunDoctor() {
  int status = kPassed;
  for (const Tool& tool : kTools) {
    const std::string version = FirstLineOf(tool.command);
    if (!version.empty()) {
      fmt::print("ok       {:<10} {}\n", tool.name, version);
      continue;
    }
    fmt::print("{:<8} {:<10} {}; install it with: apt-get install {}\n", tool.required ? "MISSING" : "missing",
               tool.name, tool.use, tool.package);
    if (tool.required) status = kInternal;
  }
  fmt::print("{}\n",
             status == kPassed ? "All that is needed is there." : "Something that is needed is missing.");
  return status;
}

}  // namespace

void AddDoctor(const Command& program, int* status) {
  const Command doctor = program.AddCommand("doctor", "tool versions and what to do about them");
  doctor.Callback([status] { *status = RunDoctor(); });
}

}  // namespace tilefly::apps
