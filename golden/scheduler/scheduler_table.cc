// SPDX-License-Identifier: Apache-2.0
#include "golden/scheduler/scheduler_table.h"

#include "golden/common/register_fields.h"

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
      banks_[bank_ ^ 1].Set(index, {static_cast<std::uint16_t>(Field(data, 0, 12)), static_cast<std::uint8_t>(Field(data, 12, 3))});
    }
  } else if (space == CfgSpace::kClass && index < kMaxClasses * kClassRegs) {
    WriteClass(index / kClassRegs, static_cast<ClassReg>(index % kClassRegs), data);
  }
}

void SchedulerTable::WriteClass(int c, ClassReg reg, std::uint64_t data) {
  ClassRegisters& registers = classes_[c];
  const unsigned bit = 1u << c;
  switch (reg) {
    case ClassReg::kGroup:
      groups_[registers.group] &= ~bit;
      registers.group = static_cast<std::uint8_t>(Field(data, 0, 2));
      groups_[registers.group] |= bit;
      for (int g = 0; g < kGroups; ++g) {
        if (groups_[g] != 0) top_group_ = g;
      }
      break;
    case ClassReg::kMaximum:
      registers.cost = static_cast<std::uint16_t>(Field(data, 0, 16));
      registers.depth = static_cast<std::uint32_t>(Field(data, 16, 32));
      shaped_ = registers.cost != 0 ? shaped_ | bit : shaped_ & ~bit;
      break;
    default:  // the ingress's
      break;
  }
}

}  // namespace tilefly::golden
