// SPDX-License-Identifier: Apache-2.0
// Why groups fail, and what a failure does (docs/blocks/reduction-trees.md, Failure).
#pragma once

#include <array>
#include <optional>

#include "systemc/reduction/tree_state.h"

namespace tilefly::systemc {

class GroupFailures {
 public:
  /// Why groups fail in a cycle. The greatest code counts of the causes that count in any case; without such a cause,
  /// the greatest code of the causes that count alone.
  struct Causes {
    std::array<std::optional<RedCode>, golden::kRedGroups> causes;
    std::array<std::optional<RedCode>, golden::kRedGroups> alone;
    static void Raise(std::optional<RedCode>* cause, RedCode code) {
      if (!*cause || **cause < code) *cause = code;
    }
    std::optional<RedCode> of(int group) const { return causes[group] ? causes[group] : alone[group]; }
  };

  explicit GroupFailures(TreeState& state) : state_(state) {}

  /// Event of `now`: judges a report. `cleared`: in this cycle the ports are told to clear the short entries of the
  /// report's group.
  void JudgeReport(Cycle now, const Report& report, bool cleared, Causes* causes) const;
  /// Judges the group's deadlines that have come, and those of its ports that do not work.
  void JudgeTime(Cycle now, int group, Causes* causes) const;
  /// The group fails: it has a notice to send, and its engines are free.
  void Fail(int group, RedCode code);

 private:
  bool IsStranger(int group, int port) const { return (state_.trees.tree(group).peers() & golden::Bit(port)) == 0; }
  /// Whether an engine of the group is in use, or a short launch of the group is on the lanes.
  bool IsInUse(Cycle now, int group) const;

  TreeState& state_;
};

}  // namespace tilefly::systemc
