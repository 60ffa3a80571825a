// SPDX-License-Identifier: Apache-2.0
// Packets that are lost with a link (docs/cosimulation.md, Links with retry).
#include <fmt/format.h>

#include <algorithm>

#include "cosim/errors.h"
#include "cosim/scoreboard/scoreboard.h"

namespace tilefly::cosim {
namespace {

constexpr std::uint64_t PortBit(int port) { return std::uint64_t{1} << port; }

/// Gives each of some copies a port, so that none has more than it is allowed (a matching, by augmenting paths).
class LostPlaces {
 public:
  LostPlaces(const std::vector<std::int64_t>& lost, const std::vector<LostBounds>& allowed) : held_(lost.size()) {
    for (std::size_t port = 0; port < lost.size(); ++port) room_.push_back(allowed[port].most - lost[port]);
  }
  /// A copy that one of the ports lost. Returns false when there is no room for it.
  bool Place(std::uint64_t among) {
    std::uint64_t seen = 0;
    return Find(among, &seen);
  }

 private:
  bool Find(std::uint64_t among, std::uint64_t* seen) {
    for (std::uint64_t left = among & ~*seen; left != 0; left = among & ~*seen) {
      const auto port = static_cast<std::size_t>(__builtin_ctzll(left));
      *seen |= left & -left;
      if (room_[port] > 0) {
        --room_[port];
        held_[port].push_back(among);
        return true;
      }
      for (std::uint64_t& other : held_[port]) {  // which goes elsewhere
        if (!Find(other, seen)) continue;
        other = among;
        return true;
      }
    }
    return false;
  }

  std::vector<std::int64_t> room_;
  std::vector<std::vector<std::uint64_t>> held_;  ///< by port: copies that it was given
};

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

/// Whether a packet of input `port` may be lost.
bool Scoreboard::HasRisky(int port) const {
  const auto& sent = sent_[static_cast<std::size_t>(port)];
  return std::any_of(sent.begin(), sent.end(), [&](std::uint64_t id) {
    const auto packet = packets_.find(id);
    return packet != packets_.end() && packet->second.risky != 0;
  });
}

void Scoreboard::MayBeLostAt(int port) {
  for (const auto& [key, entry] : expected_[static_cast<std::size_t>(port)]) {
    Packet& packet = packets_.at(entry.packet);
    SetRisky(&packet, packet.risky | PortBit(port));
  }
}

/// The copy of the packet for `port` is lost with the link there. A packet that may leave by one of several ports may have
/// been lost at another one.
void Scoreboard::LoseCopy(std::uint64_t id, int port) {
  Packet& packet = packets_.at(id);
  const std::uint64_t among = packet.fate.one_of ? packet.risky : PortBit(port);
  if ((among & (among - 1)) == 0) {
    ++lost_at_[static_cast<std::size_t>(__builtin_ctzll(among))];
  } else {
    lost_among_.push_back(among);
  }
  const std::uint64_t expected_at = packet.fate.one_of ? packet.fate.outputs : PortBit(port);
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
  packet.risky = packet.fate.one_of ? 0 : packet.risky & ~PortBit(port);
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

/// Whether the counters can be as they are: each copy that one of several links lost is given to one that has room for it.
void Scoreboard::CheckLost(Cycle now, const std::function<LostBounds(int)>& bounds) const {
  std::vector<LostBounds> allowed;
  for (int port = 0; port < setup_.profile().ports; ++port) allowed.push_back(bounds(port));
  LostPlaces places(lost_at_, allowed);
  int full = -1;
  for (const std::uint64_t among : lost_among_) {
    if (!places.Place(among)) full = __builtin_ctzll(among);
  }
  for (int port = 0; port < setup_.profile().ports; ++port) {
    const auto at = static_cast<std::size_t>(port);
    const bool too_few = lost_among_.empty() && lost_at_[at] < allowed[at].least;
    if (lost_at_[at] <= allowed[at].most && !too_few && port != full) continue;
    throw CheckFailure(now, port, 0,
                       fmt::format("{} packets were lost with the link{}, its counters TX_LOST and REPLAY_LOST allow {} to {}",
                                   lost_at_[at], port == full ? ", and more than others have room for with it or another one" : "",
                                   allowed[at].least, allowed[at].most));
  }
}

}  // namespace tilefly::cosim
