// SPDX-License-Identifier: Apache-2.0
// Checker of the invariants of launches over time: RED-1, RED-3, RED-5, RED-6, TREE-3 and TREE-4 of
// docs/blocks/reduction.md and reduction-trees.md. It watches each launch with the parts that the launch found.
#pragma once

#include <array>

#include "golden/common/audit.h"
#include "golden/reduction/cfu.h"

namespace tilefly::golden {

class RedChecker {
 public:
  RedChecker(int stream, int brief) : stream_(stream), brief_(brief) {}

  /// A launch begins. `begins`: it begins an operation. `open_results`: results of the operation before that have not
  /// been launched.
  void Begun(const RedLaunch& launch, bool begins, int open_results) {
    const int lane = launch.goes_down() ? 1 : 0;
    const int length = launch.is_stream() ? stream_ : brief_;
    if (!launch.is_notice()) {
      words_.Judge(launch.at >= free_[lane], static_cast<int>(launch.candidate), launch.at);
      free_[lane] = launch.at + length;
    }
    Cycle& fifo = free_[2 + static_cast<int>(launch.lane)];
    words_.Judge(launch.at >= fifo, static_cast<int>(launch.candidate), launch.at);
    fifo = launch.at + length;
    operations_.Judge(!begins || open_results == 0, launch.slot, open_results);
    if (launch.is_notice()) ++notices_[launch.group];
    last_port_ = -1;
  }
  /// The launch takes the part of `port`. `has`: the port has this part.
  void Took(const RedLaunch& launch, int port, bool has) {
    (launch.is_stream() ? entries_ : shorts_).Judge(has, port, launch.index());
    order_.Judge(port > last_port_, port, last_port_);
    last_port_ = port;
  }
  /// Checks after cycle `now`.
  void Check(Cycle now, const CfuView& cfu, Audit* audit) const {
    audit->Require("RED-1", entries_.holds, entries_.port, entries_.value);
    audit->Require("RED-3", words_.holds, words_.port, words_.value);
    audit->Require("RED-5", operations_.holds, operations_.port, operations_.value);
    audit->Require("RED-6", order_.holds, order_.port, order_.value);
    audit->Require("TREE-4", shorts_.holds, shorts_.port, shorts_.value);
    std::array<int, kRedGroups> slots{};
    for (int s = 0; s < kRedSlots; ++s) {
      const int group = cfu.group_of[s];
      if (group >= 0) ++slots[group];
      audit->Require("TREE-1", group < 0 ? !cfu.bound[s] : cfu.slot_of[group] == s, s, group);
    }
    for (int g = 0; g < kRedGroups; ++g) {
      audit->Require("TREE-1", slots[g] == (cfu.slot_of[g] >= 0 ? 1 : 0), g, slots[g]);
      audit->Require("TREE-2", cfu.states[g] != RedState::kIdle || slots[g] == 0, g, slots[g]);
      audit->Require("TREE-2", now <= cfu.ends[g], g, now);
      audit->Require("TREE-3", notices_[g] + cfu.notices_due[g] == cfu.fails[g], g, notices_[g]);
    }
  }

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(free_, notices_, last_port_, entries_, words_, operations_, order_, shorts_);
  }

 private:
  /// The first case in which a statement did not hold.
  struct Verdict {
    void Judge(bool good, int at_port, std::int64_t found) {
      if (good || !holds) return;
      *this = {false, at_port, found};
    }
    bool holds = true;
    int port = 0;
    std::int64_t value = 0;
  };

  int stream_;
  int brief_;
  std::array<Cycle, 2 + kRedLanes> free_{};  ///< of the lanes
  std::array<std::int64_t, kRedGroups> notices_{};
  int last_port_ = -1;
  Verdict entries_;
  Verdict words_;
  Verdict operations_;
  Verdict order_;
  Verdict shorts_;
};

}  // namespace tilefly::golden
