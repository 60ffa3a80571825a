// SPDX-License-Identifier: Apache-2.0
// When requests arrive at their outputs. No field of the record shows this. It follows from the requests that leave,
// which the record shows, by the rule of the turn tiles (docs/blocks/crossbar.md). The result is checked against the
// record's `load`, in which each request counts from its arrival to its grant.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cosim/device.h"
#include "cosim/waves/packet_stages.h"
#include "golden/common/types.h"
#include "golden/crossbar/arbitrated_crossbar.h"

namespace tilefly::cosim {

class RequestCrossing {
 public:
  using Way = std::shared_ptr<PacketWay>;

  /// `row_r`: outputs also have requests of their reduction ports, so a load may be more than the sum of the requests
  /// here.
  RequestCrossing(const Profile& profile, bool row_r);

  /// The record that is sampled next shows that the request of `way` leaves.
  void Leave(const Way& way);
  /// The record that is sampled next shows a grant of `cells` cells.
  void Grant(int output, int cells) { outputs_[static_cast<std::size_t>(output)].cells -= cells; }
  /// Takes the record of cycle `now`, which shows the events of the cycle before. Calls `visit(way)` for each request
  /// that arrived in that cycle. Call it in every cycle.
  template <typename Visit>
  void Sample(Cycle now, const Observation& observation, Visit&& visit) {
    if (crossbar_.active()) crossbar_.Arbitrate(now - 1);
    crossbar_.Deliver(now - 1, [&](std::uint32_t slot) {
      const Way way = std::move(under_way_[slot]);
      free_.push_back(slot);
      outputs_[static_cast<std::size_t>(way->output)].cells += way->cells;
      visit(way);
    });
    Compare(observation);
  }
  /// Whether the record's load of the output was as computed, in every cycle so far.
  bool Holds(int output) const { return outputs_[static_cast<std::size_t>(output)].holds; }

 private:
  struct Output {
    std::int64_t cells = 0;  ///< requested and not granted
    bool holds = true;
  };

  void Compare(const Observation& observation);

  const Profile profile_;
  const golden::Geometry geometry_;
  const bool row_r_;
  golden::RequestCrossbar crossbar_;
  std::vector<Way> under_way_;
  std::vector<std::uint32_t> free_;  ///< slots of `under_way_`
  std::vector<Output> outputs_;
};

}  // namespace tilefly::cosim
