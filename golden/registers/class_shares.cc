// SPDX-License-Identifier: Apache-2.0
#include "golden/registers/class_shares.h"

#include "generated/registers.h"
#include "golden/common/register_fields.h"

namespace tilefly::golden {

void ClassShares::Write(int index, std::uint64_t data) {
  if (index == IndexOf(TableReg::kClassShared)) shared = ClassShared::FromBits(data).cells;
  const ClassIndex at = ClassIndex::FromBits(static_cast<std::uint64_t>(index));
  if (at.tc >= kMaxClasses) return;
  Class& registers = classes[at.tc];
  switch (static_cast<ClassReg>(at.which)) {
    case ClassReg::kShare: {
      const ClassShare share = ClassShare::FromBits(data);
      registers.reserve = share.reserve;
      registers.cap = share.cap;
      lossy_classes = (lossy_classes & ~(1u << at.tc)) | unsigned{share.lossy} << at.tc;
      break;
    }
    case ClassReg::kMtu:
      registers.mtu = ClassMtu::FromBits(data).cells;
      break;
    case ClassReg::kRouting:
      registers.mode = ClassRouting::FromBits(data).mode;
      registers.ordered = ClassRouting::FromBits(data).ordered;
      break;
    default:  // the scheduler's
      break;
  }
}

}  // namespace tilefly::golden
