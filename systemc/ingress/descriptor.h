// SPDX-License-Identifier: Apache-2.0
// What the descriptor pipeline decides about a packet (docs/blocks/ingress.md, Descriptor pipeline), by golden's
// look-up and routing, and the path that an ordered flow keeps (docs/blocks/acks.md).
#pragma once

#include "golden/common/header_bits.h"
#include "golden/ingress/lookup.h"
#include "systemc/switch/context.h"

namespace tilefly::systemc {

struct Descriptor {
  /// The descriptor of `packet` at input `port`. It uses the tables of now and the loads that are shown to the decision
  /// of `cycle` + 12, where `cycle` is a + 4.
  static Descriptor Of(Context& context, int port, const fabric::Packet& packet, Cycle cycle);
  /// The same for a packet that an output has given back, which passes the pipeline again: by its stored header.
  static Descriptor Again(Context& context, int port, const Stored& stored, Cycle cycle);

  /// The packet enters the queue stage of a port without flow channels: updates counters, flow account and the path of
  /// its flow. `again`: it was given back, and is counted already.
  void Enter(Context& context, int port, Cycle cycle, bool again);
  /// Counts the path of a packet that routing chose one for.
  void CountRouted(Context& context, int port) const;
  /// Another path than the one routed.
  void TakePath(int output, std::uint32_t via, bool via_valid);
  /// Outgoing lane of the packet, or of its copy, to `output`: that of now, unless a flow channel held the packet.
  int LaneOf(const Context& context, int port, int output) const;
  /// The transaction of the packet to `output`. When there are several copies, the packet stays in the input buffer and
  /// each copy leaves as a transaction of its own.
  Crossing* MakeCrossing(Context& context, int port, Stored* stored, int output) const;
  int tc() const { return header.tc(); }

  golden::HeaderBits came{};    ///< header before routing
  golden::HeaderBits header{};  ///< of the stored packet
  Drop drop = Drop::kNone;
  golden::PortMask outputs = 0;
  int vl_in = 0;
  int cells = 0;
  bool in_flow = false;     ///< counts in the flow account of its port
  bool in_channel = false;  ///< counts in a flow channel of its port
  bool decided = false;  ///< routing chose between minimal and non-minimal paths
  bool follows = false;  ///< ordered: its flow says at the end of the pipeline where it goes
  int hash_output = 0;   ///< then: output of its hash path
  std::uint32_t via_came = 0;
  golden::PortMask down = 0;  ///< outputs that the decision sees as down
  int kept_lane = -1;    ///< of a packet that a flow channel held: its lane as of then; -1: none held it

 private:
  void Route(Context& context, int port, const golden::Destination& destination, Cycle cycle);
  void Follow(const Context& context, int port);
};

/// A packet in the descriptor pipeline.
struct Staged {
  Descriptor descriptor;
  Stored* stored;
  Cycle released;  ///< event in which its cells would be free if it were dropped
};

}  // namespace tilefly::systemc
