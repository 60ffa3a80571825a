// SPDX-License-Identifier: Apache-2.0
// Queue stages of all inputs (docs/blocks/ingress.md, Queue stage). The stage is the fifo between pipeline and queues, in
// which a replicated packet becomes copies. While an input has no replicated packet, its fifo delays no packet, so packets
// are not put into it: a packet of trigger cycle a is queued in a + 20, by a delay line. A packet that is judged at the
// end of the pipeline always goes through the fifo: a packet that is to be accounted, one that follows its flow, and
// each packet of a port with flow channels, because the held packets of such a port enter the fifo later.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "golden/common/agenda.h"
#include "golden/common/delay_line.h"
#include "golden/state/context.h"

namespace tilefly::golden {

class QueueStage {
 public:
  /// By output: the virtual lane of the copy for it.
  using Lanes = std::array<std::uint8_t, kMaxPorts>;

  explicit QueueStage(Context& context);

  /// Takes packet `id`, whose trigger cycle was a = `now` - 4. It has one output, which stands in the packet.
  void Unicast(Cycle now, Index id);
  /// Takes packet `id`, whose trigger cycle was a = `now` - 4. Its one output stands in the packet only when the packet
  /// comes to the fifo, because it follows its flow; ports in `down` are none to follow it to.
  void Following(Cycle now, Index id, const Lanes& lanes, PortMask down);
  /// Takes packet `id`, whose trigger cycle was a = `now` - 4, and which goes to all of `outputs`.
  void Replicated(Cycle now, Index id, PortMask outputs, const Lanes& lanes);

  /// Makes the decisions of cycle `now`.
  void Decide(Cycle now);
  /// Makes the events of cycle `now`. Calls `visit(packet id)` for every packet or copy that is queued. Calls
  /// `may_enter(packet id, down, lanes)` for every packet that comes to the fifo and is judged. When `may_enter` returns
  /// false, the stage forgets the packet: it is dropped, or a flow channel holds it until Release.
  template <typename Visit, typename MayEnter>
  void Commit(Cycle now, Visit&& visit, MayEnter&& may_enter) {
    closed_form_.Drain(now, visit);
    context_.packets.PrefetchNext(closed_form_);
    served_.Drain(now, visit);
    entering_.Drain(now, [&](Index staged) {
      const Index id = staged_[staged].packet;
      const Packet& packet = context_.packets[id];
      const int input = packet.input;
      if (!packet.judged || may_enter(id, staged_[staged].down, staged_[staged].lanes)) {
        if (packet.follows) staged_[staged].outputs = Bit(packet.output);
        Enter(staged);
      } else {
        --ports_[input].pending;
        staged_.Release(staged);
      }
    });
  }
  /// Event, behind Commit: a packet of one output that did not enter in its own cycle enters the fifo.
  void Release(Index id, int output, int lane);
  /// Event: the last cell of a copy has left input `port`, so its copy entry is free again.
  void FreeCopyEntry(int port) {
    ++ports_[port].free_entries;
    if (ports_[port].first != kNone) active_ |= Bit(port);
  }

  void Prefetch() const {
    golden::Prefetch(ports_);
    closed_form_.Prefetch();
  }
  /// Whether `Decide` has something to do in the next cycle.
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
    HeaderBits header;  ///< header of the packet as it came in
    PortMask outputs;   ///< outputs for which no copy has been made yet
    PortMask down;      ///< of a packet that follows its flow: ports that are down
    Cycle start;        ///< of a packet that is cut through: the first cycle in which it may leave
    bool first;         ///< true: no copy has been made, so the next one is the packet itself
    Lanes lanes;
  };
  struct Port {
    Index first = kNone;  ///< first and last entry of the fifo
    Index last = kNone;
    std::uint16_t pending = 0;  ///< entries in the fifo or on their way to it
    std::uint16_t free_entries = 0;
  };

  Index Put(const Staged& staged);
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
