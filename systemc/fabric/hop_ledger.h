// SPDX-License-Identifier: Apache-2.0
// The packets on a link whose receiver speaks by control slots. Control slots do not name packets, so this class finds
// which packet a credit return ends, and to which packet an ack belongs.
#pragma once

#include <array>
#include <functional>
#include <list>
#include <vector>

#include "systemc/fabric/packet.h"

namespace tilefly::fabric {

class HopLedger {
  /// A packet that began, with a reference to it, until it has ended and its ack has come or can come no more.
  struct Hop {
    Packet* packet;
    Cycle last;       ///< of its last word
    int back;         ///< hops that its ack has left on this link
    bool answerable;  ///< an ack may come
    bool ended;
    Cycle lost;       ///< from when on the ack is taken for lost, once it has ended
  };

 public:
  using Handle = std::list<Hop>::iterator;
  /// Makes a backward call of the fabric protocol.
  using Tell = std::function<void(Packet& packet, const tlm::tlm_phase& phase)>;

  /// Cycles after its end that a packet waits for its ack **[A]**.
  static constexpr Cycle kAckWait = 65536;

  explicit HopLedger(Tell tell) : tell_(std::move(tell)) {}

  /// A packet begins; its last word is sent in cycle `last`. `hops`: hops with which it came into the switch that its
  /// acks reach or leave. `back`: hops that its ack has left on this link (docs/blocks/acks.md). With `credits` it ends
  /// by `Return`; else it ends by `End`, and no ack comes.
  Handle Begin(Packet& packet, Cycle last, int hops, int back, bool credits);
  /// Lane `vl` has freed `freed` cells since reset, modulo 65536: the packets whose cells these are end. A return of
  /// more cells than the lane has sent is ignored (docs/blocks/credit.md).
  void Return(int vl, std::uint16_t freed);
  void End(Handle hop);
  /// Acknowledges the oldest packet that has the flow, the cells and the way back of the ack.
  void Acknowledge(const Ack& ack);
  /// Forgets packets whose ack is lost. Returns the cycle for the next such packet, kNever: none waits.
  Cycle ForgetLost(Cycle now);

  /// Packets that began and have not ended; and packets that have ended and wait for their ack.
  std::size_t open() const { return open_; }
  std::size_t waiting() const { return hops_.size() - open_; }

 private:
  using Lane = std::list<Handle>;

  static std::vector<Lane::iterator> Nearest(Lane* lane, int cells);
  void Forget(Handle hop);

  Tell tell_;
  std::list<Hop> hops_;
  std::size_t open_ = 0;
  std::array<Lane, golden::kMaxLanes> lanes_;             ///< that end by `Return`
  std::array<std::uint16_t, golden::kMaxLanes> ended_{};  ///< cells of packets that have
};

}  // namespace tilefly::fabric
