// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "generated/registers.h"
#include "generated/wire.h"
#include "golden/common/register_fields.h"
#include "golden/common/types.h"

namespace tilefly::golden {

/// A write of a register of `port`, or of all ports.
inline Cfg WriteRegister(int port, CfgSpace space, int index, std::uint64_t data) {
  Cfg cfg;
  cfg.valid = true;
  cfg.port = static_cast<std::uint8_t>(port);
  cfg.space = static_cast<std::uint8_t>(space);
  cfg.index = static_cast<std::uint16_t>(index);
  cfg.data = data;
  return cfg;
}

/// A read of a register of `port`.
inline Cfg ReadRegister(int port, CfgSpace space, int index) {
  Cfg cfg = WriteRegister(port, space, index, 0);
  cfg.read = true;
  return cfg;
}

}  // namespace tilefly::golden
