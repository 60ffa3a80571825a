// SPDX-License-Identifier: Apache-2.0
// What crosses the switch to one port of a crossbar with a choice among rows (docs/blocks/crossbar.md): grants to an
// input, acks to a port. A step is a cycle in which something arrives, less the time of a crossing without a choice.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "golden/arbiter/round_robin.h"
#include "golden/common/types.h"
#include "golden/halves/few.h"

namespace tilefly::golden {

/// A cycle, from the base of the switch.
using T32 = std::int32_t;
/// No cycle: later than any.
inline constexpr T32 kFar = INT32_MAX;

/// How many messages the fifos of a crossing hold. What finds its fifo full is lost.
struct CrossingDepths {
  int turn = std::numeric_limits<int>::max();   ///< of each (input of a row, destination)
  int merge = std::numeric_limits<int>::max();  ///< of each (destination, row)
};

/// `Message` has a cycle `at`, by which it crosses when it meets no other; `row` and `source`, the input of its row.
template <typename Message, int kWaiting, int kMerging>
struct HalfCrossing {
  Few<Message, kWaiting> waiting;  ///< for their turn, by `at`
  Few<Message, kMerging> merging;  ///< have had their turn and wait for the R:1
  T32 last_step = -1;
  std::array<std::uint8_t, kMaxRows> turn_pointer{};
  std::uint8_t merge_pointer = 0;
  std::uint8_t merged_row = kMaxRows;  ///< the R:1 took from it in `last_step`

  /// The next step in which a message arrives.
  T32 NextStep() const {
    if (!merging.empty()) return last_step + 1;
    return waiting.empty() ? kFar : std::max(waiting.front().at, last_step + 1);
  }
  /// Whether the message of step NextStep() meets no other.
  bool Alone(T32 step) const { return merging.empty() && (waiting.size() == 1 || waiting[1].at > step); }

  /// The message of step NextStep(), which meets no other.
  Message TakeLone(T32 step, const Profile& profile) {
    const Message message = waiting.front();
    waiting.PopFront();
    turn_pointer[message.row] = PointerAfter(message.source, profile.row_in);
    merge_pointer = PointerAfter(message.row, profile.rows);
    merged_row = message.row;
    last_step = step;
    return message;
  }
  /// The message that wins step NextStep(), by the choices of turn tiles and of the R:1. All messages of the step and
  /// of the next are there.
  Message TakeChosen(T32 step, const Profile& profile, const CrossingDepths& depths) {
    if (waiting.size() > depths.turn) LoseAtTurn(step, depths.turn);
    TakeTurns(step, profile, depths.merge);
    last_step = step;
    unsigned rows = 0;
    for (int i = 0; i < merging.size(); ++i) rows |= 1u << merging[i].row;
    const int row = RoundRobin(rows, merge_pointer);
    merge_pointer = PointerAfter(row, profile.rows);
    merged_row = static_cast<std::uint8_t>(row);
    int first = 0;
    while (merging[first].row != row) ++first;
    const Message message = merging[first];
    merging.Erase(first);
    return message;
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(waiting, merging, last_step, turn_pointer, merge_pointer, merged_row);
  }

 private:
  /// One winner a row.
  void TakeTurns(T32 step, const Profile& profile, int depth) {
    std::array<unsigned, kMaxRows> sources{};
    for (int i = 0; i < waiting.size() && waiting[i].at <= step; ++i)
      sources[waiting[i].row] |= 1u << waiting[i].source;
    for (int row = 0; row < profile.rows; ++row) {
      if (sources[row] == 0) continue;
      const int winner = RoundRobin(sources[row], turn_pointer[row]);
      turn_pointer[row] = PointerAfter(winner, profile.row_in);
      int first = 0;
      while (waiting[first].row != row || waiting[first].source != winner) ++first;
      if (merging.size() < depth - 1 || HeldAtMerge(row, step) < depth) merging.Append(waiting[first]);
      waiting.Erase(first);
    }
  }
  /// What the R:1's fifo of the row held before the decision of the step before.
  int HeldAtMerge(int row, T32 step) const {
    int held = merged_row == row && last_step == step - 1;
    for (int i = 0; i < merging.size(); ++i) held += merging[i].row == row;
    return held;
  }
  /// A message enters its fifo a cycle before the first turn that may take it: it finds there what the turns up to two
  /// before that have left. Until the step, the fifos hold at most a message each, if there was none before.
  void LoseAtTurn(T32 step, int depth) {
    for (int i = waiting.size() - 1; i >= 0; --i) {
      if (waiting[i].at != step + 1) continue;
      int held = 0;
      for (int k = 0; k < i; ++k)
        held += waiting[k].at <= step && waiting[k].row == waiting[i].row && waiting[k].source == waiting[i].source;
      if (held >= depth) waiting.Erase(i);
    }
  }
};

}  // namespace tilefly::golden
