// SPDX-License-Identifier: Apache-2.0
// Children of a small group and the host above it, round by round: every child sends an operand to the armed engine,
// the host gets what the engine makes of them, and sends it down, which arms the engine for the next round
// (docs/blocks/reduction-trees.md, Small-operand engine).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cosim/tree/small_packet.h"
#include "golden/common/register_write.h"
#include "testbenches/reduction/ring_peers.h"

namespace tilefly::bench {

class SmallPeers final : public RingPeers {
 public:
  using Round = std::vector<cosim::SmallPublished>;  ///< one packet a child

  /// Child i is at port children[i].
  SmallPeers(const Profile& profile, std::vector<int> children, int parent, std::vector<Round> rounds)
      : profile_(profile),
        children_(std::move(children)),
        rounds_(std::move(rounds)),
        sent_(children_.size(), 0),
        told_(children_.size(), 0) {
    for (const int child : children_) tree_.children |= golden::Bit(child);
    tree_.parent = parent;
    tree_.small = true;
  }

  /// Registers of the ports and of the group.
  std::vector<Cfg> Writes() const {
    std::vector<Cfg> writes;
    for (int p = 0; p < profile_.ports; ++p)
      writes.push_back(golden::WriteRegister(p, CfgSpace::kPort, static_cast<int>(PortReg::kMode), 1));
    for (const Cfg& write : tree_.Writes(profile_.ports)) writes.push_back(write);
    return writes;
  }
  /// All words of the registers are written: packets may go.
  void Begin() { begun_ = true; }

  std::optional<RedArrival> NextPacket(Cycle, int port) override {
    if (!begun_) return std::nullopt;
    if (port == tree_.parent) return Answer();
    for (std::size_t i = 0; i < children_.size(); ++i) {
      if (port != children_[i] || sent_[i] == rounds_.size() || told_[i] <= sent_[i]) continue;
      cosim::SmallPublished packet = rounds_[sent_[i]][i];
      packet.seqno = Seqno(sent_[i]++);
      return Packet(port, RedWhat::kSmall, packet);
    }
    return std::nullopt;
  }
  void Received(Cycle, const golden::GoldenRing::Outputs::Leaving& packet) override {
    const Red red = Red::UnpackBytes(packet.frame.data());
    const auto data = packet.frame.begin() + Red::kBytes;
    const cosim::Bytes bytes(data, data + cosim::SmallPublished::kBytes);
    const bool up = packet.port == tree_.parent;
    if (static_cast<RedWhat>(red.what) != (up ? RedWhat::kSmall : RedWhat::kSmallResult)) {
      complaint_ = "a packet that nobody of the tree waits for";
    } else if (up) {
      sums_.push_back(cosim::SmallPublished::Of(bytes));
      if (sums_.back().seqno != Seqno(sums_.size() - 1)) complaint_ = "a sum of another round";
    } else {
      TakeResult(packet.port, bytes);
    }
  }

  /// What came to the host above, a packet a round.
  const std::vector<cosim::SmallPublished>& sums() const { return sums_; }
  /// Every child has the result of every round.
  bool done() const {
    for (const std::size_t told : told_) {
      if (told != rounds_.size() + 1) return false;
    }
    return true;
  }
  /// Something was not as it should be; empty: nothing.
  const std::string& complaint() const { return complaint_; }

 private:
  /// Always the same engine.
  static int Seqno(std::size_t round) {
    constexpr std::size_t kEngines = 8;
    return static_cast<int>(kEngines * round % cosim::SmallPublished::kNumbers);
  }
  /// Number `round` of what goes down: the first arms the engine, the others are results; the last one arms nothing.
  cosim::SmallPublished Result(std::size_t round) const {
    cosim::SmallPublished result;
    if (round > 0) result = sums_[round - 1];
    result.arm = round < rounds_.size();
    result.seqno = Seqno(round == 0 ? 0 : round - 1);
    return result;
  }
  std::optional<RedArrival> Answer() {
    if (answered_ > rounds_.size() || answered_ > sums_.size()) return std::nullopt;
    return Packet(tree_.parent, RedWhat::kSmallResult, Result(answered_++));
  }
  void TakeResult(int port, const cosim::Bytes& bytes) {
    for (std::size_t i = 0; i < children_.size(); ++i) {
      if (port != children_[i]) continue;
      if (told_[i] >= answered_ || bytes != Result(told_[i]).ToBytes())
        complaint_ = "another result than was sent down";
      ++told_[i];
    }
  }
  RedArrival Packet(int port, RedWhat what, const cosim::SmallPublished& published) const {
    Red red;
    red.what = static_cast<std::uint8_t>(what);
    red.group = static_cast<std::uint8_t>(tree_.group);
    red.bytes = cosim::SmallPublished::kBytes;
    RedArrival packet;
    packet.frame.resize(static_cast<std::size_t>(golden::RedFrame::LengthOf(profile_, cosim::SmallPublished::kBytes)));
    packet.header.kind = static_cast<std::uint8_t>(Kind::kRed);
    packet.header.an = true;
    packet.header.len = static_cast<std::uint16_t>(packet.frame.size());
    packet.header.src = 0x100u + static_cast<unsigned>(port);
    red.PackBytes(packet.frame.data());
    const cosim::Bytes data = published.ToBytes();
    std::copy(data.begin(), data.end(), packet.frame.begin() + Red::kBytes);
    return packet;
  }

  const Profile& profile_;
  RingTree tree_;
  std::vector<int> children_;
  std::vector<Round> rounds_;
  bool begun_ = false;
  std::vector<std::size_t> sent_;  ///< operands, by child
  std::vector<std::size_t> told_;  ///< results, by child
  std::size_t answered_ = 0;
  std::vector<cosim::SmallPublished> sums_;
  std::string complaint_;
};

}  // namespace tilefly::bench
