// SPDX-License-Identifier: Apache-2.0
// The packets that a NIC has outstanding. Each packet is in a channel of its own, so that an ack names its packet.
// The channels also have the time-outs (docs/network.md, Outstanding packets).
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
  int count = 0;         ///< channels of a NIC; 0: packets have no channels of their own
  bool any = false;      ///< true: a packet may take any free channel; false: only that of its number
  bool turns = false;    ///< true: a channel has two flows, which its packets take in turn
  Cycle timeout = 0;     ///< cycles after the last word until a packet times out; 0: never
  int most_resends = 0;  ///< how often a packet is sent again before it is given up
};

/// A packet with all that is needed to send it again.
struct SentPacket {
  PacketRecord record{};
  RouteMode mode{};
  std::int32_t tc = 0;
  std::int32_t length = 0;
};

class Channels {
 public:
  explicit Channels(const ChannelSetup& setup);

  /// The channel for packet `number` of the NIC; -1: the packet has to wait for a channel.
  int FreeFor(std::uint64_t number) const;
  /// The packet takes the channel. Its first word is on the link in cycle `packet.record.sent`, its last word in
  /// `last`.
  void Start(int channel, const SentPacket& packet, Cycle last);
  /// The packet of a waiting channel is sent again: its first word is on the link in cycle `now`, its last word in
  /// `last`. It carries `oldest`.
  void StartAgain(int channel, Cycle now, Cycle last, std::uint32_t oldest);
  /// The flow of the channel's packet.
  int FlowOf(int channel) const { return channel + (channels_[channel].turn ? setup_.count : 0); }
  int ChannelOf(int flow) const { return setup_.turns ? flow % setup_.count : flow; }
  /// An ack that names the flow counts from cycle `now` on. Returns the packet, with the cycle in which it was sent last;
  /// null: the channel has no packet, or one of the other turn.
  const SentPacket* Acknowledge(int flow, Cycle now);
  /// Ends what is due in cycle `now`: time-outs of packets, and the times for which channels are closed. Calls
  /// `give_up(packet)` for packets that are given up.
  template <typename GiveUp>
  void Expire(Cycle now, GiveUp&& give_up);

  /// Channels of packets that are to be sent again, in the order in which they timed out.
  const std::deque<std::int32_t>& waiting() const { return waiting_; }
  const SentPacket& packet(int channel) const { return channels_[channel].packet; }
  /// The number of packets that are neither acknowledged nor given up.
  int outstanding() const { return outstanding_; }
  /// The next cycle in which a packet times out; kNever: no packet is outstanding.
  Cycle due() const { return timers_.empty() ? kNever : timers_.front().at; }
  /// The next cycle in which a closed channel opens; kNever: no channel is closed.
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
    bool turn = true;  ///< of the latest packet: which of its two flows the channel has taken
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
  std::vector<std::uint64_t> free_;   ///< one bit for each channel
  std::deque<std::int32_t> waiting_;  ///< channels whose packets are to be sent again
  Ring<Timer> timers_;                ///< in order of time, because the time-out is the same for all packets
  Ring<Timer> closed_;                ///< closed channels, in order of time
  int outstanding_ = 0;
};

template <typename GiveUp>
void Channels::Expire(Cycle now, GiveUp&& give_up) {
  for (; opens() <= now; closed_.Pop()) Open(closed_.front().channel);
  for (; due() <= now; ForgetTimers()) {
    const int channel = timers_.front().channel;
    timers_.Pop();
    if (channels_[channel].resends == setup_.most_resends) {
      --outstanding_;
      Close(channel, now);
      give_up(channels_[channel].packet);
    } else {
      channels_[channel].state = State::kWaiting;
      waiting_.push_back(channel);
    }
  }
}

/// The numbers of the packets that a NIC sends to each other NIC. They stand for the sequence numbers of RoCEv2.
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

/// The packets that a NIC has received, by sender.
class Arrivals {
 public:
  /// Notes a packet. Returns false when the packet has come before.
  bool Add(const PacketRecord& record);
  /// Whether the packet has come.
  bool Has(const PacketRecord& record) const;

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(got_);
  }

 private:
  using Runs = std::map<std::uint32_t, std::uint32_t>;  ///< sequence numbers: first of a run, and the one after it

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
