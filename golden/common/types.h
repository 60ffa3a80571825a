// SPDX-License-Identifier: Apache-2.0
// Words that every golden block uses.
#pragma once

#include <array>
#include <cstdint>

#include "generated/profile.h"
#include "golden/common/cycle.h"

namespace tilefly::golden {

/// A mask of ports: bit p stands for port p.
using PortMask = std::uint64_t;
inline constexpr int kMaxPorts = 64;
inline constexpr int kPortBits = 6;  ///< bits of the port in a fabric address, and of each hop in a path
static_assert(kMaxPorts == 1 << kPortBits);
inline constexpr int kMaxRows = 4;
/// Rows of an output: those of the tiles, and row R.
inline constexpr int kMaxOutRows = kMaxRows + 1;
/// Inputs of row R, which brings what reductions send; they are numbered behind the ports.
inline constexpr int kRedInputs = 4;
inline constexpr int kMaxLanes = 16;
inline constexpr int kMaxClasses = 8;

/// Index of a record in a pool.
using Index = std::uint32_t;
inline constexpr Index kNone = UINT32_MAX;

constexpr int CeilDiv(int a, int b) { return (a + b - 1) / b; }

/// Cells of a stored packet: its frame and a 16 B header, 48 B a cell.
constexpr int CellsOf(int frame_bytes) { return CeilDiv(frame_bytes + 16, 48); }

/// Cycles from a packet's first word to its word `k` on a link of `serdes_lanes` lanes.
constexpr int WordOffset(int k, int serdes_lanes) { return serdes_lanes == 4 ? k : 4 * k / serdes_lanes; }

constexpr PortMask Bit(int port) { return PortMask{1} << port; }
inline int LowestBit(std::uint64_t mask) { return __builtin_ctzll(mask); }

/// Whether one of the conditions holds. All of them are evaluated, and no branch is taken: the function is for
/// conditions that are true as often as not.
template <typename... Conditions>
constexpr bool AnyOf(Conditions... conditions) {
  return (static_cast<unsigned>(conditions) | ...) != 0;
}

/// Calls `visit(index)` for every set bit, lowest first.
template <typename Visit>
inline void ForEachBit(std::uint64_t mask, Visit&& visit) {
  for (; mask != 0; mask &= mask - 1) visit(LowestBit(mask));
}

/// Where a port's tile stands (docs/timing.md, Coordinates), as tables.
struct Geometry {
  explicit Geometry(const Profile& profile) : cols(profile.cols) {
    for (int p = 0; p < profile.ports; ++p) {
      row[p] = static_cast<std::uint8_t>(p / profile.row_in);
      input[p] = static_cast<std::uint8_t>(p % profile.row_in);
    }
    for (int i = 0; i < kRedInputs; ++i) {
      row[profile.ports + i] = static_cast<std::uint8_t>(profile.rows);
      input[profile.ports + i] = static_cast<std::uint8_t>(i);
    }
  }
  int lane(int port) const { return port & 1; }
  int col(int port) const { return input[port] >> 1; }
  /// Port of crossbar input `in` of row `r`.
  int port(int r, int in) const { return r * 2 * cols + in; }
  /// Tile in which a packet from `source` turns towards `destination`.
  int TurnTile(int source, int destination) const { return row[source] * cols + col(destination); }
  /// Crossbar output of the turn tile that leads to `destination`.
  int TurnOutput(int destination) const { return 2 * row[destination] + lane(destination); }

  int cols;
  std::array<std::uint8_t, kMaxPorts + kRedInputs> row{};
  std::array<std::uint8_t, kMaxPorts + kRedInputs> input{};  ///< crossbar input of the row
};

}  // namespace tilefly::golden
