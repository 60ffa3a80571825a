// SPDX-License-Identifier: Apache-2.0
// Links behind row R: a packet's words leave one a cycle, from some cycles after its first cell has come or when the
// packet before it has left.
#pragma once

#include <algorithm>
#include <deque>
#include <vector>

#include "testbenches/reduction/golden_ring.h"

namespace tilefly::bench {

class RowLinks {
 public:
  using Packet = golden::GoldenRing::Outputs::Leaving;

  explicit RowLinks(int ports) : ports_(static_cast<std::size_t>(ports)) {}

  /// The packet's last cell came into the output buffer in cycle `now`.
  void Came(Cycle now, const Packet& packet) {
    Port& port = ports_[static_cast<std::size_t>(packet.port)];
    const int bytes = static_cast<int>(packet.frame.size());
    const Cycle first_cell = now - golden::CellsOf(bytes) + 1;
    port.free = std::max(port.free, first_cell + kCellToWire) + golden::CeilDiv(Header::kBytes + bytes, 32);
    port.waiting.push_back({port.free - 1, packet});
    ++waiting_;
  }
  /// Calls `visit(packet)` for those whose last word is on its link in cycle `now`.
  template <typename Visit>
  void Deliver(Cycle now, Visit&& visit) {
    for (Port& port : ports_) {
      if (port.waiting.empty() || port.waiting.front().last > now) continue;
      const Packet packet = std::move(port.waiting.front().packet);
      port.waiting.pop_front();
      --waiting_;
      visit(packet);
    }
  }
  bool idle() const { return waiting_ == 0; }

 private:
  /// Of a quiet output: taken in the next cycle, on the link 8 later. The bench's own, written apart from
  /// golden/common/stage_times.h.
  static constexpr Cycle kCellToWire = 9;
  struct Waiting {
    Cycle last;
    Packet packet;
  };
  struct Port {
    Cycle free = 0;  ///< for the next packet's first word
    std::deque<Waiting> waiting;
  };
  std::vector<Port> ports_;
  int waiting_ = 0;
};

}  // namespace tilefly::bench
