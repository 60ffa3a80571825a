// SPDX-License-Identifier: Apache-2.0
// The CFU of a switch (docs/blocks/reduction.md, CFU: launches; reduction-trees.md): slots, groups and their states,
// engines of short operations, and which launch goes next.
//
// A cycle is Decide, which reads what the cycle before left, then Commit with what came in the cycle. Nothing happens
// in the cycles between those that `Next` and `active` name.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "golden/common/audit.h"
#include "golden/reduction/collect.h"
#include "golden/reduction/red_candidate.h"
#include "golden/reduction/red_ports.h"
#include "golden/reduction/red_registers.h"

namespace tilefly::golden {

/// Fifos of results, a return lane each.
inline constexpr int kRedLanes = kRedLaneValues.size();

/// What is launched.
struct RedLaunch {
  bool is_stream() const { return IsStream(candidate); }
  bool is_notice() const { return candidate == RedCandidate::kNotice; }
  bool is_brief() const { return !is_stream() && !is_notice(); }
  bool goes_down() const { return GoesDown(candidate); }
  /// Slot; {group, engine}; of a notice the group.
  int index() const { return is_stream() ? slot : is_notice() ? group : kRedEngines * group + engine; }

  Cycle at = 0;
  RedCandidate candidate = RedCandidate::kUp0;
  std::uint8_t slot = 0;
  std::uint8_t group = 0;
  std::uint8_t engine = 0;
  bool root = false;
  bool small = false;
  std::uint8_t tag = 0;         ///< of the group
  std::uint16_t segment = 0;    ///< number of a streamed one
  RedCode code = RedCode::kOk;  ///< of a notice
  RedLane lane = RedLane::kS;   ///< of the packet
  PortMask parts = 0;           ///< ports that take part
  PortMask to = 0;              ///< ports that the packet is for
};

/// Room of result fifos that is free.
struct RedRoom {
  std::uint8_t port;
  RedLane lane;
  std::uint8_t cells;
};

/// What somebody sees who looks at slots and groups.
struct CfuView {
  std::array<int, kRedSlots> group_of{-1, -1};  ///< -1: free
  std::array<bool, kRedSlots> bound{};
  std::array<RedState, kRedGroups> states{};
  std::array<int, kRedGroups> slot_of{-1, -1, -1, -1, -1, -1, -1, -1};
  std::array<std::int64_t, kRedGroups> fails{};
  std::array<bool, kRedGroups> notices_due{};
  std::array<Cycle, kRedGroups> ends{kNever, kNever, kNever, kNever, kNever, kNever, kNever, kNever};  ///< of LOCKING
};

class Cfu {
 public:
  Cfu(Context& context, const RedRegisters& registers);

  /// Decision of cycle `now`.
  std::optional<RedLaunch> Decide(Cycle now);

  /// What comes in a cycle, as it stands in it.
  struct Arrivals {
    std::vector<RedEvent> reports;
    std::vector<RedRoom> rooms;
  };
  /// What the events of a cycle tell the reduction ports, from the next one on.
  struct Commands {
    std::array<bool, kRedSlots> bound{};    ///< slots that are bound from now on
    std::array<bool, kRedSlots> unbound{};  ///< and that are not any more
    int clear = -1;                         ///< group, -1: none
  };
  /// A launch whose word 0 is on the return lane in this cycle: `collected` is what it brought. Its packet's header,
  /// and whether there is a packet.
  struct Merged {
    const RedLaunch* launch = nullptr;
    const RedCollect* word = nullptr;
    RedCode code = RedCode::kOk;  ///< of a short operation's packet
    std::uint8_t tag = 0;
  };

  /// Events of cycle `now`: `launch` was decided in it; F of `merged`, if there is one, whose `code` and `tag` are
  /// filled in.
  const Commands& Commit(Cycle now, const std::optional<RedLaunch>& launch, const Arrivals& arrivals, Merged* merged);
  /// Event of cycle `now`: TREE of the group is written.
  void Forget(int group);
  /// Number of the first segment after a lock, instead of 0: for tests that begin near its wrap.
  void BeginSegments(std::uint16_t first) { first_segment_ = first; }
  /// Registers changed.
  void Wake() { look_ = unsettled_ = true; }
  /// From the next cycle on these ports show that they are enabled and that their links work.
  void SetLive(PortMask live) {
    if (live != live_) Wake();
    live_ = live;
  }

  /// Room of cycle `now` + K, that the packet of a launch has not used.
  void ReturnRoom(const RedLaunch& launch, int cells);

  bool active() const { return look_ || unsettled_; }
  /// The next cycle that must be visited when nothing comes.
  Cycle Next() const { return std::min(look_at_, deadline_); }

  const RedBinds& binds() const { return binds_; }
  RedState state(int group) const { return groups_[group].state; }
  /// Nothing of the group is on its way, and nothing goes unless something comes: when its registers may be written.
  bool IsSilent(Cycle now, int group) const;
  RedState state_of_slot(int slot) const {
    return slots_[slot].group < 0 ? RedState::kIdle : groups_[slots_[slot].group].state;
  }
  /// Whether a launch begins an operation, and how many results of the one before have not been launched; both before
  /// its Commit.
  bool BeginsOperation(const RedLaunch& launch) const {
    return launch.is_stream() && !launch.goes_down() && !slots_[launch.slot].in_op;
  }
  int OpenResults(const RedLaunch& launch) const {
    const Slot& slot = slots_[launch.slot];
    return launch.root ? 0 : static_cast<std::uint16_t>(slot.ups - slot.downs);
  }
  CfuView View() const;
  int room(int port, RedLane lane) const { return room_[port][static_cast<int>(lane)]; }
  /// STATUS of the group, as the register shows it.
  GroupStatus Status(int group) const;
  /// RED-2 and RED-4.
  void Check(Audit* audit) const;

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(slots_, groups_, engines_, room_, binds_, next_, first_, short_first_, notice_first_, live_, look_,
            unsettled_, look_at_, deadline_, clears_in_, cleared_);
  }

 private:
  static constexpr Cycle kLongAgo = INT64_MIN / 2;  ///< nothing was launched yet
  enum Lane { kUp, kDown, kU, kD, kS, kLanes };

  struct Slot {
    std::int8_t group = -1;  ///< -1: free
    bool in_op = false;
    std::uint16_t ups = 0;
    std::uint16_t downs = 0;
    PortMask members = 0;  ///< M of the page
    Cycle last_launch = kLongAgo;
    Cycle progress = 0;  ///< last of: made ACTIVE, SEGMENT report, launch
    std::array<std::uint16_t, kMaxPorts> arrived{};
    std::array<std::uint16_t, kMaxPorts> credit{};
    std::array<std::uint16_t, kMaxPorts> wants{};  ///< of the last segments, a bit each by their number
    std::array<std::uint16_t, kMaxPorts> ends{};
  };
  struct Group {
    RedState state = RedState::kIdle;
    std::int8_t slot = -1;
    RedCode code = RedCode::kOk;
    bool notice = false;
    bool limited = false;  ///< the lock was for `left` operations
    std::uint8_t tag = 0;
    std::uint16_t left = 0;
    std::uint32_t fails = 0;
    Cycle since = 0;
    Cycle last_launch = kLongAgo;
    Cycle last_brief = kLongAgo;  ///< last launch of a short operation
  };
  struct Engine {
    PortMask have = 0;
    bool back = false;
    bool armed = false;
    Cycle since = 0;
  };
  /// What a group's state becomes, when it does not fail.
  struct Turn {
    enum Kind : std::uint8_t { kNone, kActivate, kReserve, kGiveBack, kDrain, kOperation } kind = kNone;
    int group = 0;
    std::uint8_t tag = 0;
    std::uint16_t left = 0;
  };

  Engine& engine(int group, int e) { return engines_[kRedEngines * group + e]; }
  const Engine& engine(int group, int e) const { return engines_[kRedEngines * group + e]; }
  int BitOf(int segment) const { return segment % context_.profile.red_store; }
  bool HasAll(const Slot& slot, PortMask children) const;
  PortMask Having(const std::array<std::uint16_t, kMaxPorts>& flags, PortMask ports, int segment) const;
  bool HasRoom(PortMask ports, RedLane lane, int cells) const;
  bool HasCredit(const Slot& slot, PortMask ports, int segment) const;
  PortMask Members(const Slot& slot, const RedTree& tree) const;
  bool IsFinalUp(const Slot& slot, const RedTree& tree) const {
    return Having(slot.ends, tree.children, slot.ups) != 0;
  }
  bool IsFinalDown(const Slot& slot, const RedTree& tree) const {
    return Having(slot.ends, Bit(tree.parent), slot.downs) != 0;
  }

  std::optional<RedLaunch> Candidate(Cycle now, RedCandidate candidate) const;
  std::optional<RedLaunch> Up(int slot) const;
  std::optional<RedLaunch> Down(int slot) const;
  std::optional<RedLaunch> ShortUp(Cycle now) const;
  std::optional<RedLaunch> ShortDown() const;
  std::optional<RedLaunch> Notice() const;
  RedLaunch Begin(RedCandidate candidate, int group) const;
  static unsigned LanesOf(const RedLaunch& launch);
  bool IsReady(Cycle now, int group, const Engine& engine) const;

  /// Why groups fail in a cycle.
  class Failures {
   public:
    static constexpr int kNone = -1;
    Failures() {
      causes_.fill(kNone);
      alone_.fill(kNone);
    }
    void Raise(int group, RedCode code) { Raise(&causes_[group], code); }
    /// Counts when the group does not fail anyway.
    void RaiseAlone(int group, RedCode code) { Raise(&alone_[group], code); }
    void Forget(int group) { causes_[group] = alone_[group] = kNone; }
    /// The greatest code, kNone: it does not fail.
    int code(int group) const { return causes_[group] != kNone ? causes_[group] : alone_[group]; }

   private:
    static void Raise(int* code, RedCode other) { *code = std::max(*code, static_cast<int>(other)); }

    std::array<int, kRedGroups> causes_;
    std::array<int, kRedGroups> alone_;
  };
  void FindFailures(Cycle now, const Arrivals& arrivals, Failures* failures) const;
  void JudgeReport(Cycle now, const RedEvent& report, Failures* failures) const;
  void JudgeTime(Cycle now, int group, Failures* failures) const;
  bool IsCleared(Cycle now, const RedEvent& report) const {
    return report.ev == RedEv::kShort && clears_in_ == now && cleared_ == report.group;
  }
  bool IsInUse(Cycle now, int group) const;
  bool IsOpenWork(const Slot& slot, const RedTree& tree) const;
  void Merge(Merged* merged, Failures* failures, std::vector<Turn>* turns) const;
  RedCode CodeOfUp(const RedLaunch& launch, const RedCollect& word, Turn* turn) const;
  void TimeOut(Cycle now, std::vector<Turn>* turns) const;
  void Launched(Cycle now, const RedLaunch& launch, std::vector<Turn>* turns);
  void Report(Cycle now, const RedEvent& report);
  void Change(Cycle now, const Turn& turn);
  void Fail(int group, RedCode code);
  void BeginLock(Cycle now, int group);
  void Free(int group);
  Cycle DeadlineOf(Cycle now, int group) const;

  Context& context_;
  const RedRegisters& registers_;
  std::array<Slot, kRedSlots> slots_{};
  std::array<Group, kRedGroups> groups_{};
  std::array<Engine, kRedGroups * kRedEngines> engines_{};
  std::array<std::array<std::int16_t, kRedLanes>, kMaxPorts> room_{};
  RedBinds binds_{};
  std::array<Cycle, kLanes> next_{};  ///< when each lane is free
  std::uint8_t first_ = 0;            ///< candidate that is looked at first
  std::array<std::uint8_t, 2> short_first_{};
  std::uint8_t notice_first_ = 0;
  PortMask live_ = 0;
  std::uint16_t first_segment_ = 0;
  bool look_ = false;       ///< something may be launched in the next cycle
  bool unsettled_ = false;  ///< what a group does is to be judged in the next cycle
  Cycle look_at_ = kNever;  ///< or in this one, when a lane is free
  Cycle deadline_ = kNever;
  Cycle clears_in_ = -1;  ///< the last cycle in which the command to clear a group's entries stands, and the group
  int cleared_ = 0;
  Commands commands_;
};

}  // namespace tilefly::golden
