// SPDX-License-Identifier: Apache-2.0
// The ports of a switch whose links may damage words, and repeat them (docs/network.md, Links with faults): both halves of
// their retry blocks, and the stamps that are on their way.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "network/planned_faults.h"
#include "network/retry_receiver.h"
#include "network/retry_sender.h"

namespace tilefly::network {

class RepeatingPorts {
 public:
  struct Port {
    RetrySender sender;
    RetryReceiver receiver;
    Ring<LinkCredit> stamps;
    bool ready = false;  ///< as the switch knows it
  };

  explicit RepeatingPorts(const Profile& profile) : ports_(profile.ports) {}

  void Add(int port, const RetrySender& sender, const RetryReceiver& receiver) {
    ports_[port] = std::make_unique<Port>(Port{sender, receiver, {}, false});
    mask_ |= golden::Bit(port);
  }
  golden::PortMask mask() const { return mask_; }
  Port& operator[](int port) { return *ports_[port]; }
  const Port& operator[](int port) const { return *ports_[port]; }

  void Take(const LinkMessage& message);
  /// The first cycle in which something is to be done.
  Cycle due() const;
  /// The first cycle in which the sending half of a port must be stepped.
  Cycle senders_due() const;
  /// The switch must be stepped in cycle `cycle`: a link may take packets again.
  void Wake(Cycle cycle) { wake_ = std::min(wake_, cycle); }
  Cycle wake() const { return wake_; }
  /// The switch has been stepped in cycle `now`.
  void Stepped(Cycle now) {
    if (wake_ <= now) wake_ = kNever;
  }
  /// After a drained run: what the blocks still hold; empty: nothing.
  std::string NotHome() const;

 private:
  std::vector<std::unique_ptr<Port>> ports_;
  golden::PortMask mask_ = 0;
  Cycle wake_ = kNever;
};

}  // namespace tilefly::network
