// SPDX-License-Identifier: Apache-2.0
// Packets that are lost with a link (docs/cosimulation.md, Links with retry).
#include <fmt/format.h>

#include <algorithm>

#include "cosim/errors.h"
#include "cosim/scoreboard/places.h"
#include "cosim/scoreboard/scoreboard.h"

namespace tilefly::cosim {
namespace {

constexpr std::uint64_t PortBit(int port) { return std::uint64_t{1} << port; }

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
  const bool replicated = (packet.frame->enh ? packet.frame->header.dst : packet.fate.dst) == kReplicated;
  ++lost_copies_[{packet.fate.one_of ? packet.risky : PortBit(port), packet.frame->source, replicated}];
  const std::uint64_t expected_at = packet.fate.one_of ? packet.fate.outputs : PortBit(port);
  for (std::uint64_t left = expected_at; left != 0; left &= left - 1) {
    const int output = __builtin_ctzll(left);
    auto& expected = expected_[static_cast<std::size_t>(output)];
    const auto entry = std::find_if(expected.begin(), expected.end(), [&](const auto& one) { return one.second.packet == id; });
    expected.erase(entry);
    Flow& flow = flows_.at(FlowKey(packet, output));
    flow.packets.erase(std::find(flow.packets.begin(), flow.packets.end(), id));
    ++flow.delivered;
  }
  --outstanding_;
  uncertain_ -= packet.uncertain();
  packet.risky = packet.fate.one_of ? 0 : packet.risky & ~PortBit(port);
  ++packet.lost;
  --packet.copies_left;
  uncertain_ += packet.uncertain();
  if (fates_ != nullptr && !packet.frame->broken_off)
    fates_->LostWithLink(*packet.frame, packet.fate.one_of ? -1 : port, packet.copies_left == 0);
  if (packet.copies_left > 0) return;
  if (replicated && !packet.came_out) ++lost_whole_[static_cast<std::size_t>(packet.frame->source)];
  Finish(id);
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

/// By input: drops by NO_ROUTE that the books have no packet for so far.
std::vector<std::int64_t> Scoreboard::DropsWithoutWay(const std::function<std::uint64_t(int, Drop)>& counter) const {
  std::vector<std::int64_t> drops;
  for (int port = 0; port < setup_.profile().ports; ++port) {
    drops.push_back(static_cast<std::int64_t>(counter(port, Drop::kNoRoute)) -
                    seen_[static_cast<std::size_t>(port)][static_cast<std::size_t>(Drop::kNoRoute)]);
  }
  return drops;
}

/// What an input dropped for a link behind it is down is in NO_ROUTE, of frames as long as the input lost any, else of attempts
/// that were broken off: which of its packets they are is not known. `no_way`: by input, drops by NO_ROUTE.
void Scoreboard::MoveToNoRoute(const std::vector<std::int64_t>& no_way) {
  const auto reason = static_cast<std::size_t>(Drop::kNoRoute);
  for (std::size_t input = 0; input < no_way.size(); ++input) {
    const std::int64_t frames = std::clamp<std::int64_t>(no_way[input], 0, lost_frames_[input]);
    const std::int64_t attempts = std::clamp<std::int64_t>(no_way[input] - frames, 0, books_.broken_lost);
    books_.lost -= frames;
    books_.drops[reason] += frames;
    books_.broken_lost -= attempts;
    books_.broken_drops[reason] += attempts;
  }
}

/// Whether the counters can be as they are (docs/cosimulation.md, Links with retry). A copy that is lost is in a counter of its
/// link. Where a switch keeps packets from a port whose link is down, the packet is in NO_ROUTE of its input instead, or,
/// when it is replicated, may be in no counter. `no_way`: by input, drops by NO_ROUTE that the books have no other packet for.
void Scoreboard::CheckLost(Cycle now, const std::function<LostBounds(int)>& bounds,
                           const std::vector<std::int64_t>& no_way) const {
  const int ports = setup_.profile().ports;
  std::vector<LostBounds> allowed;
  std::uint64_t keeping = 0;
  for (int port = 0; port < ports; ++port) {
    allowed.push_back(bounds(port));
    if (allowed.back().keeps) keeping |= PortBit(port);
  }
  const auto throw_at = [&](int port, std::int64_t lost, const char* what) {
    throw CheckFailure(now, port, 0,
                       fmt::format("{} packets {} the link of port {}; the counters TX_LOST and REPLAY_LOST allow {} to {}", lost,
                                   what, port, allowed[static_cast<std::size_t>(port)].least,
                                   allowed[static_cast<std::size_t>(port)].most));
  };

  // Each copy that must be in a counter has one: of a link, or behind the ports NO_ROUTE of an input.
  std::vector<std::int64_t> room;
  for (const LostBounds& one : allowed) room.push_back(one.most);
  room.insert(room.end(), no_way.begin(), no_way.end());
  Places counters(std::move(room));
  for (const auto& [copies, count] : lost_copies_) {
    if (copies.replicated && (copies.among & keeping) != 0) continue;
    std::vector<int> places;
    for (std::uint64_t left = copies.among; left != 0; left &= left - 1) places.push_back(__builtin_ctzll(left));
    if ((copies.among & keeping) != 0) places.push_back(ports + copies.input);
    if (counters.Place(places, count) > 0) throw_at(places.front(), count, "or more were lost with");
  }

  // Each count has a copy: of a kind, or behind the kinds a replicated packet of an input that was lost whole.
  std::vector<std::int64_t> copies;
  std::vector<std::vector<int>> of_link(static_cast<std::size_t>(ports)), of_input(static_cast<std::size_t>(ports));
  for (const auto& [kind, count] : lost_copies_) {
    const int place = static_cast<int>(copies.size());
    copies.push_back(count);
    for (std::uint64_t left = kind.among; left != 0; left &= left - 1)
      of_link[static_cast<std::size_t>(__builtin_ctzll(left))].push_back(place);
    if (!kind.replicated && (kind.among & keeping) != 0) of_input[static_cast<std::size_t>(kind.input)].push_back(place);
  }
  for (std::size_t input = 0; input < of_input.size(); ++input) {
    of_input[input].push_back(static_cast<int>(copies.size()));
    copies.push_back(lost_whole_[input]);
  }
  Places lost(std::move(copies));
  for (int port = 0; port < ports; ++port) {
    const auto at = static_cast<std::size_t>(port);
    if (const std::int64_t least = std::max<std::int64_t>(0, allowed[at].least), missing = lost.Place(of_link[at], least); missing > 0)
      throw_at(port, least - missing, "at most were lost with");
    if (lost.Place(of_input[at], no_way[at]) > 0)
      throw CheckFailure(now, port, 0,
                         fmt::format("drop counter NO_ROUTE says {} more than the books, and fewer packets of this input are "
                                     "missing behind links that were down", no_way[at]));
  }
}

}  // namespace tilefly::cosim
