// SPDX-License-Identifier: Apache-2.0
// Acks that leave an output for the ack crossbar (docs/blocks/acks.md): made for what it has delivered, passed on from
// its link.
#pragma once

#include "systemc/switch/context.h"

namespace tilefly::systemc {

class OutputAcks {
 public:
  /// Of port `port`.
  OutputAcks(int port, Context& context) : port_(port), context_(context) {}

  /// The room of a delivered packet that is to be acknowledged is free. Null: it names no input to go to; counts.
  Crossing* Make(const Crossing& delivered);
  /// Event of `cycle`: an ack of the link, of `packet`. Null: it does not go on; counts.
  Crossing* PassOn(Cycle cycle, fabric::Packet* packet, const tilefly::Ack& came);

 private:
  /// Load of the output, as an ack shows it.
  std::uint16_t load() const;
  Crossing* MakeCrossing(fabric::Packet* packet, const tilefly::Ack& ack, int input);

  const int port_;
  Context& context_;
};

}  // namespace tilefly::systemc
