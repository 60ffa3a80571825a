// SPDX-License-Identifier: Apache-2.0
// The table of options without effect.
#include "runs/common/option_conditions.h"

namespace tilefly::runs {

const std::vector<OptionEffect>& OptionEffects() {
  static const std::vector<OptionEffect> all = [] {
    std::vector<OptionEffect> rows;
    for (const auto* part : {&EffectsOfCosim(), &EffectsOfNet(), &EffectsOfSeveral()})
      rows.insert(rows.end(), part->begin(), part->end());
    return rows;
  }();
  return all;
}

}  // namespace tilefly::runs
