// SPDX-License-Identifier: Apache-2.0
// Register writes of the fuzz stimulus.
#include <algorithm>

#include "golden/common/register_write.h"
#include "golden/scheduler/scheduler_table.h"
#include "testbenches/lockstep/fuzz_stimulus.h"

namespace tilefly::cosim {

using golden::WriteRegister;

std::vector<Cfg> FuzzStimulus::Setup() {
  std::vector<Cfg> writes;
  writes.push_back(WriteRegister(0, CfgSpace::kSwitch, 0, kGroup << 5 | kSwitch));
  const bool alike = OneIn(2);
  PortMode mode;
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    if (p == 0 || !alike) mode = PortMode::FromBits(random_());
    mode.enable = !OneIn(20);
    if (mode.credits) mode.std_format = false;  // who takes standard frames returns no credits
    if (alike || OneIn(2)) mode.lanes = 4;
    mode.lanes = static_cast<std::uint8_t>(std::clamp<int>(mode.lanes, 1, 4));
    ports_[p].mode = mode;
    writes.push_back(
        WriteRegister(static_cast<int>(p), CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits()));
  }
  for (int i = 0; i < kGroups; ++i) writes.push_back(WriteRegister(0, CfgSpace::kRouteGroup, i, RandomPorts()));
  for (int i = 0; i < 32; ++i) writes.push_back(WriteRegister(0, CfgSpace::kRouteSwitch, i, RandomPorts()));
  for (const SwitchReg reg : {SwitchReg::kSize, SwitchReg::kBias}) {
    const std::uint64_t data = reg == SwitchReg::kSize ? kGroups | 32 << 10 : random_() & 0x3ff03f;
    writes.push_back(WriteRegister(0, CfgSpace::kSwitch, static_cast<int>(reg), data));
  }
  for (int i = 0; i < 60; ++i) writes.push_back(RandomWrite());
  for (int i = 0; i < profile_.ports; ++i) {
    const std::uint64_t data = std::uint64_t{random_()} << 32 | random_();
    writes.push_back(WriteRegister(i, CfgSpace::kPort, static_cast<int>(PortReg::kEthLo) + Below(2), data));
  }
  return writes;
}

std::vector<Cfg> FuzzStimulus::Release() const {
  std::vector<Cfg> writes = {WriteRegister(127, CfgSpace::kPort, static_cast<int>(PortReg::kPause), 0),
                             WriteRegister(127, CfgSpace::kCredit, 16, 4095)};
  for (int v = 0; v < profile_.vls; ++v) {
    writes.push_back(
        WriteRegister(127, CfgSpace::kCredit, v,
                      static_cast<std::uint64_t>(profile_.credit_cap_cells) << 12 | profile_.credit_reserve_cells));
  }
  for (int c = 0; c < profile_.classes; ++c) {
    writes.push_back(WriteRegister(127, CfgSpace::kClass, 8 * c + static_cast<int>(ClassReg::kMaximum), 0));
    writes.push_back(
        WriteRegister(127, CfgSpace::kDtable, c, static_cast<std::uint64_t>(c) << 12 | 2 * profile_.mtu_cells));
  }
  writes.push_back(WriteRegister(127, CfgSpace::kDtable, golden::kSwapIndex, 0));
  return writes;
}

/// A write of a register of a class, or of what the classes share.
Cfg FuzzStimulus::RandomClassWrite(int port, std::uint64_t data) {
  const auto write = [&](ClassReg reg, std::uint64_t value) {
    return WriteRegister(port, CfgSpace::kClass, 8 * Below(8) + static_cast<int>(reg), value);
  };
  switch (Below(8)) {
    case 0:
      return write(ClassReg::kGroup, data);
    case 1:
      return write(ClassReg::kMaximum, data % 65536 << 16 | Below(800));
    case 2:
      return write(ClassReg::kRouting, data);
    case 3:
      return write(ClassReg::kMtu, OneIn(2) ? 0 : Below(128));
    case 4:
      return WriteRegister(port, CfgSpace::kClass, 64, OneIn(2) ? data : Below(400));
    default: {
      const auto cap = static_cast<std::uint64_t>(Below(OneIn(2) ? 65536 : 200));
      return write(ClassReg::kShare, std::uint64_t{OneIn(2)} << 32 | cap << 16 | Below(100));
    }
  }
}

/// No port, one, several; now and then ports that do not exist.
std::uint64_t FuzzStimulus::RandomPorts() {
  if (OneIn(12)) return 0;
  if (OneIn(12)) return std::uint64_t{random_()} << 32 | random_();
  std::uint64_t ports = 0;
  for (int n = 1 + Below(OneIn(2) ? 2 : 8); n > 0; --n) ports |= std::uint64_t{1} << Below(profile_.ports);
  return ports;
}

/// A write of what is known of other groups, or of what the choice between ways needs.
Cfg FuzzStimulus::RandomRouteWrite(std::uint64_t data) {
  const auto write = [&](SwitchReg reg, std::uint64_t value) {
    return WriteRegister(0, CfgSpace::kSwitch, static_cast<int>(reg), value);
  };
  switch (Below(8)) {
    case 0:
      return write(SwitchReg::kSize,
                   static_cast<std::uint64_t>(Below(OneIn(4) ? 1024 : kGroups + 1)) | data % 34 << 10);
    case 1:
      return write(SwitchReg::kSeed, data);
    case 2:
      return write(SwitchReg::kLength, OneIn(2) ? data : 0x1121'1451'1111'1231);
    case 3:
      return write(SwitchReg::kBias, OneIn(2) ? data : data & 0x03f'03f'03f'03f);
    case 4:
      return WriteRegister(0, CfgSpace::kRouteGroup, Below(512), RandomPorts());
    default:
      return WriteRegister(0, CfgSpace::kRouteGroup, Below(kGroups), RandomPorts());
  }
}

/// A write of anything but what may be written only while a port is idle.
Cfg FuzzStimulus::RandomWrite() {
  const int port = OneIn(3) ? 127 : Below(profile_.ports);
  const std::uint64_t data = std::uint64_t{random_()} << 32 | random_();
  switch (Below(17)) {
    case 0:
    case 1:
      return WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kPause),
                           std::uint64_t{!OneIn(4)} << 32 | static_cast<std::uint64_t>(Below(100)) << 16 |
                               static_cast<std::uint64_t>(20 + Below(200)));
    case 2:
    case 3:
      return WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kFloodUnknown) + Below(3),
                           data & random_());
    case 4:
      return WriteRegister(0, CfgSpace::kMacKey, Below(1024), macs_[Below(12)] | std::uint64_t{!OneIn(8)} << 48);
    case 5:
      return WriteRegister(0, CfgSpace::kMacPorts, Below(1024),
                           OneIn(2) ? std::uint64_t{1} << Below(profile_.ports) : data);
    case 6:
      return WriteRegister(0, OneIn(2) ? CfgSpace::kDscp : CfgSpace::kPcp, Below(64), data);
    case 7:
      return WriteRegister(0, CfgSpace::kVlmap, Below(2048), data);
    case 8:
      return WriteRegister(0, CfgSpace::kVlClass, Below(16), data);
    case 9:
      return WriteRegister(port, CfgSpace::kCredit, Below(17),
                           static_cast<std::uint64_t>(89 + Below(900)) << 12 | Below(300));
    case 10:
      return RandomRouteWrite(data);
    case 11:
    case 12:
      if (OneIn(16)) return WriteRegister(port, CfgSpace::kDtable, golden::kSwapIndex, data);
      return WriteRegister(port, CfgSpace::kDtable, Below(profile_.dtable_entries + 4),
                           data % 8 << 12 | Below(OneIn(8) ? 4096 : 200));
    case 13:
    case 14:
    case 15:
      return RandomClassWrite(port, data);
    default:
      return WriteRegister(0, CfgSpace::kRouteSwitch, Below(32), RandomPorts());
  }
}

}  // namespace tilefly::cosim
