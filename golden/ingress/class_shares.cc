// SPDX-License-Identifier: Apache-2.0
#include "golden/ingress/class_shares.h"

#include "generated/registers.h"
#include "golden/common/register_fields.h"

namespace tilefly::golden {

void ClassShares::Write(int index, std::uint64_t data) {
  if (index == kClassSharedIndex) shared = static_cast<int>(Field(data, 0, 16));
  if (index >= kClassSharedIndex) return;
  const int c = index / kClassRegs;
  Class& registers = classes[c];
  switch (static_cast<ClassReg>(index % kClassRegs)) {
    case ClassReg::kShare:
      registers.reserve = static_cast<std::uint16_t>(Field(data, 0, 16));
      registers.cap = static_cast<std::uint16_t>(Field(data, 16, 16));
      lossy_classes = (lossy_classes & ~(1u << c)) | static_cast<unsigned>(Field(data, 32, 1)) << c;
      break;
    case ClassReg::kMtu:
      registers.mtu = static_cast<std::uint8_t>(Field(data, 0, 7));
      break;
    case ClassReg::kRouting:
      registers.mode = static_cast<std::uint8_t>(Field(data, 0, 3));
      registers.ordered = Field(data, 3, 1) != 0;
      break;
    default:  // the scheduler's
      break;
  }
}

}  // namespace tilefly::golden
