// SPDX-License-Identifier: Apache-2.0
// For tests that break an invariant on purpose.
#pragma once

#include <set>
#include <string>

#include "golden/common/audit.h"

namespace tilefly::bench {

/// Ids of what an audit found broken, each once, with blanks between.
inline std::string BrokenIds(const golden::Audit& audit) {
  std::set<std::string> ids;
  for (const golden::Audit::Broken& broken : audit.broken()) ids.insert(broken.id);
  std::string text;
  for (const std::string& id : ids) text += (text.empty() ? "" : " ") + id;
  return text;
}

}  // namespace tilefly::bench
