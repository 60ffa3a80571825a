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
    channel = {0, path != nullptr ? *path : FlowPath{}, path != nullptr, true, key, 0};
  }
  channel.cells = std::min(channel.cells + static_cast<std::uint32_t>(cells), kMostCells);
  channel.heard = now_;
  if (!deadlines_.empty()) next_due_ = std::min(next_due_, DueOf(channel));
}

void FlowAccount::Acknowledge(int port, int flow, int cells) {
  if (FlowChannel* const channel = Take(port, flow, cells)) channel->heard = now_;
}

void FlowAccount::Uncount(int port, int flow, int cells) { Take(port, flow, cells); }

/// Takes cells out of the flow's channel. Returns the channel, or null when it has no cells any more.
FlowChannel* FlowAccount::Take(int port, int flow, int cells) {
  if (places_.empty()) return nullptr;
  const std::size_t at = PlaceOf(KeyOf(port, flow));
  FlowChannel& channel = places_[at];
  if (!channel.used) return nullptr;
  channel.cells -= std::min(channel.cells, static_cast<std::uint32_t>(cells));
  if (channel.cells > 0) return &channel;
  Remove(at);
  return nullptr;
}

void FlowAccount::SetDeadline(int port, int sweeps) {
  if (deadlines_.empty()) {
    if (sweeps == 0) return;
    deadlines_.resize(kMaxPorts);
  }
  Forget(now_);
  deadlines_[static_cast<std::size_t>(port)] = {now_, sweeps};
  Forget(now_);  // nothing more, but the next deadline is another
}

/// The cycle of the look that forgets the channel's cells, if nothing comes before.
Cycle FlowAccount::DueOf(const FlowChannel& channel) const {
  const Deadline& deadline = deadlines_[channel.key >> kFlowBits];
  if (deadline.sweeps == 0) return kNever;
  const Cycle flow = channel.key & (kSweep - 1);
  const Cycle by_idle = LooksBefore(channel.heard + 1, channel) + deadline.sweeps - 1;  // number of the look, from 0
  const Cycle by_write = LooksBefore(deadline.since + 1, channel);
  return std::max(by_idle, by_write) * kSweep + flow;
}

/// Makes the looks of all cycles up to `last`.
void FlowAccount::Forget(Cycle last) {
  std::vector<std::uint16_t> forgotten;
  next_due_ = kNever;
  if (deadlines_.empty()) return;
  for (const FlowChannel& channel : places_) {
    if (!channel.used) continue;
    const Cycle due = DueOf(channel);
    if (due <= last) {
      forgotten.push_back(channel.key);
    } else {
      next_due_ = std::min(next_due_, due);
    }
  }
  for (const std::uint16_t key : forgotten) Remove(PlaceOf(key));
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
