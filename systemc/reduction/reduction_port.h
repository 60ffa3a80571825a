// SPDX-License-Identifier: Apache-2.0
// The receiving side of a reduction port (docs/blocks/reduction.md, Reduction port; reduction-trees.md, Short
// operations): entries for segments and short operations, and what becomes of a packet.
#pragma once

#include <array>
#include <vector>

#include "golden/reduction/red_registers.h"
#include "systemc/reduction/launch.h"
#include "systemc/switch/context.h"

namespace tilefly::systemc {

class ReductionPort {
 public:
  /// The reduction port of `port`. The events of a cycle find `bindings` as they are in this cycle.
  ReductionPort(Context& context, int port, const golden::RedRegisters& trees, const Bindings& bindings)
      : context_(context), port_(port), trees_(trees), bindings_(bindings) {}

  /// Event of `cycle`: word 0 of a packet of this group has come.
  void Begin(Cycle cycle, int group);
  /// Event: the packet that has begun ends. A bad packet is not used; others that are not used are counted. Returns
  /// whether the packet is used. `report` becomes the report to the CFU; its `ev` is NONE when there is none.
  bool End(const fabric::Packet& packet, Report* report);
  /// Event: the launch of the slot stands on the command lines.
  void Launched(int slot, bool down);
  /// Event: the slot is bound, as `bindings` shows, or is no longer bound.
  void Bound(int slot);
  void Unbound(int slot);
  /// Event of `cycle`: the command to clear the group's short entries stands on the command lines. Call it before the
  /// packets that begin and end in this cycle.
  void Clear(Cycle cycle, int group);
  /// Event: the register TREE of the group is written.
  void Forget(int group);

  /// The port's part of the launch; null when there is none: the caller has launched too early.
  const golden::RedPart* PartOf(const Launch& launch);

  /// Slots for which a CREDIT is due, one bit each.
  unsigned credits_due() const { return credits_due_; }
  /// The CREDIT of the slot leaves. Returns the number of the slot's segments that were launched since it was bound.
  std::uint8_t TakeCredit(int slot) {
    credits_due_ &= ~(1u << slot);
    return static_cast<std::uint8_t>(slots_[slot].launched);
  }

 private:
  static constexpr int kShortWords = 16;

  struct Slot {
    std::uint16_t arrived = 0;
    std::uint16_t launched = 0;
    std::vector<golden::RedPart> entries;  ///< none until the slot is bound for the first time
  };
  struct Short {
    bool IsValid(Cycle now) const { return valid && now <= ends; }

    golden::RedPart part;
    bool valid = false;
    Cycle ends = kNever;  ///< event that makes it invalid
  };
  /// What becomes of a packet.
  enum class Fate : std::uint8_t { kUsed, kStale, kRefused, kUseless };

  Fate Judge(const fabric::Packet& packet, Report* report);
  Fate JudgeShort(const fabric::Packet& packet, const Red& header, Report* report);
  Fate JudgeStream(const fabric::Packet& packet, const Red& header, Report* report);
  Fate StoreSegment(const fabric::Packet& packet, const Red& header, Report* report);
  bool IsBoundTo(int slot, int group) const { return bindings_[slot].valid && bindings_[slot].group == group; }
  Short& ShortOf(int group, int engine) {
    return shorts_[static_cast<std::size_t>(golden::kRedEngines * group + engine)];
  }

  Context& context_;
  const int port_;
  const golden::RedRegisters& trees_;
  const Bindings& bindings_;
  std::array<Slot, golden::kRedSlots> slots_;
  std::vector<Short> shorts_;  ///< of all groups and engines; none until the first one comes
  std::array<int, golden::kRedGroups> last_tag_{-1, -1, -1, -1, -1, -1, -1, -1};  ///< of the last binding, -1: none
  unsigned credits_due_ = 0;
  // Of the packet that is coming, as it was when its word 0 came:
  int coming_group_ = -1;
  int coming_slot_ = -1;      ///< bound to its group, -1: none
  unsigned coming_open_ = 0;  ///< engines whose entries may take it, a bit each
  Cycle cleared_in_ = -1;     ///< last cycle with a command to clear, and its group
  int cleared_ = 0;
};

}  // namespace tilefly::systemc
