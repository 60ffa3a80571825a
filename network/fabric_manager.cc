// SPDX-License-Identifier: Apache-2.0
#include "network/fabric_manager.h"

#include <algorithm>
#include <tuple>

#include "golden/common/register_write.h"

namespace tilefly::network {

void FabricManager::Begin(Cycle begin, const std::vector<LinkFault>& downs) {
  begin_ = done_ = begin;
  for (const LinkFault& one : downs) {
    if (const int link = states_.LinkAt(one.node, one.port); link >= 0)
      states_.Add(link, begin + one.at, one.till == kNever ? kNever : begin + one.till);
  }
}

void FabricManager::Learn(const DownNews& news) {
  if (const int link = states_.LinkAt(news.node, news.port); link >= 0) states_.Add(link, news.from, news.till);
}

Cycle FabricManager::due() const {
  const Cycle change = states_.NextChange(done_);
  return change == kNever ? kNever : change + delay_;
}

void FabricManager::Act(Cycle end, const Writer& write) {
  while (due() < end) {
    const Cycle change = states_.NextChange(done_);
    ActOn(change, write);
    done_ = change + 1;
  }
}

void FabricManager::Resume() {
  const Cycle done = done_;
  done_ = begin_;
  Act(done + delay_, [](int, const std::vector<Cfg>&, Cycle) {});  // the switches have these writes
  done_ = done;
}

/// By switch: the registers that change, in the order of the entries.
std::vector<std::vector<Cfg>> FabricManager::WritesBetween(const LeftTables& before, const LeftTables& after) const {
  using Entry = LeftTables::Entry;
  std::vector<std::vector<Cfg>> writes(free_.size());
  const auto add = [&](const Entry& entry, golden::PortMask ports) {
    writes[static_cast<std::size_t>(entry.node)].push_back(
        golden::WriteRegister(golden::kAllPorts, entry.space, entry.index, ports));
  };
  const auto key = [](const Entry& entry) {
    return std::tuple(entry.node, static_cast<int>(entry.space), entry.index);
  };
  auto old = before.entries.begin();
  auto now = after.entries.begin();
  while (old != before.entries.end() || now != after.entries.end()) {
    if (now == after.entries.end() || (old != before.entries.end() && key(*old) < key(*now))) {
      add(*old, tables_.Whole(old->node, old->space, old->index));
      ++old;
    } else if (old == before.entries.end() || key(*now) < key(*old)) {
      add(*now, now->ports);
      ++now;
    } else {
      if (old->ports != now->ports) add(*now, now->ports);
      ++old;
      ++now;
    }
  }
  return writes;
}

/// The tables of the state that the change leads to. What is still to be written for a change before is written first.
void FabricManager::ActOn(Cycle change, const Writer& write) {
  const std::set<int> down = states_.DownIn(change);
  const LeftTables& tables = tables_.Of(down);
  ManagerAct act{change, change + delay_, change + delay_, states_.ChangedIn(change)};
  act.refusal = tables.refusal;
  act.cut_pairs = tables.cut_pairs;
  if (tables.refusal.empty()) {
    const std::vector<std::vector<Cfg>> writes = WritesBetween(tables_.Of(written_), tables);
    for (std::size_t node = 0; node < writes.size(); ++node) {
      if (writes[node].empty()) continue;
      const Cycle bus = std::max(act.from, free_[node]);
      free_[node] = bus + static_cast<Cycle>(writes[node].size());
      act.till = std::max(act.till, free_[node]);
      act.writes += static_cast<std::int64_t>(writes[node].size());
      ++act.switches;
      write(static_cast<int>(node), writes[node], bus);
    }
    written_ = down;
  }
  acts_.push_back(std::move(act));
}

}  // namespace tilefly::network
