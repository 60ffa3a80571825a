// SPDX-License-Identifier: Apache-2.0
#include "conform/run/dpi_bench.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <utility>

#include "conform/verilated/wrapper.h"
#include "support/errors.h"

namespace tilefly::conform {

extern const char* const kReferenceHeader;   // conform/include/tilefly_ref.h
extern const char* const kReferencePackage;  // conform/include/tilefly_ref_pkg.sv
extern const char* const kReferenceBench;    // conform/include/tilefly_conform_bench.sv
extern const char* const kSimulate;          // simulate.sh

namespace {

/// libtilefly_ref.so of this build or installation; empty: it is not built, or somewhere else.
std::string FindReference(const std::filesystem::path& program) {
  const std::filesystem::path root = program.parent_path().parent_path();
  for (const char* place :
       {"lib/libtilefly_ref.so", "lib64/libtilefly_ref.so", "conform/reference/libtilefly_ref.so"}) {
    if (std::filesystem::exists(root / place)) return (root / place).string();
  }
  return "";
}

/// What joins the bench and the wrapper of the device.
std::string TopText(const Capability& it) {
  return fmt::format(R"(// Made by `tilefly conform` from {file}; do not edit.
module tilefly_tb;
  localparam int BITS = {ports} * tilefly_ref_pkg::BEAT_BITS;
  wire clk, rst, write_valid;
  wire [BITS-1:0] in_beats, out_beats;
  wire [{high}:0] in_ready, out_ready;
  wire [47:0] write_mac;
  wire [31:0] write_port, write_index;
  wire [63:0] drops;
  tilefly_conform_bench #(.PORTS({ports}), .BEAT_BYTES({bytes}), .DROPS({drops})) bench (.*);
  {wrapper} device (.*);
endmodule
)",
                     fmt::arg("file", it.file.filename().string()), fmt::arg("ports", it.ports),
                     fmt::arg("high", it.ports - 1), fmt::arg("bytes", it.signals.data_bytes),
                     fmt::arg("drops", it.flow.drops.empty() ? 0 : 1), fmt::arg("wrapper", kWrapper));
}

/// Options that all simulators take, and the sources.
std::string FileList(const Capability& it, const std::filesystem::path& folder) {
  std::string list;
  for (const std::string& path : it.include) list += fmt::format("+incdir+{}\n", path);
  for (const auto& [name, value] : it.defines) list += fmt::format("+define+{}={}\n", name, value);
  for (const std::string& path : it.files) list += path + "\n";
  for (const char* name : {"tilefly_ref_pkg.sv", "wrapper.sv", "tilefly_conform_bench.sv", "tilefly_tb.sv"})
    list += (folder / name).string() + "\n";
  return list;
}

/// A word of a shell.
std::string Quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char letter : word) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

std::string SimulateText(const Capability& it, std::uint64_t seed, const std::string& reference) {
  std::string text = kSimulate;
  std::string arguments;
  for (const std::string& argument : it.verilator) arguments += Quoted(argument) + " ";
  const std::pair<std::string, std::string> marks[] = {
      {"@LIBRARY_TEXT@", reference.empty() ? "which has to be named" : "instead of that of this build"},
      {"@LIBRARY@", reference},
      {"@VERILATOR@", arguments},
      {"@SEED@", std::to_string(seed)},
      {"@CAPABILITY@", it.file.string()}};
  for (const auto& [mark, value] : marks) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size()))
      text.replace(at, mark.size(), value);
  }
  return text;
}

}  // namespace

void WriteDpiBench(const Capability& capability, const std::vector<std::string>& tests, std::uint64_t seed,
                   const std::string& program, const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  if (!capability.library.empty())
    throw UsageError(
        fmt::format("{}: library: --simulator dpi is for a Verilog top and its files", capability.file.string()));
  const fs::path place = fs::absolute(folder);
  fs::create_directories(place);
  const std::pair<const char*, std::string> files[] = {
      {"tilefly_ref.h", kReferenceHeader},
      {"tilefly_ref_pkg.sv", kReferencePackage},
      {"tilefly_conform_bench.sv", kReferenceBench},
      {"wrapper.sv", WrapperText(capability)},
      {"tilefly_tb.sv", TopText(capability)},
      {"files.f", FileList(capability, place)},
      {"tests.txt", fmt::format("{}\n", fmt::join(tests, "\n"))},
      {"simulate.sh", SimulateText(capability, seed, FindReference(program))}};
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
