// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilefly::runs {

/// What `tilefly repro` is asked for of a study; each study has some of it (docs/options.md).
struct StudyOptions {
  bool quick = false;
  std::string topology{};  ///< empty: the study's own system
  int nodes = 64;          ///< of gpcnet: endpoints that take part
  int victims = 13;        ///< of these, victims
  int seeds = 1;           ///< of gpcnet: placements, each with runs of its own
};

}  // namespace tilefly::runs
