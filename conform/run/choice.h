// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "conform/capability/capability.h"

namespace tilefly::conform {

/// Which tests of the suite a command is about.
struct Choice {
  std::vector<std::string> tests;     ///< that apply, ids
  std::vector<std::string> left_out;  ///< long ones
  std::size_t excused = 0;            ///< that do not apply
};

/// `patterns`: ids, in which * matches parts; none: all. Throws UsageError when one of them matches no test, with the
/// nearest id if there is one that resembles it, and when no test applies.
Choice Choose(const Capability& capability, const std::vector<std::string>& patterns, bool without_long);

}  // namespace tilefly::conform
