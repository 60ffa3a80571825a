// SPDX-License-Identifier: Apache-2.0
#include "workload/schedule.h"

#include <fmt/format.h>

namespace tilefly::workload {

std::int64_t Schedule::Bytes() const {
  std::int64_t sum = 0;
  for (const Rank& rank : ranks) {
    for (const Operation& one : rank.operations) sum += one.kind == Kind::kSend ? one.amount : 0;
  }
  return sum;
}

std::string Schedule::Describe(int rank, int operation) const {
  const Rank& own = ranks[rank];
  const Operation& one = own.operations[operation];
  std::string text;
  if (one.kind == Kind::kCalc) {
    text = fmt::format("calc {}", one.amount);
  } else if (one.kind == Kind::kReduce) {
    text = fmt::format("reduce {}b in the switches", one.amount);
  } else {
    text = fmt::format("{} {}b {} {} tag {}", one.kind == Kind::kSend ? "send" : "recv", one.amount,
                       one.kind == Kind::kSend ? "to" : "from", one.peer, one.tag);
  }
  if (own.labels.empty()) return text + fmt::format(" (operation {})", operation);
  const Label& label = own.labels[operation];
  return text + (label.name.empty() ? fmt::format(" (line {})", label.line)
                                    : fmt::format(" ({}, line {})", label.name, label.line));
}

}  // namespace tilefly::workload
