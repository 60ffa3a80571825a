// SPDX-License-Identifier: Apache-2.0
// Look-up and classification of a packet with the tables of one cycle (docs/blocks/ingress.md, Descriptor pipeline).
#pragma once

#include "golden/common/header_bits.h"
#include "golden/registers/registers.h"
#include "golden/state/bare_fields.h"

namespace tilefly::golden {

/// Where a packet goes.
struct Destination {
  Drop drop;              ///< kNone, or why nowhere
  PortMask ports;         ///< one bit: unicast; none: to another switch, by routing
  std::uint32_t address;  ///< `dst` of the header that a bare frame gets
};

/// Destination of a packet with a header that came in at `port`.
Destination LookUp(const Registers& registers, const Profile& profile, int port, const HeaderBits& header);

/// Destination of a bare frame that came in at `port`.
Destination LookUp(const Registers& registers, int port, const BareFields& fields);

/// Traffic class of a bare frame that came in at `port`.
int Classify(const Registers& registers, int port, const BareFields& fields);

}  // namespace tilefly::golden
