// SPDX-License-Identifier: Apache-2.0
// Loosely timed use of an input (docs/systemc.md, Loosely timed): look-up and routing at once, the stages of a quiet
// hop, no queues.
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

  /// Of port `port`; `data`: to the row's crossbars, by column.
  LooseInput(int port, Context& context, const InputMac& mac, TakenPackets& taken, Data& data)
      : port_(port), context_(context), mac_(mac), taken_(taken), data_(data) {}

  /// The packet's first word comes at the time of the call; it leaves, is taken or dropped. `log`: null without one.
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
