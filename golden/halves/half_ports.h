// SPDX-License-Identifier: Apache-2.0
// The state of a switch that runs as halves (docs/timing.md, Halves): packets, queues, and the input half and the output
// half of a port, with the messages that wait at each. Cycles are counted from the switch's base, in 32 bits.
// Serialize (golden/common/archive.h) leaves out what the registers say.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "golden/credit/credit_sender.h"
#include "golden/halves/few.h"
#include "golden/halves/half_crossing.h"
#include "golden/scheduler/deficit_table.h"
#include "golden/state/packet.h"

namespace tilefly::golden {

/// A packet in half a cache line, from its arrival to its take.
struct HalfPacket {
  HeaderBits header;
  Payload payload;
  T32 when;    ///< in which it is queued; then the first pick that its words allow
  Index next;  ///< in the pipeline; then in its queue
  std::uint8_t cells;
  std::uint8_t output;
  std::uint8_t vl_in : 4, vl : 4;
  bool more : 1;        ///< its queue held packets without a request when it was requested
  bool decided : 1;     ///< routing chose between minimal and non-minimal paths
  bool nonminimal : 1;  ///< and took a non-minimal one
};
static_assert(sizeof(HalfPacket) == 32);

/// Number of a queue with a record in its switch.
using QueueId = std::uint16_t;
inline constexpr QueueId kNoQueue = UINT16_MAX;

/// A virtual output queue, and the requests of its packets at the output (golden/ingress/virtual_queues.h).
struct HalfQueue {
  Index first;         ///< oldest packet
  Index last;
  Index next_request;  ///< oldest packet without a request, when unrequested > 0
  Index next_grant;    ///< oldest packet requested and not granted, when ungranted > 0
  T32 pushed;          ///< when it came into the ready fifo
  QueueId next_ready;
  std::uint16_t unrequested;
  std::uint8_t credits;
  std::uint8_t ungranted;
  std::uint8_t stored;  ///< requests that stand in the output's store
  std::uint8_t cells;   ///< of next_grant; `more` too
  std::uint8_t output;
  std::uint8_t vl;
  bool more;
  bool ready;
};
static_assert(sizeof(HalfQueue) == 32);

/// A grant on its way, by the cycle of its decision.
struct GrantMessage {
  T32 at;
  QueueId queue;
  std::uint8_t source;  ///< output of its row
  std::uint8_t row;
};
/// A request on its way, by its leave cycle.
struct RequestMessage {
  T32 at;
  QueueId queue;
  std::uint8_t source : 4, row : 4;  ///< input of its row
  std::uint8_t cells;
};
static_assert(sizeof(RequestMessage) == 8);
/// A granted packet whose transfer has not begun, by its grant's arrival.
struct GrantedPacket {
  T32 at;
  Index packet;
};
/// A credit return, by the cycle of its decision.
struct DueReturn {
  T32 at;
  std::uint16_t cells;  ///< freed on the lane, modulo 65536
  std::uint8_t vl;
};
/// A packet's first cell at an output.
struct FirstCellMessage {
  T32 at;
  Index packet;
  std::uint8_t row;
  std::uint8_t cells;
};
/// Room of an output buffer that goes free.
struct RoomMessage {
  T32 at;
  std::int32_t cells;
};
/// A credit return that arrives from the far end.
struct CreditMessage {
  T32 at;
  std::uint16_t cells;
  std::uint8_t vl;
};
/// An ack that the output is going to make, or has to pass on, by the cycle of that event (docs/blocks/acks.md). Its
/// load becomes known then.
struct DueAck {
  T32 at;
  Ack ack;
  bool made;  ///< false: it came by the link
};
/// An ack that crosses the switch, by the cycle in which it was made or passed on.
struct AckMessage {
  T32 at;
  Ack ack;
  std::uint8_t source;  ///< output of its row
  std::uint8_t row;
};
/// A change of the cells accounted in an input buffer.
struct LevelChange {
  T32 at;
  std::int32_t cells;
};

/// The input half of a port.
struct alignas(kCacheLine) InputHalf {
  T32 first_when = kFar;  ///< in which the first packet of the pipeline is queued
  Index first = kNone;    ///< packets in the pipeline
  Index last = kNone;
  Index unrouted = kNone;  ///< the first of them that is not routed
  QueueId first_ready = kNoQueue;
  QueueId last_ready = kNoQueue;
  T32 last_pop = -1;
  T32 next_pick = 0;
  std::uint8_t serdes_lanes = 4;
  bool cut_through = false;
  HalfCrossing<GrantMessage, 3, 1> grants;
  Few<GrantedPacket, 2> granted;
  Few<DueReturn, 3> returns;
  std::array<std::uint16_t, kMaxLanes> freed{};
  std::uint32_t packets = 0;  ///< RX_PACKETS; the next two count routing decisions
  std::uint32_t minimal = 0;
  std::uint32_t nonminimal = 0;
  std::int32_t used = 0;             ///< cells accounted; only where somebody asks for it
  std::vector<LevelChange> changes;  ///< of `used`, in the order of their cycles

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(first_when, first, last, unrouted, first_ready, last_ready, last_pop, next_pick, grants, granted, returns,
            freed, packets, minimal, nonminimal, used, changes);
  }
};

/// The column channel of a row.
struct HalfChannel {
  T32 free_at = 0;
  std::uint16_t outstanding = 0;
  std::uint8_t owner = 0;
  std::uint8_t run = 0;
};

/// Masks of inputs, 16 bits a row.
using RowMasks = std::uint64_t;

/// Requests on a lane of an output.
struct HalfLane {
  RowMasks inputs = 0;
  std::array<std::uint8_t, kMaxRows> input_pointer{};
  std::uint8_t row_pointer = 0;
};

/// The output half of a port. What a packet needs comes first, the lanes last: those that nobody uses lie on cache
/// lines of their own.
struct alignas(kCacheLine) OutputHalf {
  OutputHalf(const Profile& profile, int class_hold) : scheduler(profile, class_hold) {}

  T32 next_decide = kFar;
  T32 next_take = 0;
  T32 next_ack = kFar;  ///< when the first of the port's AckHalf::due is due
  T32 granted_at = -1;  ///< cycle, lane and cells of the last grant
  std::uint8_t granted_vl = 0;
  std::uint8_t granted_cells = 0;
  std::int16_t room = 0;
  std::uint16_t requested = 0;  ///< lanes with a request
  std::uint8_t take_pointer = 0;
  std::uint8_t serdes_lanes = 4;
  bool unsettled = false;  ///< asleep while it may not run, with a scheduler that would move
  bool edge = false;       ///< a port with MODE.acks
  std::uint16_t taken = 0;    ///< of `cells`: packets that the link has taken
  std::uint16_t applied = 0;  ///< of `cells`: first cells that the channels know
  std::array<std::uint8_t, kMaxRows> turn_pointer{};
  std::array<T32, kMaxRows> last_turn{-1, -1, -1, -1};
  std::uint32_t bad_returns = 0;
  const CreditTable* credit_table = nullptr;
  const SchedulerTable* table = nullptr;
  Few<RequestMessage, 2> requests;
  Few<FirstCellMessage, 3> cells;
  Few<RoomMessage, 2> rooms;
  Few<CreditMessage, 3> returns;
  std::array<HalfChannel, kMaxRows> channels{};
  std::int32_t load = 0;      ///< cells of the requests in the store
  std::uint32_t packets = 0;  ///< TX_PACKETS
  std::array<std::uint8_t, kMaxClasses> lane_pointer{};
  DeficitTable scheduler;
  CreditSender credits;
  std::array<HalfLane, kMaxLanes> lanes{};

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(next_decide, next_take, next_ack, granted_at, granted_vl, granted_cells, room, requested, take_pointer,
            unsettled, taken, applied, turn_pointer, last_turn, bad_returns, requests, cells, rooms, returns, channels,
            load, packets, lane_pointer, scheduler, credits, lanes);
  }
};

/// Acks of a port: those that its output is going to make or to pass on, and those that come to it across the switch.
struct alignas(kCacheLine) AckHalf {
  Few<DueAck, 2> due;
  std::uint32_t made = 0;  ///< ACKS_MADE
  std::uint32_t bad = 0;   ///< BAD_ACKS
  std::uint32_t in = 0;    ///< ACKS_IN
  HalfCrossing<AckMessage, 1, 1> crossing;

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(due, made, bad, in, crossing);
  }
};

}  // namespace tilefly::golden
