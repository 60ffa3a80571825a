// SPDX-License-Identifier: Apache-2.0
// Engines of short operations (docs/blocks/reduction-trees.md, Short operations, Small-operand engine): who is there,
// group by group and engine by engine, and which may go up.
#pragma once

#include <array>

#include "golden/reduction/red_launch.h"
#include "golden/reduction/red_ports.h"
#include "golden/reduction/red_registers.h"

namespace tilefly::golden {

struct RedEngine {
  PortMask have = 0;   ///< children whose part is there
  bool back = false;   ///< the parent's result is there
  bool armed = false;  ///< of a small group: waits for all children
  Cycle since = 0;     ///< the first part came
};

class RedEngines {
 public:
  static constexpr int kCount = kRedGroups * kRedEngines;

  explicit RedEngines(const RedRegisters& registers) : registers_(registers) {}

  /// By {group, engine}.
  const RedEngine& operator[](int index) const { return engines_[index]; }
  /// Whether the engine goes up with the parts that it has, in cycle `now`.
  bool IsReady(Cycle now, int index) const {
    const RedEngine& engine = engines_[index];
    if (engine.have == 0) return false;
    const RedTree& tree = registers_.tree(index / kRedEngines);
    if (engine.have == tree.children) return true;
    return tree.small && (!engine.armed || (tree.timeout != 0 && now >= engine.since + tree.timeout));
  }
  /// Whether a part or a result waits in an engine of the group.
  bool IsInUse(int group) const;
  /// Whether a part waits in an engine of the group.
  bool IsWaiting(int group) const;
  /// Whether a part of the group has waited for TREE.timeout cycles. It is false for a group with the small-operand
  /// engine.
  bool IsOverdue(Cycle now, int group) const;
  /// Whether nothing that waits in the group's engines goes up or down.
  bool IsSilent(Cycle now, int group) const;
  /// The next cycle after `now` in which a part of the group has waited too long; kNever: no part will.
  Cycle DeadlineOf(Cycle now, int group) const;

  /// Event of cycle `now`: a port reports a short operation.
  void Arrived(Cycle now, const RedEvent& report);
  /// Event: a short operation is launched.
  void Launched(const RedLaunch& launch);
  /// Event: step F of a short operation downwards with `arm`. `armed`: from now on the engine waits for all children.
  void Arm(int group, int e, bool armed) { engine(group, e).armed = armed; }
  /// Event: the group fails.
  void Clear(int group);
  /// Event: the register TREE of the group is written.
  void Forget(int group);

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(engines_);
  }

 private:
  RedEngine& engine(int group, int e) { return engines_[kRedEngines * group + e]; }
  const RedEngine& engine(int group, int e) const { return engines_[kRedEngines * group + e]; }

  const RedRegisters& registers_;
  std::array<RedEngine, kCount> engines_{};
};

}  // namespace tilefly::golden
