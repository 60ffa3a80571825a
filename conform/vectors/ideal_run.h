// SPDX-License-Identifier: Apache-2.0
// A test of the kit against a device that never makes an input wait and loses nothing: what goes in, in which cycle,
// and what has to come out. Vectors are made of it.
#pragma once

#include <cstdint>
#include <vector>

#include "conform/bench/scenario.h"
#include "conform/bench/stream_bench.h"
#include "conform/capability/capability.h"

namespace tilefly::conform {

struct VectorBeat {
  Cycle cycle = 0;  ///< of the part
  bool first = false;
  Beat beat;
};

/// A frame that has to come out: `frame` counts those of its input in the part.
struct VectorCopy {
  int input = 0;
  int frame = 0;
};

/// A part of a test: it begins with a reset or when nothing is in the device, and ends so.
struct VectorPart {
  bool reset = false;
  bool judged = true;                        ///< false: garbage
  Cycle cycles = 0;                          ///< the next part's reset comes then; 0: it ends when all has come out
  std::vector<TableWrite> writes;            ///< by cycle, from 0 on
  std::vector<std::uint64_t> ready;          ///< tready of outputs by cycle, a bit each; 1 beyond its end
  std::vector<std::vector<VectorBeat>> in;   ///< by input
  std::vector<std::vector<VectorCopy>> out;  ///< by output
  std::int64_t drops = 0;                    ///< frames since the reset that must be dropped
};

/// A frame and the cycle of the test in which its last beat goes in or comes out.
struct VectorFrame {
  Cycle cycle = 0;
  FramePtr frame;
};

struct IdealRun {
  std::vector<VectorPart> parts;
  std::vector<std::vector<VectorFrame>> in;   ///< by input
  std::vector<std::vector<VectorFrame>> out;  ///< by output
};

/// Throws std::runtime_error when the books hold something against the ideal device, or do not judge some frame.
IdealRun RunIdeal(const Capability& capability, const Scenario& scenario, std::uint64_t seed);

}  // namespace tilefly::conform
