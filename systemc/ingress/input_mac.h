// SPDX-License-Identifier: Apache-2.0
// What the MAC of an input decides about packets (docs/blocks/link.md): whether it takes them, how they ended, and
// which of them are PAUSE frames. It keeps the packets that began open until their end is known.
#pragma once

#include <deque>
#include <optional>

#include "golden/link/control_frame.h"
#include "systemc/fabric/packet.h"

namespace tilefly::systemc {

class InputMac {
 public:
  /// A packet that began open, with a reference to it, until its end or its last word, whichever is later.
  struct Open {
    fabric::Packet* packet;
    Cycle a0;
    bool refused;
  };

  explicit InputMac(const Profile& profile) : profile_(profile) {}

  /// Whether the MAC takes a packet with this header.
  bool Takes(const fabric::Packet& packet) const;
  /// How a packet that is stored and forwarded ended.
  Drop StatusOf(const fabric::Packet& packet) const;
  /// What a good control frame asks for; nullopt: the packet is no control frame.
  std::optional<golden::PauseRequest> PauseOf(const fabric::Packet& packet) const;

  /// The packet begins open. Its first word is on the wire in cycle `a0`.
  void Begin(fabric::Packet* packet, Cycle a0);
  /// The record of a packet that began open.
  Open& OpenOf(const fabric::Packet& packet) { return *Find(packet); }
  /// The packet ends. Returns false when it began open and was refused since.
  bool Close(const fabric::Packet& packet);

 private:
  std::deque<Open>::iterator Find(const fabric::Packet& packet);

  const Profile& profile_;
  std::deque<Open> open_;
};

}  // namespace tilefly::systemc
