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
  int contributors = 0;    ///< of incast; 0: the study's own number
  int size = 4096;         ///< of incast: bytes of data in a packet
  int time_us = 0;         ///< of incast: time of the run; 0: the study's own
};

}  // namespace tilefly::runs
