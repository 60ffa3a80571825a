// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reduction/stream_peers.h"

#include <algorithm>

#include "golden/common/register_write.h"
#include "golden/reduction/red_lanes.h"
#include "golden/reduction/red_part.h"

namespace tilefly::bench {
namespace {

cosim::Tree RootOf(golden::PortMask children) {
  cosim::Tree tree;
  tree.children = children;
  golden::ForEachBit(children, [&](int port) {
    cosim::RedAddress& peer = tree.peers[static_cast<std::size_t>(port)];
    peer.address = 0x100u + static_cast<unsigned>(port);
    peer.vl = kRedDownLane;
  });
  return tree;
}

}  // namespace

cosim::RedPacket StreamPeers::VectorOperands::Operands(int part, int port) const {
  cosim::RedPacket packet;
  packet.red.group = static_cast<std::uint8_t>(tree_.group);
  packet.red.op = static_cast<std::uint8_t>(vector_.op);
  packet.red.dtype = static_cast<std::uint8_t>(vector_.type);
  packet.red.bytes = static_cast<std::uint16_t>(vector_.bytes);
  packet.data = vector_.operands(port, part);
  return packet;
}

StreamPeers::StreamPeers(const Profile& profile, golden::PortMask children, Vector vector)
    : profile_(profile), tree_(RootOf(children)), vector_(std::move(vector)), operands_(tree_, vector_) {
  cosim::TreePeer::Options options;
  options.pace = 1;
  golden::ForEachBit(children, [&](int port) {
    hosts_[port].peer = std::make_unique<cosim::TreeChild>(profile_, tree_, port, options, &operands_);
  });
}

std::vector<Cfg> StreamPeers::Writes() const {
  std::vector<Cfg> writes;
  for (int p = 0; p < profile_.ports; ++p)
    writes.push_back(golden::WriteRegister(p, CfgSpace::kPort, static_cast<int>(PortReg::kMode), 1));
  for (const Cfg& write : tree_.Writes()) writes.push_back(write);
  return writes;
}

void StreamPeers::Begin(Cycle now) {
  cosim::TreeOperation operation;
  operation.bytes.assign(static_cast<std::size_t>(vector_.segments), vector_.bytes);
  operation.wants = tree_.children;
  cosim::Episode episode;
  episode.streams = true;
  episode.operations = {operation};
  operands_.Begin(episode, 0);
  for (auto& [port, host] : hosts_) host.peer->Begin(now, 0);
}

std::optional<RedArrival> StreamPeers::NextPacket(Cycle now, int port) {
  const auto host = hosts_.find(port);
  const cosim::RedOutbox::Item* const item = host == hosts_.end() ? nullptr : host->second.peer->outbox().Next(now);
  if (item == nullptr) return std::nullopt;
  const auto& [red, data] = item->packet;
  RedArrival packet;
  packet.frame.resize(static_cast<std::size_t>(golden::RedFrame::LengthOf(profile_, static_cast<int>(data.size()))));
  packet.header.kind = static_cast<std::uint8_t>(Kind::kRed);
  packet.header.an = true;
  packet.header.len = static_cast<std::uint16_t>(packet.frame.size());
  packet.header.src = host->second.peer->address();
  red.PackBytes(packet.frame.data());
  std::copy(data.begin(), data.end(), packet.frame.begin() + Red::kBytes);
  host->second.peer->outbox().Pop();
  return packet;
}

void StreamPeers::Received(Cycle now, const golden::GoldenRing::Outputs::Leaving& packet) {
  Host& host = hosts_.at(packet.port);
  const Red red = Red::UnpackBytes(packet.frame.data());
  const auto data = packet.frame.begin() + Red::kBytes;
  const cosim::RedPacket came{red, {data, data + golden::DataBytes(red)}};
  switch (static_cast<RedWhat>(red.what)) {
    case RedWhat::kCredit:
      break;
    case RedWhat::kShortResult:
      if (red.code != static_cast<std::uint8_t>(RedCode::kOk)) complaint_ = "the lock is refused";
      break;
    case RedWhat::kResult:
      if (red.seq != host.results++) complaint_ = "a result is out of order";
      results_.push_back({now, packet.port, red, came.data});
      break;
    default:
      complaint_ = "a packet that no host of the tree waits for";
  }
  host.peer->Received(now, came);
}

}  // namespace tilefly::bench
