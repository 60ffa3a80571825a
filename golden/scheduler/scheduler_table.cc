// SPDX-License-Identifier: Apache-2.0
#include "golden/scheduler/scheduler_table.h"

namespace tilefly::golden {

void TableBank::Set(int entry, Entry value) {
  const std::uint64_t bit = Bit(entry & 63);
  const Entry before = entries_[entry];
  serving_[before.tc][entry >> 6] &= ~bit;
  weights_[before.tc] -= before.weight;
  if (value.weight != 0) serving_[value.tc][entry >> 6] |= bit;
  weights_[value.tc] += value.weight;
  entries_[entry] = value;
  served_ = 0;
  for (int c = 0; c < kMaxClasses; ++c) {
    if (weights_[c] != 0) served_ |= 1u << c;
  }
}

int TableBank::Next(int pointer, unsigned classes) const {
  Mask mask{};
  ForEachBit(classes, [&](int c) {
    mask[0] |= serving_[c][0];
    mask[1] |= serving_[c][1];
  });
  const int start = (pointer + 1) & (kMaxEntries - 1);
  const int word = start >> 6;
  const std::uint64_t ahead = ~std::uint64_t{0} << (start & 63);
  if ((mask[word] & ahead) != 0) return word * 64 + LowestBit(mask[word] & ahead);
  if (mask[word ^ 1] != 0) return (word ^ 1) * 64 + LowestBit(mask[word ^ 1]);
  return word * 64 + LowestBit(mask[word]);
}

SchedulerTable::SchedulerTable(const Profile& profile) : entries_(profile.dtable_entries), mtu_cells_(profile.mtu_cells) {
  for (TableBank& bank : banks_) {
    for (int e = 0; e < entries_; ++e) {
      bank.Set(e, {static_cast<std::uint16_t>(2 * mtu_cells_), static_cast<std::uint8_t>(e % kMaxClasses)});
    }
  }
  groups_[0] = (1u << kMaxClasses) - 1;
}

void SchedulerTable::Write(CfgSpace space, int index, std::uint64_t data) {
  if (space == CfgSpace::kDtable) {
    if (index == kSwapIndex) {
      bank_ ^= 1;
    } else if (index < entries_) {
      const DtableEntry entry = DtableEntry::FromBits(data);
      banks_[bank_ ^ 1].Set(index, {entry.weight, entry.tc});
    }
  } else if (const ClassIndex at = ClassIndex::FromBits(index); space == CfgSpace::kClass && at.tc < kMaxClasses) {
    WriteClass(at.tc, static_cast<ClassReg>(at.which), data);
  }
}

void SchedulerTable::WriteClass(int c, ClassReg reg, std::uint64_t data) {
  ClassRegisters& registers = classes_[c];
  const unsigned bit = 1u << c;
  switch (reg) {
    case ClassReg::kGroup:
      groups_[registers.group] &= ~bit;
      registers.group = ClassGroup::FromBits(data).group;
      groups_[registers.group] |= bit;
      for (int g = 0; g < kGroups; ++g) {
        if (groups_[g] != 0) top_group_ = g;
      }
      break;
    case ClassReg::kMaximum:
      registers.cost = ClassMaximum::FromBits(data).cost;
      registers.depth = ClassMaximum::FromBits(data).depth;
      shaped_ = registers.cost != 0 ? shaped_ | bit : shaped_ & ~bit;
      break;
    default:  // the ingress's
      break;
  }
}

}  // namespace tilefly::golden
