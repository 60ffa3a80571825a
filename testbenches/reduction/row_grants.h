// SPDX-License-Identifier: Apache-2.0
// Outputs' schedulers as row R sees them: they grant what was asked for, at drawn times, while the output buffer has
// room and row R's channel is the input's (docs/blocks/egress.md, "Channel"). Now and then a port grants credits only
// for long, and its results pile up.
#pragma once

#include <array>
#include <deque>
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
  /// CREDITs of the port that were asked for and whose cell comes after cycle `now`, which is over.
  int CreditsKept(Cycle now, int port) const;

 private:
  static constexpr int kInputs = golden::ResultRow::kCredits + 1;
  /// A packet that was granted; its first cell comes in cycle `first`.
  struct Crossing {
    int input;
    int cells;
    Cycle first;
  };
  struct Port {
    std::array<int, kInputs> asked{};  ///< cells, 0: not asked
    int held = 0;                      ///< cells granted that have not left
    std::deque<Crossing> crossing;     ///< the channel's grants that are outstanding
    Cycle free_at = 0;                 ///< of the channel
  };
  Port& At(int port) { return ports_[static_cast<std::size_t>(port)]; }
  void Arrive(Cycle now, Port* port) const;
  /// Whether the channel may be granted to the input. The run limit is left out: it does not stop an owner when the
  /// others' lanes have no credit.
  bool MayHave(Cycle now, const Port& port, int input) const {
    return port.crossing.empty() ? now >= port.free_at : port.crossing.back().input == input;
  }

  const Profile& profile_;
  const Stimulus& random_;
  std::vector<Port> ports_;
};

}  // namespace tilefly::bench
