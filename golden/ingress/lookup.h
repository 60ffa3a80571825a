// SPDX-License-Identifier: Apache-2.0
// Look-up and classification of a packet with the tables of one cycle (docs/blocks/ingress.md, Descriptor pipeline).
#pragma once

#include "golden/common/header_bits.h"
#include "golden/ingress/bare_fields.h"
#include "golden/ingress/registers.h"

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

/// The algorithmic MAC of a fabric address: 02:00:00:0, then 20 bits.
constexpr std::uint64_t MacOfAddress(std::uint32_t address) { return std::uint64_t{0x0200000} << 20 | address; }

}  // namespace tilefly::golden
