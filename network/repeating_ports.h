// SPDX-License-Identifier: Apache-2.0
// The ports of a switch whose links may damage words, and repeat them (docs/network.md, Links with faults): both halves of
// their retry blocks, and the stamps that are on their way.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "network/nic_repeats.h"

namespace tilefly::network {

class RepeatingPorts {
 public:
  /// Packets that were in a replay buffer when the link went down, until it is known which the far end has accepted.
  struct Dropped {
    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(held, down, expected, at);
    }
    std::deque<RetrySender::Held> held;
    bool down = false;            ///< the sender's end is down
    std::optional<int> expected;  ///< what the far end has told
    Cycle at = 0;                 ///< the first cycle in which what is set is known
  };
  /// SerDes lanes that a sender uses, as others know it.
  struct LanesInUse {
    int count = 0;  ///< 0: nobody knows yet
    unsigned used = 0;
  };
  struct Port {
    /// Calls `visit(payload)` for all packets on the link, and in its replay buffers.
    template <typename Visit>
    void ForEachPayload(Visit&& visit) {
      receiver.ForEachPayload(visit);
      sender.ForEachPayload(visit);
      if (nic != nullptr) nic->receiver().ForEachPayload(visit);
      if (nic != nullptr) nic->sender().ForEachPayload(visit);
      for (Dropped* of : {&dropped, &dropped_of_nic}) {
        for (RetrySender::Held& held : of->held) {
          if (held.record.red >= 0) visit(held.contents);
        }
      }
    }
    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(*downs, sender, receiver, stamps, ready, returned, dropped, dropped_of_nic, gives_up, nic_gives_up, lanes,
              nic_lanes);
      if (nic != nullptr) archive(*nic);
      if (slots != nullptr) archive(*slots);
      if (dead != nullptr) archive(*dead);
    }

    std::unique_ptr<LinkDowns> downs;  ///< of both ends of the link
    RetrySender sender;
    RetryReceiver receiver;
    Ring<LinkCredit> stamps;
    bool ready = false;               ///< as the switch knows it
    std::unique_ptr<NicRepeats> nic;  ///< the other end of the link; null: a switch has it
    std::unique_ptr<SlotWire> slots;  ///< on their way to the port; null: none is damaged
    std::array<std::uint16_t, golden::kMaxLanes> returned{};  ///< what its latest credit returns said
    Dropped dropped, dropped_of_nic;  ///< of the last link down
    bool gives_up = false, nic_gives_up = false;  ///< the port, its NIC have asked for the link to go down
    std::unique_ptr<DeadLanes> dead;              ///< on the way to the port; null: no SerDes lane dies
    LanesInUse lanes, nic_lanes;                  ///< of the port as a sender, of its NIC
    Cycle retrain = 0;                            ///< cycles for which the link is down when an end has given it up
  };

  explicit RepeatingPorts(const Profile& profile) : ports_(profile.ports) {}

  /// A port whose link comes up in cycle `up`. Traffic begins in cycle `begin`. `way`: see RetryReceiver.
  void Add(int port, const Profile& profile, const DirectionPlan& plan, Cycle up, Cycle begin, Cycle way, int lanes);
  /// SerDes lanes on the way to the port die, of the `cable` lanes of the link. The port judges them by `registers`.
  void JudgeLanes(int port, const DirectionPlan& plan, Cycle begin, int cable, const PortLanes& registers);
  /// The link of the port is down from cycle `from` on and before `till`.
  void AddDown(int port, Cycle from, Cycle till) {
    ports_[port]->downs->Add(from, till);
    ports_[port]->sender.TellDown(from);
    if (ports_[port]->nic != nullptr) ports_[port]->nic->sender().TellDown(from);
    next_turn_ = std::min(next_turn_, from);
  }
  /// The next cycle in which a link goes down or comes up.
  Cycle next_turn() const { return next_turn_; }
  /// Calls `turn(port)` for the links that do in cycle `now`, which is the next.
  template <typename Turn>
  void TurnLinks(Cycle now, Turn&& turn) {
    next_turn_ = kNever;
    golden::ForEachBit(mask_, [&](int port) {
      if (ports_[port]->downs->NextChange(now) == now) turn(port);
      next_turn_ = std::min(next_turn_, ports_[port]->downs->NextChange(now + 1));
    });
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

  /// Takes a report, a stamp, or which SerDes lanes are in use.
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
  template <typename Visit>
  void ForEachPayload(Visit&& visit) {
    golden::ForEachBit(mask_, [&](int port) { ports_[port]->ForEachPayload(visit); });
  }
  /// State between two runs of the switch. See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    golden::ForEachBit(mask_, [&](int port) { archive(*ports_[port]); });
    archive(wake_, next_turn_);
  }
  /// Whether the far end of the port's link, or the NIC's, is stuck: it says nothing of what it holds.
  bool IsFarStuck(int port) const { return (slots_ & golden::Bit(port)) != 0 && ports_[port]->slots->stuck(); }
  bool IsFarOfNicStuck(int port) const {
    return (nics_ & golden::Bit(port)) != 0 && ports_[port]->nic->slots() != nullptr && ports_[port]->nic->slots()->stuck();
  }
  /// After a drained run: what the blocks still hold; empty: nothing.
  std::string NotHome() const;

 private:
  std::vector<std::unique_ptr<Port>> ports_;
  golden::PortMask mask_ = 0, nics_ = 0, slots_ = 0;
  Cycle wake_ = kNever;
  Cycle next_turn_ = kNever;
};

}  // namespace tilefly::network
