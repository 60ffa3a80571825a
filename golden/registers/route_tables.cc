// SPDX-License-Identifier: Apache-2.0
#include "golden/registers/route_tables.h"

namespace tilefly::golden {

void RouteTables::Write(CfgSpace space, int index, std::uint64_t data) {
  if (space == CfgSpace::kSwitch) {
    WriteSwitch(index, data);
  } else if (space == CfgSpace::kRouteGroup && index < kGroups) {
    OwnMasks()->of_group[index] = data;
  } else if (space == CfgSpace::kRouteSwitch && index < kSwitches) {
    OwnMasks()->of_switch[index] = data;
  }
}

void RouteTables::WriteSwitch(int index, std::uint64_t data) {
  if (index > static_cast<int>(kSwitchRegValues.back())) return;
  switch (static_cast<SwitchReg>(index)) {
    case SwitchReg::kAddress:
      own_ = SwitchAddress::FromBits(static_cast<std::uint32_t>(data));
      break;
    case SwitchReg::kSize:
      groups_ = static_cast<std::int16_t>(SwitchSize::FromBits(data).groups);
      switches_ = SwitchSize::FromBits(data).switches;
      break;
    case SwitchReg::kSeed:
      scrambled_seed_ = Scramble(SwitchSeed::FromBits(data).seed);
      break;
    case SwitchReg::kLength:
      length_ = SwitchLength::FromBits(data);
      break;
    case SwitchReg::kBias:
      bias_ = SwitchBias::FromBits(data);
      break;
  }
}

/// The masks, to be written: nobody else's any more.
RouteTables::Masks* RouteTables::OwnMasks() {
  if (masks_ == nullptr) {
    masks_ = std::make_shared<Masks>();
  } else if (masks_.use_count() > 1) {
    masks_ = std::make_shared<Masks>(*masks_);
  }
  return masks_.get();
}

}  // namespace tilefly::golden
