// SPDX-License-Identifier: Apache-2.0
// Words of taken packets, as an ingress gives them to its reduction port: packets of the test, at the pace of some
// lanes, whole or damaged.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "generated/registers.h"
#include "generated/wire.h"
#include "golden/common/types.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {

/// A packet for a reduction port.
struct RedArrival {
  Header header;
  std::vector<std::uint8_t> frame;
  bool damaged = false;  ///< it ends badly
};

class RedArrivals {
 public:
  /// What the ingress says in a cycle (rx_t of rtl/ingress).
  struct Event {
    bool word = false;
    bool begins = false;
    bool ends = false;
    Drop status = Drop::kNone;  ///< at the end
    int length = 0;             ///< of the frame
    std::array<std::uint8_t, 32> data{};
  };

  RedArrivals(const Stimulus& random, int port) : random_(random), index_(static_cast<std::uint32_t>(port)) {}

  /// Between packets.
  bool idle() const { return !busy_; }
  /// The next packet, whose word 0 comes in the cycle that is asked for next; `steady`: at the rate of all lanes, else
  /// now and then of fewer. Between packets only.
  void Start(Cycle now, RedArrival packet, bool steady);
  /// Cycle `now`.
  Event Next(Cycle now);
  /// The packet that comes; what ends in a cycle has been it.
  const RedArrival& packet() const { return packet_; }

 private:
  int words() const { return (static_cast<int>(bytes_.size()) + 31) / 32; }

  const Stimulus& random_;
  std::uint32_t index_;
  RedArrival packet_;
  std::vector<std::uint8_t> bytes_;  ///< as on the link: header and frame
  bool busy_ = false;                ///< some of them, or the end, are still to come
  Cycle first_ = 0;
  int lanes_ = 4;
  int next_ = 0;           ///< word
  int cut_after_ = 0;      ///< words after which the rest does not come; 0: all come
  Cycle end_ = 0;  ///< of a packet that is cut, once its last word has come
};

}  // namespace tilefly::bench
