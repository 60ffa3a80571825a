// SPDX-License-Identifier: Apache-2.0
// Why groups fail in a cycle (docs/blocks/reduction-trees.md, Failure): of several causes the greatest code counts.
#pragma once

#include <algorithm>
#include <array>

#include "golden/reduction/red_registers.h"

namespace tilefly::golden {

class RedCauses {
 public:
  static constexpr int kNone = -1;
  RedCauses() {
    causes_.fill(kNone);
    alone_.fill(kNone);
  }
  void Raise(int group, RedCode code) { Raise(&causes_[group], code); }
  /// Raises a cause that counts only when the group does not fail for another one.
  void RaiseAlone(int group, RedCode code) { Raise(&alone_[group], code); }
  void Forget(int group) { causes_[group] = alone_[group] = kNone; }
  /// The greatest code of the group; kNone: the group does not fail.
  int code(int group) const { return causes_[group] != kNone ? causes_[group] : alone_[group]; }

 private:
  static void Raise(int* code, RedCode other) { *code = std::max(*code, static_cast<int>(other)); }

  std::array<int, kRedGroups> causes_;
  std::array<int, kRedGroups> alone_;
};

}  // namespace tilefly::golden
