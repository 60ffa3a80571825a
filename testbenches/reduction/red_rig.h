// SPDX-License-Identifier: Apache-2.0
// A golden switch that is an aggregation node, and the peers behind its ports, packet by packet: what they send is the
// test's, what they get is written down with its bytes. Every invariant is looked at.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "golden/reduction/red_bytes.h"
#include "golden/switch/switch.h"

namespace tilefly::golden {

/// Bytes of reduction packets.
class PacketBytes : public RedBytes {
 public:
  Red HeaderOf(Payload payload) const override { return packets_.at(payload).header; }
  const std::uint8_t* DataOf(Payload payload) const override { return packets_.at(payload).data.data(); }
  Payload Make(const Red& header, int length, const std::vector<std::uint8_t>& data) override {
    packets_[next_] = {header, length, data};
    return next_++;
  }
  struct Bytes {
    Red header;
    int length;
    std::vector<std::uint8_t> data;
  };
  const Bytes& at(Payload payload) const { return packets_.at(payload); }
  void Release(Payload payload) { packets_.erase(payload); }
  std::size_t size() const { return packets_.size(); }

 private:
  std::map<Payload, Bytes> packets_;
  Payload next_ = 0;
};

class RedRig {
 public:
  static constexpr SwitchAddress kOwn{3, 9};
  static constexpr int kVl = 14;

  /// A packet that a peer got.
  struct Got {
    int port;
    Cycle take;  ///< by the link; its first word is on it in take + kTakeToWire
    Header header;
    Red red;
    int length;
    std::vector<std::uint8_t> data;
    /// Cycle of its last word on the link.
    Cycle last_word() const { return take + kTakeToWire + CeilDiv(length + HeaderBits::kBytes, 32) - 1; }
  };

  /// Whether every cycle is visited, observed and audited, or those only in which something may happen.
  enum class Visits : std::uint8_t { kAll, kNeeded };

  /// All ports enabled, cut through, credits, with header.
  explicit RedRig(const Profile& profile, Visits visits = Visits::kAll);

  void Write(const Cfg& write);
  void SetMode(int port, const PortMode& mode);
  static PortMode Fabric();
  /// A tree of which this switch is the root, or that goes on behind `parent`. All children are hosts but `nodes`.
  struct Tree {
    PortMask children = 0;
    PortMask nodes = 0;
    int parent = -1;  ///< -1: root
    bool small = false;
    std::uint32_t timeout = 0;
  };
  void SetTree(int group, const Tree& tree);
  /// Runs until writes have taken effect.
  void Settle() { RunTo(bus_ + kWriteLatency + 1); }

  /// The packet's first word is on the port's link in cycle `first` or as soon as the link is free; returns that of its
  /// last word. `status`: it ends so.
  Cycle Send(int port, Cycle first, const Red& red, const std::vector<std::uint8_t>& data, Drop status = Drop::kNone);
  /// A packet of another kind or to somebody else.
  Cycle SendFrame(int port, Cycle first, const Header& header, const Red& red, const std::vector<std::uint8_t>& data,
                  Drop status = Drop::kNone);
  static Header HeaderTo(SwitchAddress to, int length);
  /// Bytes of a frame with so much data.
  int LengthOf(int data) const { return RedFrame::LengthOf(profile_, data); }
  void LinkUp(int port, bool up) { device_->LinkUp(port, up, now_); }

  void Step();
  void RunTo(Cycle end) {
    while (now_ < end) Step();
  }
  /// Until nothing will happen by itself; at most so many cycles.
  void Drain(Cycle most = 100000);

  Cycle now() const { return now_; }
  Switch& device() { return *device_; }
  const Reductions& reductions() const { return *device_->reductions(); }
  /// Goes on with another switch that has the same registers and has loaded what this one saved.
  void Reload();
  const SwitchObservation& observed() const { return observed_; }
  const Profile& profile() const { return profile_; }
  std::uint64_t Count(int port, Counter counter) const { return device_->ReadCounter(port, static_cast<int>(counter)); }
  std::uint64_t Count(int port, Drop reason) const { return device_->ReadCounter(port, static_cast<int>(reason)); }
  std::uint64_t Sum(Counter counter) const;
  RedState state(int group) const { return reductions().cfu().state(group); }
  /// Packets whose bytes are kept.
  std::size_t bytes_kept() const { return bytes_.size(); }

  std::vector<Got> got;
  /// The packets that the port got, of a kind.
  std::vector<Got> GotAt(int port, RedWhat what) const;

 private:
  struct Coming {
    int port;
    Cycle first;
    Cycle last;
    Header header;
    Payload payload;
    Drop status;
  };
  void Begin();
  void Collect();

  const Profile profile_;
  Visits visits_;
  PacketBytes bytes_;
  std::unique_ptr<Switch> device_;
  std::vector<Cfg> writes_;
  SwitchObservation observed_;
  std::vector<Coming> coming_;
  std::vector<Cycle> link_free_;
  std::vector<std::array<std::uint16_t, kMaxLanes>> sunk_;
  Cycle bus_ = 0;
  Cycle now_ = 0;
};

/// Peers of two switches got the same in the same cycles.
void ExpectTheSame(const std::vector<RedRig::Got>& one, const std::vector<RedRig::Got>& other);

/// A SEGMENT, or what other fields make of it.
Red SegmentHeader(int group, int tag, int seq, RedOp op, RedType type, int bytes);
/// A SHORT.
Red ShortHeader(int group, int seq, RedAction action);

}  // namespace tilefly::golden
