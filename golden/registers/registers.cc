// SPDX-License-Identifier: Apache-2.0
#include "golden/registers/registers.h"

#include <algorithm>

namespace tilefly::golden {
namespace {

/// A copy of what `shared` points to, to be written and put in its place.
template <typename T>
std::shared_ptr<T> CopyOf(const std::shared_ptr<const T>& shared) {
  return std::make_shared<T>(*shared);
}

template <typename T, std::size_t N>
void Put(std::array<T, N>* table, int index, std::uint64_t value) {
  if (static_cast<std::size_t>(index) < N) (*table)[index] = static_cast<T>(value);
}

}  // namespace

Tables::Tables() {
  for (int d = 0; d < 64; ++d) dscp[d] = static_cast<std::uint8_t>(d >> 3);
  for (int p = 0; p < 8; ++p) pcp[p] = static_cast<std::uint8_t>(p);
  for (int index = 0; index < 2048; ++index) {
    const VlmapIndex at = VlmapIndex::FromBits(index);
    vlmap[index] = at.pclass_in == 0 ? at.tc : at.vl_in;
  }
  for (int v = 0; v < kMaxLanes; ++v) {
    vl_class[v] = static_cast<std::uint8_t>(v & 7);
    class_lanes[v & 7] = static_cast<std::uint16_t>(class_lanes[v & 7] | 1u << v);
  }
}

Registers::Registers(const Profile& profile)
    : mac_sets_(profile.mac_sets),
      mac_ways_(profile.mac_ways),
      ports_(profile.ports),
      tables_(std::make_shared<const Tables>()) {
  const auto credit = std::make_shared<const CreditTable>(profile);
  const auto scheduler = std::make_shared<const SchedulerTable>(profile);
  const auto shares = std::make_shared<const ClassShares>();
  for (PortRegisters& port : ports_) {
    port.xoff = static_cast<std::uint16_t>(profile.pause_xoff_cells);
    port.xon = static_cast<std::uint16_t>(profile.pause_xon_cells);
    port.credit = credit;
    port.scheduler = scheduler;
    port.shares = shares;
  }
}

void Registers::ShareTables(const Registers& other) {
  tables_ = other.tables_;
  routes_.Share(other.routes_);
  for (std::size_t p = 0; p < ports_.size() && p < other.ports_.size(); ++p) {
    ports_[p].credit = other.ports_[p].credit;
    ports_[p].scheduler = other.ports_[p].scheduler;
    ports_[p].shares = other.ports_[p].shares;
  }
}

void Registers::Apply(const Cfg& write) {
  if (!write.valid || write.read) return;
  const auto space = static_cast<CfgSpace>(write.space);
  if (space == CfgSpace::kPort || space == CfgSpace::kCredit) {
    const int ports = static_cast<int>(ports_.size());
    for (int p = 0; p < ports; ++p) {
      if (!Addresses(write, p)) continue;
      if (space == CfgSpace::kPort) {
        ApplyPort(p, write.index, write.data);
      } else {
        ApplyCredit(p, write.index, write.data);
      }
    }
  } else if (space == CfgSpace::kDtable || space == CfgSpace::kClass) {
    ApplyShared(write, &PortRegisters::scheduler,
                [&](SchedulerTable* table) { table->Write(space, write.index, write.data); });
    if (space != CfgSpace::kClass) return;
    ApplyShared(write, &PortRegisters::shares, [&](ClassShares* shares) { shares->Write(write.index, write.data); });
  } else if (space == CfgSpace::kSwitch || space == CfgSpace::kRouteGroup || space == CfgSpace::kRouteSwitch) {
    routes_.Write(space, write.index, write.data);
  } else {
    ApplyTable(space, write.index, write.data);
  }
}

void Registers::ApplyPort(int p, int reg, std::uint64_t data) {
  if (reg > static_cast<int>(kPortRegValues.back())) return;
  PortRegisters& port = ports_[p];
  switch (static_cast<PortReg>(reg)) {
    case PortReg::kMode:
      port.mode = PortMode::FromBits(data);
      enabled_ = port.mode.enable ? enabled_ | Bit(p) : enabled_ & ~Bit(p);
      break;
    case PortReg::kEthLo: {
      const PortEthLo word = PortEthLo::FromBits(data);
      std::copy(word.bytes.begin(), word.bytes.end(), port.eth.begin());
      break;
    }
    case PortReg::kEthHi: {
      const PortEthHi word = PortEthHi::FromBits(data);
      std::copy(word.bytes.begin(), word.bytes.end(), port.eth.end() - word.bytes.size());
      port.eth_valid = word.valid;
      break;
    }
    case PortReg::kPause: {
      const PortPause word = PortPause::FromBits(data);
      port.xoff = word.xoff;
      port.xon = word.xon;
      port.send_pause = word.send;
      break;
    }
    case PortReg::kRetry:
      port.retry = PortRetry::FromBits(data);
      break;
    case PortReg::kLanes:
      port.lanes = PortLanes::FromBits(data);
      break;
    case PortReg::kAckDeadline:
      port.ack_deadline = PortAckDeadline::FromBits(data);
      break;
    case PortReg::kFloodUnknown:
    case PortReg::kFloodBroadcast:
    case PortReg::kFloodMulticast:
      port.flood[reg - static_cast<int>(PortReg::kFloodUnknown)] = data;
      break;
    case PortReg::kFlowMark:
      port.flow_mark = FlowMark::FromBits(data);
      break;
    case PortReg::kFlowChannel:
      port.flow_channel = tilefly::FlowChannel::FromBits(data);
      break;
  }
}

void Registers::ApplyCredit(int p, int index, std::uint64_t data) {
  const bool of_all = index == IndexOf(TableReg::kCreditShared);
  if (!of_all && index >= kMaxLanes) return;
  auto table = CopyOf(ports_[p].credit);
  if (of_all) {
    table->shared = CreditShared::FromBits(data).cells;
  } else {
    const CreditLane lane = CreditLane::FromBits(data);
    table->reserve[index] = lane.reserve;
    table->cap[index] = lane.cap;
  }
  ports_[p].credit = table;
}

/// Ports that shared a table and are written together go on sharing it.
template <typename Table, typename Write>
void Registers::ApplyShared(const Cfg& write, std::shared_ptr<const Table> PortRegisters::*table, Write&& change) {
  std::shared_ptr<const Table> before;
  std::shared_ptr<const Table> after;
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    if (!Addresses(write, static_cast<int>(p))) continue;
    if (ports_[p].*table != before) {
      before = ports_[p].*table;
      const std::shared_ptr<Table> changed = CopyOf(before);
      change(changed.get());
      after = changed;
    }
    ports_[p].*table = after;
  }
}

void Registers::ApplyTable(CfgSpace space, int index, std::uint64_t data) {
  auto tables = CopyOf(tables_);
  switch (space) {
    case CfgSpace::kMacKey:
    case CfgSpace::kMacPorts:
      ApplyMac(tables.get(), space, index, data);
      break;
    case CfgSpace::kDscp:
      Put(&tables->dscp, index, TableClass::FromBits(data).tc);
      break;
    case CfgSpace::kPcp:
      Put(&tables->pcp, index, TableClass::FromBits(data).tc);
      break;
    case CfgSpace::kVlmap:
      Put(&tables->vlmap, index, TableLane::FromBits(data).vl);
      break;
    case CfgSpace::kVlClass:
      Put(&tables->vl_class, index, TableClass::FromBits(data).tc);
      tables->class_lanes = {};
      for (int v = 0; v < kMaxLanes; ++v) {
        std::uint16_t& lanes = tables->class_lanes[tables->vl_class[v]];
        lanes = static_cast<std::uint16_t>(lanes | 1u << v);
      }
      break;
    default:
      return;
  }
  tables_ = tables;
}

void Registers::ApplyMac(Tables* tables, CfgSpace space, int index, std::uint64_t data) {
  const std::size_t entries = static_cast<std::size_t>(mac_sets_) * mac_ways_;
  if (static_cast<std::size_t>(index) >= entries) return;
  std::shared_ptr<MacTable> mac;
  if (tables->mac) {
    mac = CopyOf(tables->mac);
  } else {
    mac = std::make_shared<MacTable>();
    mac->keys.resize(entries);
    mac->ports.resize(entries);
  }
  if (space == CfgSpace::kMacKey) {
    mac->keys[index] = MacKey::FromBits(data).ToBits();
  } else {
    mac->ports[index] = data;
  }
  tables->mac = mac;
}

}  // namespace tilefly::golden
