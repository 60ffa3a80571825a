// SPDX-License-Identifier: Apache-2.0
// Outputs' schedulers as row R sees them: they grant what was asked for, at drawn times, while the output buffer has
// room. Now and then a port grants credits only for long, and its results pile up.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "generated/profile.h"
#include "golden/common/types.h"
#include "golden/reduction/result_row.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {

class RowGrants {
 public:
  RowGrants(const Profile& profile, const Stimulus& random)
      : profile_(profile), random_(random), ports_(static_cast<std::size_t>(profile.ports)) {}

  /// The input that the output of `port` grants in cycle `now`. `eager`: as soon as it can. `credits_only`: no results.
  std::optional<int> Next(Cycle now, int port, bool eager, bool credits_only);
  /// Events of the cycle: a request came into the store; a packet of so many cells has left the output buffer.
  void Asked(int port, int input, int cells) { At(port).asked[static_cast<std::size_t>(input)] = cells; }
  void Left(int port, int cells) { At(port).held -= cells; }

 private:
  static constexpr int kInputs = golden::ResultRow::kCredits + 1;
  struct Port {
    std::array<int, kInputs> asked{};  ///< cells, 0: not asked
    int held = 0;                      ///< cells granted that have not left
  };
  Port& At(int port) { return ports_[static_cast<std::size_t>(port)]; }

  const Profile& profile_;
  const Stimulus& random_;
  std::vector<Port> ports_;
};

}  // namespace tilefly::bench
