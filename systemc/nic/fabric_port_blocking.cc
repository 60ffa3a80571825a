// SPDX-License-Identifier: Apache-2.0
// Loosely timed use of a NIC's fabric side: a packet reaches the other NIC, and all that it brings about there happens, in the
// call that sends it. No credits: the link alone is kept.
#include <algorithm>

#include "systemc/nic/fabric_port.h"

namespace tilefly::systemc {

void FabricPort::Pass(fabric::Packet* packet, Cycle at) {
  const Cycle past = fabric::CycleAt(sc_core::sc_time_stamp());
  const Cycle start = link_ledger_.Book(past, std::max(at, past) + 1, Slots(*packet));
  if (log_ != nullptr) log_->Words(TransactionLog::kOut, *packet, start, start + packet->Duration(options_.lanes) + 1);
  sc_core::sc_time delay = fabric::UntilCycle(start);
  out->b_transport(*packet, delay);
  if (packet->drop != Drop::kNone) ++lost_;
  packet->release();
}

/// The time of return is that of the last word, but for a memory that waited until later.
void FabricPort::Blocking(fabric::Packet& packet, sc_core::sc_time& delay) {
  if (!Takes(true)) return;
  const Cycle first = fabric::CycleOfCall(delay);
  const Cycle last = first + packet.Duration(options_.lanes);
  if (log_ != nullptr) log_->Words(TransactionLog::kIn, packet, first, last + 1);
  Deliver(packet, last);
  delay = fabric::UntilCycle(std::max(last, fabric::CycleAt(sc_core::sc_time_stamp())));
}

}  // namespace tilefly::systemc
