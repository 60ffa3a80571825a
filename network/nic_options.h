// SPDX-License-Identifier: Apache-2.0
// What NICs do with classes and with acks (docs/network.md, Queues of a NIC, Outstanding packets).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "golden/common/types.h"

namespace tilefly::network {

struct NicOptions {
  static constexpr int kMostWindow = 1024;
  static constexpr int kMostResends = 1000;
  static constexpr int kLeastResendWindow = 64;
  static constexpr int kMostResendWindow = 1024;

  bool resends() const { return resend > 0; }
  /// ACK_DEADLINE.sweeps of the NICs' ports: where it can be, the cells of a lost packet are forgotten before its copy comes,
  /// so that an ordered flow does not keep a path that is dead.
  int AckDeadline() const {
    constexpr Cycle kSweep = 1024, kMost = 255;
    return resend_window == 0 ? 0 : static_cast<int>(std::clamp<Cycle>(resend / kSweep, 1, kMost));
  }

  bool class_queues = true;  ///< true: an injection queue for each class; false: one for all

  /// Most packets outstanding. Empty: the most that is possible where acks tell of every packet, else no limit.
  std::optional<int> window;
  Cycle resend = 0;      ///< cycles from a packet's last word until the packet is sent again; 0: never
  int most_resends = 8;  ///< how often a packet is sent again before it is given up
  /// Numbers of each pair of NICs that the receiver remembers, so that the host gets each packet once; 0: channels have no
  /// turns, and the receiver remembers all numbers.
  int resend_window = 0;
  std::uint32_t first_number = 0;  ///< number of the first packet of each pair, with a resend window
};

}  // namespace tilefly::network
