// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reduction/stream_peers.h"

#include <algorithm>

#include "golden/common/register_write.h"

namespace tilefly::bench {

StreamPeers::StreamPeers(const Profile& profile, golden::PortMask children, Vector vector)
    : profile_(profile), vector_(std::move(vector)), hosts_(static_cast<std::size_t>(profile.ports)) {
  tree_.children = children;
}

std::vector<Cfg> StreamPeers::Writes() const {
  std::vector<Cfg> writes;
  for (int p = 0; p < profile_.ports; ++p)
    writes.push_back(golden::WriteRegister(p, CfgSpace::kPort, static_cast<int>(PortReg::kMode), 1));
  for (const Cfg& write : tree_.Writes(profile_.ports)) writes.push_back(write);
  return writes;
}

RedArrival StreamPeers::Packet(int port, const Red& red, const std::vector<std::uint8_t>& data) const {
  RedArrival packet;
  packet.frame.resize(static_cast<std::size_t>(golden::RedFrame::LengthOf(profile_, static_cast<int>(data.size()))));
  packet.header.kind = static_cast<std::uint8_t>(Kind::kRed);
  packet.header.an = true;
  packet.header.len = static_cast<std::uint16_t>(packet.frame.size());
  packet.header.src = 0x100u + static_cast<unsigned>(port);
  red.PackBytes(packet.frame.data());
  std::copy(data.begin(), data.end(), packet.frame.begin() + Red::kBytes);
  return packet;
}

std::optional<RedArrival> StreamPeers::Take(Cycle, int port) {
  Host& host = hosts_[static_cast<std::size_t>(port)];
  if (!begun_ || tree_.RoleOf(port) != RedRole::kChild) return std::nullopt;
  Red red;
  if (!host.asked) {
    host.asked = true;
    red.what = static_cast<std::uint8_t>(RedWhat::kShort);
    red.action = static_cast<std::uint8_t>(RedAction::kLock);
    red.empty = true;
    red.contributions = 1;
    return Packet(port, red, {});
  }
  if (host.tag < 0 || host.sent == vector_.segments || host.sent >= profile_.red_segments + host.credit)
    return std::nullopt;
  red.what = static_cast<std::uint8_t>(RedWhat::kSegment);
  red.op = static_cast<std::uint8_t>(vector_.op);
  red.dtype = static_cast<std::uint8_t>(vector_.type);
  red.bytes = static_cast<std::uint16_t>(vector_.bytes);
  red.tag = static_cast<std::uint8_t>(host.tag);
  red.seq = static_cast<std::uint16_t>(host.sent);
  red.ends = host.sent + 1 == vector_.segments;
  red.wants = true;
  return Packet(port, red, vector_.operands(port, host.sent++));
}

void StreamPeers::Received(Cycle now, const golden::GoldenRing::Outputs::Leaving& packet) {
  Host& host = hosts_[static_cast<std::size_t>(packet.port)];
  const Red red = Red::UnpackBytes(packet.frame.data());
  const auto data = packet.frame.begin() + Red::kBytes;
  switch (static_cast<RedWhat>(red.what)) {
    case RedWhat::kShortResult:
      if (red.code != static_cast<std::uint8_t>(RedCode::kOk)) complaint_ = "the lock is refused";
      host.tag = red.tag;
      break;
    case RedWhat::kCredit:
      host.credit += static_cast<std::uint8_t>(red.credit - host.credit);
      break;
    case RedWhat::kResult:
      if (red.seq != host.results++) complaint_ = "a result is out of order";
      results_.push_back({now, packet.port, red, {data, data + golden::DataBytes(red)}});
      break;
    default:
      complaint_ = "a packet that no host of the tree waits for";
  }
}

}  // namespace tilefly::bench
