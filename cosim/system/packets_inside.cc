// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/packets_inside.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tilefly::cosim {

template <typename Packets>
auto PacketsInside::FindIn(Packets* packets, PacketKey key, bool leaving) {
  const auto [first, end] = packets->equal_range(key);
  const auto found = std::find_if(first, end, [&](const auto& one) { return one.second.leaving == leaving; });
  return found == end ? packets->end() : found;
}

void PacketsInside::Enter(PacketKey key, PacketInside packet) {
  if (Find(key) != nullptr) throw std::logic_error("network: a packet is twice in a switch: " + NameOf(packet.record));
  packets_.emplace(key, std::move(packet));
}

const PacketInside& PacketsInside::At(PacketKey key) const {
  const PacketInside* const packet = Find(key);
  if (packet == nullptr) throw std::logic_error("network: a packet is not in the switch");
  return *packet;
}

void PacketsInside::Leave(PacketKey key) {
  const auto found = FindIn(&packets_, key, false);
  if (found != packets_.end()) packets_.erase(found);
}

const PacketInside* PacketsInside::Find(PacketKey key) const {
  const auto found = FindIn(&packets_, key, false);
  return found == packets_.end() ? nullptr : &found->second;
}

void PacketsInside::BeginToLeave(PacketKey key) { FindIn(&packets_, key, false)->second.leaving = true; }

const PacketInside& PacketsInside::AtLeaving(PacketKey key) const { return FindIn(&packets_, key, true)->second; }

void PacketsInside::HasLeft(PacketKey key) { packets_.erase(FindIn(&packets_, key, true)); }

std::optional<DropDue> PacketsInside::TakeDrop(int port, Cycle cycle, Drop reason) {
  std::deque<DropDue>& drops = drops_[static_cast<std::size_t>(port)];
  const auto found = std::find_if(drops.begin(), drops.end(), [&](const DropDue& one) {
    const bool as_red = reason == Drop::kRed || (one.broken && reason == Drop::kBroken);
    const bool inside = one.red ? as_red : Find(one.key) != nullptr;
    return inside && (reason == Drop::kBufferFull ? one.admission : one.discard) == cycle;
  });
  if (found == drops.end()) return {};
  const DropDue drop = *found;
  drops.erase(found);
  return drop;
}

void PacketsInside::ForgetDrops(int port, Cycle cycle) {
  std::deque<DropDue>& drops = drops_[static_cast<std::size_t>(port)];
  while (!drops.empty() && drops.front().discard < cycle) drops.pop_front();
}

}  // namespace tilefly::cosim
