// SPDX-License-Identifier: Apache-2.0
// A golden switch beside a device whose links may go down (docs/network.md, Devices). It gets the words that the device
// gets, and names the packets that the device takes to its links, discards and drops: no link and no observation record
// says which packet is lost.
#pragma once

#include <deque>
#include <optional>
#include <unordered_set>
#include <vector>

#include "cosim/golden_device.h"
#include "cosim/system/packet_frame.h"

namespace tilefly::cosim {

class GoldenNames final : private PacketWatcher {
 public:
  /// A packet that a link takes, or discards (`departure.lost`). `key` is of no reduction packet.
  struct Taken {
    golden::Departure departure;
    PacketKey key;
  };
  struct Dropped {
    int port;
    Drop reason;
    std::optional<PacketKey> key;  ///< none: it is a reduction packet
  };

  /// `options`: of the golden device.
  GoldenNames(const Profile& profile, const DeviceOptions& options);

  /// Makes a cycle, as the device does.
  void Step(const Device::Inputs& inputs);
  /// Compares the record of the device's cycle `now`, before Step: what it took and dropped in the cycle before.
  void Compare(Cycle now, const Observation& seen);
  /// The first cycle in which the device took or dropped something else than golden; empty: there was none.
  std::optional<Cycle> differs() const { return differs_; }
  /// The packets that the link of `port` took and that TakeNext did not name yet.
  bool HasNext(int port) const { return !taken_[static_cast<std::size_t>(port)].empty(); }
  Taken TakeNext(int port);

  /// What links discarded, and what the switch dropped, in the latest step.
  const std::vector<Taken>& discarded() const { return discarded_; }
  const std::vector<Dropped>& dropped() const { return dropped_; }

 private:
  void Comes(golden::Payload payload, const golden::HeaderBits& header) override;
  void Takes(const golden::Departure& departure, const golden::Frame& frame) override;
  void Drops(const golden::DropRecord& drop, const golden::Frame& frame) override;

  GoldenDevice golden_;
  std::vector<std::deque<Taken>> taken_;  ///< by port
  std::vector<Taken> discarded_;
  std::vector<Dropped> dropped_;
  std::unordered_set<golden::Payload> reds_;  ///< the frames inside that are reduction packets
  std::optional<Cycle> differs_;
};

}  // namespace tilefly::cosim
