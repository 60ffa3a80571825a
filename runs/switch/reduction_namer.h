// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "cosim/endpoint/link_sender.h"
#include "cosim/lockstep/divergence.h"
#include "cosim/reduction/launches.h"

namespace tilefly::runs {

/// Names what a divergence in the reduction ring or in row R is about: the launch that is at the place, or the packet
/// that ends there.
class ReductionNamer {
 public:
  explicit ReductionNamer(const Profile& profile)
      : launches_(profile), sent_(static_cast<std::size_t>(profile.ports)) {}

  /// The record that is seen in cycle `now`.
  void Sample(Cycle now, const cosim::Observation& observation) { launches_.Sample(now, observation); }
  /// An endpoint sent a reduction packet, with its last word in cycle `last`.
  void Sent(int port, const Red& red, Cycle last);

  /// The launch concerned; none: the record shows none.
  std::optional<cosim::RingLaunch> Launch(const cosim::Divergence& divergence) const;
  /// The name of what is concerned; empty: not known.
  std::string Name(const cosim::Divergence& divergence) const;

 private:
  struct Packet {
    Red red;
    Cycle last;
  };
  cosim::RingLaunches launches_;
  std::vector<std::deque<Packet>> sent_;  ///< by port, the latest ones
};

/// "SEGMENT 5 of group 2".
std::string NameOf(const Red& red);

}  // namespace tilefly::runs
