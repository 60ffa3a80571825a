// SPDX-License-Identifier: Apache-2.0
// What NICs do with classes and with acks (docs/network.md, Queues of a NIC, Outstanding packets).
#pragma once

#include <optional>

#include "golden/common/types.h"

namespace tilefly::network {

struct NicOptions {
  static constexpr int kMostWindow = 1024;
  static constexpr int kMostResends = 1000;

  bool resends() const { return resend > 0; }

  bool class_queues = true;  ///< true: an injection queue for each class; false: one for all

  /// Most packets outstanding. Empty: the most that is possible where acks tell of every packet, else no limit.
  std::optional<int> window;
  Cycle resend = 0;      ///< cycles from a packet's last word until the packet is sent again; 0: never
  int most_resends = 8;  ///< how often a packet is sent again before it is given up
};

}  // namespace tilefly::network
