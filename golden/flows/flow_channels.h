// SPDX-License-Identifier: Apache-2.0
// Flow channels of an edge port (docs/blocks/flow_channel.md): cells in flight by destination and class, and the packets
// that wait while a channel is throttled.
//
// Only entries in use exist, and sweeps are made up for when an entry is looked at. So a port without traffic costs
// nothing, and a channel that holds no packets only its packets, its acks and its deadline. Call order in a cycle:
// WayOf and Packet, Release, Acknowledge, EndCycle, and, when a register was written, SetRegisters. A cycle in which
// nothing comes and that is not `Next` needs no calls.
#pragma once

#include <array>
#include <optional>

#include "generated/wire.h"
#include "golden/common/agenda.h"
#include "golden/common/audit.h"
#include "golden/flows/flow_fifo.h"
#include "golden/flows/flow_pause.h"
#include "golden/flows/flow_table.h"

namespace tilefly::golden {

/// Whether a packet that enters at a port with flow channels is counted there: it begins its way here, has one
/// destination, and is none of a reduction's.
inline bool IsCounted(const Header& header) {
  return header.hop == 0 && header.dst != 0xf'ffff && header.kind != static_cast<std::uint8_t>(Kind::kRed);
}

/// A counted packet at the end of the pipeline.
struct FlowArrival {
  std::uint32_t destination = 0;
  Index packet = 0;
  std::uint16_t bytes = 0;  ///< of its frame
  std::uint8_t tc = 0;
  std::uint8_t cells = 0;
  bool chooses = false;  ///< it is ordered, and chose its path here
  FlowWay routed;        ///< as it was routed
  std::uint8_t out_port = 0, out_lane = 0;  ///< with the way that it takes in the end
};

/// What becomes of a counted packet. `gen` and `by_class` are header bits of one that is sent.
struct FlowVerdict {
  bool held = false;
  bool gen = false;
  bool by_class = false;
  bool full = false;  ///< FLOW_FULL counts
  std::uint16_t channel = 0;
};

/// A packet that was held and is sent.
struct FlowRelease {
  Index packet = 0;
  std::uint8_t cells = 0, port = 0, lane = 0;
  bool gen = false;
  bool by_class = false;
  std::uint16_t channel = 0;
};

/// What an ack did: FLOW_STRAY, MARKS_IN and FLOW_THROTTLED count.
struct FlowAcked {
  bool stray = false, marked = false, throttled = false;
  std::uint16_t channel = 0;  ///< unless stray
};

/// A generation of a channel that its deadline forgot.
struct FlowLoss {
  std::uint16_t channel = 0;
  bool gen = false;
};

/// What the end of a cycle did.
struct FlowEnd {
  std::array<FlowLoss, 2> losses{};
  int lost = 0;  ///< how many of them there are, FLOW_LOST
  std::optional<FlowPause> pause;
};

class FlowChannels {
 public:
  struct Parameters {
    int set_bits = 6;
    int ways = 16;        ///< at most 16
    int sweep_bits = 10;  ///< a sweep looks at each entry once in 2^sweep_bits cycles
    int classes = kMaxClasses;
  };

  FlowChannels() : FlowChannels(Parameters()) {}
  explicit FlowChannels(const Parameters& parameters);

  /// The way that an ordered packet which decides takes instead of the one it was routed; none: as routed. `pair` is
  /// the way by the hash of its pair.
  std::optional<FlowWay> WayOf(int tc, std::uint32_t destination, const FlowWay& pair) const;
  /// Event a + 18 (step 1): a counted packet. One a cycle.
  FlowVerdict Packet(Cycle now, const FlowArrival& arrival);
  /// Step 2. `entered`: a packet of the pipeline enters the queue stage in this cycle, counted or not.
  std::optional<FlowRelease> Release(Cycle now, bool entered) {
    if (ready_.empty() || entered) return std::nullopt;
    return ReleaseFirst(now);
  }
  /// Event A (step 3): an ack is home. One a cycle.
  FlowAcked Acknowledge(Cycle now, const Ack& ack);
  /// Steps 4 to 6. `live`: the port is enabled, has credits, and its link is up, as committed.
  FlowEnd EndCycle(Cycle now, bool live);
  /// Event of cycle `now`, after EndCycle: registers were written.
  void SetRegisters(Cycle now, const FlowRegisters& registers);
  const FlowRegisters& registers() const { return registers_; }

  /// The next cycle behind `now` in which Release and EndCycle must be called, if nothing comes; kNever: there is none.
  Cycle Next(Cycle now) const { return ready_.empty() && tell_.empty() ? events_.Next() : now + 1; }
  /// No channel in use, and both fifos empty.
  bool quiescent() const;
  /// Entries in use.
  int entries() const { return entries_; }

  /// The entry in use of a flow, null when it has none. Its sweeps since `swept` are to be made up for.
  const FlowState* Entry(int tc, std::uint32_t destination) const { return EntryOf(FlowTable::KeyOf(tc, destination)); }
  const FlowState* EntryOf(std::uint32_t key) const {
    const Index at = table_.Find(key);
    return at == kNone ? nullptr : &states_[at];
  }
  const FlowState& ClassChannel(int tc) const { return states_[static_cast<Index>(tc)]; }
  const Parameters& parameters() const { return parameters_; }
  /// Calls `visit(state)` for each channel in use.
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    ForEachIndex([&](Index at) { visit(states_[at]); });
  }
  /// Calls `visit(packet, cells)` for each packet of a channel's hold queue, the first one first.
  template <typename Visit>
  void ForEachHeld(const FlowState& state, Visit&& visit) const {
    for (Index at = state.first; at != kNone; at = holds_[at].next) visit(holds_[at].packet, int{holds_[at].cells});
  }
  /// Checks FLOW-3, FLOW-5, FLOW-6 of `port` after a cycle.
  void Check(int port, Audit* audit) const;
  /// Asks for the memory of the next packets and acks.
  void Prefetch() const {
    states_.Prefetch();
    holds_.Prefetch();
  }

  /// See golden/common/archive.h. Registers are not part of the state: their owner writes them again.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(states_, holds_, table_, ready_, tell_, events_, telling_, entries_);
  }

 private:
  /// A packet that is held.
  struct Held {
    Index packet, next;
    std::uint8_t cells, port, lane;
  };
  /// The tell fifo's head, as committed.
  struct Telling {
    bool valid = false;
    std::uint16_t held = 0;
  };
  /// Bits of `steps_`: step 6 looks at the channels of these steps, in this order.
  enum Step { kPacket, kRelease, kAck, kSweptEntry, kSweptClass, kTell, kSteps };

  Cycle LastSweep(const FlowState& state, Cycle until) const;
  /// Whether a packet whose key has no entry gets one in the set of its key.
  bool MayClaim(int set, int tc) const { return states_[static_cast<Index>(tc)].held == 0 && table_.HasRoom(set); }
  /// Makes up for the sweeps up to `until`. Returns the generations lost.
  int CatchUp(FlowState* state, Cycle until) {
    return until - state->swept < Cycle{1} << parameters_.sweep_bits ? 0 : MakeUp(state, until);
  }
  int MakeUp(FlowState* state, Cycle until);
  void Touch(Step step, Index at) {
    touched_[step] = at;
    steps_ |= 1u << step;
  }
  void Schedule(Index at);
  std::optional<FlowRelease> ReleaseFirst(Cycle now);
  void Begin(Cycle now, FlowState* state);
  void Hold(FlowState* state, const FlowArrival& arrival);
  void Send(FlowState* state, int cells);
  void Hear(const Ack& ack, FlowState* state, FlowAcked* acked);
  void Sweep(Cycle now, Index at, FlowEnd* end);
  void Tell(bool live, FlowEnd* end);
  void Settle(Index at);
  template <typename Visit>
  void ForEachIndex(Visit&& visit) const {
    for (Index tc = 0; tc < static_cast<Index>(parameters_.classes); ++tc) {
      if (states_[tc].in_use()) visit(tc);
    }
    table_.ForEach([&](Index at, int) { visit(at); });
  }

  Parameters parameters_;
  FlowRegisters registers_;
  Pool<FlowState> states_;  ///< first those of the class channels
  Pool<Held> holds_;
  FlowTable table_;
  FlowReadyFifo ready_;
  FlowTellFifo tell_;
  Agenda<Index> events_;  ///< each record has one at `due`; others are overtaken
  Telling telling_;
  std::array<Index, kSteps> touched_{};  ///< in this cycle, of the steps in `steps_`
  unsigned steps_ = 0;
  int entries_ = 0;
};

}  // namespace tilefly::golden
