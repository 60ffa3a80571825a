// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cosim/tree/red_packet.h"
#include "golden/common/cycle.h"

namespace tilefly::cosim {

/// Compares the packets that come to one port for one group with those that should come.
struct PacketJudge {
  int group;
  int port;

  /// Compares all of `red`, and the bytes. Throws CheckFailure.
  void Expect(Cycle now, const RedPacket& packet, const RedPacket& expected) const;
  /// Throws CheckFailure with `what`.
  [[noreturn]] void Fail(Cycle now, const std::string& what) const;
};

}  // namespace tilefly::cosim
