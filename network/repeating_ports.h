// SPDX-License-Identifier: Apache-2.0
// The ports of a switch whose links may damage words, and repeat them (docs/network.md, Links with faults): both halves of
// their retry blocks, and the stamps that are on their way.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "network/nic_repeats.h"

namespace tilefly::network {

class RepeatingPorts {
 public:
  struct Port {
    RetrySender sender;
    RetryReceiver receiver;
    Ring<LinkCredit> stamps;
    bool ready = false;               ///< as the switch knows it
    std::unique_ptr<NicRepeats> nic;  ///< the other end of the link; null: a switch has it
    std::unique_ptr<SlotWire> slots;  ///< on their way to the port; null: none is damaged
    std::array<std::uint16_t, golden::kMaxLanes> returned{};  ///< what its latest credit returns said
  };

  explicit RepeatingPorts(const Profile& profile) : ports_(profile.ports) {}

  void Add(int port, const RetrySender& sender, const RetryReceiver& receiver) {
    ports_[port] = std::make_unique<Port>(Port{sender, receiver, {}, false, nullptr, nullptr, {}});
    mask_ |= golden::Bit(port);
  }
  /// Control slots on the way to the port are damaged.
  void AddSlots(int port, std::unique_ptr<SlotWire> slots) {
    ports_[port]->slots = std::move(slots);
    slots_ |= golden::Bit(port);
  }
  /// The link of the port is that of a NIC.
  void AddNic(int port, std::unique_ptr<NicRepeats> nic) {
    ports_[port]->nic = std::move(nic);
    nics_ |= golden::Bit(port);
  }
  golden::PortMask mask() const { return mask_; }
  /// Ports whose links are those of NICs: both ends of them are here.
  golden::PortMask nics() const { return nics_; }
  /// Ports on whose way in control slots are damaged.
  golden::PortMask slots() const { return slots_; }
  Port& operator[](int port) { return *ports_[port]; }
  const Port& operator[](int port) const { return *ports_[port]; }

  /// Takes an attempt, a report or a stamp.
  void Take(const LinkMessage& message);
  /// Takes what stands in a control slot that may be damaged. Returns false when the message does not.
  bool TakeForSlot(const LinkMessage& message);
  /// The first cycle in which something is to be done.
  Cycle due() const;
  /// The first cycle in which the sending half of a port must be stepped.
  Cycle senders_due() const;
  /// The first cycle in which an end of a NIC's link has something to do, but for the sending half of the port.
  Cycle nic_links_due() const;
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
  golden::PortMask mask_ = 0, nics_ = 0, slots_ = 0;
  Cycle wake_ = kNever;
};

}  // namespace tilefly::network
