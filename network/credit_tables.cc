// SPDX-License-Identifier: Apache-2.0
#include "network/credit_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/common/stage_times.h"
#include "network/traffic.h"
#include "network/wiring.h"
#include "support/errors.h"
#include "topology/families.h"

namespace tilefly::network {
namespace {

/// Cells of 256 words.
constexpr int kBenchCells = golden::CeilDiv(256 * 32, 48);
/// Cycles from a grant to the first grant that its credits allow, less those of both cables, of the packet's cells and
/// of the words of one frame before it at the far output (docs/network.md, Configuration): onto the link; to the pick
/// in the far switch, which cuts through; to its last cell's leave cycle, but for the cells; the credit return's way.
constexpr Cycle kQuietLoop = golden::kGrantToCell + golden::kEventToDecision + golden::kTakeToWire +
                             golden::kTriggerToPick + (golden::kPickToLeave - 1) + golden::kFreedToWire +
                             golden::kWireToEvent + golden::kEventToDecision;
static_assert(kQuietLoop == 90, "docs/network.md: T = 2d + 90 + M + w");

/// Lanes in use have `reserve` and `cap`, the others nothing.
golden::CreditTable TableOf(const std::vector<int>& lanes, int reserve, int cap, int shared) {
  golden::CreditTable table;
  for (const int lane : lanes) {
    table.reserve[lane] = static_cast<std::uint16_t>(reserve);
    table.cap[lane] = static_cast<std::uint16_t>(cap);
  }
  table.shared = shared;
  return table;
}

/// Cells of the copies that were broken off for which a link that repeats has room.
int BrokenCells(const Profile& profile) {
  constexpr int kBroken = 2;
  return kBroken * profile.mtu_cells;
}

/// Cells that a lane needs to fill a link of `delay` cycles.
Cycle CellsToFill(const Profile& profile, Cycle delay) {
  const Cycle mtu = profile.mtu_cells;
  const Cycle loop = 2 * delay + kQuietLoop + mtu + WordsOf(profile.mtu_bytes);
  return mtu * (1 + (2 * loop + 3 * mtu - 1) / (3 * mtu));
}

}  // namespace

golden::CreditTable BenchCredits(const Profile& profile, const std::vector<int>& lanes, bool minimal,
                                 bool retry) {
  const int cells = kBenchCells + profile.mtu_cells - 1;
  const int room = profile.cells - (retry ? BrokenCells(profile) : 0);
  if (static_cast<int>(lanes.size()) * cells > room) {
    throw UsageError(
        fmt::format("--timing bench: {} lanes of {} cells are more than the input buffer's {}; send fewer classes{}",
                    lanes.size(), cells, room, minimal ? "" : ", or take --routing min"));
  }
  return TableOf(lanes, cells, cells, 0);
}

std::optional<golden::CreditTable> LongLinkCredits(const Profile& profile, const std::vector<int>& lanes, Cycle delay) {
  const Cycle longest = LinkTiming::Chip(profile).DelayOf(topology::LinkKind::kGlobal, topology::kOpticalMetres);
  const int reserve = profile.credit_reserve_cells;
  const int shared = profile.cells - static_cast<int>(lanes.size()) * reserve;
  const Cycle cap = std::min<Cycle>(CellsToFill(profile, std::min(delay, longest)), reserve + shared);
  if (cap <= profile.credit_cap_cells) return std::nullopt;
  return TableOf(lanes, reserve, static_cast<int>(cap), shared);
}

golden::CreditTable RepeatingLinkCredits(const Profile& profile, const std::vector<int>& lanes, Cycle delay) {
  golden::CreditTable table = LongLinkCredits(profile, lanes, delay).value_or(golden::CreditTable(profile));
  table.shared -= BrokenCells(profile);
  return table;
}

std::vector<Cfg> CreditWrites(int port, const golden::CreditTable& table) {
  std::vector<Cfg> writes;
  for (int v = 0; v < golden::kMaxLanes; ++v) {
    writes.push_back(
        golden::WriteRegister(port, CfgSpace::kCredit, v, CreditLane::Of(table.reserve[v], table.cap[v]).ToBits()));
  }
  writes.push_back(golden::WriteRegister(port, CfgSpace::kCredit, golden::IndexOf(TableReg::kCreditShared),
                                 CreditShared::Of(static_cast<std::uint64_t>(table.shared)).ToBits()));
  return writes;
}

}  // namespace tilefly::network
