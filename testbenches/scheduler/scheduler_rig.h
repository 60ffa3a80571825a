// SPDX-License-Identifier: Apache-2.0
// A golden scheduler by itself, between queues of requests, one for each class.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "golden/common/register_fields.h"
#include "golden/scheduler/schedulers.h"
#include "testbenches/scheduler/table4.h"

namespace tilefly::golden {

template <typename Scheduler>
class SchedulerRig {
 public:
  template <typename... Arguments>
  explicit SchedulerRig(const Profile& profile, Arguments... arguments) : table_(profile), scheduler_(profile, arguments...) {}

  /// Puts the table in use: the entries after `slots` are empty.
  void Use(const std::vector<TableSlot>& slots) {
    for (int e = 0; e < table_.entries(); ++e) {
      const TableSlot slot = e < static_cast<int>(slots.size()) ? slots[static_cast<std::size_t>(e)] : TableSlot{0, 0};
      table_.Write(CfgSpace::kDtable, e, DtableEntry::Of(slot.weight, slot.tc).ToBits());
    }
    Swap();
  }
  /// The banks change places.
  void Swap() {
    table_.Write(CfgSpace::kDtable, kSwapIndex, 0);
    scheduler_.Restart(table_.entries());
  }
  void SetGroup(int c, int group) {
    table_.Write(CfgSpace::kClass, IndexOf(c, ClassReg::kGroup), static_cast<std::uint64_t>(group));
  }
  void SetMaximum(int c, std::uint64_t cost, std::uint64_t depth) {
    table_.Write(CfgSpace::kClass, IndexOf(c, ClassReg::kMaximum), ClassMaximum::Of(cost, depth).ToBits());
  }

  void Put(int c, int cells, bool more = false) { queue_[static_cast<std::size_t>(c)].push_back({cells, more}); }
  void Put(int c, int cells, bool more, int times) {
    while (times-- > 0) Put(c, cells, more);
  }
  /// From now on there is always a request of the class; `cells()` is asked for each.
  void KeepFull(int c, std::function<int()> cells) { refill_[static_cast<std::size_t>(c)] = std::move(cells); }
  void KeepFull(int c, int cells) {
    KeepFull(c, [cells] { return cells; });
  }
  /// The class gets no requests any more and loses those it has.
  void Empty(int c) {
    refill_[static_cast<std::size_t>(c)] = nullptr;
    queue_[static_cast<std::size_t>(c)].clear();
  }
  /// Classes whose requests may not be sent; classes whose channels are busy.
  unsigned blocked = 0;
  unsigned busy = 0;

  /// The decision of a cycle.
  Decision Step() {
    Refill();
    const Decision decision = scheduler_.Decide(now_++, table_, wanted(), wanted() & ~blocked, [&](int c) {
      return ((busy >> c) & 1) != 0 ? Head{} : queue_[static_cast<std::size_t>(c)].front();
    });
    if (decision.outcome == Outcome::kGranted) {
      granted_ = queue_[decision.tc].front();
      cells_[decision.tc] += static_cast<std::uint64_t>(granted_.cells);
      ++packets_[decision.tc];
      queue_[decision.tc].pop_front();
    }
    return decision;
  }
  void Run(int cycles) {
    while (cycles-- > 0) Step();
  }

  unsigned wanted() const {
    unsigned classes = 0;
    for (std::size_t c = 0; c < kMaxClasses; ++c) classes |= static_cast<unsigned>(!queue_[c].empty()) << c;
    return classes;
  }
  const Scheduler& scheduler() const { return scheduler_; }
  const SchedulerTable& table() const { return table_; }
  Cycle now() const { return now_; }
  /// Cells of the last grant.
  int granted() const { return granted_.cells; }
  const Head& granted_head() const { return granted_; }
  std::uint64_t cells(int c) const { return cells_[static_cast<std::size_t>(c)]; }
  std::uint64_t packets(int c) const { return packets_[static_cast<std::size_t>(c)]; }
  std::uint64_t AllCells() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t cells : cells_) sum += cells;
    return sum;
  }
  void ResetCounts() { cells_ = packets_ = {}; }
  std::size_t queued(int c) const { return queue_[static_cast<std::size_t>(c)].size(); }
  /// Requests get in for classes that are kept full.
  void Refill() {
    for (std::size_t c = 0; c < kMaxClasses; ++c) {
      if (refill_[c] && queue_[c].empty()) queue_[c].push_back({refill_[c](), false});
    }
  }

 private:
  SchedulerTable table_;
  Scheduler scheduler_;
  std::array<std::deque<Head>, kMaxClasses> queue_;
  std::array<std::function<int()>, kMaxClasses> refill_;
  std::array<std::uint64_t, kMaxClasses> cells_{};
  std::array<std::uint64_t, kMaxClasses> packets_{};
  Cycle now_ = 0;
  Head granted_;
};

}  // namespace tilefly::golden
