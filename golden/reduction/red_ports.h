// SPDX-License-Identifier: Apache-2.0
// Reduction ports of a switch, the side of what has come (docs/blocks/reduction.md, Reduction port; reduction-trees.md,
// Short operations): entries for segments and short operations, and what is reported to the CFU.
#pragma once

#include <array>
#include <vector>

#include "golden/common/audit.h"
#include "golden/reduction/red_bytes.h"
#include "golden/reduction/red_part.h"
#include "golden/reduction/red_registers.h"
#include "golden/state/context.h"

namespace tilefly::golden {

/// A slot's binding.
struct RedBind {
  bool valid = false;
  std::uint8_t group = 0;
  std::uint8_t tag = 0;
};
using RedBinds = std::array<RedBind, kRedSlots>;

/// What a port reports in an event.
struct RedEvent {
  std::uint8_t port;
  RedEv ev;
  std::uint8_t slot;
  std::uint8_t group;
  std::uint8_t engine;
  bool wants;
  bool ends;
  RedCode code;
  std::uint8_t credit;
};

class RedPorts {
 public:
  /// `binds` are those that stand in the cycle of an event.
  RedPorts(Context& context, const RedRegisters& registers, const RedBinds& binds)
      : context_(context), registers_(registers), binds_(binds), ports_(context.profile.ports) {}

  /// Event: word 0 of a packet that is taken has come.
  void Begins(Cycle now, const Packet& packet);
  /// Event: a taken packet has ended well. Returns whether it is used; a packet of no use is counted. A report is added
  /// to `events`.
  bool Ends(const Packet& packet, std::vector<RedEvent>* events);
  /// Event: the command of a launch of the slot stands on the command lines.
  void Launched(int slot, bool down);
  /// Event: the slot is bound, as `binds` will show, or is not any more.
  void Bound(int slot, const RedBind& bind);
  void Unbound(int slot);
  /// Event: the command to clear a group's short entries stands on the command lines. Call it before the packets that
  /// begin and end in this cycle.
  void Clear(Cycle now, int group);
  /// Event: the register TREE of the group is written.
  void Forget(int group);

  /// The entry that the launch with the number `number` of the slot finds at the port.
  const RedPart& Segment(int port, int slot, int number) const {
    return ports_[port].slots[slot].entries[number % context_.profile.red_store];
  }
  /// Whether the segment of the launch with the number `number` has arrived.
  bool HasSegment(int port, int slot, int number) const {
    const Slot& of = ports_[port].slots[slot];
    const int back = static_cast<std::uint16_t>(of.arrived - number);
    return back >= 1 && back <= context_.profile.red_store;
  }
  /// The entry of a short operation, which becomes invalid as an event of cycle `ends`.
  const RedPart& UseShort(int port, int group, int engine, Cycle ends) {
    Short& entry = ports_[port].shorts[ShortIndex(group, engine)];
    entry.ends = ends;
    return entry.part;
  }
  bool HasShort(Cycle now, int port, int group, int engine) const {
    return !ports_[port].shorts.empty() && ports_[port].shorts[ShortIndex(group, engine)].IsValid(now);
  }
  /// Slots of the port for which a CREDIT is due, one bit each.
  unsigned credits_due(int port) const { return ports_[port].credits_due; }
  /// The CREDIT of the slot has been asked for.
  void CreditAsked(int port, int slot) { ports_[port].credits_due &= static_cast<std::uint8_t>(~(1u << slot)); }
  /// Segments of the slot that were launched since the slot was bound.
  int launched(int port, int slot) const { return ports_[port].slots[slot].launched; }
  /// Returns the ports that got a CREDIT to send since the last call.
  PortMask TakeCredited() {
    const PortMask ports = credited_;
    credited_ = 0;
    return ports;
  }

  /// Sets the number of the first segment after a lock, which is 0 else. Tests begin near the wrap of the number with
  /// it.
  void BeginSegments(std::uint16_t first) { first_segment_ = first; }

  /// Checks RED-2, as far as the ports show it.
  void Check(Audit* audit) const;

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(ports_, credited_, cleared_in_, cleared_);
  }

 private:
  struct Slot {
    std::uint16_t arrived = 0;
    std::uint16_t launched = 0;
    std::vector<RedPart> entries;  ///< none until the slot is bound for the first time

    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(arrived, launched, entries);
    }
  };
  struct Short {
    /// As committed in the cycle before `now`.
    bool IsValid(Cycle now) const { return valid && now <= ends; }

    RedPart part;
    bool valid = false;
    Cycle ends = kNever;  ///< event that makes it invalid

    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(part, valid, ends);
    }
  };
  /// What counts of a packet that is coming, as it was when its word 0 came.
  struct Coming {
    std::uint8_t group = kRedGroups;
    std::int8_t slot = -1;                               ///< that is bound to the group, -1: none
    std::uint8_t open = static_cast<std::uint8_t>(~0u);  ///< engines whose entries may take it, one bit each
  };
  struct Port {
    std::array<Slot, kRedSlots> slots;
    std::vector<Short> shorts;  ///< of all groups and engines; none until the first one comes
    std::array<std::int8_t, kRedGroups> last_tag{-1, -1, -1, -1, -1, -1, -1, -1};  ///< of the last bind, -1: none
    std::uint8_t credits_due = 0;
    Coming coming;

    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(slots, shorts, last_tag, credits_due, coming);
    }
  };

  static std::size_t ShortIndex(int group, int engine) {
    return static_cast<std::size_t>(group) * kRedEngines + static_cast<std::size_t>(engine);
  }
  /// What becomes of a packet.
  enum class Fate : std::uint8_t { kUsed, kStale, kRefused, kUseless };
  Fate Judge(const Packet& packet, RedEvent* event);
  Fate JudgeShort(const Packet& packet, const Red& header, RedEvent* event);
  Fate JudgeStream(const Packet& packet, const Red& header, RedEvent* event);
  Fate JudgeSegment(const Packet& packet, const Red& header, int slot, RedEvent* event);
  bool IsBoundTo(int slot, int group) const { return binds_[slot].valid && binds_[slot].group == group; }

  Context& context_;
  const RedRegisters& registers_;
  const RedBinds& binds_;
  std::vector<Port> ports_;
  PortMask credited_ = 0;
  std::uint16_t first_segment_ = 0;
  Cycle cleared_in_ = -1;  ///< last cycle with a command to clear, and its group
  int cleared_ = 0;
};

}  // namespace tilefly::golden
