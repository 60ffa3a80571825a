// SPDX-License-Identifier: Apache-2.0
// Which SerDes lanes a sender uses (docs/blocks/link_retry.md, SerDes lanes).
#pragma once

#include <array>
#include <cstddef>

namespace tilefly::cosim {

class LanesInUse {
 public:
  /// `lanes`: of the cable, from 0 on.
  explicit LanesInUse(int lanes) : cable_((1u << lanes) - 1) { Down(); }

  /// The sender has been told which lanes to leave out, a bit each.
  void Told(unsigned bad) {
    const unsigned wanted = cable_ & ~bad;
    of_[At(Count(wanted))] = wanted == 0 ? 1 : wanted;
  }
  /// The link is down: the sender begins anew with all lanes.
  void Down() {
    for (int m = 1; m <= Count(cable_); ++m) of_[At(m)] = (1u << m) - 1;
  }
  /// The lanes, a bit each, of a sender that uses `m` of them.
  unsigned Of(int m) const { return of_[At(m)]; }

 private:
  static int Count(unsigned lanes) { return __builtin_popcount(lanes); }
  /// A sender that is to leave out all uses one.
  static std::size_t At(int m) { return static_cast<std::size_t>(m < 1 ? 1 : m); }

  const unsigned cable_;
  std::array<unsigned, 5> of_{};  ///< by the number in use
};

}  // namespace tilefly::cosim
