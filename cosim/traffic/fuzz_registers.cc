// SPDX-License-Identifier: Apache-2.0
// Register writes of the fuzz stimulus.
#include <algorithm>

#include "golden/common/register_write.h"
#include "golden/scheduler/scheduler_table.h"
#include "cosim/traffic/fuzz_stimulus.h"

namespace tilefly::cosim {

using golden::WriteRegister;

namespace {

constexpr SwitchLength kDragonfly{  // as docs/blocks/routing.md has it, pclass 1 local, 2 global
    /*min_far=*/{1, 3, 2, 1}, /*min_own=*/{1, 1, 1, 1}, /*nonmin_far=*/{1, 5, 4, 1}, /*nonmin_own=*/{1, 2, 1, 1}};

std::uint64_t LittleBias(std::uint64_t any) {
  SwitchBias bias = SwitchBias::FromBits(any);
  for (std::uint16_t& one : bias.adaptive) one &= 0x3f;
  return bias.ToBits();
}

}  // namespace

std::vector<Cfg> FuzzStimulus::Setup() {
  std::vector<Cfg> writes;
  writes.push_back(WriteRegister(0, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kAddress),
                                 OwnAddress::Of(kSwitch, kGroup).ToBits()));
  const bool alike = OneIn(2);
  PortMode mode;
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    if (p == 0 || !alike) mode = PortMode::FromBits(random_());
    mode.enable = !OneIn(20);
    mode.retry = false;  // it may change only while the link is down
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
    SwitchBias bias = SwitchBias::FromBits(reg == SwitchReg::kBias ? random_() : 0);
    bias.adaptive = {static_cast<std::uint16_t>(bias.adaptive[0] & 0x3f),
                     static_cast<std::uint16_t>(bias.adaptive[1] & 0x3ff), 0, 0};
    const std::uint64_t any = reg == SwitchReg::kSize ? SwitchSize::Of(kGroups, 32).ToBits() : bias.ToBits();
    writes.push_back(WriteRegister(0, CfgSpace::kSwitch, static_cast<int>(reg), any));
  }
  for (int i = 0; i < 60; ++i) writes.push_back(RandomWrite());
  for (int i = 0; i < profile_.ports; ++i) {
    const std::uint64_t any = std::uint64_t{random_()} << 32 | random_();
    writes.push_back(WriteRegister(i, CfgSpace::kPort, static_cast<int>(PortReg::kEthLo) + Below(2), any));
  }
  return writes;
}

std::vector<Cfg> FuzzStimulus::Release() const {
  std::vector<Cfg> writes = {WriteRegister(127, CfgSpace::kPort, static_cast<int>(PortReg::kPause), 0),
                             WriteRegister(127, CfgSpace::kCredit, golden::IndexOf(TableReg::kCreditShared), 4095)};
  for (int v = 0; v < profile_.vls; ++v) {
    writes.push_back(
        WriteRegister(127, CfgSpace::kCredit, v,
                      CreditLane::Of(profile_.credit_reserve_cells, profile_.credit_cap_cells).ToBits()));
  }
  for (int c = 0; c < profile_.classes; ++c) {
    writes.push_back(WriteRegister(127, CfgSpace::kClass, golden::IndexOf(c, ClassReg::kMaximum), 0));
    writes.push_back(
        WriteRegister(127, CfgSpace::kDtable, c, DtableEntry::Of(2 * profile_.mtu_cells, c).ToBits()));
  }
  writes.push_back(WriteRegister(127, CfgSpace::kDtable, golden::kSwapIndex, 0));
  return writes;
}

std::uint64_t FuzzStimulus::RandomPause() {
  const bool send = !OneIn(4);
  const int xon = Below(100);
  return PortPause::Of(20 + Below(200), xon, send).ToBits();
}

std::uint64_t FuzzStimulus::RandomCredit() {
  const int cap = 89 + Below(900);
  return CreditLane::Of(Below(300), cap).ToBits();
}

std::uint64_t FuzzStimulus::RandomFlowMark() {
  const int on = Below(OneIn(4) ? 4096 : 300);
  const int hard = Below(OneIn(4) ? 4096 : 1000);
  return FlowMark::Of(on, hard, Below(4096)).ToBits();
}

std::uint64_t FuzzStimulus::RandomFlowChannel() {
  const int deadline = Below(OneIn(4) ? 256 : 4), idle = Below(OneIn(4) ? 256 : 4);
  const int hold = Below(OneIn(4) ? 4096 : 200), first = OneIn(2) ? 0 : Below(OneIn(4) ? 4096 : 100);
  return tilefly::FlowChannel::Of(deadline, idle, Below(8), hold, Below(256), first).ToBits();
}

/// A write of a register of a class, or of what the classes share.
Cfg FuzzStimulus::RandomClassWrite(int port, std::uint64_t any) {
  const auto write = [&](ClassReg reg, std::uint64_t value) {
    return WriteRegister(port, CfgSpace::kClass, golden::IndexOf(Below(8), reg), value);
  };
  switch (Below(8)) {
    case 0:
      return write(ClassReg::kGroup, any);
    case 1:
      return write(ClassReg::kMaximum, ClassMaximum::Of(Below(800), any % 65536).ToBits());
    case 2:
      return write(ClassReg::kRouting, any);
    case 3:
      return write(ClassReg::kMtu, OneIn(2) ? 0 : Below(128));
    case 4:
      return WriteRegister(port, CfgSpace::kClass, golden::IndexOf(TableReg::kClassShared),
                           OneIn(2) ? any : Below(400));
    default: {
      const auto cap = static_cast<std::uint64_t>(Below(OneIn(2) ? 65536 : 200));
      const bool lossy = OneIn(2);
      return write(ClassReg::kShare, ClassShare::Of(Below(100), cap, lossy).ToBits());
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
Cfg FuzzStimulus::RandomRouteWrite(std::uint64_t any) {
  const auto write = [&](SwitchReg reg, std::uint64_t value) {
    return WriteRegister(0, CfgSpace::kSwitch, static_cast<int>(reg), value);
  };
  switch (Below(8)) {
    case 0:
      return write(SwitchReg::kSize,
                   SwitchSize::Of(Below(OneIn(4) ? 1024 : kGroups + 1), any % 34).ToBits());
    case 1:
      return write(SwitchReg::kSeed, any);
    case 2:
      return write(SwitchReg::kLength, OneIn(2) ? any : kDragonfly.ToBits());
    case 3:
      return write(SwitchReg::kBias, OneIn(2) ? any : LittleBias(any));
    case 4:
      return WriteRegister(0, CfgSpace::kRouteGroup, Below(512), RandomPorts());
    default:
      return WriteRegister(0, CfgSpace::kRouteGroup, Below(kGroups), RandomPorts());
  }
}

/// A write of anything but what may be written only while a port is idle.
Cfg FuzzStimulus::RandomWrite() {
  const int port = OneIn(3) ? 127 : Below(profile_.ports);
  const std::uint64_t any = std::uint64_t{random_()} << 32 | random_();
  switch (Below(18)) {
    case 0:
    case 1:
      return WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kPause),
                           RandomPause());
    case 2:
    case 3:
      return WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kFloodUnknown) + Below(3),
                           any & random_());
    case 4:
      return WriteRegister(0, CfgSpace::kMacKey, Below(1024), MacKey::Of(macs_[Below(12)], !OneIn(8)).ToBits());
    case 5:
      return WriteRegister(0, CfgSpace::kMacPorts, Below(1024),
                           OneIn(2) ? std::uint64_t{1} << Below(profile_.ports) : any);
    case 6:
      return WriteRegister(0, OneIn(2) ? CfgSpace::kDscp : CfgSpace::kPcp, Below(64), any);
    case 7:
      return WriteRegister(0, CfgSpace::kVlmap, Below(2048), any);
    case 8:
      return WriteRegister(0, CfgSpace::kVlClass, Below(16), any);
    case 9:
      return WriteRegister(port, CfgSpace::kCredit, Below(17),
                           RandomCredit());
    case 10:
      return RandomRouteWrite(any);
    case 11:
    case 12:
      if (OneIn(16)) return WriteRegister(port, CfgSpace::kDtable, golden::kSwapIndex, any);
      return WriteRegister(port, CfgSpace::kDtable, Below(profile_.dtable_entries + 4),
                           DtableEntry::Of(Below(OneIn(8) ? 4096 : 200), any % 8).ToBits());
    case 13:
    case 14:
    case 15:
      return RandomClassWrite(port, any);
    case 16:
      if (OneIn(2))
        return WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kFlowChannel), RandomFlowChannel());
      return WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kFlowMark), RandomFlowMark());
    default:
      return WriteRegister(0, CfgSpace::kRouteSwitch, Below(32), RandomPorts());
  }
}

}  // namespace tilefly::cosim
