// SPDX-License-Identifier: Apache-2.0
// Two NICs, joined by their links alone.
#pragma once

#include "systemc/credit/credit_link.h"
#include "systemc/nic/nic.h"

namespace tilefly::systemc {

struct NicPair {
  static constexpr std::uint32_t kLeft = 64;
  static constexpr std::uint32_t kRight = 65;
  static constexpr Cycle kCable = 10;

  /// Whether each is loosely timed; a NIC may have `window` transactions outstanding.
  NicPair(bool left_loosely, bool right_loosely, int window = 64)
      : left("left", Options(kLeft, left_loosely, window), &pool, &directory),
        right("right", Options(kRight, right_loosely, window), &pool, &directory) {
    left.fabric.out.bind(to_right.in);
    to_right.out.bind(right.fabric.in);
    right.fabric.out.bind(to_left.in);
    to_left.out.bind(left.fabric.in);
  }
  static NicOptions Options(std::uint32_t address, bool loosely_timed, int window) {
    NicOptions options;
    options.fabric.address = address;
    options.fabric.mtu_cells = kTile8.mtu_cells;
    options.fabric.credit = golden::CreditTable(kTile8);
    options.window = window;
    options.loosely_timed = loosely_timed;
    return options;
  }

  fabric::PacketPool pool;
  NicDirectory directory;
  Nic left;
  Nic right;
  CreditLink to_right{"to_right", kCable};
  CreditLink to_left{"to_left", kCable};
};

}  // namespace tilefly::systemc
