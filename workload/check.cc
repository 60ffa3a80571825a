// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "support/errors.h"
#include "workload/schedule.h"

namespace tilefly::workload {
namespace {

/// "FILE:LINE:COLUMN: " of an operation of a file, "NAME: " of another.
std::string OriginOf(const Schedule& schedule, int rank, int operation) {
  const Rank& own = schedule.ranks[rank];
  if (own.labels.empty()) return schedule.name + ": ";
  return fmt::format("{}:{}:{}: ", schedule.name, own.labels[operation].line, own.labels[operation].column);
}

void CheckPeers(const Schedule& schedule, int rank) {
  const auto ranks = static_cast<int>(schedule.ranks.size());
  const Rank& own = schedule.ranks[rank];
  for (int i = 0; i < static_cast<int>(own.operations.size()); ++i) {
    const Operation& one = own.operations[i];
    if (one.kind != Kind::kSend && one.kind != Kind::kReceive) continue;
    if (one.peer < 0 || one.peer >= ranks) {
      throw UsageError(fmt::format("{}rank {}: {}: there is no rank {}; ranks are 0 to {}", OriginOf(schedule, rank, i),
                                   rank, schedule.Describe(rank, i), one.peer, ranks - 1));
    }
    if (one.peer == rank) {
      throw UsageError(
          fmt::format("{}rank {}: {}: a rank's message to itself does not go by the network; write a calc "
                      "of the time that it takes",
                      OriginOf(schedule, rank, i), rank, schedule.Describe(rank, i)));
    }
  }
}

/// Takes away what waits for nothing; what is left waits for itself.
void CheckOrder(const Schedule& schedule, int rank) {
  const Rank& own = schedule.ranks[rank];
  const std::size_t count = own.operations.size();
  std::vector<std::vector<int>> after(count), before(count);
  std::vector<int> waits(count);
  for (const Dependency& one : own.dependencies) {
    after[one.on].push_back(one.operation);
    before[one.operation].push_back(one.on);
    ++waits[one.operation];
  }
  std::vector<int> free;
  for (std::size_t i = 0; i < count; ++i) {
    if (waits[i] == 0) free.push_back(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < free.size(); ++i) {
    for (const int next : after[free[i]]) {
      if (--waits[next] == 0) free.push_back(next);
    }
  }
  if (free.size() == count) return;
  // Every operation left waits for one that is left: going back from any of them ends in a cycle.
  int at =
      static_cast<int>(std::find_if(waits.begin(), waits.end(), [](int left) { return left > 0; }) - waits.begin());
  std::vector<int> way;
  while (std::find(way.begin(), way.end(), at) == way.end()) {
    way.push_back(at);
    at = *std::find_if(before[at].begin(), before[at].end(), [&](int one) { return waits[one] > 0; });
  }
  std::string text;
  for (auto one = std::find(way.begin(), way.end(), at); one != way.end(); ++one) {
    text += fmt::format("{}{}", text.empty() ? "" : " waits for ", schedule.Describe(rank, *one));
  }
  throw UsageError(fmt::format("{}rank {}: operations wait for one another: {} waits for the first",
                               OriginOf(schedule, rank, at), rank, text));
}

/// A send or a receive by what it is matched by, in the order of the list.
struct Half {
  std::uint32_t tag;
  std::int32_t from, to;
  std::int32_t operation;

  auto Key() const { return std::tie(from, to, tag); }
  bool operator<(const Half& other) const {
    return std::tie(from, to, tag, operation) < std::tie(other.from, other.to, other.tag, other.operation);
  }
};

std::vector<Half> HalvesOf(const Schedule& schedule, Kind kind) {
  std::vector<Half> halves;
  for (int rank = 0; rank < static_cast<int>(schedule.ranks.size()); ++rank) {
    const Rank& own = schedule.ranks[rank];
    for (int i = 0; i < static_cast<int>(own.operations.size()); ++i) {
      const Operation& one = own.operations[i];
      if (one.kind != kind) continue;
      halves.push_back({one.tag, kind == Kind::kSend ? rank : one.peer, kind == Kind::kSend ? one.peer : rank, i});
    }
  }
  std::sort(halves.begin(), halves.end());
  return halves;
}

[[noreturn]] void ThrowUnmatched(const Schedule& schedule, const Half& half, bool send, const std::vector<Half>& sends,
                                 const std::vector<Half>& receives) {
  const auto count = [&](const std::vector<Half>& halves) {
    return std::count_if(halves.begin(), halves.end(), [&](const Half& one) { return one.Key() == half.Key(); });
  };
  const int rank = send ? half.from : half.to;
  throw UsageError(fmt::format(
      "{}rank {}: {}: {}; {} sent and {} received with this tag from rank {} to rank {}",
      OriginOf(schedule, rank, half.operation), rank, schedule.Describe(rank, half.operation),
      send ? fmt::format("rank {} never receives it", half.to) : fmt::format("rank {} never sends it", half.from),
      count(sends), count(receives), half.from, half.to));
}

void CheckMatches(const Schedule& schedule) {
  const std::vector<Half> sends = HalvesOf(schedule, Kind::kSend);
  const std::vector<Half> receives = HalvesOf(schedule, Kind::kReceive);
  for (std::size_t i = 0; i < std::max(sends.size(), receives.size()); ++i) {
    if (i == receives.size() || (i < sends.size() && sends[i].Key() < receives[i].Key()))
      ThrowUnmatched(schedule, sends[i], true, sends, receives);
    if (i == sends.size() || receives[i].Key() < sends[i].Key())
      ThrowUnmatched(schedule, receives[i], false, sends, receives);
    const std::int64_t sent = schedule.ranks[sends[i].from].operations[sends[i].operation].amount;
    if (schedule.ranks[receives[i].to].operations[receives[i].operation].amount >= sent) continue;
    throw UsageError(fmt::format("{}rank {}: {}: its message from rank {} has {} bytes",
                                 OriginOf(schedule, receives[i].to, receives[i].operation), receives[i].to,
                                 schedule.Describe(receives[i].to, receives[i].operation), sends[i].from, sent));
  }
}

}  // namespace

void Check(const Schedule& schedule) {
  for (int rank = 0; rank < static_cast<int>(schedule.ranks.size()); ++rank) {
    CheckPeers(schedule, rank);
    CheckOrder(schedule, rank);
  }
  CheckMatches(schedule);
}

}  // namespace tilefly::workload
