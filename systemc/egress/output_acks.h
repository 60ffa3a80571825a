// SPDX-License-Identifier: Apache-2.0
// Acks that leave an output for the ack crossbar (docs/blocks/acks.md). The output makes acks for packets that it has
// delivered, and passes on acks from its link. At a port with flow channels the congestion meter judges the acks that
// the output makes (docs/blocks/flow_channel.md, Meter at the output).
#pragma once

#include "golden/flows/output_meters.h"
#include "systemc/switch/context.h"

namespace tilefly::systemc {

class OutputAcks {
 public:
  /// The acks of port `port`. `meter`: of its request store, the first of one.
  OutputAcks(int port, Context& context, golden::OutputMeters& meter) : port_(port), context_(context), meter_(meter) {}

  /// Event of `cycle`: the room of a delivered packet that has to be acknowledged is free. Returns the ack; null when
  /// it names no input to go to, which is counted. Neither requests nor grants of `cycle` are in the meter yet.
  Crossing* Make(Cycle cycle, const Crossing& delivered);
  /// A write is about to change MODE or FLOW_MARK of the port in the event of `cycle`, whose acks are made by what they
  /// are now.
  void Keep(Cycle cycle);
  /// Event of `cycle`: an ack of `packet` came by the link. Returns the ack that goes on; null when it does not go on,
  /// which is counted.
  Crossing* PassOn(Cycle cycle, fabric::Packet* packet, const tilefly::Ack& came);

 private:
  /// Load of the output in cells, as an ack shows it.
  std::uint16_t load() const;
  void Mark(Cycle cycle, const golden::HeaderBits& header, const FlowMark& limits, tilefly::Ack* ack);
  Crossing* MakeCrossing(fabric::Packet* packet, const tilefly::Ack& ack, int input);

  const int port_;
  Context& context_;
  golden::OutputMeters& meter_;
  Cycle kept_for_ = -1;      ///< event whose acks see these registers, not those that were written in it:
  bool kept_flows_ = false;  ///< the port has flow channels
  FlowMark kept_mark_;
};

}  // namespace tilefly::systemc
