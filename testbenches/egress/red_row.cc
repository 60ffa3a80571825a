// SPDX-License-Identifier: Apache-2.0
#include "testbenches/egress/red_row.h"

#include "golden/reduction/result_row.h"

namespace tilefly::bench {
namespace {

constexpr int kShortResults = 2;  ///< input of the fifo S

}  // namespace

/// Small results mostly, now and then that of a whole segment; a CREDIT has one cell.
int RedRow::CellsOf(Cycle now, int input) const {
  if (input == golden::ResultRow::kCredits) return 1;
  if (input == kShortResults) return random_.Between(1, profile_.red_short_cells, "row R: short", now);
  if (random_.Chance(20, "row R: whole", now)) return profile_.red_cells;
  return random_.Between(1, random_.Chance(232, "row R: small", now) ? 4 : profile_.red_cells, "row R: cells", now);
}

std::optional<RequestSource::Arrival> RedRow::Next(Cycle now) {
  if (!random_.Spell("row R: request", now)) return std::nullopt;
  // For a stretch of cycles few inputs ask, or all four.
  const auto inputs = static_cast<unsigned>(random_.Between(1, 15, "row R: inputs", now / 300));
  int input = static_cast<int>(random_.Below(golden::kRedInputs, "row R: input", now));
  while ((inputs >> input & 1) == 0) input = (input + 1) % golden::kRedInputs;
  bool& asked = asked_[static_cast<std::size_t>(input)];
  if (asked) return std::nullopt;
  asked = true;
  RequestSource::Arrival arrival{profile_.ports + input, {}};
  arrival.request.src = static_cast<std::uint8_t>(input);
  // A fifo's peers are few, and so are its lanes.
  const Cycle stretch = random_.Chance(64, "row R: lanes", now / 300) ? now : now / 300;
  const auto index = static_cast<std::uint32_t>(input);
  arrival.request.vl = static_cast<std::uint8_t>(random_.Below(golden::kMaxLanes, "row R: lane", stretch, index));
  arrival.request.cells = static_cast<std::uint8_t>(CellsOf(now, input));
  arrival.request.more = random_.Chance(128, "row R: more", now);
  return arrival;
}

}  // namespace tilefly::bench
