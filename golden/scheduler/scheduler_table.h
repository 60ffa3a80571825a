// SPDX-License-Identifier: Apache-2.0
// Registers of an output's scheduler (docs/blocks/scheduler.md, Registers): the two banks of the Deficit Table, and what is
// set for each class. Ports with the same contents share one object.
#pragma once

#include <array>
#include <cstdint>

#include "generated/registers.h"
#include "golden/common/types.h"

namespace tilefly::golden {

inline constexpr int kMaxEntries = 128;
inline constexpr int kGroups = 4;
/// Index of space DTABLE at which the banks change places.
inline constexpr int kSwapIndex = static_cast<int>(TableReg::kDtableSwap);

/// One bank: entries {class, weight}, and which entries serve each class.
class TableBank {
 public:
  struct Entry {
    std::uint16_t weight = 0;  ///< cells; 0: the entry is empty
    std::uint8_t tc = 0;
  };
  /// One bit an entry.
  using Mask = std::array<std::uint64_t, kMaxEntries / 64>;

  void Set(int entry, Entry value);

  const Entry& entry(int index) const { return entries_[index]; }
  /// Classes that some entry serves.
  unsigned served() const { return served_; }
  /// Sum of the weights of the class's entries.
  int weight(int c) const { return weights_[c]; }
  /// The first entry after `pointer` that serves one of `classes`, cyclically, with `pointer` last. There must be such
  /// an entry.
  int Next(int pointer, unsigned classes) const;

 private:
  std::array<Entry, kMaxEntries> entries_{};
  std::array<Mask, kMaxClasses> serving_{};
  std::array<int, kMaxClasses> weights_{};
  unsigned served_ = 0;
};

/// CLASS registers of a class.
struct ClassRegisters {
  std::uint8_t group = 0;   ///< priority group, 3 is served first
  std::uint16_t cost = 0;   ///< shaper: 1/256 cycles a cell, 0: no maximum
  std::uint32_t depth = 0;  ///< of the bucket, in 1/256 cycle
};

class SchedulerTable {
 public:
  /// The table as at power-up: entry i serves class i mod 8 with a weight of two MTU.
  explicit SchedulerTable(const Profile& profile);

  /// Event: a write to space DTABLE or CLASS. A write that addresses nothing changes nothing.
  void Write(CfgSpace space, int index, std::uint64_t data);

  int entries() const { return entries_; }
  int mtu_cells() const { return mtu_cells_; }
  /// The bank in use.
  const TableBank& bank() const { return banks_[bank_]; }
  const ClassRegisters& tc(int c) const { return classes_[c]; }
  /// Classes of a priority group.
  unsigned group(int g) const { return groups_[g]; }
  /// The highest group with a class of `classes`, which is not 0.
  int HighestGroup(unsigned classes) const {
    int g = top_group_;
    while ((classes & groups_[g]) == 0) --g;
    return g;
  }
  /// Classes with a maximum.
  unsigned shaped() const { return shaped_; }

 private:
  void WriteClass(int c, ClassReg reg, std::uint64_t data);

  int entries_;
  int mtu_cells_;
  int bank_ = 0;
  std::array<TableBank, 2> banks_;
  std::array<ClassRegisters, kMaxClasses> classes_{};
  std::array<unsigned, kGroups> groups_{};
  int top_group_ = 0;  ///< the highest with a class
  unsigned shaped_ = 0;
};

}  // namespace tilefly::golden
