// SPDX-License-Identifier: Apache-2.0
// What the MAC of an input says of packets (docs/blocks/link.md): whether it takes them, how they ended, and which are
// PAUSE. It knows the packets that began open until their end is known.
#pragma once

#include <deque>
#include <optional>

#include "golden/link/control_frame.h"
#include "systemc/fabric/packet.h"

namespace tilefly::systemc {

class InputMac {
 public:
  /// A packet that began open, with a reference, until its end or its last word, whichever is later.
  struct Open {
    fabric::Packet* packet;
    Cycle a0;
    bool refused;
  };

  explicit InputMac(const Profile& profile) : profile_(profile) {}

  /// Whether the header is one that the MAC takes.
  bool Takes(const fabric::Packet& packet) const;
  /// How a packet that is stored and forwarded ended.
  Drop StatusOf(const fabric::Packet& packet) const;
  /// What a good control frame says; nullopt: the packet is none.
  std::optional<golden::PauseRequest> PauseOf(const fabric::Packet& packet) const;

  /// The packet begins open in wire cycle `a0`.
  void Begin(fabric::Packet* packet, Cycle a0);
  /// A packet that began open.
  Open& OpenOf(const fabric::Packet& packet) { return *Find(packet); }
  /// The end of a packet. False: it began open, and was refused since.
  bool Close(const fabric::Packet& packet);

 private:
  std::deque<Open>::iterator Find(const fabric::Packet& packet);

  const Profile& profile_;
  std::deque<Open> open_;
};

}  // namespace tilefly::systemc
