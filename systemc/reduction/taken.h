// SPDX-License-Identifier: Apache-2.0
// Between an input and the reduction ring: packets that are for this switch's aggregation node. Types are the fabric's;
// backward END_PACKET says that the packet was used, DROPPED that it was not.
#pragma once

#include "systemc/fabric/packet.h"

namespace tilefly::systemc {

/// Forward: the packet may be taken; the time is the event of its word 0.
TLM_DECLARE_EXTENDED_PHASE(MAY_BE_TAKEN);
/// Forward: the packet was taken; the time is the event of its end, in which it is known whether it is bad.
TLM_DECLARE_EXTENDED_PHASE(TAKEN);

}  // namespace tilefly::systemc
