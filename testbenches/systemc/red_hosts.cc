// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/red_hosts.h"

#include <algorithm>

#include "golden/routing/route_tables.h"
#include "testbenches/systemc/red_child.h"
#include "testbenches/systemc/red_parent.h"

namespace tilefly::systemc {

Red RedPeer::Header(RedWhat what, int seq) const {
  Red red;
  red.what = static_cast<std::uint8_t>(what);
  red.group = static_cast<std::uint8_t>(plan_.group);
  red.seq = static_cast<std::uint16_t>(seq);
  return red;
}

Cycle RedPeer::Post(Cycle now, const Red& red, const Bytes& data, bool bad) {
  const bool is_parent = port_ == plan_.parent;
  const FramePointer frame = MakeRedFrame(profile_, red, data);
  tilefly::Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kRed);
  header.an = true;
  header.len = static_cast<std::uint16_t>(frame->size());
  header.tc = kRedClass;
  header.vl = static_cast<std::uint8_t>(is_parent ? kRedDownLane : kRedUpLane);
  header.mode = static_cast<std::uint8_t>(RouteMode::kInOrder);
  header.ordered = true;
  header.src = RedPeerAddress(port_);
  header.dst = golden::FabricAddress(0, 0, port_);
  last_ = std::max(last_, now + 1 + static_cast<Cycle>(random_.Below(static_cast<std::uint64_t>(plan_.pace))));
  const bool is_credit = red.what == static_cast<std::uint8_t>(RedWhat::kCredit);
  if (is_credit) last_ += late_;
  outbox_.push_back({last_, golden::HeaderBits(header), frame, bad});
  return last_;
}

RedPeers::RedPeers(const Profile& profile, const std::vector<RedTreePlan>& trees, std::uint64_t seed, Cycle late)
    : peers_(static_cast<std::size_t>(profile.ports)) {
  for (const RedTreePlan& tree : trees) {
    golden::ForEachBit(tree.children, [&](int port) {
      peers_[port].push_back(std::make_unique<RedChild>(profile, tree, port, seed, late));
    });
    if (tree.parent >= 0)
      peers_[tree.parent].push_back(std::make_unique<RedParent>(profile, tree, tree.parent, seed, late));
  }
}

/// The peer whose packet is the earliest.
RedPeer* RedPeers::FirstAt(int port) const {
  RedPeer* first = nullptr;
  for (const auto& peer : peers_[port]) {
    if (peer->outbox().empty()) continue;
    if (first == nullptr || peer->outbox().front().at < first->outbox().front().at) first = peer.get();
  }
  return first;
}

const RedSend* RedPeers::Next(int port) const {
  RedPeer* const peer = FirstAt(port);
  return peer == nullptr ? nullptr : &peer->outbox().front();
}

RedSend RedPeers::Take(int port) {
  RedPeer* const peer = FirstAt(port);
  const RedSend send = peer->outbox().front();
  peer->outbox().pop_front();
  return send;
}

void RedPeers::Receive(int port, Cycle first, Cycle last, const golden::HeaderBits& header, const FramePointer& frame) {
  const Red red = Red::UnpackBytes(frame->data());
  Cycle since = -1;
  for (const auto& peer : peers_[port]) {
    if (peer->group() == red.group) since = peer->Receive(last, red, *frame);
  }
  arrivals.push_back({port, first, since, header, frame});
}

bool RedPeers::done() const {
  return std::all_of(peers_.begin(), peers_.end(), [](const auto& of_port) {
    return std::all_of(of_port.begin(), of_port.end(), [](const auto& peer) { return peer->done(); });
  });
}

}  // namespace tilefly::systemc
