// SPDX-License-Identifier: Apache-2.0
// Packets that are lost with a link (docs/cosimulation.md, Links with retry).
#include <fmt/format.h>

#include <algorithm>

#include "cosim/errors.h"
#include "cosim/scoreboard/scoreboard.h"

namespace tilefly::cosim {
namespace {

constexpr std::uint64_t Bit(int port) { return std::uint64_t{1} << port; }

}  // namespace

/// On its way into the switch.
void Scoreboard::Lost(const FramePtr& frame) {
  ++books_.offered;
  ++books_.lost;
  ClassStatistics& one = classes_[static_cast<std::size_t>(setup_.ClassOf(*frame))];
  ++one.offered;
  ++one.dropped;
}

void Scoreboard::SetRisky(Packet* packet, std::uint64_t ports) {
  uncertain_ -= packet->uncertain();
  packet->risky = ports;
  uncertain_ += packet->uncertain();
}

void Scoreboard::LinkIsUp(int port) {
  for (const auto& [key, entry] : expected_[static_cast<std::size_t>(port)]) {
    Packet& packet = packets_.at(entry.packet);
    SetRisky(&packet, packet.risky | Bit(port));
  }
}

/// The copy of the packet for `port` is lost with the link there. A packet that may leave by one of several ports may have
/// been lost at another one.
void Scoreboard::LoseCopy(std::uint64_t id, int port) {
  Packet& packet = packets_.at(id);
  const std::uint64_t among = packet.fate.one_of ? packet.risky : Bit(port);
  if ((among & (among - 1)) == 0) {
    ++lost_at_[static_cast<std::size_t>(port)];
  } else {
    lost_among_.push_back(among);
  }
  const std::uint64_t expected_at = packet.fate.one_of ? packet.fate.outputs : Bit(port);
  for (std::uint64_t left = expected_at; left != 0; left &= left - 1) {
    const int output = __builtin_ctzll(left);
    auto& expected = expected_[static_cast<std::size_t>(output)];
    const auto entry = std::find_if(expected.begin(), expected.end(), [&](const auto& one) { return one.second.packet == id; });
    expected.erase(entry);
    Flow& flow = flows_.at(FlowKey(packet.frame->source, output, packet.lane));
    flow.packets.erase(std::find(flow.packets.begin(), flow.packets.end(), id));
    ++flow.delivered;
  }
  --outstanding_;
  uncertain_ -= packet.uncertain();
  packet.risky = packet.fate.one_of ? 0 : packet.risky & ~Bit(port);
  ++packet.lost;
  --packet.copies_left;
  uncertain_ += packet.uncertain();
  if (packet.copies_left == 0) Finish(id);
}

/// In the end: what may be lost and never came is lost.
void Scoreboard::LoseRisky() {
  std::vector<std::uint64_t> ids;
  for (const auto& [id, packet] : packets_) {
    if (packet.risky != 0) ids.push_back(id);
  }
  std::sort(ids.begin(), ids.end());
  for (const std::uint64_t id : ids) {
    const Packet& packet = packets_.at(id);
    if (packet.fate.one_of) {
      LoseCopy(id, __builtin_ctzll(packet.risky));
      continue;
    }
    for (std::uint64_t left = packet.risky; left != 0; left &= left - 1) LoseCopy(id, __builtin_ctzll(left));
  }
}

/// Each copy that one of several links lost counts for the link whose counters leave most room.
void Scoreboard::CheckLost(Cycle now, const std::function<LostBounds(int)>& bounds) const {
  std::vector<std::int64_t> lost = lost_at_, most, least;
  for (int port = 0; port < setup_.profile().ports; ++port) {
    most.push_back(bounds(port).most);
    least.push_back(bounds(port).least);
  }
  for (const std::uint64_t among : lost_among_) {
    std::size_t best = static_cast<std::size_t>(__builtin_ctzll(among));
    for (std::uint64_t left = among; left != 0; left &= left - 1) {
      const auto port = static_cast<std::size_t>(__builtin_ctzll(left));
      if (most[port] - lost[port] > most[best] - lost[best]) best = port;
    }
    ++lost[best];
  }
  for (std::size_t port = 0; port < lost.size(); ++port) {
    const bool too_few = lost_among_.empty() && lost[port] < least[port];
    if (lost[port] <= most[port] && !too_few) continue;
    throw CheckFailure(now, static_cast<int>(port), 0,
                       fmt::format("{} packets were lost with the link, its counters TX_LOST and REPLAY_LOST allow {} to {}",
                                   lost[port], least[port], most[port]));
  }
}

}  // namespace tilefly::cosim
