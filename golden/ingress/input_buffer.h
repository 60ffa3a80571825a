// SPDX-License-Identifier: Apache-2.0
// Input buffers of all ports: admission, accounting, ends of packets, and the credits that freed cells give back
// (docs/blocks/ingress.md, Admission and End of a store-and-forward packet).
#pragma once

#include <algorithm>
#include <vector>

#include "golden/common/stage_times.h"
#include "golden/common/wheel.h"
#include "golden/credit/credit_returner.h"
#include "golden/credit/receiver_healing.h"
#include "golden/link/arrival.h"
#include "golden/state/context.h"

namespace tilefly::golden {

class InputBuffer {
 public:
  explicit InputBuffer(Context& context)
      : context_(context),
        ports_(context.profile.ports),
        arrivals_(context.due, kDueArrival),
        ends_(context.due, kDueEnd) {}

  /// A packet's first word is on the wire in cycle `a0`. Returns a cycle that must be visited.
  Cycle Arrive(Cycle now, int port, Cycle a0, const Arrival& arrival);
  /// The port's packet ended with the word of wire cycle `a_last`. Returns a cycle that must be visited.
  Cycle Finish(Cycle now, int port, Cycle a_last, const End& end);
  /// The packet of the port whose end was not told yet, kNone when there is none.
  Index arriving(int port) const { return ports_[port].current; }
  Cycle first_word(int port) const { return ports_[port].first; }
  /// Whether the packet that came last at the port is one that is cut through.
  bool cutting_through(int port) const { return ports_[port].cut_through; }

  /// Admissions of cycle `now`: calls `admitted(packet id)`.
  template <typename Admitted>
  void Admit(Cycle now, std::vector<DropRecord>* drops, Admitted&& admitted) {
    for (Index id = arrivals_.PopDue(now); id != kNone;) {
      Packet& packet = context_.packets[id];
      const Index next = packet.input_link;
      if (const Cycle due = packet.when + kWireToEvent; due > now) {
        arrivals_.File(due, now, id, &packet.input_link);
      } else if (!Enter(id)) {
        drops->push_back({packet.payload, packet.input, Drop::kBufferFull});
        Refuse(id);
      } else {
        admitted(id);
      }
      id = next;
    }
  }

  /// Ends of stored packets that become known in cycle `now`. Calls `describe(packet id)` for a good packet, and
  /// `discard(packet id)` for any other.
  template <typename Describe, typename Discard>
  void Ends(Cycle now, Describe&& describe, Discard&& discard) {
    for (Index id = ends_.PopDue(now); id != kNone;) {
      Packet& packet = context_.packets[id];
      const Index next = packet.output_link;
      if (const Cycle due = packet.when + packet.duration + kWireToEvent; due > now) {
        ends_.File(due, now, id, &packet.output_link);
      } else if (packet.refused) {
        context_.packets.Release(id);
      } else if (packet.status != Drop::kNone) {
        discard(id);
      } else {
        if (!packet.enh) AddUsed(packet.input, packet.cells - context_.profile.mtu_cells);
        describe(id);
      }
      id = next;
    }
  }

  /// The packet's cells are free and, on a port with credits, due to the sender. `cells` of them were counted in
  /// `used`.
  void Free(const Packet& packet, int cells) {
    AddUsed(packet.input, -cells);
    if (packet.accounted) ports_[packet.input].account.Add(packet.header.tc(), -packet.cells);
    FreeCredits(packet);
  }

  /// The packet comes to the queue stage and is to be accounted. Returns whether its class has room for it.
  bool Account(const Packet& packet) {
    ClassAccount& account = ports_[packet.input].account;
    const int tc = packet.header.tc();
    if (!account.Admits(*context_.registers.port(packet.input).shares, tc, packet.cells)) return false;
    account.Add(tc, packet.cells);
    return true;
  }
  const ClassAccount& account(int port) const { return ports_[port].account; }

  /// Decisions of cycle `now`: calls `visit(port, message)` for every credit message.
  template <typename Visit>
  void ReturnCredits(Visit&& visit) {
    ForEachBit(returning_, [&](int port) {
      CreditReturner& returner = ports_[port].returner;
      if ((context_.retry_ports & Bit(port)) != 0) {
        visit(port, *healing_[port].Decide(&returner));
        if (!returner.pending() && !healing_[port].asked()) returning_ &= ~Bit(port);
        return;
      }
      const CreditReturner::Message message = returner.Decide(context_.profile.vls);
      if (!returner.pending()) returning_ &= ~Bit(port);
      visit(port, message);
    });
  }

  /// Event at a retry port, before those of packets: a stamp arrives. Counts what it means.
  void Stamp(int port, const CreditStamp& stamp);
  /// The port became, or is no longer, a retry port.
  void SetRetry(int port, bool retries);
  /// Event, after all others of the cycle: the link of the retry port is down, or is up again.
  void LinkDown(int port);
  void LinkRises(int port);

  /// Cells accounted in the input buffer of the port.
  int used(int port) const { return ports_[port].used; }
  /// Ports whose `used` changed since the last call.
  PortMask TakeChanged() {
    const PortMask changed = changed_;
    changed_ = 0;
    return changed;
  }
  void Prefetch() const { golden::Prefetch(ports_); }
  /// Whether a decision is to be made in the next cycle.
  bool active() const { return returning_ != 0; }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(ports_, arrivals_, ends_, returning_, changed_, healing_);
  }

 private:
  struct Port {
    Index current = kNone;  ///< packet whose end was not told yet
    Cycle first = 0;        ///< wire cycle of its first word
    bool cut_through = false;
    std::uint16_t used = 0;
    CreditReturner returner;
    ClassAccount account;
  };

  bool Enter(Index id);
  void Refuse(Index id);
  void FreeCredits(const Packet& packet);
  /// The port's counts of credits changed; while its link is down nothing is to be told.
  void Changed(int port);
  void AddUsed(int port, int cells) {
    ports_[port].used = static_cast<std::uint16_t>(ports_[port].used + cells);
    changed_ |= Bit(port);
  }

  Context& context_;
  std::vector<Port> ports_;
  ChainWheel arrivals_;
  ChainWheel ends_;
  PortMask returning_ = 0;  ///< ports with a credit to return
  PortMask changed_ = 0;
  std::vector<ReceiverHealing> healing_;  ///< empty until there is a retry port
};

}  // namespace tilefly::golden
