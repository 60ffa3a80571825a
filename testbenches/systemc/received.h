// SPDX-License-Identifier: Apache-2.0
// What a link partner of a transaction-level switch writes down of a packet that it gets.
#pragma once

#include "systemc/fabric/packet.h"
#include "testbenches/systemc/offers.h"

namespace tilefly::systemc {

/// The delivery of `packet` at `port`, its bytes as they came, but for the planted fault of `setup`.
Delivery Received(const ContractSetup& setup, int port, Cycle first_word, const fabric::Packet& packet);

}  // namespace tilefly::systemc
