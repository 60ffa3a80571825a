// SPDX-License-Identifier: Apache-2.0
// Queue stages of all inputs (docs/blocks/ingress.md, Queue stage): the fifo between pipeline and queues, where a replicated
// packet becomes copies. As long as no replicated packet is about, the fifo never holds anything back and is passed by in
// closed form: a packet of trigger cycle a is queued in a + 20. One that is to be accounted, or that follows its flow, is never
// passed by.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "golden/common/agenda.h"
#include "golden/common/delay_line.h"
#include "golden/switch/context.h"

namespace tilefly::golden {

class QueueStage {
 public:
  /// Lane of the copy for each output.
  using Lanes = std::array<std::uint8_t, kMaxPorts>;

  explicit QueueStage(Context& context);

  /// The packet, described in cycle `now` = a + 4, has one output, which is written in it.
  void Unicast(Cycle now, Index id);
  /// The packet, described in cycle `now` = a + 4, has one output, which is written in it when it comes to the fifo.
  void Following(Cycle now, Index id, const Lanes& lanes);
  /// The packet, described in cycle `now` = a + 4, goes to all of `outputs`.
  void Replicated(Cycle now, Index id, PortMask outputs, const Lanes& lanes);

  /// Decisions of cycle `now`.
  void Decide(Cycle now);
  /// Events of cycle `now`: calls `visit(packet id)` for every packet or copy that is queued, and `may_enter(packet id)` for
  /// every one that is to be accounted or follows its flow and comes to the fifo; when it says no the packet is the caller's
  /// again.
  template <typename Visit, typename MayEnter>
  void Commit(Cycle now, Visit&& visit, MayEnter&& may_enter) {
    closed_form_.Drain(now, visit);
    served_.Drain(now, visit);
    entering_.Drain(now, [&](Index staged) {
      const Index id = staged_[staged].packet;
      const Packet& packet = context_.packets[id];
      const int input = packet.input;
      if (!(packet.accounted || packet.follows) || may_enter(id)) {
        if (packet.follows) staged_[staged].outputs = Bit(packet.output);
        Enter(staged);
      } else {
        --ports_[input].pending;
        staged_.Release(staged);
      }
    });
  }
  /// A copy's last cell has left.
  void FreeCopyEntry(int port) {
    ++ports_[port].free_entries;
    if (ports_[port].first != kNone) active_ |= Bit(port);
  }

  void Prefetch() const {
    golden::Prefetch(ports_);
    closed_form_.Prefetch();
  }
  /// Whether a decision is to be made in the next cycle.
  bool active() const { return active_ != 0; }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(ports_, staged_, closed_form_, served_, entering_, active_);
  }

 private:
  struct Staged {
    Index packet;
    Index next;
    HeaderBits header;  ///< as it came
    PortMask outputs;   ///< still to be served
    Cycle start;        ///< of a packet cut through: first leave cycle allowed
    bool first;         ///< the packet's own entry is not used yet
    Lanes lanes;
  };
  struct Port {
    Index first = kNone;  ///< fifo of what needs the stage
    Index last = kNone;
    std::uint16_t pending = 0;  ///< entries in the fifo or on their way to it
    std::uint16_t free_entries = 0;
  };

  void Stage(Cycle now, const Staged& staged);
  void Enter(Index id);
  bool Serve(Cycle now, int port);
  Index MakeCopy(const Staged& staged);

  Context& context_;
  std::vector<Port> ports_;
  Pool<Staged> staged_;
  DelayLine<Index> closed_form_;
  DelayLine<Index> served_;
  Agenda<Index> entering_;
  PortMask active_ = 0;  ///< inputs whose fifo may be served
};

}  // namespace tilefly::golden
