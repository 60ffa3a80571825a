// SPDX-License-Identifier: Apache-2.0
// Registers of a switch, as the register bus writes them (docs/reference/registers.md, docs/blocks/switch.md). A write in
// bus cycle w is applied as an event of cycle w + 7.
//
// Tables are shared by pointer and copied when written, so that equal switches of a network can hold them once.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "generated/registers.h"
#include "generated/wire.h"
#include "golden/common/fabric_address.h"
#include "golden/common/prefetch.h"
#include "golden/common/register_fields.h"
#include "golden/common/types.h"
#include "golden/credit/credit_sender.h"
#include "golden/registers/class_shares.h"
#include "golden/registers/route_tables.h"
#include "golden/scheduler/scheduler_table.h"

namespace tilefly::golden {

/// Whether a write to registers of ports addresses port `p`.
inline bool Addresses(const Cfg& write, int p) { return write.port == kAllPorts || write.port == p; }
/// Whether the write makes the banks of Deficit Tables change places.
inline bool ChangesPlaces(const Cfg& write) {
  return write.valid && !write.read && static_cast<CfgSpace>(write.space) == CfgSpace::kDtable && write.index == kSwapIndex;
}

/// Exact-match table. Way `way` of set `set` is entry `set * ways + way`.
struct MacTable {
  std::vector<std::uint64_t> keys;  ///< MacKey
  std::vector<PortMask> ports;
};

/// Tables of the whole switch.
struct Tables {
  Tables();
  /// Lane of a packet of class `tc` that came on lane `vl_in` of a port of port class `in`, and leaves by a port of
  /// port class `out`.
  int Vl(int tc, int vl_in, int in, int out) const { return vlmap[VlmapIndex::Of(out, in, vl_in, tc).ToBits()]; }

  std::array<std::uint8_t, 64> dscp{};
  std::array<std::uint8_t, 8> pcp{};
  std::array<std::uint8_t, 2048> vlmap{};
  std::array<std::uint8_t, kMaxLanes> vl_class{};
  std::array<std::uint16_t, kMaxClasses> class_lanes{};  ///< the lanes of each class, from vl_class
  std::shared_ptr<const MacTable> mac;                   ///< null while nothing was written to it
};

/// Registers of one port.
struct PortRegisters {
  /// SerDes lanes of the link, 1 to 4 whatever was written.
  int serdes_lanes() const { return mode.lanes >= 1 && mode.lanes <= 4 ? mode.lanes : 4; }
  /// Whether the port sends PAUSE frames.
  bool sends_pause() const { return send_pause && mode.enable && mode.std_format && !mode.credits; }
  /// Whether it is a retry port (docs/blocks/link_retry.md).
  bool retries() const { return mode.retry && mode.enable && mode.credits && !mode.std_format; }

  /// Whether its input has flow channels, and its output a congestion meter (docs/blocks/flow_channel.md).
  bool has_flows() const { return mode.acks && mode.flows; }

  /// Whether it discards the packets that a link cannot take while it is down, and goes on without retry behind that.
  bool discards() const { return retries() && retry.down != kBlock; }
  bool best_effort() const { return retries() && retry.down == kBestEffort; }

  PortMode mode;
  bool eth_valid = false;
  bool send_pause = false;
  PortLanes lanes;
  std::array<std::uint8_t, 14> eth{};  ///< Ethernet header given to enhanced IP frames
  std::uint16_t xoff = 0;
  std::uint16_t xon = 0;
  FlowMark flow_mark;
  tilefly::FlowChannel flow_channel;
  PortAckDeadline ack_deadline;
  PortRetry retry;
  std::array<PortMask, 3> flood{};  ///< unknown, broadcast, multicast
  std::shared_ptr<const CreditTable> credit;
  std::shared_ptr<const SchedulerTable> scheduler;
  std::shared_ptr<const ClassShares> shares;

 private:
  /// LINK_DOWN_BEHAVIOR.
  static constexpr int kBlock = 1, kBestEffort = 2;
};

class Registers {
 public:
  explicit Registers(const Profile& profile);

  /// Event: a register write. A write that addresses nothing changes nothing.
  void Apply(const Cfg& write);
  /// Uses the other switch's tables. A later write changes a copy of them.
  void ShareTables(const Registers& other);

  void Prefetch() const { golden::Prefetch(ports_); }
  const PortRegisters& port(int p) const { return ports_[p]; }
  const Tables& tables() const { return *tables_; }
  PortMask enabled() const { return enabled_; }
  int ports() const { return static_cast<int>(ports_.size()); }
  const RouteTables& routes() const { return routes_; }
  /// Own fabric address of a port.
  std::uint32_t AddressOf(int p) const { return FabricAddress(routes_.own().group, routes_.own().number, p); }
  int mac_sets() const { return mac_sets_; }
  int mac_ways() const { return mac_ways_; }

 private:
  void ApplyPort(int p, int reg, std::uint64_t data);
  void ApplyCredit(int p, int index, std::uint64_t data);
  template <typename Table, typename Write>
  void ApplyShared(const Cfg& write, std::shared_ptr<const Table> PortRegisters::*table, Write&& change);
  void ApplyTable(CfgSpace space, int index, std::uint64_t data);
  void ApplyMac(Tables* tables, CfgSpace space, int index, std::uint64_t data);

  int mac_sets_;
  int mac_ways_;
  std::vector<PortRegisters> ports_;
  std::shared_ptr<const Tables> tables_;
  RouteTables routes_;
  PortMask enabled_ = 0;
};

}  // namespace tilefly::golden
