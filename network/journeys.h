// SPDX-License-Identifier: Apache-2.0
// The ways of chosen packets through a system, stage by stage (docs/network.md, Journeys).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "golden/common/archive.h"
#include "golden/egress/link_statistics.h"
#include "golden/egress/output_buffer.h"
#include "golden/state/stage_probe.h"
#include "network/held_journeys.h"
#include "network/journey.h"
#include "network/places.h"
#include "network/statistics.h"

namespace tilefly::network {

/// The packets whose journeys are wanted.
struct JourneyChoice {
  struct Numbered {
    int endpoint;         ///< endpoint of its source
    std::int64_t number;  ///< number among the packets that the source sends, copies included, from 1
  };
  bool any() const { return all || some(); }
  /// Whether some journeys are kept until the end of the run.
  bool some() const { return slowest > 0 || !packets.empty(); }

  bool all = false;  ///< true: every packet is told when it has ended (Journeys::Tell), and none is kept for it
  int slowest = 0;  ///< how many packets with the largest latencies are kept, of those whose latencies count
  std::vector<Numbered> packets;
};

/// Follows the packets in the switches of one thread.
class Journeys {
 public:
  /// What is kept of the chosen packets.
  struct Kept {
    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(numbered, slowest);
    }
    void Append(const Kept& other);

    std::vector<Journey> numbered;
    std::vector<Journey> slowest;  ///< the candidates of this process
  };

  /// Gets a packet that has ended, or that is still inside when the run is over. `counted`: its latency counts.
  using Listener = std::function<void(const Journey&, bool counted)>;

  /// Of a system of `nodes` switches with `ports` ports each.
  Journeys(const JourneyChoice& choice, const Measured& measured, int nodes, int ports, int endpoints);
  /// For another thread of the same process.
  explicit Journeys(const Journeys* first);

  /// The probe that follows packets in a switch, which keeps `statistics` of its links.
  golden::StageProbe* ProbeOf(int node, const golden::LinkStatistics* statistics);

  /// A NIC puts the packet's first word on its link, which is free again from cycle `free` on. Its end of a link that
  /// repeats held the packet for `held` cycles, and pauses alone for `throttled` cycles.
  void Start(golden::Payload payload, const PacketRecord& record, const golden::HeaderBits& header, Cycle free,
             Cycle held, Cycle throttled);
  /// The packet's first word is on the link into a port of a switch in cycle `first`, its last word in `last`.
  void Enter(golden::Payload payload, int node, int port, Cycle first, Cycle last, bool cut_through);
  void Leave(const golden::Departure& departure);
  /// The packet's first word is at the destination in cycle `first`, its last word in `last`. `counted`: its latency
  /// counts.
  void Deliver(golden::Payload payload, Cycle first, Cycle last, bool counted);
  void Drop(golden::Payload payload);

  // Links that repeat. Each attempt of a packet has a payload of its own.

  /// The sender of the direction keeps the packet, as number `seq` since link up; `payload` names nothing any more.
  void Hold(const LinkDirection& direction, int seq, golden::Payload payload);
  /// An attempt of it starts, whose first word is at the far end in cycle `wire`.
  void Try(const LinkDirection& direction, int seq, golden::Payload payload, Cycle wire);
  /// Which packets are in the replay buffer: from packet `first` on, or none.
  void Keep(const LinkDirection& direction, std::optional<int> first);
  /// The replay buffer is lost.
  void LoseBuffer(const LinkDirection& direction) { system_->held.Drop(direction); }
  /// The far end has not accepted packet `seq` of the lost buffer: it gets this payload, and is dropped next.
  void Reclaim(const LinkDirection& direction, int seq, golden::Payload payload);
  /// The far end has accepted all other packets of the lost buffer.
  void Settle(const LinkDirection& direction) { system_->held.Settle(direction); }
  /// The receiver of the direction accepts an attempt; the link goes down at the receiver.
  void Accept(const LinkDirection& direction, golden::Payload payload);
  void End(const LinkDirection& direction) { system_->held.End(direction); }
  /// No journey follows this payload: an attempt that broke off, that the far end did not see, or a copy of one.
  void Ignore(golden::Payload payload);

  /// The packet goes to another process.
  void Send(golden::Payload payload, Saver* save);
  /// The packet comes from another process.
  void Receive(golden::Payload payload, Loader* load);

  /// Whether packets that end from now on are kept for TakeEnded.
  void KeepEnded(bool keep) { keep_ended_ = keep; }
  /// A packet that has ended since the last call of TakeEnded.
  struct Ended {
    Journey journey;
    bool counted;
  };
  std::vector<Ended> TakeEnded() { return std::exchange(ended_, {}); }
  /// Tells packets that have ended, in an order that does not depend on the number of threads.
  static void Tell(std::vector<Ended> ended, const Listener& listener);
  /// After the run: the packets inside, of all threads.
  std::vector<Ended> Inside() const;

  /// After the run: what this thread has kept.
  const Kept& kept() const { return kept_; }
  /// The chosen packets that are inside, of all threads.
  Kept KeptInside() const;
  /// The chosen packets: first those named by number, then the slowest. Some may not have arrived.
  static std::vector<Journey> Chosen(const JourneyChoice& choice, const Kept& kept);

 private:
  class NodeProbe;
  struct Source {
    std::int64_t sent = 0;
    Cycle link_free = 0;
  };
  /// What all threads of a process share.
  struct System {
    System(int nodes, int ports, int endpoints);
    ~System();

    Places<Journey> inside;       ///< by payload
    HeldJourneys held;            ///< of packets in replay buffers
    std::vector<Source> sources;  ///< by endpoint
    std::vector<std::unique_ptr<NodeProbe>> probes;  ///< by switch
  };

  template <typename Visit>
  void ForEachInside(Visit&& visit) const;
  void Put(std::optional<Journey> journey, bool attempt, golden::Payload payload);
  void Count(const Journey& journey, bool counted);
  void End(Journey* journey, bool counted);

  const JourneyChoice choice_;
  const Measured measured_;
  const std::shared_ptr<System> system_;
  Kept kept_;  ///< `slowest` is a heap with the fastest packet first
  bool keep_ended_ = false;
  std::vector<Ended> ended_;
};

}  // namespace tilefly::network
