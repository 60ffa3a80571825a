// SPDX-License-Identifier: Apache-2.0
// Which PAUSE frame the link of a port takes next (docs/blocks/link.md, PAUSE).
#pragma once

#include <optional>

#include "golden/common/header_bits.h"
#include "golden/common/stage_times.h"
#include "golden/common/types.h"
#include "golden/link/control_frame.h"
#include "golden/registers/registers.h"
#include "systemc/fabric/packet.h"

namespace tilefly::systemc {

class PauseSender {
 public:
  static constexpr int kSlots = 3;  ///< words that a frame takes on the link, with preamble and gap

  /// Quanta of the PAUSE frame that is due in a take decision of `now`, when the port's input buffer holds `used`
  /// cells. Empty: none is due.
  std::optional<std::uint16_t> Due(Cycle now, int used, const golden::PortRegisters& registers) const {
    if (!xoff_sent_) return used >= registers.xoff ? std::optional(kXoff) : std::nullopt;
    if (used < registers.xon) return std::uint16_t{0};
    return now >= refresh_ ? std::optional(kXoff) : std::nullopt;
  }
  /// The link takes the frame in cycle `now`.
  void Sent(Cycle now, std::uint16_t quanta) {
    xoff_sent_ = quanta != 0;
    refresh_ = now + golden::kPauseRefresh;
  }
  bool xoff_sent() const { return xoff_sent_; }
  /// The cycle from which on an XOFF is to be repeated.
  Cycle refresh() const { return refresh_; }

  /// Makes `packet` a PAUSE frame of the port that has this fabric address.
  static void Dress(std::uint32_t address, std::uint16_t quanta, fabric::Packet* packet) {
    const auto bytes = golden::MakePause(address, quanta);
    Header header;
    header.kind = static_cast<std::uint8_t>(Kind::kStd);
    header.len = static_cast<std::uint16_t>(bytes.size());
    packet->header = golden::HeaderBits(header);
    packet->enh = false;
    packet->length = static_cast<int>(bytes.size());
    packet->frame = std::make_shared<const fabric::Frame>(bytes.begin(), bytes.end());
  }

 private:
  static constexpr std::uint16_t kXoff = 65535;

  bool xoff_sent_ = false;
  Cycle refresh_ = 0;
};

}  // namespace tilefly::systemc
