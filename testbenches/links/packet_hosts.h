// SPDX-License-Identifier: Apache-2.0
// Hosts at ports without retry, and the books of all packets that they sent.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "golden/credit/credit_sender.h"
#include "testbenches/bench/wire_packet.h"

namespace tilefly::bench {

/// Frames that were sent and have not come yet, whoever sends or receives them.
class PacketBooks {
 public:
  void Sent(const WirePacket& packet);
  /// A frame with its frame check came out in `cycle`. One that nobody sent is a copy that was broken off, or garbage.
  void Came(const std::vector<std::uint8_t>& frame, Cycle cycle);

  std::int64_t sent() const { return sent_; }
  std::int64_t received() const { return received_; }
  /// Frames that came and that nobody sent.
  std::int64_t strange() const { return strange_; }
  /// The first packet that came twice; empty: there was none.
  const std::string& wrong() const { return wrong_; }

 private:
  std::unordered_map<std::size_t, int> out_;  ///< times that a frame was sent and has not come, by its hash
  std::int64_t sent_ = 0, received_ = 0, strange_ = 0;
  std::string wrong_;
};

/// The bytes of packets that come, put together from their words.
class PacketReader {
 public:
  /// Takes a word; true: it ends a packet.
  bool Take(const Word& word);
  const Header& header() const { return header_; }
  /// Of the packet that has ended, with its frame check.
  std::vector<std::uint8_t> frame() const;

 private:
  std::vector<std::uint8_t> bytes_;
  Header header_;
  bool enh_ = false;
};

struct HostSetup {
  const Profile& profile;
  std::uint32_t address = 0;         ///< fabric address of the host's port
  std::vector<std::uint32_t> peers{};  ///< to which the host sends
  int longest = 1500;                ///< bytes of a frame
  int classes = 8;                   ///< traffic classes, from 0 on; a lane each
};

/// Sends at random while it has credit, takes what comes, and returns credits at once.
class PacketHost {
 public:
  /// `number` tells the hosts of a run apart.
  PacketHost(HostSetup setup, const Stimulus& random, std::uint32_t number, PacketBooks* books);

  /// From now on the host starts only packets that are asked for.
  void Stop() { stopped_ = true; }
  /// A packet to `address`, before all others.
  void Ask(std::uint32_t address) { asked_.push_back(address); }
  /// Whether the host has something to send that was asked for or begun.
  bool busy() const { return next_ < packet_.words() || !asked_.empty(); }

  /// One cycle of the host's link: the port shows `out`, and is given `in`.
  void Step(Cycle cycle, const Link& out, Link* in);

 private:
  void Take(Cycle cycle, const Word& word, Ctrl* slot);
  void Start(Cycle cycle);

  HostSetup setup_;
  Stimulus random_;
  std::uint32_t number_;
  PacketBooks* books_;
  golden::CreditTable table_;
  golden::CreditSender credits_;
  WirePacket packet_;
  int next_ = 0;
  std::deque<std::uint32_t> asked_;
  bool stopped_ = false;
  PacketReader reader_;
  std::array<std::uint16_t, golden::kMaxLanes> freed_{};
};

}  // namespace tilefly::bench
