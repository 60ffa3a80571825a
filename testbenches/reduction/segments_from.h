// SPDX-License-Identifier: Apache-2.0
// Peers of a ring whose segments are numbered from another number than 0 on (testbenches/bench/edges.h): packets of the
// peers behind it, which count from 0, are numbered anew on their way to the ring and back.
#pragma once

#include <cstring>
#include <optional>

#include "golden/link/check.h"
#include "testbenches/reduction/ring_peers.h"

namespace tilefly::bench {

class SegmentsFrom final : public RingPeers {
 public:
  SegmentsFrom(RingPeers* peers, std::uint16_t first) : peers_(*peers), first_(first) {}

  void Step(Cycle now, const golden::GoldenRing::Outputs& outputs) override { peers_.Step(now, outputs); }
  std::optional<RedArrival> NextPacket(Cycle now, int port) override {
    std::optional<RedArrival> packet = peers_.NextPacket(now, port);
    if (packet && first_ != 0) Shift(first_, &packet->frame);
    return packet;
  }
  void Received(Cycle now, const golden::GoldenRing::Outputs::Leaving& packet) override {
    if (first_ == 0) return peers_.Received(now, packet);
    golden::GoldenRing::Outputs::Leaving shifted = packet;
    if (Shift(static_cast<std::uint16_t>(-first_), &shifted.frame)) wrapped_ += NumberIn(packet.frame) < first_;
    peers_.Received(now, shifted);
  }
  /// Segments and results that left the ring with a number that had wrapped.
  int wrapped() const { return wrapped_; }

 private:
  static int NumberIn(const std::vector<std::uint8_t>& frame) { return Red::UnpackBytes(frame.data()).seq; }
  /// Adds to the number of a segment, a result or a credit; a frame check that is right stays right. True: the packet
  /// is a segment or a result.
  static bool Shift(std::uint16_t by, std::vector<std::uint8_t>* frame) {
    Red red = Red::UnpackBytes(frame->data());
    const auto what = static_cast<RedWhat>(red.what);
    const bool numbered = what == RedWhat::kSegment || what == RedWhat::kResult;
    if (!numbered && what != RedWhat::kCredit) return false;
    const bool good = golden::CheckFrame(frame->data(), frame->size()) == golden::CheckResult::kGood;
    if (numbered) red.seq = static_cast<std::uint16_t>(red.seq + by);
    if (!numbered) red.credit = static_cast<std::uint8_t>(red.credit + by);
    red.PackBytes(frame->data());
    if (!good) return numbered;
    const std::size_t end = frame->size() - sizeof(std::uint32_t);
    const std::uint32_t check = golden::Crc32(0, frame->data(), end);
    std::memcpy(frame->data() + end, &check, sizeof(check));
    return numbered;
  }

  RingPeers& peers_;
  std::uint16_t first_;
  int wrapped_ = 0;
};

}  // namespace tilefly::bench
