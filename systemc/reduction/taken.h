// SPDX-License-Identifier: Apache-2.0
// The protocol between an input and the reduction ring for packets that are for this switch's aggregation node. The
// types are the fabric's. Backward, END_PACKET says that the packet was used, DROPPED that it was not.
#pragma once

#include "systemc/fabric/packet.h"

namespace tilefly::systemc {

/// Forward: the packet may be taken. The time is the event of its word 0.
TLM_DECLARE_EXTENDED_PHASE(MAY_BE_TAKEN);
/// Forward: the packet was taken. The time is the event of its end, in which it is known whether the packet is bad.
TLM_DECLARE_EXTENDED_PHASE(TAKEN);

}  // namespace tilefly::systemc
