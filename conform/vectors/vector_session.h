// SPDX-License-Identifier: Apache-2.0
// `tilefly conform vectors`: tests of the kit as files, and a bench that needs nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runs/common/command.h"

namespace tilefly::conform {

struct VectorOptions {
  std::string file;                ///< capability file
  std::vector<std::string> tests;  ///< ids, * matches parts of them; none: all but the long ones
  std::uint64_t seed = 1;
};

/// Throws UsageError.
runs::Verdict WriteVectorFolder(const VectorOptions& options, const runs::SessionOptions& session);

}  // namespace tilefly::conform
