// SPDX-License-Identifier: Apache-2.0
// The paused flows of a NIC, and the packets that the NIC has put aside for them (docs/blocks/flow_channel.md, NIC).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>

#include "network/messages.h"
#include "network/ring.h"
#include "network/traffic.h"

namespace tilefly::network {

class PausedFlows {
 public:
  /// A flow by its class and the fabric address of its destination.
  using Key = std::uint32_t;
  static constexpr Key KeyOf(int tc, std::uint32_t address) { return static_cast<Key>(tc) << 20 | address; }

  /// `most_aside`: the most packets that may be aside.
  explicit PausedFlows(int most_aside) : most_aside_(most_aside) {}

  /// Takes a pause, in the order of the cycles on the link.
  void Take(const LinkPause& pause) { to_come_.Push(pause); }
  /// Counts the pauses that were on the link before cycle `now`.
  void Count(Cycle now);
  /// The first cycle in which a further pause counts; kNever: none is on its way.
  Cycle NextPause() const { return to_come_.empty() ? kNever : to_come_.front().wire + 1; }
  /// The first cycle behind `now` in which a flow without credit is no longer paused; kNever: no flow is held.
  Cycle NextEnd(Cycle now) const;

  /// Whether the pause of the flow, if it has one, lets a packet start in cycle `now`.
  bool MayStart(Key flow, Cycle now) const {
    const auto found = flows_.find(flow);
    return found == flows_.end() || found->second.MayStart(now);
  }
  /// A packet of the flow starts in cycle `now`.
  void Started(Key flow, Cycle now, int cells);

  // Packets that are aside.

  bool has_room() const { return aside_ < most_aside_; }
  int aside() const { return aside_; }
  /// Whether packets of the flow are aside.
  bool HasAside(Key flow) const {
    const auto found = flows_.find(flow);
    return found != flows_.end() && !found->second.aside.empty();
  }
  /// Whether packets of the injection queue are aside.
  bool HasAsideOf(int queue) const { return of_queue_[queue] > 0; }
  /// Puts a packet of the injection queue behind those of its flow that are aside.
  void PutAside(Key flow, int queue, const Traffic::NewPacket& packet);
  /// Of the packets of a queue that are aside, the oldest one whose flow's pause lets it start in cycle `now`; null:
  /// there is none. `flow` is set to its flow.
  const Traffic::NewPacket* First(int queue, Cycle now, Key* flow) const;
  /// The oldest packet of the flow that is aside.
  const Traffic::NewPacket& Front(Key flow) const { return flows_.at(flow).aside.front().packet; }
  /// That packet has started.
  void Pop(Key flow);
  /// Calls `visit(packet)` for each packet that is aside.
  template <typename Visit>
  void ForEachAside(Visit&& visit) const {
    for (const auto& [key, flow] : flows_) {
      for (const Aside& one : flow.aside) visit(one.packet);
    }
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(flows_, to_come_, of_queue_, aside_, next_);
  }

 private:
  struct Aside {
    std::uint64_t number;  ///< grows with the order in which packets are put aside
    Traffic::NewPacket packet;
  };
  struct Flow {
    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(until, credit, queue, aside);
    }
    bool MayStart(Cycle now) const { return until <= now || credit > 0; }

    Cycle until = 0;          ///< paused before this cycle
    std::int64_t credit = 0;  ///< cells that may start during the pause
    std::int32_t queue = 0;   ///< injection queue of the packets that are aside
    std::deque<Aside> aside;
  };

  void ForgetEnded(Cycle now);

  const int most_aside_;
  std::map<Key, Flow> flows_;  ///< those with a pause, or with packets aside
  Ring<LinkPause> to_come_;
  std::array<std::int32_t, golden::kMaxClasses> of_queue_{};  ///< packets aside, by injection queue
  std::int32_t aside_ = 0;
  std::uint64_t next_ = 0;  ///< number of the next packet that is put aside
};

}  // namespace tilefly::network
