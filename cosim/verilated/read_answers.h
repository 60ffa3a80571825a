// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "cosim/device.h"
#include "cosim/verilated/tile_model.h"

namespace tilefly::cosim {

/// Listens to the register reads on the bus of a Verilated device. A read in bus cycle w is answered in w + 8.
class ReadAnswers {
 public:
  explicit ReadAnswers(int ports);
  /// `cfg` is on the bus in `cycle`.
  void Watch(const Cfg& cfg, Cycle cycle);
  /// Port whose answer is due in `cycle`, or -1.
  int Due(Cycle cycle) const { return !pending_.empty() && pending_.front().due == cycle ? pending_.front().port : -1; }
  /// Whether a read waits for its answer.
  bool pending() const { return !pending_.empty(); }
  /// Takes the pins {valid, 64 bits} in the cycle of a due answer. Throws DeviceError when they show no answer.
  void Sample(const PortWord* rdata);
  /// The latest answer for a counter. Throws DeviceError when the counter was never read.
  std::uint64_t Counter(int port, int index) const;

 private:
  static constexpr int kNoCounter = -1;
  struct Pending {
    Cycle due;
    int port;
    int index;  ///< of the counter, or kNoCounter
  };
  std::deque<Pending> pending_;
  std::vector<std::vector<std::int64_t>> counters_;  ///< by port and index; -1: never read
};

}  // namespace tilefly::cosim
