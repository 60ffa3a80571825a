// SPDX-License-Identifier: Apache-2.0
// What a NIC has outstanding, as the page says it: everything is looked at in every cycle. Written apart from
// network/channels.
#pragma once

#include <algorithm>
#include <list>
#include <map>
#include <vector>

#include "network/network.h"

namespace tilefly::network {

/// Cycles up to the end of traffic in which packets waited.
struct NaiveWaits {
  std::int64_t credit = 0;
  std::int64_t window = 0;
  std::int64_t throttled = 0;
  std::int64_t measured_throttled = 0;
  std::int64_t retry = 0;  ///< measured ones
};

class NaiveOutstanding {
 public:
  struct Packet {
    Traffic::NewPacket packet{};
    int flow = 0;
    golden::Payload payload = 0;
    std::int64_t number = 0;  ///< among the packets to its destination
    int copies = 0;
    Cycle deadline = kNever;
    bool timed_out = false;
  };

  NaiveOutstanding() = default;
  NaiveOutstanding(const NetworkOptions& options, int window)
      : nics_(options.nics),
        routing_(options.routing),
        window_(window),
        turns_(nics_.resend_window > 0 && routing_.any_flow),
        channels_(turns_ ? routing_.flows / 2 : routing_.flows) {}

  /// Packets whose time is out in the cycle queue up; returns how many are given up instead.
  int TimeOut(Cycle now) {
    int lost = 0;
    for (auto one = packets_.begin(); one != packets_.end();) {
      const auto next = std::next(one);
      if (one->deadline == now && one->copies > nics_.most_resends) {
        closed_[one->flow % channels_] = now + nics_.resend;
        packets_.erase(one);
        ++lost;
      } else if (one->deadline == now) {
        one->timed_out = true;
        queue_.push_back(one->payload);
      }
      one = next;
    }
    return lost;
  }

  /// Packets to be sent again, in the order of their time-outs.
  std::vector<Packet> Again() {
    std::vector<Packet> again;
    for (const golden::Payload payload : queue_) again.push_back(Find(payload));
    return again;
  }

  /// The flow of a new packet; -1: it must wait.
  int FlowOfNext(Cycle now) const {
    if (window_ > 0 && static_cast<int>(packets_.size()) >= window_) return -1;
    const std::uint64_t channels = static_cast<std::uint64_t>(channels_);
    if (!nics_.resends()) return static_cast<int>(number_ % channels);
    for (std::uint64_t i = 0; i < (routing_.any_flow ? channels : 1); ++i) {
      const auto channel = static_cast<int>((number_ + i) % channels);
      const auto closed = closed_.find(channel);
      const bool open = closed == closed_.end() || closed->second <= now;
      const auto in_channel = [&](const Packet& one) { return one.flow % channels_ == channel; };
      if (!open || std::any_of(packets_.begin(), packets_.end(), in_channel)) continue;
      const auto taken = taken_.find(channel);
      const bool odd = turns_ && taken != taken_.end() && taken->second % 2 == 1;
      return channel + (odd ? channels_ : 0);
    }
    return -1;
  }

  /// The lowest number that is out to the destination, or the next one.
  std::int64_t Oldest(int destination) const {
    std::int64_t oldest = NextTo(destination);
    for (const Packet& one : packets_) {
      if (one.packet.destination == destination) oldest = std::min(oldest, one.number);
    }
    return oldest;
  }
  /// The number of the next packet to the destination.
  std::int64_t NextTo(int destination) const {
    const auto next = next_.find(destination);
    return next == next_.end() ? 0 : next->second;
  }
  bool MayNumber(int destination) const {
    return nics_.resend_window == 0 || NextTo(destination) - Oldest(destination) < nics_.resend_window;
  }

  void Sent(const Packet& packet, Cycle last, bool again) {
    if (!again) {
      ++number_;
      packets_.push_back(packet);
      packets_.back().number = next_[packet.packet.destination]++;
      ++taken_[packet.flow % channels_];
    } else {
      queue_.remove(packet.payload);
    }
    Packet& own = Find(packet.payload);
    ++own.copies;
    own.timed_out = false;
    own.deadline = nics_.resends() ? last + nics_.resend : kNever;
  }

  /// Counts from cycle `from` on. Without resends an ack is anybody's.
  void Acknowledge(int flow, Cycle from) {
    const auto one = std::find_if(packets_.begin(), packets_.end(),
                                  [&](const Packet& packet) { return !nics_.resends() || packet.flow == flow; });
    if (one == packets_.end()) return;
    if (one->timed_out) queue_.remove(one->payload);
    if (one->copies > 1) closed_[flow % channels_] = from + nics_.resend;
    packets_.erase(one);
  }

 private:
  Packet& Find(golden::Payload payload) {
    return *std::find_if(packets_.begin(), packets_.end(), [&](const Packet& one) { return one.payload == payload; });
  }

  NicOptions nics_;
  RoutingOptions routing_;
  int window_ = 0;
  bool turns_ = false;
  int channels_ = 1;
  std::uint64_t number_ = 0;
  std::list<Packet> packets_;
  std::list<golden::Payload> queue_;
  std::map<int, Cycle> closed_;       ///< by channel: opens then
  std::map<int, int> taken_;          ///< by channel: how often
  std::map<int, std::int64_t> next_;  ///< by destination
};

}  // namespace tilefly::network
