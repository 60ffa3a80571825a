// SPDX-License-Identifier: Apache-2.0
// The packets that a NIC has outstanding, each in a flow channel of its own, so that an ack names its packet; time-outs
// (docs/network.md, Outstanding packets).
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "generated/registers.h"
#include "network/messages.h"
#include "network/ring.h"

namespace tilefly::network {

/// How the channels of all NICs of a run are used.
struct ChannelSetup {
  int count = 0;         ///< channels of a NIC; 0: packets have none of their own
  bool any = false;      ///< a packet may take any that is free; else the one of its number
  Cycle timeout = 0;     ///< after the last word, 0: none
  int most_resends = 0;  ///< of a packet
};

/// A packet, as it is sent again.
struct SentPacket {
  PacketRecord record{};
  RouteMode mode{};
  std::int32_t tc = 0;
  std::int32_t length = 0;
};

class Channels {
 public:
  explicit Channels(const ChannelSetup& setup);

  /// The channel for packet `number` of the NIC, -1: it has to wait for one.
  int FreeFor(std::uint64_t number) const;
  /// The packet's first word is on the link in `packet.record.sent`, its last one in `last`.
  void Start(int channel, const SentPacket& packet, Cycle last);
  /// The packet of a channel that waits is sent again so.
  void StartAgain(int channel, Cycle now, Cycle last);
  /// An ack names the channel and counts from cycle `now` on. Returns when the packet was sent last; empty: it has
  /// none.
  std::optional<Cycle> Acknowledge(int channel, Cycle now);
  /// What ends in cycle `now`: time-outs, and times for which channels are closed. Returns how many packets were given
  /// up.
  int Expire(Cycle now);

  /// Channels of packets that are to be sent again, in the order in which they timed out.
  const std::deque<std::int32_t>& waiting() const { return waiting_; }
  const SentPacket& packet(int channel) const { return channels_[channel].packet; }
  /// Packets that are neither acknowledged nor given up.
  int outstanding() const { return outstanding_; }
  /// The next cycle in which a packet's time is out, kNever without one.
  Cycle due() const { return timers_.empty() ? kNever : timers_.front().at; }
  /// The next cycle in which a channel opens, kNever: none is closed.
  Cycle opens() const { return closed_.empty() ? kNever : closed_.front().at; }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(channels_, free_, waiting_, timers_, closed_, outstanding_);
  }

 private:
  enum class State : std::uint8_t { kFree, kSent, kWaiting, kClosed };
  struct Channel {
    SentPacket packet;
    Cycle deadline = 0;
    std::int32_t resends = 0;
    State state = State::kFree;
  };
  struct Timer {
    Cycle at;
    std::int32_t channel;
  };

  void SetTimer(int channel, Cycle last);
  void Close(int channel, Cycle now);
  void Open(int channel);
  void ForgetTimers();
  void StopWaiting(int channel) { waiting_.erase(std::find(waiting_.begin(), waiting_.end(), channel)); }

  const ChannelSetup setup_;
  std::vector<Channel> channels_;
  std::vector<std::uint64_t> free_;   ///< a bit for each channel
  std::deque<std::int32_t> waiting_;  ///< channels of packets to be sent again
  Ring<Timer> timers_;                ///< in order of time: all packets have the same
  Ring<Timer> closed_;                ///< likewise
  int outstanding_ = 0;
};

/// Numbers of the packets that a NIC sends to each other one, which stand for the sequence numbers of RoCEv2.
class Sequences {
 public:
  std::uint32_t Next(int destination) { return next_[destination]++; }

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(next_);
  }

 private:
  std::map<std::int32_t, std::uint32_t> next_;
};

/// What a NIC has got, by sender.
class Arrivals {
 public:
  /// False: the packet has come before.
  bool Add(const PacketRecord& record);

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(got_);
  }

 private:
  using Runs = std::map<std::uint32_t, std::uint32_t>;  ///< of sequence numbers: the first one, the one behind the last

  struct Sender {
    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(runs);
    }
    Runs runs;
  };
  std::map<std::int32_t, Sender> got_;
};

}  // namespace tilefly::network
