// SPDX-License-Identifier: Apache-2.0
// What the link of each output of a switch does in every cycle: it is busy, or there is a reason why not
// (docs/network.md, Stalls). Accounts are closed when something changes, so quiet cycles cost nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "golden/common/types.h"

namespace tilefly::golden {

/// What the link of an output does in a cycle.
enum class LinkState : std::uint8_t {
  kBusy,         ///< sends
  kRetry,        ///< sends words again; or what waits may not be taken (Hold); or discards packets, because it is down
  kCrossing,     ///< granted packets are on their way to the output buffer, and none of them is late
  kArbitration,  ///< a granted packet is late, or requests wait for column channels that others have
  kNoCredit,     ///< requests wait, none of their lanes may send
  kNoRoom,       ///< requests wait, the output buffer has no room for an MTU
  kScheduler,    ///< requests wait in lanes that may send, the scheduler gives no grant
  kThrottled,    ///< of the link of a NIC: packets wait for the end of pauses (docs/blocks/flow_channel.md, NIC)
  kNothing,      ///< no request waits, or the port is off
};
inline constexpr int kLinkStates = 9;

class LinkStatistics {
 public:
  using Times = std::array<std::int64_t, kLinkStates>;

  /// Counts the cycles from `from` on and before `to`.
  LinkStatistics(int ports, Cycle from, Cycle to) : from_(from), to_(to), ports_(ports) {}

  /// The link takes a packet in cycle `now` and is busy until `until`. `lost`: it is down, and discards the packet.
  void Occupy(int port, Cycle now, Cycle until, bool lost) {
    Close(&ports_[port], now);
    ports_[port].busy_until = until;
    ports_[port].discards = lost;
  }
  /// From cycle `now` on the retry block sends words again, or no longer does.
  void Repeat(int port, Cycle now, bool repeats) {
    Port& own = ports_[port];
    if (repeats == own.repeats) return;
    Close(&own, now);
    own.repeats = repeats;
  }
  /// `holds`: from cycle `now` on, packets of a retry port wait for room in the replay buffer, for SerDes lanes, or for
  /// the link to come up, or requests wait for a link that is down. False: nothing waits so any more.
  void Hold(int port, Cycle now, bool holds) {
    Port& own = ports_[port];
    if (holds == own.holds) return;
    Close(&own, now);
    own.holds = holds;
  }
  /// The decision of cycle `now` has granted a packet.
  void Grant(int port, Cycle now) {
    Close(&ports_[port], now);
    ports_[port].granted.push_back(now);
  }
  /// The decision of cycle `now` has granted no packet, for this reason, which holds until the next decision. `blocked`
  /// are the lanes with requests that may not send, one bit each.
  void Judge(int port, Cycle now, LinkState reason, unsigned blocked) {
    Port& own = ports_[port];
    if (blocked != own.blocked || reason != own.reason) Turn(&own, now, reason, blocked);
  }
  /// Event: a first cell arrives at the output.
  void Arrive(int port, Cycle now) {
    Port& own = ports_[port];
    if (own.landed != 0 && own.landed_at != now) Close(&own, now);
    own.landed_at = now;
    ++own.landed;
  }
  /// The link takes `words` words of class `tc`.
  void AddWords(int port, int tc, int words) { ports_[port].words[tc] += words; }

  /// Closes all accounts in cycle `to`. Nothing may be told afterwards.
  void Settle(Cycle to) {
    to_ = std::min(to_, to);
    for (Port& port : ports_) Close(&port, to);
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(ports_);
  }

  const Times& times(int port) const { return ports_[port].times; }
  const std::array<std::int64_t, kMaxClasses>& words(int port) const { return ports_[port].words; }

  /// Cycles before `now` in which the link was not busy, and packets waited as Hold says.
  Cycle HeldBefore(int port, Cycle now) const {
    const Port& own = ports_[port];
    return own.held_cycles + (own.holds ? std::max<Cycle>(0, now - std::max(own.since, own.busy_until)) : 0);
  }
  /// Cycles before `now` in which requests of the lane found it without credit, and in which any found no room.
  struct Waits {
    Cycle no_credit;
    Cycle no_room;
  };
  Waits WaitsOf(int port, int lane, Cycle now) const {
    const Port& own = ports_[port];
    Waits waits{own.blocked_cycles[lane], own.full_cycles};
    if ((own.blocked >> lane & 1) != 0) waits.no_credit += now - own.judged_at;
    if (own.reason == LinkState::kNoRoom) waits.no_room += now - own.judged_at;
    return waits;
  }

 private:
  struct Port {
    Cycle since = 0;  ///< the account is closed up to here
    Cycle busy_until = 0;
    Cycle landed_at = 0;  ///< of first cells that arrived and are not yet counted
    int landed = 0;
    LinkState reason = LinkState::kNothing;
    std::vector<Cycle> granted;  ///< packets that have not arrived: cycles of as many grants, the last ones
    Times times{};
    std::array<std::int64_t, kMaxClasses> words{};
    Cycle judged_at = 0;
    unsigned blocked = 0;
    Cycle full_cycles = 0;
    std::array<Cycle, kMaxLanes> blocked_cycles{};
    bool discards = false;  ///< it is busy with packets that it discards
    bool repeats = false, holds = false;
    Cycle held_cycles = 0;  ///< see HeldBefore

    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(since, busy_until, landed_at, landed, reason, granted, times, words, judged_at, blocked, full_cycles,
              blocked_cycles, discards, repeats, holds, held_cycles);
    }
  };

  void Add(Port* port, LinkState state, Cycle from, Cycle to) const;
  void Book(Port* port, Cycle to) const;
  void Close(Port* port, Cycle to) const;
  void Turn(Port* port, Cycle now, LinkState reason, unsigned blocked) const;

  Cycle from_;
  Cycle to_;
  std::vector<Port> ports_;
};

}  // namespace tilefly::golden
