// SPDX-License-Identifier: Apache-2.0
// Packets of an input that are for this switch's aggregation node (docs/blocks/reduction.md, What changes in other
// pages). They are admitted as any other packet, are not looked up, and are released when a dropped packet would be.
// They go to the reduction ring, which tells whether it has used them.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <deque>
#include <functional>

#include "systemc/ingress/input_mac.h"
#include "systemc/switch/context.h"

namespace tilefly::systemc {

class TakenPackets {
 public:
  using Socket = tlm_utils::simple_initiator_socket_optional<TakenPackets, 32, fabric::Types>;
  /// The ring has judged a packet. `reason`: why the packet is dropped; kNone: it was used. `released`: event in which
  /// its cells are free.
  using OnJudged = std::function<void(fabric::Packet* packet, Drop reason, Cycle released)>;

  /// The packets of port `port`.
  TakenPackets(int port, Context& context, const InputMac& mac, OnJudged on_judged);

  Socket ring{"taken"};  ///< to the reduction ring

  /// Whether the packet is for this switch's aggregation node.
  bool Has(const fabric::Packet& packet) const;
  /// Word 0 of a packet comes in wire cycle `a0`. If the packet may be taken, the reduction port remembers the state
  /// that it finds in this cycle.
  void Announce(fabric::Packet* packet, Cycle a0);
  /// An admitted packet is taken, whatever its end. Its words come from cycle `a0` to cycle `last`. Returns the event
  /// in which its cells go free.
  Cycle Pass(fabric::Packet* packet, Cycle a0, Cycle last, bool cut_through);
  /// The same, loosely timed. The packet must not have a status for which a port that stores and forwards would drop
  /// it.
  void PassBlocking(fabric::Packet* packet, Cycle a0);

  /// Packets of which the ring has not told whether it uses them.
  std::size_t size() const { return taken_.size(); }

 private:
  struct Taken {
    Cycle released;  ///< event in which its cells are free
    bool stored;     ///< stored and forwarded
  };
  bool MayBe(const fabric::Packet& packet) const {
    return packet.enh && packet.header.is_red() && packet.header.an() && context_.profile.red_present != 0;
  }
  tlm::tlm_sync_enum Judged(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);

  const int port_;
  Context& context_;
  const InputMac& mac_;
  const OnJudged on_judged_;
  std::deque<Taken> taken_;
};

}  // namespace tilefly::systemc
