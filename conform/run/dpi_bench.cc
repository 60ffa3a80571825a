// SPDX-License-Identifier: Apache-2.0
#include "conform/run/dpi_bench.h"

#include <fmt/format.h>

#include "conform/run/simulator_files.h"

namespace tilefly::conform {

extern const char* const kReferenceHeader;   // conform/include/tilefly_ref.h
extern const char* const kBeatPackage;       // conform/include/tilefly_beat_pkg.sv
extern const char* const kReferencePackage;  // conform/include/tilefly_ref_pkg.sv
extern const char* const kReferenceBench;    // conform/include/tilefly_conform_bench.sv

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

constexpr const char* kPrepare = R"sh(reference=${{TILEFLY_REF:-{library}}}
if [ ! -f "$reference" ]; then
  echo "simulate.sh: TILEFLY_REF='$reference': name libtilefly_ref.so of Tilefly's build or installation" >&2
  exit 2
fi
reference=$(cd "$(dirname "$reference")" && pwd)/$(basename "$reference")
export LD_LIBRARY_PATH="$(dirname "$reference")${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}"
)sh";

}  // namespace

void WriteDpiBench(const Capability& capability, const std::vector<std::string>& tests, std::uint64_t seed,
                   const std::string& program, const std::filesystem::path& folder) {
  const std::string library = FindReference(program);
  SimulatorBench bench;
  bench.command = "run --simulator dpi";
  bench.files = {{"tilefly_ref.h", kReferenceHeader},
                 {"tilefly_beat_pkg.sv", kBeatPackage},
                 {"tilefly_ref_pkg.sv", kReferencePackage},
                 {"tilefly_conform_bench.sv", kReferenceBench}};
  bench.sources = {"tilefly_beat_pkg.sv", "tilefly_ref_pkg.sv", "tilefly_conform_bench.sv"};
  bench.module = "tilefly_conform_bench";
  bench.tests = tests;
  bench.about = fmt::format("# SEED=N: another seed than {}. TILEFLY_REF=FILE: libtilefly_ref.so, {}.\n", seed,
                            library.empty() ? "which has to be named" : "instead of that of this build");
  bench.prepare = fmt::format(kPrepare, fmt::arg("library", library));
  bench.verilator = R"(-CFLAGS "-DTILEFLY_REF_DPI -include $here/tilefly_ref.h" -LDFLAGS "$reference" )";
  bench.questa = R"(-sv_lib "${reference%.so}" )";
  bench.vcs = R"("$reference" )";
  bench.xcelium = R"(-sv_lib "$reference" )";
  bench.plusargs =
      fmt::format(R"("+capability={}" "+test=$test" "+seed=${{SEED:-{}}}")", capability.file.string(), seed);
  WriteSimulatorFiles(capability, bench, folder);
}

}  // namespace tilefly::conform
