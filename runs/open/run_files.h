// SPDX-License-Identifier: Apache-2.0
// What there is to look at in a run's folder.
#pragma once

#include <filesystem>

namespace tilefly::runs {

/// The folder below `root` whose manifest.json is the newest; points of a sweep belong to it. Throws UsageError when
/// there is none.
std::filesystem::path NewestRun(const std::filesystem::path& root);

/// The page of a run: FOLDER/report.html. Throws UsageError with what the folder has instead.
std::filesystem::path ReportOf(const std::filesystem::path& folder);

/// A wave and the files that open it on its story.
struct WaveView {
  std::filesystem::path gtkwave;  ///< save file, *.gtkw
  std::filesystem::path surfer;   ///< command file, *.sucl
};
/// Of a run's waves those of its failure, else the newest. Throws UsageError with how to make some.
WaveView WavesOf(const std::filesystem::path& folder);

}  // namespace tilefly::runs
