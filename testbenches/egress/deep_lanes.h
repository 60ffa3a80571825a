// SPDX-License-Identifier: Apache-2.0
// Which lanes of an output have a deep fifo of requests: a second reading of the page (docs/blocks/flow_channel.md, "Meter
// at the output"), which keeps what every request said.
#pragma once

#include <deque>
#include <map>
#include <utility>

#include "generated/profile.h"
#include "golden/common/types.h"

namespace tilefly::bench {

class DeepLanes {
 public:
  explicit DeepLanes(const Profile& profile) : requests_(static_cast<std::size_t>(profile.flow_deep_requests)) {}

  /// Events of a cycle: first the grant, then the arrivals. Inputs of row R are numbered behind the ports.
  void Grant(int input, int lane) { fifos_[{lane, input}].pop_front(); }
  void Arrive(int input, int lane, bool more) { fifos_[{lane, input}].push_back(more); }

  /// A bit for each lane with a deep fifo, as the events up to now have left the fifos.
  std::uint16_t Lanes() const {
    unsigned lanes = 0;
    for (const auto& [fifo, requests] : fifos_) {
      if (requests.size() >= requests_ && requests.back()) lanes |= 1u << fifo.first;
    }
    return static_cast<std::uint16_t>(lanes);
  }

 private:
  std::size_t requests_;                                 ///< from which on a fifo is deep
  std::map<std::pair<int, int>, std::deque<bool>> fifos_;  ///< by lane and input: `more` of every request
};

}  // namespace tilefly::bench
