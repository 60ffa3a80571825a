// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runs/compare/comparison.h"

namespace tilefly::runs {

/// Every figure of the results of two folders of one command, in the order of the files.
std::vector<ComparedFigure> CompareResults(const RunFolder& a, const RunFolder& b);

}  // namespace tilefly::runs
