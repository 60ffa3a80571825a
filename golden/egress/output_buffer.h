// SPDX-License-Identifier: Apache-2.0
// Output buffers of all ports and what their links take (docs/blocks/egress.md, Output buffer; docs/blocks/link.md, PAUSE
// sending and Out). Packets of a row's bank leave in order; among the rows the earliest first cell goes first.
#pragma once

#include <array>
#include <vector>

#include "golden/common/agenda.h"
#include "golden/common/wheel.h"
#include "golden/link/departure.h"
#include "golden/state/context.h"

namespace tilefly::golden {

class OutputBuffer {
 public:
  explicit OutputBuffer(Context& context)
      : context_(context),
        ports_(context.profile.ports),
        wakes_(context.due, kDueTake),
        leaving_(context.due, kDueRoom) {}

  /// Makes the decisions of cycle `now`. `used(port)` are the cells accounted in the port's input buffer. What the
  /// links take is added to `out`.
  template <typename Used>
  void Decide(Cycle now, Used&& used, Departures* out) {
    active_ |= wakes_.PopDue(now);
    const PortMask takers = context_.takers();
    ForEachBit(active_, [&](int port) {
      active_ &= ~Bit(port);
      if ((takers & Bit(port)) == 0) return;
      if (now < ports_[port].next_take) return Wake(ports_[port].next_take, now, port);
      if (context_.registers.port(port).sends_pause() && TakePause(now, port, used(port), out)) return;
      if (ports_[port].waiting != 0) TakePacket(now, port, out);
    });
  }

  /// Event: the packet's first cell arrives on the channel of its input's row.
  void FirstCell(Cycle now, Index id);
  /// Calls `visit(packet)` for every packet whose room in the output buffer is free from cycle `now` on.
  template <typename Visit>
  void FreeRoom(Cycle now, Visit&& visit) {
    for (Index id = leaving_.PopDue(now); id != kNone;) {
      Packet& packet = context_.packets[id];
      const Index next = packet.output_link;
      if (packet.when > now) {
        leaving_.File(packet.when, now, id, &packet.output_link);
      } else {
        visit(packet);
        ReleaseCopy(&context_.packets, id);
      }
      id = next;
    }
  }
  /// Whether there is a packet that the link has not taken.
  bool HasWaiting(int port) const { return ports_[port].waiting != 0; }
  /// Calls `visit(packet)` for every packet that no link has taken.
  template <typename Visit>
  void ForEachWaiting(Visit&& visit) const {
    for (const Port& port : ports_) {
      ForEachBit(PortMask{port.waiting}, [&](int row) {
        for (Index id = port.first[row]; id != kNone; id = context_.packets[id].next) visit(context_.packets[id]);
      });
    }
  }
  /// Input buffers, registers or links of these ports changed: their links decide in the next cycle.
  void Wake(PortMask ports) { active_ |= ports; }

  void Prefetch() const { golden::Prefetch(ports_); }
  /// Whether a decision is to be made in the next cycle.
  bool active() const { return active_ != 0; }

  /// Checks EGR-3 and EGR-5 of the port, after cycle `now`.
  void Check(Cycle now, int port, Audit* audit) const;

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(ports_, active_, wakes_, leaving_);
  }

 private:
  struct Port {
    std::array<Index, kMaxOutRows> first;  ///< of each row's bank, valid when waiting
    std::array<Index, kMaxOutRows> last;
    Cycle next_take = 0;
    Cycle refresh = 0;         ///< when an XOFF is repeated
    std::uint8_t waiting = 0;  ///< rows with a packet
    std::uint8_t pointer = 0;
    bool xoff_sent = false;
  };

  void Wake(Cycle due, Cycle now, int port) {
    if (due == now + 1) {
      active_ |= Bit(port);
    } else {
      wakes_.Wake(due, now, port);
    }
  }
  /// The link is busy with `slots` words from `now` on, or discards them.
  void Occupy(Cycle now, int port, int slots, bool lost);
  bool TakePause(Cycle now, int port, int used, Departures* out);
  void TakePacket(Cycle now, int port, Departures* out);
  int EarliestRow(const Port& port) const;

  Context& context_;
  std::vector<Port> ports_;
  PortMask active_ = 0;  ///< ports whose link may take something in the next cycle
  WakeWheel wakes_;
  ChainWheel leaving_;
};

}  // namespace tilefly::golden
