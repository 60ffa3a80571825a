// SPDX-License-Identifier: Apache-2.0
// Deficit round-robin (Shreedhar and Varghese; docs/blocks/scheduler.md, Baselines): of an output, in DeficitTable's place. A
// class has all its weight of a round in one piece: the sum of its entries.
#pragma once

#include "golden/arbiter/round_robin.h"
#include "golden/scheduler/decision.h"
#include "golden/scheduler/scheduler_table.h"

namespace tilefly::golden {

class DeficitRoundRobin {
 public:
  explicit DeficitRoundRobin(const Profile&) {}

  template <typename Candidate>
  Decision Decide(Cycle, const SchedulerTable& table, unsigned wanted, unsigned sendable, Candidate&& candidate) {
    const unsigned active = sendable & table.bank().served();
    const unsigned stays = active != 0 ? active : wanted;  // while nobody may go nobody loses anything
    ForEachBit(owed_ & ~stays, [&](int c) { SetDeficit(c, 0); });
    if (((stays >> serving_) & 1) == 0) serving_ = kNobody;
    if (active == 0) return {};
    if (serving_ != kNobody) {
      const Head head = candidate(serving_);
      if (head.cells == 0) return {Outcome::kWaits, serving_};
      if (head.cells <= deficit_[serving_]) return Grant(head.cells);
    }
    serving_ = static_cast<std::uint8_t>(RoundRobin(active, pointer_));
    pointer_ = PointerAfter(serving_, kMaxClasses);
    SetDeficit(serving_, deficit_[serving_] + table.bank().weight(serving_));
    const Head head = candidate(serving_);
    if (head.cells == 0) return {Outcome::kWaits, serving_};
    if (head.cells <= deficit_[serving_]) return Grant(head.cells);
    return {Outcome::kMoved, serving_};
  }
  void Restart(int) { *this = DeficitRoundRobin(); }
  bool unsettled() const { return owed_ != 0 || serving_ != kNobody; }
  Cycle EligibleFrom(int) const { return 0; }

  int deficit(int c) const { return deficit_[c]; }

 private:
  static constexpr std::uint8_t kNobody = kMaxClasses;

  DeficitRoundRobin() = default;
  void SetDeficit(int c, int cells) {
    deficit_[c] = cells;
    owed_ = static_cast<std::uint8_t>(cells != 0 ? owed_ | 1u << c : owed_ & ~(1u << c));
  }
  Decision Grant(int cells) {
    SetDeficit(serving_, deficit_[serving_] - cells);
    return {Outcome::kGranted, serving_};
  }

  std::array<int, kMaxClasses> deficit_{};
  std::uint8_t owed_ = 0;  ///< classes with a deficit
  std::uint8_t pointer_ = 0;
  std::uint8_t serving_ = kNobody;
};

}  // namespace tilefly::golden
