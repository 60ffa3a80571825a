// SPDX-License-Identifier: Apache-2.0
#include "runs/open/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "support/errors.h"

namespace tilefly::runs {
namespace {

namespace fs = std::filesystem;

/// Folders below out/ that are looked into, so that a link to a large tree ends.
constexpr int kDeepest = 4;

void RequireFolder(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw UsageError(fmt::format("{}: there is no such folder; name that of a run (--output-dir)", folder.string()));
}

}  // namespace

fs::path NewestRun(const fs::path& root) {
  std::error_code error;
  std::pair<fs::file_time_type, fs::path> newest{fs::file_time_type::min(), ""};
  for (auto at = fs::recursive_directory_iterator(root, error); at != fs::recursive_directory_iterator();
       at.increment(error)) {
    if (error) break;
    if (!at->is_directory(error)) continue;
    const fs::path manifest = at->path() / "manifest.json";
    const bool is_run = fs::exists(manifest, error);
    if (is_run) newest = std::max(newest, std::pair(fs::last_write_time(manifest, error), at->path()));
    if (is_run || at.depth() + 1 >= kDeepest) at.disable_recursion_pending();
  }
  if (newest.second.empty())
    throw UsageError(
        fmt::format("no run is below {}/; name the folder of one, or make one: scripts/run", root.string()));
  return newest.second;
}

fs::path ReportOf(const fs::path& folder) {
  RequireFolder(folder);
  fs::path report = folder / "report.html";
  if (fs::exists(report)) return report;
  for (const char* other : {"results.json", "saturation.json", "log.txt"}) {
    if (fs::exists(folder / other))
      throw UsageError(
          fmt::format("{}: is missing: blocks and searches have no report, nor has a run that was broken "
                      "off; look at {}",
                      report.string(), (folder / other).string()));
  }
  throw UsageError(
      fmt::format("{}: is missing, and the folder is that of no run; name one (--output-dir)", report.string()));
}

WaveView WavesOf(const fs::path& folder) {
  RequireFolder(folder);
  std::vector<fs::path> saves;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "waves", error)) {
    if (entry.path().extension() == ".gtkw") saves.push_back(entry.path());
  }
  if (saves.empty())
    throw UsageError(
        fmt::format("{}: has no waves; make them by the same run with --waves full and a window "
                    "(--trace-start, --trace-end), or, of one that fails, --waves on-fail",
                    folder.string()));
  const auto key = [](const fs::path& save) {
    return std::pair(save.stem().string().rfind("fail", 0) == 0, fs::last_write_time(save));
  };
  const fs::path save = *std::max_element(
      saves.begin(), saves.end(), [&](const fs::path& one, const fs::path& other) { return key(one) < key(other); });
  return {save, fs::path(save).replace_extension(".sucl")};
}

}  // namespace tilefly::runs
