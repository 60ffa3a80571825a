// SPDX-License-Identifier: Apache-2.0
#include "golden/acks/flow_account.h"

#include <algorithm>

namespace tilefly::golden {
namespace {

constexpr std::size_t kFirstPlaces = 16;

}  // namespace

void FlowAccount::Enter(int port, int flow, int cells, const FlowPath* path) {
  if (2 * (used_ + 1) > places_.size()) Grow();
  const std::uint16_t key = KeyOf(port, flow);
  FlowChannel& channel = places_[PlaceOf(key)];
  if (!channel.used) {
    ++used_;
    channel = {0, path != nullptr ? *path : FlowPath{}, path != nullptr, true, key};
  }
  channel.cells = std::min(channel.cells + static_cast<std::uint32_t>(cells), kMostCells);
}

void FlowAccount::Acknowledge(int port, int flow, int cells) {
  if (places_.empty()) return;
  const std::size_t at = PlaceOf(KeyOf(port, flow));
  FlowChannel& channel = places_[at];
  if (!channel.used) return;
  channel.cells -= std::min(channel.cells, static_cast<std::uint32_t>(cells));
  if (channel.cells == 0) Remove(at);
}

void FlowAccount::Grow() {
  std::vector<FlowChannel> before(std::max(kFirstPlaces, 2 * places_.size()), FlowChannel{});
  before.swap(places_);
  shift_ = 32 - __builtin_ctzll(places_.size());
  for (const FlowChannel& channel : before) {
    if (channel.used) places_[PlaceOf(channel.key)] = channel;
  }
}

/// Closes the gap: what was put behind it for want of room moves up.
void FlowAccount::Remove(std::size_t at) {
  const std::size_t mask = places_.size() - 1;
  --used_;
  for (std::size_t next = (at + 1) & mask; places_[next].used; next = (next + 1) & mask) {
    const std::size_t home = Home(places_[next].key);
    if (((next - home) & mask) < ((next - at) & mask)) continue;  // it stands between its home and here already
    places_[at] = places_[next];
    at = next;
  }
  places_[at].used = false;
}

void FlowAccount::Check(Audit* audit) const {
  std::size_t used = 0;
  ForEach([&](int port, int flow, const FlowChannel& channel) {
    ++used;
    audit->Require("ACK-2", channel.cells > 0 && channel.cells <= kMostCells, port, channel.cells);
    audit->Require("ACK-2", Find(port, flow) == &channel, port, flow);
  });
  audit->Require("ACK-2", used == used_, 0, static_cast<std::int64_t>(used));
}

}  // namespace tilefly::golden
