// SPDX-License-Identifier: Apache-2.0
// What the classes of one port may have of its input buffer (docs/blocks/ingress.md, Class shares), and the CLASS registers
// that the ingress reads.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "golden/common/types.h"

namespace tilefly::golden {

/// CLASS registers of a port: all that its ingress reads. In cells.
struct ClassShares {
  struct Class {
    std::uint16_t reserve = 0;
    std::uint16_t cap = 0;
    std::uint8_t mtu = 0;   ///< most cells of a packet that comes in, 0: no limit
    std::uint8_t mode = 0;  ///< RouteMode that a bare frame gets
    bool ordered = false;   ///< a bare frame is ordered
  };

  /// Event: a write to space CLASS. A write that addresses no register here changes nothing.
  void Write(int index, std::uint64_t data);
  bool lossy(int c) const { return ((lossy_classes >> c) & 1) != 0; }

  std::array<Class, kMaxClasses> classes{};
  unsigned lossy_classes = 0;
  int shared = 0;
};

/// Cells of a port's accounted packets, by class.
class ClassAccount {
 public:
  /// Whether a packet of `cells` cells of class `c` may stay in the input buffer.
  bool Admits(const ClassShares& shares, int c, int cells) const {
    if (!shares.lossy(c)) return true;
    if (used_[c] + cells > shares.classes[c].cap) return false;
    int excess = 0;
    for (int w = 0; w < kMaxClasses; ++w) {
      excess += std::max(0, used_[w] + (w == c ? cells : 0) - shares.classes[w].reserve);
    }
    return excess <= shares.shared;
  }
  void Add(int c, int cells) { used_[c] = static_cast<std::int16_t>(used_[c] + cells); }

  int used(int c) const { return used_[c]; }

 private:
  std::array<std::int16_t, kMaxClasses> used_{};
};

}  // namespace tilefly::golden
