// SPDX-License-Identifier: Apache-2.0
#include "conform/run/simulator_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>

#include "conform/verilated/wrapper.h"
#include "support/errors.h"

namespace tilefly::conform {

extern const char* const kSimulate;  // simulate.sh

namespace {

/// What joins the bench and the wrapper of the device.
std::string TopText(const Capability& it, const SimulatorBench& bench) {
  return fmt::format(R"(// Made by `tilefly conform` from {file}; do not edit.
module tilefly_tb;
  localparam int BITS = {ports} * tilefly_beat_pkg::BEAT_BITS;
  wire clk, rst, write_valid;
  wire [BITS-1:0] in_beats, out_beats;
  wire [{high}:0] in_ready, out_ready;
  wire [47:0] write_mac;
  wire [31:0] write_port, write_index;
  wire [63:0] drops;
  {module} #(.PORTS({ports}), .BEAT_BYTES({bytes}), .DROPS({drops}){parameters}) bench (.*);
  {wrapper} device (.*);
endmodule
)",
                     fmt::arg("file", it.file.filename().string()), fmt::arg("ports", it.ports),
                     fmt::arg("high", it.ports - 1), fmt::arg("bytes", it.signals.data_bytes),
                     fmt::arg("drops", it.flow.drops.empty() ? 0 : 1), fmt::arg("module", bench.module),
                     fmt::arg("parameters", bench.parameters), fmt::arg("wrapper", kWrapper));
}

/// Options that all simulators take, and the sources.
std::string FileList(const Capability& it, const std::vector<std::string>& sources,
                     const std::filesystem::path& folder) {
  std::string list;
  for (const std::string& path : it.include) list += fmt::format("+incdir+{}\n", path);
  for (const auto& [name, value] : it.defines) list += fmt::format("+define+{}={}\n", name, value);
  for (const std::string& path : it.files) list += path + "\n";
  for (const std::string& name : sources) list += (folder / name).string() + "\n";
  return list;
}

/// A word of a shell.
std::string Quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char letter : word) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

std::string SimulateText(const Capability& it, const SimulatorBench& bench) {
  std::string text = kSimulate;
  std::string verilator;
  for (const std::string& argument : it.verilator) verilator += Quoted(argument) + " ";
  const std::pair<std::string, std::string> marks[] = {
      {"@COMMAND@", bench.command}, {"@ABOUT@", bench.about},
      {"@PREPARE@", bench.prepare}, {"@VERILATOR@", verilator + bench.verilator},
      {"@QUESTA@", bench.questa},   {"@VCS@", bench.vcs},
      {"@XCELIUM@", bench.xcelium}, {"@PLUSARGS@", bench.plusargs}};
  for (const auto& [mark, value] : marks) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size()))
      text.replace(at, mark.size(), value);
  }
  return text;
}

}  // namespace

void WriteSimulatorFiles(const Capability& capability, const SimulatorBench& bench,
                         const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  if (!capability.library.empty())
    throw UsageError(fmt::format("{}: library: `conform {}` is for a Verilog top and its files",
                                 capability.file.string(), bench.command));
  const fs::path place = fs::absolute(folder);
  fs::create_directories(place);
  std::vector<std::pair<std::string, std::string>> files = bench.files;
  files.emplace_back("wrapper.sv", WrapperText(capability));
  files.emplace_back("tilefly_tb.sv", TopText(capability, bench));
  std::vector<std::string> sources = bench.sources;
  sources.insert(sources.end(), {"wrapper.sv", "tilefly_tb.sv"});
  files.emplace_back("files.f", FileList(capability, sources, place));
  files.emplace_back("tests.txt", fmt::format("{}\n", fmt::join(bench.tests, "\n")));
  files.emplace_back("simulate.sh", SimulateText(capability, bench));
  for (const auto& [name, text] : files) {
    std::ofstream out(place / name, std::ios::binary);
    out << text;
    out.close();
    if (!out)
      throw UsageError(
          fmt::format("{}: cannot be written; name another folder by --output-dir", (place / name).string()));
  }
  fs::permissions(place / "simulate.sh", fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add);
}

}  // namespace tilefly::conform
