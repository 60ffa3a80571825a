// SPDX-License-Identifier: Apache-2.0
#include "network/held_journeys.h"

#include <algorithm>
#include <iterator>

namespace tilefly::network {

void HeldJourneys::Hold(const LinkDirection& direction, int seq, Journey journey) {
  std::unique_ptr<Sender>& own = senders_[PlaceOf(direction)];
  if (own == nullptr) own = std::make_unique<Sender>();
  own->held.push_back({seq, std::move(journey)});
}

std::optional<Journey> HeldJourneys::Start(const LinkDirection& direction, int seq, Cycle wire) {
  if (SenderOf(direction) == nullptr) return std::nullopt;
  std::deque<One>& held = SenderOf(direction)->held;
  const auto one = std::find_if(held.begin(), held.end(), [&](const One& other) { return other.seq == seq; });
  if (one == held.end()) return std::nullopt;
  if (one->journey.tried < 0) one->journey.tried = wire;
  return one->journey;
}

void HeldJourneys::Release(const LinkDirection& direction, int first) {
  Sender* const own = SenderOf(direction);
  if (own == nullptr) return;
  std::deque<One>& held = own->held;
  while (!held.empty() && !IsMissing(held.front().seq, static_cast<std::uint32_t>(first))) held.pop_front();
}

void HeldJourneys::Drop(const LinkDirection& direction) {
  Sender* const own = SenderOf(direction);
  if (own == nullptr) return;
  std::move(own->held.begin(), own->held.end(), std::back_inserter(own->dropped));
  own->held.clear();
}

std::optional<Journey> HeldJourneys::Lose(const LinkDirection& direction, int seq) {
  if (SenderOf(direction) == nullptr) return std::nullopt;
  for (const One& one : SenderOf(direction)->dropped) {
    if (one.seq == seq) return one.journey;
  }
  return std::nullopt;
}

}  // namespace tilefly::network
