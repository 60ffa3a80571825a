// SPDX-License-Identifier: Apache-2.0
// Keys of a port's flow channels (docs/blocks/flow_channel.md, "The table"): sets of ways, of which only those exist
// that are in use or have an event to come, as chains through their states.
#pragma once

#include <vector>

#include "golden/common/pool.h"
#include "golden/flows/flow_state.h"

namespace tilefly::golden {

class FlowTable {
 public:
  /// `ways`: at most 16.
  FlowTable(int set_bits, int ways)
      : set_bits_(set_bits), ways_(ways), sets_(std::size_t{1} << set_bits), all_((1u << ways) - 1) {}

  static std::uint32_t KeyOf(int tc, std::uint32_t destination) {
    return static_cast<std::uint32_t>(tc) << 20 | destination;
  }
  /// The key's bits, `set_bits` at a time, exclusive-or.
  int SetOf(std::uint32_t key) const {
    std::uint32_t folded = 0;
    for (; key != 0; key >>= set_bits_) folded ^= key;
    return static_cast<int>(folded & ((1u << set_bits_) - 1));
  }
  /// The entry in use with the key, kNone when there is none.
  Index Find(const Pool<FlowState>& states, std::uint32_t key) const {
    Index at = sets_[SetOf(key)].head;
    while (at != kNone && !(states[at].used && states[at].key == key)) at = states[at].next_in_set;
    return at;
  }
  bool HasRoom(std::uint32_t key) const { return sets_[SetOf(key)].used != all_; }
  /// The lowest free way of the key's set, which has room, is in use with it; all else is 0.
  Index Claim(Pool<FlowState>* states, std::uint32_t key) {
    const int set = SetOf(key);
    const int way = LowestBit(~static_cast<std::uint64_t>(sets_[set].used));
    const auto number = static_cast<std::uint16_t>(set * ways_ + way);
    sets_[set].used = static_cast<std::uint16_t>(sets_[set].used | 1u << way);
    Index at = sets_[set].head;
    while (at != kNone && (*states)[at].number != number) at = (*states)[at].next_in_set;
    FlowState fresh;
    if (at == kNone) {
      at = states->Allocate();
      fresh.next_in_set = sets_[set].head;
      sets_[set].head = at;
    } else {  // its record has an event to come
      fresh.next_in_set = (*states)[at].next_in_set;
      fresh.due = (*states)[at].due;
    }
    fresh.key = key;
    fresh.number = number;
    fresh.used = true;
    (*states)[at] = fresh;
    return at;
  }
  /// The entry is free; its record stays.
  void Free(FlowState* state) {
    const unsigned way = 1u << state->number % ways_;
    Set& set = sets_[state->number / ways_];
    set.used = static_cast<std::uint16_t>(set.used & ~way);
    state->used = false;
  }
  /// Gives the record of a free entry back.
  void Forget(Pool<FlowState>* states, Index at) {
    Index* link = &sets_[(*states)[at].number / ways_].head;
    while (*link != at) link = &(*states)[*link].next_in_set;
    *link = (*states)[at].next_in_set;
    states->Release(at);
  }
  /// Calls `visit(index, set)` for each entry in use.
  template <typename Visit>
  void ForEach(const Pool<FlowState>& states, Visit&& visit) const {
    for (std::size_t set = 0; set < sets_.size(); ++set) {
      for (Index at = sets_[set].head; at != kNone; at = states[at].next_in_set) {
        if (states[at].used) visit(at, static_cast<int>(set));
      }
    }
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(sets_);
  }

 private:
  struct Set {
    Index head = kNone;      ///< chain of the records
    std::uint16_t used = 0;  ///< bit w: way w is in use
  };

  int set_bits_;
  int ways_;
  std::vector<Set> sets_;
  std::uint32_t all_;
};

}  // namespace tilefly::golden
