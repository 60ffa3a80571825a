// SPDX-License-Identifier: Apache-2.0
#include "cosim/setup/switch_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "golden/common/register_write.h"
#include "golden/registers/route_tables.h"
#include "support/errors.h"
#include "support/random.h"

namespace tilefly::cosim {
namespace {

using golden::kAllPorts;
using golden::WriteRegister;

/// Copies of attempts that were broken off, for which a buffer of a port with retry has room (link_retry page, S).
constexpr int kBrokenCopies = 2;
constexpr std::uint64_t kDrawnMark = 89;  ///< cells: thresholds are around so many; an MTU
constexpr std::uint64_t kDrawnPeriods = 48;  ///< pauses of NICs are shorter than so many times 64 cycles
constexpr std::uint16_t kVlan = 0x8100, kServiceVlan = 0x88a8, kIpv4 = 0x0800, kIpv6 = 0x86dd;

Cfg WritePort(int port, PortReg reg, std::uint64_t data) {
  return WriteRegister(port, CfgSpace::kPort, static_cast<int>(reg), data);
}

}  // namespace

const char* ToString(PortKind kind) {
  switch (kind) {
    case PortKind::kFabric:
      return "fabric";
    case PortKind::kEnhanced:
      return "enhanced";
    case PortKind::kStandard:
      return "standard";
  }
  return "?";
}

std::string ToString(const Mac& mac) {
  return fmt::format("{:02x}:{:02x}:{:02x}:{:02x}:{:02x}:{:02x}", mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
}

PortMode ModeOf(PortKind kind, int lanes) {
  PortMode mode;
  mode.enable = true;
  mode.cut_through = kind == PortKind::kFabric;
  mode.credits = kind != PortKind::kStandard;
  mode.std_format = kind == PortKind::kStandard;
  mode.pclass = kind == PortKind::kFabric ? 1 : 0;
  mode.lanes = static_cast<std::uint8_t>(lanes);
  return mode;
}

SwitchSetup::SwitchSetup(const Profile& profile, const std::vector<PortKind>& kinds, int lanes)
    : profile_(profile), kinds_(kinds), eth_header_{0x02, 0, 0,    0xee, 0xee, 0x01, 0x02,
                                                    0,    0, 0xee, 0xee, 0x02, 0x08, 0x00} {
  for (PortKind kind : kinds) modes_.push_back(ModeOf(kind, lanes));
  SetPause(profile.pause_xoff_cells, profile.pause_xon_cells);
}

void SwitchSetup::SetPause(int xoff_cells, int xon_cells) {
  pause_ = PortPause::Of(static_cast<std::uint64_t>(xoff_cells), static_cast<std::uint64_t>(xon_cells), /*send=*/true)
               .ToBits();
}

void SwitchSetup::SetFloods(std::uint64_t unknown, std::uint64_t broadcast, std::uint64_t multicast) {
  flood_unknown_ = unknown;
  flood_broadcast_ = broadcast;
  flood_multicast_ = multicast;
}

void SwitchSetup::SetClasses(ClassSetup classes) {
  classes_ = std::move(classes);
  for (PortMode& mode : modes_) mode.default_tc = static_cast<std::uint8_t>(classes_->OfPcp(0));
}

void SwitchSetup::SetRoutes(Routes routes) {
  for (std::uint64_t left = routes.ports(); left != 0; left &= left - 1) {
    const int port = __builtin_ctzll(left);
    if (port >= profile_.ports || mode(port).std_format)
      throw UsageError(fmt::format("routes: port {} {}; other switches are behind fabric or enhanced ports", port,
                                   port >= profile_.ports ? "does not exist" : "is a standard port"));
  }
  routes_ = std::move(routes);
}

void SwitchSetup::SetAcks(double share, std::uint64_t seed) {
  acks_ = share;
  for (std::size_t port = 0; port < modes_.size(); ++port) {
    modes_[port].acks = Unit(Draw(seed, static_cast<std::uint32_t>(port), 0, Purpose::kAck)) < share;
  }
}

void SwitchSetup::SetFlows(double share, std::uint64_t seed) {
  flow_marks_.assign(modes_.size(), {});
  flow_channels_.assign(modes_.size(), {});
  for (std::size_t port = 0; port < modes_.size(); ++port) {
    const auto draw = [&](std::uint64_t id) { return Draw(seed, static_cast<std::uint32_t>(port), id, Purpose::kFlowPort); };
    modes_[port].flows = modes_[port].acks && Unit(draw(0)) < share;
    tilefly::FlowChannel& channel = flow_channels_[port];
    channel.deadline = static_cast<std::uint8_t>(1 + Below(draw(5), 3));
    if (Below(draw(1), 2) == 0) continue;
    FlowMark& mark = flow_marks_[port];
    mark.on = static_cast<std::uint16_t>(Below(draw(2), 2 * kDrawnMark));
    mark.hard = static_cast<std::uint16_t>(mark.on + Below(draw(3), 4 * kDrawnMark));
    mark.full = static_cast<std::uint16_t>(Below(draw(4), 4096));
    channel.idle = static_cast<std::uint8_t>(Below(draw(6), 5));
    channel.grow = static_cast<std::uint8_t>(Below(draw(7), 8));
    channel.hold = static_cast<std::uint16_t>(Below(draw(8), 2 * kDrawnMark));
    channel.period = static_cast<std::uint8_t>(Below(draw(9), kDrawnPeriods));
    if (Below(draw(10), 2) == 0) channel.first = static_cast<std::uint16_t>(Below(draw(11), 2 * kDrawnMark));
  }
}

std::uint64_t SwitchSetup::flow_ports() const {
  std::uint64_t ports = 0;
  for (int port = 0; port < profile_.ports; ++port) ports |= std::uint64_t{mode(port).flows} << port;
  return ports;
}

void SwitchSetup::SetRetry(double share, std::uint64_t seed) {
  if (profile_.credit_shared_cells < kBrokenCopies * profile_.mtu_cells)
    throw UsageError(fmt::format("--retry: copies that are broken off need {} cells of the shared part of a buffer, which has {}; "
                                 "give a larger profile.credit_shared_cells",
                                 kBrokenCopies * profile_.mtu_cells, profile_.credit_shared_cells));
  for (std::size_t port = 0; port < modes_.size(); ++port) {
    PortMode& mode = modes_[port];
    mode.retry = mode.credits && !mode.std_format &&
                 Unit(Draw(seed, static_cast<std::uint32_t>(port), 0, Purpose::kRetryPort)) < share;
  }
}

std::uint64_t SwitchSetup::retry_ports() const {
  std::uint64_t ports = 0;
  for (int port = 0; port < profile_.ports; ++port) ports |= std::uint64_t{mode(port).retry} << port;
  return ports;
}

int SwitchSetup::SharedCells(int port) const {
  return profile_.credit_shared_cells - (mode(port).retry ? kBrokenCopies * profile_.mtu_cells : 0);
}

std::uint64_t SwitchSetup::all_ports() const {
  return profile_.ports == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << profile_.ports) - 1;
}

int SwitchSetup::SetOf(const Mac& mac) {
  int set = 0;
  for (std::uint8_t byte : mac) set ^= byte;
  return set;
}

void SwitchSetup::AddHost(const Mac& mac, std::uint64_t ports) {
  auto& ways = hosts_[SetOf(mac)];
  const auto known = std::find_if(ways.begin(), ways.end(), [&](const auto& way) { return way.first == mac; });
  if (known != ways.end()) {
    known->second = ports;
    return;
  }
  if (static_cast<int>(ways.size()) == profile_.mac_ways) {
    std::string others;
    for (const auto& way : ways) others += " " + ToString(way.first);
    throw UsageError(
        fmt::format("exact-match table: set {} (XOR of the address bytes) is full, {} does not fit beside{}; "
                    "take fewer hosts or --ports-by round-robin",
                    SetOf(mac), ToString(mac), others));
  }
  ways.emplace_back(mac, ports);
}

std::vector<Cfg> SwitchSetup::Writes() const {
  std::vector<Cfg> writes;
  writes.push_back(WriteRegister(kAllPorts, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kAddress),
                                 golden::SwitchAddress::OfPort(switch_address_).ToBits()));
  if (has_eth_header_) {
    PortEthLo low;
    PortEthHi high;
    std::copy_n(eth_header_.begin(), low.bytes.size(), low.bytes.begin());
    std::copy_n(eth_header_.begin() + low.bytes.size(), high.bytes.size(), high.bytes.begin());
    high.valid = true;
    writes.push_back(WritePort(kAllPorts, PortReg::kEthLo, low.ToBits()));
    writes.push_back(WritePort(kAllPorts, PortReg::kEthHi, high.ToBits()));
  }
  writes.push_back(WritePort(kAllPorts, PortReg::kPause, pause_));
  writes.push_back(WritePort(kAllPorts, PortReg::kFloodUnknown, flood_unknown_));
  writes.push_back(WritePort(kAllPorts, PortReg::kFloodBroadcast, flood_broadcast_));
  writes.push_back(WritePort(kAllPorts, PortReg::kFloodMulticast, flood_multicast_));
  for (const auto& [set, ways] : hosts_) {
    for (std::size_t way = 0; way < ways.size(); ++way) {
      const int index = set * profile_.mac_ways + static_cast<int>(way);
      writes.push_back(WriteRegister(kAllPorts, CfgSpace::kMacPorts, index, ways[way].second));
      writes.push_back(WriteRegister(kAllPorts, CfgSpace::kMacKey, index,
                                     MacKey::Of(ToBits(ways[way].first), /*valid=*/true).ToBits()));
    }
  }
  if (routes_.ports() != 0) {
    for (const Cfg& write : routes_.Writes()) writes.push_back(write);
  }
  if (classes_) {
    std::set<int> port_classes;
    for (const PortMode& mode : modes_) port_classes.insert(mode.pclass);
    for (const Cfg& write : classes_->Writes({port_classes.begin(), port_classes.end()})) writes.push_back(write);
  }
  for (const Cfg& write : RetryWrites()) writes.push_back(write);
  for (int port = 0; port < profile_.ports; ++port) {
    if (!mode(port).flows) continue;
    writes.push_back(WritePort(port, PortReg::kFlowMark, flow_marks_[Index(port)].ToBits()));
    writes.push_back(WritePort(port, PortReg::kFlowChannel, flow_channels_[Index(port)].ToBits()));
  }
  for (int port = 0; port < profile_.ports; ++port) {
    writes.push_back(WritePort(port, PortReg::kMode, mode(port).ToBits()));
  }
  return writes;
}

std::vector<Cfg> SwitchSetup::RetryWrites() const {
  std::vector<Cfg> writes;
  if (retry_ports() == 0) return writes;
  writes.push_back(WritePort(kAllPorts, PortReg::kRetry, retry_register_.ToBits()));
  if (!(lanes_register_ == PortLanes())) writes.push_back(WritePort(kAllPorts, PortReg::kLanes, lanes_register_.ToBits()));
  for (int port = 0; port < profile_.ports; ++port) {
    if (!mode(port).retry) continue;
    writes.push_back(WriteRegister(port, CfgSpace::kCredit, static_cast<int>(TableReg::kCreditShared),
                                   CreditShared::Of(static_cast<std::uint64_t>(SharedCells(port))).ToBits()));
  }
  return writes;
}

int SwitchSetup::ClassOf(const Frame& frame) const {
  const PortMode& in = mode(frame.source);
  if (frame.enh) return frame.header.tc;
  const std::uint16_t outer = Field16(frame.bytes, 12);
  const bool tagged = outer == kVlan || outer == kServiceVlan;
  const std::size_t type_at = tagged ? 16 : 12;
  const std::uint16_t type = Field16(frame.bytes, type_at);
  const auto trust = static_cast<Trust>(in.trust);
  const auto of_dscp = [&](int dscp) { return classes_ ? classes_->OfDscp(dscp) : dscp >> 3; };
  if (trust == Trust::kDscp && type == kIpv4) return of_dscp(Field16(frame.bytes, type_at + 2) >> 2 & 0x3f);
  if (trust == Trust::kDscp && type == kIpv6) return of_dscp(Field16(frame.bytes, type_at + 2) >> 6 & 0x3f);
  if (trust != Trust::kNone && tagged) {
    const int pcp = Field16(frame.bytes, 14) >> 13;
    return classes_ ? classes_->OfPcp(pcp) : pcp;
  }
  return in.default_tc;
}

/// Ports of a bare frame that is not to an algorithmic address.
std::uint64_t SwitchSetup::BareOutputs(const Frame& frame) const {
  const std::uint64_t others = ~(std::uint64_t{1} << frame.source);
  const Mac mac = MacAt(frame.bytes, 0);
  if (mac == kBroadcastMac) return flood_broadcast_ & others;
  const auto set = hosts_.find(SetOf(mac));
  if (set != hosts_.end()) {
    for (const auto& [key, ports] : set->second) {
      if (key != mac) continue;
      const bool unicast = (ports & (ports - 1)) == 0;
      return unicast ? ports : ports & others;
    }
  }
  return (mac[0] & 1 ? flood_multicast_ : flood_unknown_) & others;
}

std::uint64_t SwitchSetup::StandardPorts() const {
  std::uint64_t ports = 0;
  for (int port = 0; port < profile_.ports; ++port) ports |= std::uint64_t{mode(port).std_format} << port;
  return ports;
}

SwitchSetup::Fate SwitchSetup::Predict(const Frame& frame) const {
  Fate fate;
  fate.tc = ClassOf(frame);
  const Mac mac = MacAt(frame.bytes, 0);
  if (frame.enh && frame.header.hop >= profile_.hop_limit) {
    fate.drop = Drop::kHopLimit;
    return fate;
  }
  if (!frame.enh && mac == kPauseMac && Field16(frame.bytes, 12) == kMacControlType) {
    fate.drop = Drop::kControl;
    return fate;
  }
  const bool algorithmic = !frame.enh && ToBits(mac) >> 20 == 0x0200000;
  if (algorithmic || (frame.enh && frame.header.dst != kReplicated)) {
    fate.dst = algorithmic ? static_cast<std::uint32_t>(ToBits(mac) & 0xfffff) : frame.header.dst;
    Route(frame, &fate);
    if (fate.drop != Drop::kNone) return fate;
  } else {
    fate.outputs = frame.enh ? flood_broadcast_ & ~(std::uint64_t{1} << frame.source) : BareOutputs(frame);
    fate.outputs &= all_ports();
    if (__builtin_popcountll(fate.outputs) == 1) fate.dst = PortAddress(__builtin_ctzll(fate.outputs));
    if (fate.outputs == 0) {
      fate.drop = Drop::kUnknownMac;
      return fate;
    }
  }
  if (classes_ && classes_->Of(fate.tc).mtu < frame.cells()) {
    fate.drop = Drop::kClassMtu;
    return fate;
  }
  if (!has_eth_header_ && frame.enh && static_cast<Kind>(frame.header.kind) == Kind::kEnhIp) {
    fate.refused = fate.outputs & StandardPorts();
    fate.outputs &= ~fate.refused;
    if (fate.outputs == 0 && fate.refused != 0) fate.drop = Drop::kNoEthHeader;
  }
  return fate;
}

/// Outputs of a frame to the fabric address `fate->dst`.
void SwitchSetup::Route(const Frame& frame, Fate* fate) const {
  if (fate->dst >> 6 == PortAddress(0) >> 6) {
    const int port = static_cast<int>(fate->dst & 0x3f);
    fate->outputs = port < profile_.ports ? std::uint64_t{1} << port : 0;
  } else {
    const Header stored = Stored(frame, *fate);
    const Routes::Ways ways = routes_.Of(stored, PortAddress(0) >> 6, MayFollow(frame, stored));
    fate->outputs = ways.minimal | ways.detours;
    fate->one_of = (fate->outputs & (fate->outputs - 1)) != 0;
  }
  if (fate->outputs == 0) fate->drop = Drop::kNoRoute;
}

bool SwitchSetup::MayLeave(const Frame& frame, const Fate& fate, int output, const Header& seen) const {
  const Header stored = Stored(frame, fate);
  return routes_.MayLeave(stored, PortAddress(0) >> 6, output, seen.via_valid, seen.via, MayFollow(frame, stored));
}

/// Whether the frame may get the path of another one of its flow.
bool SwitchSetup::MayFollow(const Frame& frame, const Header& stored) const {
  return mode(frame.source).acks && stored.ordered && stored.hop == 0;
}

/// The header as it is stored: a bare frame's is made.
Header SwitchSetup::Stored(const Frame& frame, const Fate& fate) const {
  if (frame.enh) return frame.header;
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kStd);
  header.len = static_cast<std::uint16_t>(frame.bytes.size());
  header.tc = static_cast<std::uint8_t>(fate.tc);
  header.src = PortAddress(frame.source);
  header.dst = fate.dst;
  if (classes_) {
    header.mode = static_cast<std::uint8_t>(classes_->Routing(fate.tc));
    header.ordered = classes_->Of(fate.tc).ordered;
  }
  return header;
}

int SwitchSetup::OutputLane(const Frame& frame, const Fate& fate) const {
  const int lane_in = frame.enh ? frame.header.vl : 0;
  if (classes_) return classes_->Lane(fate.tc, mode(frame.source).pclass, lane_in);
  return mode(frame.source).pclass == 0 ? fate.tc : lane_in;
}

SwitchSetup::Departure SwitchSetup::Depart(const Frame& frame, const Fate& fate, int output) const {
  Departure out = Convert(frame, fate, output);
  if (frame.expect_stomp) {
    if (!out.is_converted) out.converted = frame.bytes;
    out.is_converted = true;
    Seal(&out.converted, true);
  }
  return out;
}

SwitchSetup::Departure SwitchSetup::Convert(const Frame& frame, const Fate& fate, int output) const {
  Departure out;
  out.enh = !mode(output).std_format;
  if (out.enh) {
    out.header = Stored(frame, fate);
    out.routed = out.header.dst != kReplicated && out.header.dst >> 6 != PortAddress(0) >> 6;
    out.header.vl = static_cast<std::uint8_t>(OutputLane(frame, fate));
    const int hop = out.header.hop;
    if (hop >= 1 && hop <= 5) {
      const int at = 6 * (hop - 1);
      out.header.path = (out.header.path & ~(0x3fu << at)) | static_cast<std::uint32_t>(frame.source) << at;
    }
    out.header.hop = (hop + 1) & 0xf;
    return out;
  }
  const auto kind = frame.enh ? static_cast<Kind>(frame.header.kind) : Kind::kStd;
  const std::size_t data = frame.bytes.size() - kFcsBytes;
  const bool padded = kind == Kind::kEnhEth && data + kFcsBytes < static_cast<std::size_t>(profile_.min_std_bytes);
  if (kind != Kind::kEnhIp && !padded) return out;
  out.is_converted = true;
  if (kind == Kind::kEnhIp) out.converted.assign(eth_header_.begin(), eth_header_.end());
  out.converted.insert(out.converted.end(), frame.bytes.begin(),
                       frame.bytes.begin() + static_cast<std::ptrdiff_t>(data));
  const std::size_t least = static_cast<std::size_t>(profile_.min_std_bytes) - kFcsBytes;
  if (out.converted.size() < least) out.converted.resize(least, 0);
  out.converted.resize(out.converted.size() + kFcsBytes);
  Seal(&out.converted);
  return out;
}

}  // namespace tilefly::cosim
