// SPDX-License-Identifier: Apache-2.0
// Loosely timed use of an input (docs/systemc.md, Loosely timed): look-up and routing are done at once, the stages take
// the cycles of a quiet hop, and there are no queues.
#pragma once

#include <tlm_utils/multi_passthrough_initiator_socket.h>

#include "systemc/ingress/descriptor.h"
#include "systemc/ingress/taken_packets.h"
#include "systemc/trace/transaction_log.h"

namespace tilefly::systemc {

class InputPort;

class LooseInput {
 public:
  using Data = tlm_utils::multi_passthrough_initiator_socket<InputPort, 32, CrossingTypes>;

  /// The input of port `port`. `data`: sockets to the crossbars of the row, by column.
  LooseInput(int port, Context& context, const InputMac& mac, TakenPackets& taken, Data& data)
      : port_(port), context_(context), mac_(mac), taken_(taken), data_(data) {}

  /// The packet's first word comes at the time of the call. The packet leaves, or is taken by the reduction ring, or is
  /// dropped. `log`: null when nothing is recorded.
  void Pass(fabric::Packet* packet, sc_core::sc_time* delay, TransactionLog* log);

 private:
  void Send(const Descriptor& descriptor, fabric::Packet* packet, Cycle pick, sc_core::sc_time* delay);

  const int port_;
  Context& context_;
  const InputMac& mac_;
  TakenPackets& taken_;
  Data& data_;
};

}  // namespace tilefly::systemc
