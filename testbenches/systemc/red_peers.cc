// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/red_peers.h"

#include <algorithm>

#include "cosim/tree/tree_child.h"
#include "cosim/tree/tree_parent.h"
#include "golden/common/fabric_address.h"

namespace tilefly::systemc {
namespace {

bool IsFail(const cosim::RedPacket& packet) { return static_cast<RedWhat>(packet.red.what) == RedWhat::kFail; }

/// Goes through the episodes of its plan by itself.
class PlannedChild final : public cosim::TreeChild {
 public:
  PlannedChild(const Profile& profile, const RedTreePlan& plan, int port, const Options& options)
      : TreeChild(profile, plan.tree, port, options, &operands_), plan_(plan), operands_(plan.tree, options.seed) {
    BeginNext(kFirst);
  }

  Cycle Received(Cycle now, const cosim::RedPacket& packet) override {
    if (done() || now < waits_until_) return -1;
    if (IsFail(packet)) {
      Fail();
      waits_until_ = now + kSettled;
      BeginNext(waits_until_);
      return -1;
    }
    const Cycle ready = TreeChild::Received(now, packet);
    if (TreeChild::done()) BeginNext(now);
    return ready;
  }
  bool done() const override { return begun_ > plan_.episodes.size(); }

 private:
  static constexpr Cycle kFirst = 200;      ///< the registers are written
  static constexpr Cycle kSettled = 20000;  ///< after a failure: nothing of the group is under way
  static constexpr int kNumbers = 64;       ///< of short operations of an episode

  void BeginNext(Cycle now) {
    const std::size_t next = begun_++;
    if (done()) return;
    operands_.Begin(plan_.episodes[next], next);
    Begin(now, kNumbers * static_cast<int>(next));
  }

  const RedTreePlan& plan_;
  cosim::TreeOperands operands_;
  std::size_t begun_ = 0;  ///< episodes; after the last one, one more
  Cycle waits_until_ = 0;  ///< after a failure
};

/// Answers what came, as if others had added something to it.
class PlannedParent final : public cosim::TreeParent {
 public:
  PlannedParent(const Profile& profile, const RedTreePlan& plan, const Options& options)
      : TreeParent(profile, plan.tree, plan.tree.parent, options), leaves_(plan.parent_leaves) {}

  Cycle Received(Cycle now, const cosim::RedPacket& packet) override {
    if (IsFail(packet)) {
      Fail();
      return -1;
    }
    const bool is_segment = static_cast<RedWhat>(packet.red.what) == RedWhat::kSegment;
    if (!is_segment || segments_++ != leaves_) return TreeParent::Received(now, packet);
    cosim::RedPacket fail = Packet(RedWhat::kFail, 0);
    fail.red.code = static_cast<std::uint8_t>(RedCode::kLeft);
    outbox_.Post(now, fail);
    return -1;
  }

 protected:
  std::optional<cosim::Bytes> Answer(const cosim::RedPacket& packet) override {
    cosim::Bytes data = packet.data;
    for (std::uint8_t& byte : data) byte = static_cast<std::uint8_t>(byte + 1);
    return data;
  }
  cosim::Bytes SmallAnswer(const cosim::SmallPublished& last) override {
    cosim::SmallPublished answer = last;
    answer.count = tree_.child_count();
    answer.arm = last.seqno % 2 == 1;
    return answer.ToBytes();
  }

 private:
  const int leaves_;
  int segments_ = 0;  ///< of all locks
};

}  // namespace

RedPeers::RedPeers(const Profile& profile, const std::vector<RedTreePlan>& trees, std::uint64_t seed, Cycle late)
    : profile_(profile), peers_(static_cast<std::size_t>(profile.ports)) {
  constexpr int kMostTries = 300;  // then nobody gives the slot back any more
  for (const RedTreePlan& plan : trees) {
    const cosim::TreePeer::Options options{seed, plan.pace, late, kMostTries};
    golden::ForEachBit(plan.tree.children, [&](int port) {
      peers_[port].push_back(std::make_unique<PlannedChild>(profile, plan, port, options));
    });
    if (plan.tree.parent >= 0)
      peers_[plan.tree.parent].push_back(std::make_unique<PlannedParent>(profile, plan, options));
  }
}

/// The peer whose packet is the earliest.
cosim::TreePeer* RedPeers::FirstAt(int port) const {
  cosim::TreePeer* first = nullptr;
  for (const auto& peer : peers_[port]) {
    if (peer->outbox().empty()) continue;
    if (first == nullptr || peer->outbox().First()->at < first->outbox().First()->at) first = peer.get();
  }
  return first;
}

std::optional<RedNext> RedPeers::Next(int port) const {
  cosim::TreePeer* const peer = FirstAt(port);
  if (peer == nullptr) return std::nullopt;
  return RedNext{peer->outbox().First()->at, peer->lane()};
}

RedSend RedPeers::Pop(int port) {
  cosim::TreePeer* const peer = FirstAt(port);
  const cosim::RedOutbox::Item& item = *peer->outbox().First();
  const FramePointer frame = MakeRedFrame(profile_, item.packet.red, item.packet.data);
  tilefly::Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kRed);
  header.an = true;
  header.len = static_cast<std::uint16_t>(frame->size());
  header.tc = kRedClass;
  header.vl = static_cast<std::uint8_t>(peer->lane());
  header.mode = static_cast<std::uint8_t>(RouteMode::kInOrder);
  header.ordered = true;
  header.src = peer->address();
  header.dst = golden::FabricAddress(0, 0, port);
  const RedSend send{golden::HeaderBits(header), frame, item.damaged};
  peer->outbox().Pop();
  return send;
}

void RedPeers::Receive(int port, Cycle first, Cycle last, const golden::HeaderBits& header, const FramePointer& frame) {
  cosim::RedPacket packet{Red::UnpackBytes(frame->data()), {}};
  const auto from = frame->begin() + Red::kBytes;
  packet.data.assign(from, from + golden::DataBytes(packet.red));
  Cycle since = -1;
  for (const auto& peer : peers_[port]) {
    if (peer->group() == packet.red.group) since = peer->Received(last, packet);
  }
  arrivals.push_back({port, first, since, header, frame});
}

bool RedPeers::done() const {
  return std::all_of(peers_.begin(), peers_.end(), [](const auto& of_port) {
    return std::all_of(of_port.begin(), of_port.end(), [](const auto& peer) { return peer->done(); });
  });
}

}  // namespace tilefly::systemc
