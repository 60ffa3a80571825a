// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cosim/setup/class_setup.h"
#include "cosim/setup/frame.h"
#include "cosim/setup/routes.h"
#include "generated/profile.h"

namespace tilefly::cosim {

/// What a port is connected to.
enum class PortKind { kFabric, kEnhanced, kStandard };
const char* ToString(PortKind kind);

/// The configuration of a port of this kind: fabric ports cut through and use credits; enhanced ports (NICs) store and
/// forward and use credits; standard ports speak Ethernet with PAUSE.
PortMode ModeOf(PortKind kind, int lanes);

/// The configuration of a switch under test: register writes, and what they mean for a frame. The prediction is the
/// scoreboard's own reading of the ingress and link pages; it covers what the writes can configure.
class SwitchSetup {
 public:
  /// All ports of `kinds` (one entry for each port) have `lanes` lanes. Group and switch number are not 0, so that a
  /// wrong own address shows.
  SwitchSetup(const Profile& profile, const std::vector<PortKind>& kinds, int lanes);

  /// Sets the switch's own address: the group and switch of the fabric address `address`, whatever its port.
  void SetSwitchAddress(std::uint32_t address) { switch_address_ = address & ~kPortPart; }
  /// Enters a host into the exact-match table. Throws UsageError when the set of its address is full; the message names
  /// the addresses in the set.
  void AddHost(const Mac& mac, std::uint64_t ports);
  /// Sets the ports to which frames for unknown unicast addresses, for all stations, and for unknown groups go.
  void SetFloods(std::uint64_t unknown, std::uint64_t broadcast, std::uint64_t multicast);
  /// Leaves the Ethernet header of enhanced IP frames unconfigured, so that these frames cannot leave by standard
  /// ports.
  void OmitEthHeader() { has_eth_header_ = false; }
  /// Routing rules of classes are written while traffic flows, so the headers of bare frames may have any mode and
  /// order.
  void LeaveRulesOpen() { rules_open_ = true; }
  bool rules_open() const { return rules_open_; }
  /// Sets the PAUSE thresholds of standard ports, in cells.
  void SetPause(int xoff_cells, int xon_cells);

  /// Sets the system around the switch; without it there is no other switch. Throws UsageError when a way leads to a
  /// port that does not exist, or to a port whose packets leave without their header.
  void SetRoutes(Routes routes);
  const Routes& routes() const { return routes_; }

  /// Makes this share of the ports edge ports of the ack network, drawn from the seed. Endpoints of the other ports
  /// answer as many packets.
  void SetAcks(double share, std::uint64_t seed);
  /// The share of edge ports; 0: there are no acks at all.
  double acks() const { return acks_; }

  /// Gives flow channels to this share of the edge ports, drawn from the seed. FLOW_MARK and FLOW_CHANNEL of the ports
  /// are drawn, too: one port in two keeps the values of reset, but for a deadline that a run reaches; the others get
  /// thresholds that queues reach more or less often, any FULL, and small times and limits.
  void SetFlows(double share, std::uint64_t seed);
  /// Ports with flow channels, one bit each.
  std::uint64_t flow_ports() const;
  /// FLOW_CHANNEL of a port with flow channels.
  const tilefly::FlowChannel& flow_channel(int port) const { return flow_channels_[Index(port)]; }
  /// The flow {class, destination} by which a port with flow channels counts packets; not 0.
  static constexpr std::uint32_t ChannelOf(int tc, std::uint32_t destination) {
    return 1u << 23 | static_cast<std::uint32_t>(tc) << 20 | destination;
  }
  /// The flow of a frame with header; 0: its port has no flow channels, or does not count it.
  std::uint32_t ChannelOf(const Frame& frame) const {
    return frame.enh && mode(frame.source).flows ? ChannelOf(frame.header) : 0;
  }

  /// Gives link-level retry to this share of the ports with credits and header, drawn from the seed. Their partners do
  /// the same. Throws UsageError when the shared part of their buffers is too small.
  void SetRetry(double share, std::uint64_t seed);
  /// Ports with retry, one bit each.
  std::uint64_t retry_ports() const;
  /// The registers RETRY and LANES of all ports; their partners obey them, too.
  void SetRetryRegisters(const PortRetry& retry, const PortLanes& lanes) {
    retry_register_ = retry;
    lanes_register_ = lanes;
  }
  const PortRetry& retry_register() const { return retry_register_; }
  const PortLanes& lanes_register() const { return lanes_register_; }
  /// Register writes that ports with retry have beside the others.
  std::vector<Cfg> RetryWrites() const;
  /// S of the credits of a port's link, in cells, in both directions.
  int SharedCells(int port) const;

  /// Sets the traffic classes; without them the switch is as at power-up. Frames that do not name a class get the class
  /// of PCP 0.
  void SetClasses(ClassSetup classes);
  const std::optional<ClassSetup>& classes() const { return classes_; }

  /// Register writes, one a bus cycle, in order.
  std::vector<Cfg> Writes() const;

  const Profile& profile() const { return profile_; }
  PortKind kind(int port) const { return kinds_[Index(port)]; }
  const PortMode& mode(int port) const { return modes_[Index(port)]; }
  std::uint32_t PortAddress(int port) const { return switch_address_ | static_cast<std::uint32_t>(port); }
  Mac PortMac(int port) const { return AddressMac(PortAddress(port)); }
  std::uint64_t all_ports() const;

  /// Where a well-formed frame goes.
  struct Fate {
    Drop drop = Drop::kNone;    ///< why no copy comes out
    std::uint64_t outputs = 0;  ///< ports that it comes out of
    bool one_of = false;        ///< the frame comes out of one of these ports only
    std::uint64_t refused = 0;  ///< outputs that drop and count their copy as NO_ETH_HEADER
    int tc = 0;
    std::uint32_t dst = kReplicated;  ///< header.dst given to a bare frame
  };
  Fate Predict(const Frame& frame) const;
  /// The same of any frame, by the header with which its input stores it.
  std::uint32_t ChannelOf(const Frame& frame, const Fate& fate) const {
    return mode(frame.source).flows ? ChannelOf(Stored(frame, fate)) : 0;
  }
  /// Traffic class of the frame, as far as its bytes say.
  int ClassOf(const Frame& frame) const;
  /// Virtual lane on which the frame leaves.
  int OutputLane(const Frame& frame, const Fate& fate) const;

  /// The frame as it leaves.
  struct Departure {
    bool enh = false;
    Header header;
    bool routed = false;  ///< via and via_valid are as they may be: see MayLeave
    Bytes converted;      ///< bytes, when they differ from those that came
    bool is_converted = false;
  };
  Departure Depart(const Frame& frame, const Fate& fate, int output) const;
  /// Whether a frame for another switch may leave by `output` with the fields via and via_valid of `seen`.
  bool MayLeave(const Frame& frame, const Fate& fate, int output, const Header& seen) const;

 private:
  static constexpr std::uint32_t kPortPart = 63;  ///< of a fabric address
  static std::size_t Index(int port) { return static_cast<std::size_t>(port); }
  static int SetOf(const Mac& mac);
  std::uint64_t BareOutputs(const Frame& frame) const;
  std::uint64_t StandardPorts() const;
  Header Stored(const Frame& frame, const Fate& fate) const;
  static std::uint32_t ChannelOf(const Header& header) {
    const bool counted =
        header.hop == 0 && header.dst != kReplicated && header.kind != static_cast<std::uint8_t>(Kind::kRed);
    return counted ? ChannelOf(header.tc, header.dst) : 0;
  }
  bool MayFollow(const Frame& frame, const Header& stored) const;
  void Route(const Frame& frame, Fate* fate) const;
  Departure Convert(const Frame& frame, const Fate& fate, int output) const;

  Profile profile_;
  std::vector<PortKind> kinds_;
  std::vector<PortMode> modes_;
  std::vector<FlowMark> flow_marks_;  ///< by port; empty: no port has flow channels
  std::vector<tilefly::FlowChannel> flow_channels_;  ///< the same
  std::uint32_t switch_address_ = Address(3, 5, 0);
  std::uint64_t flood_unknown_ = 0;
  std::uint64_t flood_broadcast_ = 0;
  std::uint64_t flood_multicast_ = 0;
  std::uint64_t pause_ = 0;
  PortRetry retry_register_;
  PortLanes lanes_register_;
  std::array<std::uint8_t, 14> eth_header_;
  bool has_eth_header_ = true;
  bool rules_open_ = false;
  double acks_ = 0;
  std::optional<ClassSetup> classes_;
  Routes routes_;
  std::map<int, std::vector<std::pair<Mac, std::uint64_t>>> hosts_;  ///< by set, one entry a way
};

std::string ToString(const Mac& mac);

}  // namespace tilefly::cosim
