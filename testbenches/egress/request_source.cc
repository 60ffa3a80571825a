// SPDX-License-Identifier: Apache-2.0
#include "testbenches/egress/request_source.h"

#include <algorithm>

namespace tilefly::bench {
std::optional<RequestSource::Arrival> RequestSource::Next(Cycle now, int row) {
  const auto index = static_cast<std::uint32_t>(row);
  if (!random_.Spell("request", now, index)) return std::nullopt;
  // For a stretch of cycles a row's requests come from few inputs and few lanes, so that channels get owners with runs.
  const Cycle stretch = now / 300;
  // In some stretches they come from two inputs and one lane, whose fifos become deep and shallow again.
  const bool narrow = random_.Chance(32, "narrow", stretch);
  const int inputs = narrow ? std::min(2, profile_.row_in) : random_.Between(1, profile_.row_in, "inputs", stretch, index);
  const std::uint64_t any = random_.Bits("lanes", stretch) | random_.Bits("lanes", stretch, 1) >> 7 | 1;
  const std::uint64_t lanes = narrow ? 1u << random_.Below(golden::kMaxLanes, "narrow: lane", stretch) : any;
  const int input = row * profile_.row_in +
                    (random_.Between(0, inputs - 1, "input", now, index) + static_cast<int>(stretch)) % profile_.row_in;
  int vl = static_cast<int>(random_.Below(golden::kMaxLanes, "lane", now, index));
  while (((lanes >> vl) & 1) == 0) vl = (vl + 1) % golden::kMaxLanes;
  std::uint8_t& outstanding = outstanding_[Slot(input, vl)];
  if (outstanding == profile_.request_credits) return std::nullopt;
  ++outstanding;
  Arrival arrival{input, {}};
  arrival.request.src = static_cast<std::uint8_t>(input);
  arrival.request.vl = static_cast<std::uint8_t>(vl);
  const std::uint64_t size = random_.Below(8, "size", now, index);
  const int most = size == 0 ? profile_.mtu_cells : size < 3 ? 12 : 3;
  arrival.request.cells = static_cast<std::uint8_t>(
      random_.Chance(16, "MTU", now, index) ? profile_.mtu_cells : random_.Between(1, most, "cells", now, index));
  arrival.request.more = random_.Chance(narrow ? 240 : 128, "more", now, index);
  return arrival;
}

std::optional<RequestSource::Arrival> RequestSource::NextOfMost(int row, int cells) {
  for (int input = row * profile_.row_in; input < (row + 1) * profile_.row_in; ++input) {
    for (int vl = 0; vl < golden::kMaxLanes; ++vl) {
      std::uint8_t& outstanding = outstanding_[Slot(input, vl)];
      if (outstanding == profile_.request_credits) continue;
      ++outstanding;
      Arrival arrival{input, {}};
      arrival.request.src = static_cast<std::uint8_t>(input);
      arrival.request.vl = static_cast<std::uint8_t>(vl);
      arrival.request.cells = static_cast<std::uint8_t>(cells);
      return arrival;
    }
  }
  return std::nullopt;
}

void RequestSource::Return(Cycle now) {
  while (!returning_.empty() && returning_.front().due <= now) {
    --outstanding_[returning_.front().slot];
    returning_.pop_front();
  }
}

}  // namespace tilefly::bench
