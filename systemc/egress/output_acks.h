// SPDX-License-Identifier: Apache-2.0
// Acks that leave an output for the ack crossbar (docs/blocks/acks.md). The output makes acks for packets that it has
// delivered, and passes on acks from its link.
#pragma once

#include "systemc/switch/context.h"

namespace tilefly::systemc {

class OutputAcks {
 public:
  /// The acks of port `port`.
  OutputAcks(int port, Context& context) : port_(port), context_(context) {}

  /// Event: the room of a delivered packet that has to be acknowledged is free. Returns the ack; null when it names no
  /// input to go to, which is counted.
  Crossing* Make(const Crossing& delivered);
  /// Event of `cycle`: an ack of `packet` came by the link. Returns the ack that goes on; null when it does not go on,
  /// which is counted.
  Crossing* PassOn(Cycle cycle, fabric::Packet* packet, const tilefly::Ack& came);

 private:
  /// Load of the output in cells, as an ack shows it.
  std::uint16_t load() const;
  Crossing* MakeCrossing(fabric::Packet* packet, const tilefly::Ack& ack, int input);

  const int port_;
  Context& context_;
};

}  // namespace tilefly::systemc
