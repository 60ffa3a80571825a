// SPDX-License-Identifier: Apache-2.0
// A system as a graph: switches, the links between them, and endpoints (docs/topology.md). Builders make one, analyses
// read it, the network engine wires switches by it. Plain data; all indices are 0-based.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilefly::topology {

/// What a link is for. The class of its ports in VLMAP (`port_mode.pclass`) is the lane plan's: lanes.h.
enum class LinkKind : std::uint8_t { kTerminal = 0, kLocal = 1, kGlobal = 2, kOther = 3 };

inline constexpr int kKinds = 4;
inline constexpr const char* kKindNames[kKinds] = {"terminal", "local", "global", "other"};

constexpr const char* NameOf(LinkKind kind) { return kKindNames[static_cast<int>(kind)]; }

/// One end of a link.
struct Port {
  int at = -1;  ///< index of the switch
  int port = -1;
};

/// A full-duplex link between two switches.
struct Link {
  Port a, b;
  LinkKind kind = LinkKind::kLocal;
  double metres = 0;  ///< length of the cable
  int trunk = 0;      ///< which of several parallel links between the same two switches
};

struct Switch {
  int group = 0;           ///< group field of its fabric address (9 bits)
  int index = 0;           ///< switch field (5 bits)
  std::vector<int> place;  ///< coordinates: dragonfly {group, switch}, Aries {group, chassis, blade}, tree {level,
                           ///< ...}, torus {x, y, ...}
};

/// A port with a NIC behind it.
struct Endpoint {
  Port port;
  int node = 0;  ///< host; a host may have several NICs
  double metres = 0;
};

/// Switches and links of a system. Valid when Validate says so.
struct Topology {
  std::string name;     ///< as given: "dragonfly:p=2,a=4,h=2,arrangement=relative"
  std::string family;   ///< "dragonfly", "aries", "tree", "torus", "graph"
  std::string profile;  ///< switch profile: "tile8"
  int radix = 0;        ///< ports of a switch of that profile
  std::vector<Switch> switches;
  std::vector<Link> links;
  std::vector<Endpoint> endpoints;
  std::vector<int> dimensions;  ///< torus: size of each dimension, for its datelines
};

/// Widths of a fabric address; the all-ones group is kept for other uses.
inline constexpr int kMaxGroups = 511;
inline constexpr int kMaxGroupSwitches = 32;
inline constexpr int kMaxPorts = 64;

/// The longest cable.
inline constexpr double kMaxMetres = 10'000;

inline bool operator==(const Port& x, const Port& y) { return x.at == y.at && x.port == y.port; }
inline bool operator==(const Link& x, const Link& y) {
  return x.a == y.a && x.b == y.b && x.kind == y.kind && x.metres == y.metres && x.trunk == y.trunk;
}
inline bool operator==(const Switch& x, const Switch& y) {
  return x.group == y.group && x.index == y.index && x.place == y.place;
}
inline bool operator==(const Endpoint& x, const Endpoint& y) {
  return x.port == y.port && x.node == y.node && x.metres == y.metres;
}

/// A fabric address: group, switch, port.
constexpr std::uint32_t AddressOf(int group, int index, int port) {
  return static_cast<std::uint32_t>(group << 11 | index << 6 | port);
}

}  // namespace tilefly::topology
