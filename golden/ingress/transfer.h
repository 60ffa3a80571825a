// SPDX-License-Identifier: Apache-2.0
// Grant lists of all inputs and the transfers that they start (docs/blocks/ingress.md, Grants and transfer).
#pragma once

#include <algorithm>

#include "golden/common/stage_times.h"
#include "golden/common/wheel.h"
#include "golden/state/context.h"

namespace tilefly::golden {

class Transfer {
 public:
  explicit Transfer(Context& context)
      : context_(context),
        ports_(context.profile.ports),
        wakes_(context.due, kDuePick),
        leaving_(context.due, kDueLastCell) {}

  /// Makes the decisions of cycle `now`: calls `visit(packet id, packet)` for every packet whose transfer starts.
  template <typename Visit>
  void Decide(Cycle now, Visit&& visit) {
    active_ |= wakes_.PopDue(now);
    ForEachBit(active_, [&](int input) {
      Port& port = ports_[input];
      active_ &= ~Bit(input);
      if (port.first == kNone) return;
      if (now < port.next_pick) return Wake(port.next_pick, now, input);
      const Index id = PickOne(now, &port, input);
      if (id == kNone) return;
      Packet& packet = context_.packets[id];
      port.next_pick = now + packet.cells;
      packet.header.Leave(packet.input, packet.vl);
      if (port.first != kNone) Wake(port.next_pick, now, input);
      leaving_.File(now + kPickToLeave - 1 + packet.cells, now, id, &packet.input_link);
      visit(id, packet);
    });
  }

  /// Event: a grant took the packet from its queue.
  void Granted(Cycle now, Index id) {
    Packet& packet = context_.packets[id];
    Port& port = ports_[packet.input];
    packet.next = kNone;
    if (port.first == kNone) {
      port.first = id;
    } else {
      context_.packets[port.last].next = id;
    }
    port.last = id;
    Wake(std::max(port.next_pick, now + 1), now, packet.input);
  }

  /// Calls `visit(packet id)` for every packet whose last cell leaves in cycle `now`.
  template <typename Visit>
  void LastCells(Cycle now, Visit&& visit) {
    for (Index id = leaving_.PopDue(now); id != kNone;) {
      const Index next = context_.packets[id].input_link;
      visit(id);
      id = next;
    }
  }

  void Prefetch() const { golden::Prefetch(ports_); }
  /// Whether a decision is to be made in the next cycle.
  bool active() const { return active_ != 0; }

  /// Calls `visit(packet)` for the packets of the input's grant list.
  template <typename Visit>
  void ForEach(int input, Visit&& visit) const {
    for (Index id = ports_[input].first; id != kNone; id = context_.packets[id].next) visit(context_.packets[id]);
  }
  /// Checks ING-5 of the input, after cycle `now`.
  void Check(Cycle now, int input, Audit* audit) const;

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(ports_, active_, wakes_, leaving_);
  }

 private:
  struct Port {
    Index first = kNone;  ///< grant list
    Index last = kNone;
    Cycle next_pick = 0;
  };

  void Wake(Cycle due, Cycle now, int input) {
    if (due == now + 1) {
      active_ |= Bit(input);
    } else {
      wakes_.Wake(due, now, input);
    }
  }

  /// Removes the oldest entry that may start; kNone when none may.
  Index PickOne(Cycle now, Port* port, int input) {
    Index before = kNone;
    Cycle earliest = kNever;
    for (Index id = port->first; id != kNone; before = id, id = context_.packets[id].next) {
      const Packet& packet = context_.packets[id];
      const Cycle start = packet.when - kPickToLeave;
      if (packet.cut_through && now < start) {
        earliest = std::min(earliest, start);
        continue;
      }
      (before == kNone ? port->first : context_.packets[before].next) = packet.next;
      if (packet.next == kNone) port->last = before;
      return id;
    }
    Wake(earliest, now, input);
    return kNone;
  }

  Context& context_;
  std::vector<Port> ports_;
  PortMask active_ = 0;  ///< inputs that may pick in the next cycle
  WakeWheel wakes_;
  ChainWheel leaving_;
};

}  // namespace tilefly::golden
