// SPDX-License-Identifier: Apache-2.0
// Keys of a port's flow channels (docs/blocks/flow_channel.md, "The table"): sets of ways. A set has memory from its
// first entry on, and a way has the number of its record, so that a look-up reads the keys of one set and one record.
#pragma once

#include <array>
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
  static int ClassOf(std::uint32_t key) { return static_cast<int>(key >> 20); }
  static std::uint32_t DestinationOf(std::uint32_t key) { return key & 0xf'ffff; }
  /// The key's bits, `set_bits` at a time, exclusive-or.
  int SetOf(std::uint32_t key) const {
    if (set_bits_ == 6) return static_cast<int>((key ^ key >> 6 ^ key >> 12 ^ key >> 18) & 63);  // as in the switch
    std::uint32_t folded = 0;
    for (; key != 0; key >>= set_bits_) folded ^= key;
    return static_cast<int>(folded & ((1u << set_bits_) - 1));
  }
  /// The entry in use with the key, kNone when there is none.
  Index Find(std::uint32_t key) const { return FindIn(SetOf(key), key); }
  Index FindIn(int set, std::uint32_t key) const {
    const Set& of = sets_[static_cast<std::size_t>(set)];
    for (unsigned left = of.used; left != 0; left &= left - 1) {
      const auto way = static_cast<std::size_t>(LowestBit(left));
      if (ways_of_[of.ways].keys[way] == key) return ways_of_[of.ways].records[way];
    }
    return kNone;
  }
  bool HasRoom(int set) const { return sets_[static_cast<std::size_t>(set)].used != all_; }
  /// The lowest free way of the set, which has room, is in use with the key; all else of its record is 0.
  Index Claim(Pool<FlowState>* states, int set, std::uint32_t key) {
    Set& of = sets_[static_cast<std::size_t>(set)];
    if (of.ways == kNone) {
      of.ways = static_cast<Index>(ways_of_.size());
      ways_of_.emplace_back();
    }
    const int way = LowestBit(~std::uint64_t{of.used});
    of.used = static_cast<std::uint16_t>(of.used | 1u << way);
    Ways& ways = ways_of_[of.ways];
    ways.keys[static_cast<std::size_t>(way)] = key;
    Index& record = ways.records[static_cast<std::size_t>(way)];
    FlowState fresh;
    if (record == kNone) {
      record = states->Allocate();
    } else {
      fresh.due = (*states)[record].due;  // it has an event to come
    }
    fresh.key = key;
    fresh.number = static_cast<std::uint16_t>(set * ways_ + way);
    fresh.used = true;
    (*states)[record] = fresh;
    return record;
  }
  /// The entry is free; its record stays.
  void Free(FlowState* state) {
    Set& of = sets_[static_cast<std::size_t>(state->number / ways_)];
    of.used = static_cast<std::uint16_t>(of.used & ~(1u << state->number % ways_));
    state->used = false;
  }
  /// Gives the record of a free entry back.
  void Forget(Pool<FlowState>* states, Index at) {
    const int number = (*states)[at].number;
    const Set& of = sets_[static_cast<std::size_t>(number / ways_)];
    ways_of_[of.ways].records[static_cast<std::size_t>(number % ways_)] = kNone;
    states->Release(at);
  }
  /// Calls `visit(index, set)` for each entry in use.
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    for (std::size_t set = 0; set < sets_.size(); ++set) {
      ForEachBit(sets_[set].used, [&](int way) {
        visit(ways_of_[sets_[set].ways].records[static_cast<std::size_t>(way)], static_cast<int>(set));
      });
    }
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(sets_, ways_of_);
  }

 private:
  static constexpr int kMostWays = 16;
  struct Ways {
    Ways() { records.fill(kNone); }
    std::array<std::uint32_t, kMostWays> keys{};  ///< valid of ways in use
    std::array<Index, kMostWays> records;         ///< kNone: the way has none
  };
  struct Set {
    Index ways = kNone;      ///< none until the set's first entry
    std::uint16_t used = 0;  ///< bit w: way w is in use
  };

  int set_bits_;
  int ways_;
  std::vector<Set> sets_;
  std::vector<Ways> ways_of_;
  std::uint32_t all_;
};

}  // namespace tilefly::golden
