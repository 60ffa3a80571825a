// SPDX-License-Identifier: Apache-2.0
// A packet inside the switch: one cache line from its first word to the room it frees in the output buffer. Packets stand
// in one list at a time (queue, grant list, output buffer), so one link serves them all.
#pragma once

#include "generated/registers.h"
#include "golden/common/header_bits.h"
#include "golden/common/pool.h"
#include "golden/state/bare_fields.h"

namespace tilefly::golden {

/// The caller's number of a packet's bytes; the switch carries it and looks at nothing behind it.
using Payload = std::uint32_t;

struct alignas(64) Packet {
  union {
    HeaderBits header;  ///< of a bare frame once it was looked up; as it leaves once it was picked
    BareFields bare;    ///< of a bare frame until then
  };
  Cycle when;           ///< first word's wire cycle; then first leave cycle allowed; then arrival at the output; then room due
  Index next;           ///< in the list where the packet stands
  Index input_link;     ///< in the calendars of the input
  Index output_link;    ///< in the calendar of the output
  Index parent;         ///< the packet that holds the cells: itself, but for a copy
  Payload payload;
  std::uint16_t length;    ///< bytes of the frame, FCS included
  std::uint16_t duration;  ///< wire cycles from the first word to the last; of one cut through: known where it may be dropped
  std::uint8_t cells;
  std::uint8_t input;
  std::uint8_t output;
  std::uint8_t vl_in;      ///< incoming lane, 0 of a bare frame
  std::uint8_t vl;         ///< outgoing lane
  std::uint8_t copies;     ///< of a parent: copies whose last cell has not left the input
  std::uint8_t copies_left;  ///< of a parent: copies that no link has taken
  std::uint8_t holds;      ///< reasons to keep the record
  Drop status;             ///< how the packet ended
  bool enh : 1;            ///< came with a header
  bool cut_through : 1;
  bool refused : 1;        ///< found no room, its end is still to come
  bool accounted : 1;      ///< its cells are in the account of its class
  bool more : 1;           ///< its queue held packets without a request when it was requested
  bool decided : 1;        ///< routing chose between minimal and non-minimal paths
  bool nonminimal : 1;     ///< and took a non-minimal one
  bool in_flow : 1;        ///< its cells are to be in the flow account of its port
  bool follows : 1;        ///< ordered: its flow says at the end of the pipeline where it goes
  bool taken : 1;          ///< of kind RED, for this switch's aggregation node
  bool answered : 1;       ///< to be acknowledged when its room is free
  bool paced : 1;          ///< its words come at a pace of their own, not at the port's
  std::uint8_t pace : 2;   ///< then: SerDes lanes less 1
  bool again : 1;          ///< was taken back from an output, and has passed the pipeline once more
  bool came_by_via : 1;    ///< via_valid of the header as it came
  bool in_channel : 1;     ///< its cells are to be in a flow channel of its port
  bool judged : 1;         ///< the end of the pipeline decides whether it enters the queue stage, and where it goes
  std::uint8_t hash_output;  ///< of one that follows: output of its hash path
  std::uint16_t via_came;    ///< and the header's via as it came
};

static_assert(sizeof(Packet) == 64);

using PacketStore = Pool<Packet>;

/// One reason less to keep the record.
inline void ReleaseCopy(PacketStore* packets, Index id) {
  if (--(*packets)[id].holds == 0) packets->Release(id);
}

}  // namespace tilefly::golden
