// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/setup/frame_sink.h"
#include "cosim/setup/switch_setup.h"
#include "cosim/tree/red_packet.h"
#include "cosim/tree/tree.h"

namespace tilefly::cosim {

/// The frame that a peer sends to the switch behind `port`, on lane `vl`.
std::shared_ptr<Frame> MakeRedFrame(const SwitchSetup& setup, int port, const RedAddress& from, int vl, const RedPacket& packet);
/// Reads the packet that came for `peer`. Throws CheckFailure unless its header is the peer's, its length follows from
/// `red`, and the rest of the packet is zero.
RedPacket ParseRedFrame(const SwitchSetup& setup, const RedAddress& peer, const Reception& reception);
/// Whether the frame is a reduction packet.
inline bool IsRed(bool enh, const Header& header) { return enh && header.kind == static_cast<std::uint8_t>(Kind::kRed); }

}  // namespace tilefly::cosim
