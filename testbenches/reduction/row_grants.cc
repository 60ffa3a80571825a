// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reduction/row_grants.h"

#include <algorithm>

namespace tilefly::bench {
namespace {

constexpr Cycle kLong = 1500;  ///< for which a port may grant credits only, and then anything
/// The bench's own, written apart from golden/common/stage_times.h.
constexpr Cycle kGrantToFirstCell = 24;

}  // namespace

/// First cells whose event was before cycle `now`.
void RowGrants::Arrive(Cycle now, Port* port) const {
  while (!port->crossing.empty() && port->crossing.front().first < now) {
    const Crossing& packet = port->crossing.front();
    port->free_at = packet.first + std::max(1, packet.cells - profile_.owner_lead_cycles);
    port->crossing.pop_front();
  }
}

std::optional<int> RowGrants::Next(Cycle now, int p, bool eager, bool credits_only) {
  Port& port = At(p);
  Arrive(now, &port);
  const auto index = static_cast<std::uint32_t>(p);
  if (!eager && !random_.Spell("grant of row R", now, index)) return std::nullopt;
  if (port.held + profile_.mtu_cells > profile_.obuf_cells) return std::nullopt;
  const bool piles_up =
      credits_only || (!eager && now / kLong % 2 == 0 && random_.Chance(80, "credits only", now / kLong, index));
  const auto first = static_cast<int>(random_.Below(kInputs, "input of row R", now, index));
  for (int i = 0; i < kInputs; ++i) {
    const int input = (first + i) % kInputs;
    int& cells = port.asked[static_cast<std::size_t>(input)];
    if (piles_up && input != golden::ResultRow::kCredits) continue;
    if (cells == 0 || !MayHave(now, port, input)) continue;
    port.held += cells;
    // Packets of one owner follow one another.
    const Cycle behind = port.crossing.empty() ? 0 : port.crossing.back().first + port.crossing.back().cells;
    port.crossing.push_back({input, cells, std::max(now + kGrantToFirstCell, behind)});
    cells = 0;
    return input;
  }
  return std::nullopt;
}

int RowGrants::CreditsKept(Cycle now, int p) const {
  constexpr int kCredits = golden::ResultRow::kCredits;
  const Port& port = ports_[static_cast<std::size_t>(p)];
  const auto on_its_way = [now](const Crossing& packet) { return packet.input == kCredits && packet.first > now; };
  const auto granted = std::count_if(port.crossing.begin(), port.crossing.end(), on_its_way);
  return static_cast<int>(granted) + (port.asked[kCredits] != 0 ? 1 : 0);
}

}  // namespace tilefly::bench
