// SPDX-License-Identifier: Apache-2.0
// InfiniBand's arbiter of two tables with a limit of high priority (docs/blocks/scheduler.md, Baselines): of an output, in
// DeficitTable's place. Entries of classes above group 0 are the table of high priority, the others that of low priority.
#pragma once

#include <algorithm>
#include <array>

#include "golden/scheduler/decision.h"
#include "golden/scheduler/scheduler_table.h"

namespace tilefly::golden {

class InfiniBandArbiter {
 public:
  /// Low priority gets a packet when more than `high_limit_cells` of high priority went since its last one.
  explicit InfiniBandArbiter(const Profile& profile, int high_limit_cells) : high_limit_cells_(high_limit_cells) {
    Restart(profile.dtable_entries);
  }

  template <typename Candidate>
  Decision Decide(Cycle, const SchedulerTable& table, unsigned, unsigned sendable, Candidate&& candidate) {
    const unsigned active = sendable & table.bank().served();
    if (active == 0) return {};
    const unsigned low = active & table.group(0);
    const unsigned high = active & ~low;
    const bool of_high = high != 0 && (low == 0 || high_since_low_ <= high_limit_cells_);
    Place& place = places_[of_high ? 1 : 0];
    const unsigned members = of_high ? high : low;
    if (place.left == 0 || ((members >> table.bank().entry(place.pointer).tc) & 1) == 0) {
      place.pointer = static_cast<std::uint8_t>(table.bank().Next(place.pointer, members));
      place.left = table.bank().entry(place.pointer).weight;
    }
    const std::uint8_t c = table.bank().entry(place.pointer).tc;
    const int cells = candidate(c).cells;
    if (cells == 0) return {Outcome::kWaits, c};
    place.left = static_cast<std::uint16_t>(std::max(0, place.left - cells));  // the last packet may exceed the weight
    high_since_low_ = of_high ? high_since_low_ + cells : 0;
    return {Outcome::kGranted, c};
  }
  void Restart(int entries) {
    places_.fill({static_cast<std::uint8_t>(entries - 1), 0});
    high_since_low_ = 0;
  }
  bool unsettled() const { return false; }
  Cycle EligibleFrom(int) const { return 0; }

 private:
  struct Place {
    std::uint8_t pointer;  ///< last entry served
    std::uint16_t left;    ///< cells it has left
  };
  int high_limit_cells_;
  int high_since_low_;
  std::array<Place, 2> places_;  ///< low, high
};

}  // namespace tilefly::golden
