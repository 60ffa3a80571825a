// SPDX-License-Identifier: Apache-2.0
// The ways of chosen packets through a system, stage by stage (docs/network.md, Journeys).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "golden/common/archive.h"
#include "golden/egress/link_statistics.h"
#include "golden/egress/output_buffer.h"
#include "golden/switch/stage_probe.h"
#include "network/messages.h"
#include "network/places.h"
#include "network/statistics.h"

namespace tilefly::network {

/// Which packets are wanted.
struct JourneyChoice {
  struct Numbered {
    int endpoint;         ///< its source
    std::int64_t number;  ///< among those that the source sends, copies too, from 1
  };
  bool any() const { return all || some(); }
  /// Some are kept until the end of the run.
  bool some() const { return slowest > 0 || !packets.empty(); }

  bool all = false;  ///< every packet is told when it has ended (Journeys::Tell); none is kept for it
  int slowest = 0;  ///< so many of those with the largest latencies, of packets whose latencies are counted
  std::vector<Numbered> packets;
};

/// A packet's way through one switch. Cycles are -1 where it did not come.
struct JourneyHop {
  std::int32_t node;
  std::uint8_t in_port;
  std::uint8_t out_port = 0;
  std::uint8_t lane = 0;    ///< on the link behind the switch
  bool decided = false;     ///< routing chose between minimal and non-minimal paths
  bool nonminimal = false;  ///< and took a non-minimal one
  Cycle first = -1;         ///< the first word is on the link of `in_port`
  Cycle trigger = -1;       ///< the word that sets it off is: the first of one cut through, else the last
  std::array<Cycle, golden::kStages> stages{-1, -1, -1, -1, -1, -1, -1};
  Cycle earliest_pick = -1;      ///< of one cut through: so late that its words come in time
  golden::LinkStatistics::Waits waits{0, 0};  ///< of the time between request stored and grant
  Cycle taken = -1;              ///< by the link of `out_port`
};

struct Journey {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(record, number, tc, length, ready, last, dropped, hops);
  }
  bool delivered() const { return last >= 0; }
  Cycle latency() const { return last - record.created; }

  PacketRecord record{};
  std::int64_t number = 0;  ///< of those that its source sent, from 1
  int tc = 0;
  int length = 0;
  Cycle ready = -1;  ///< the words of the packet before are gone from the source's link
  Cycle last = -1;   ///< its last word is at its destination
  bool dropped = false;
  std::vector<JourneyHop> hops;
};

// Whoever adds a member adds it to Serialize.
static_assert(sizeof(Journey) == sizeof(PacketRecord) + 5 * sizeof(std::int64_t) + sizeof(std::vector<JourneyHop>));

/// Of a thread: it follows the packets that are in its switches.
class Journeys {
 public:
  /// What is kept of the packets that were chosen.
  struct Kept {
    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(numbered, slowest);
    }
    void Append(const Kept& other);

    std::vector<Journey> numbered;
    std::vector<Journey> slowest;  ///< candidates: those of this process
  };

  /// Gets a packet that has ended, or that is inside when the run is over; `counted`: its latency counts.
  using Listener = std::function<void(const Journey&, bool counted)>;

  /// NICs have `lanes` lanes.
  Journeys(const JourneyChoice& choice, const Measured& measured, int nodes, int endpoints, int lanes);
  /// Of another thread of the same process.
  explicit Journeys(const Journeys* first);

  /// What follows the packets in a switch that keeps `statistics` of its links.
  golden::StageProbe* ProbeOf(int node, const golden::LinkStatistics* statistics);

  /// A NIC puts the packet's first word on its link.
  void Start(golden::Payload payload, const PacketRecord& record, const golden::HeaderBits& header, int words);
  /// Its first word is on the link of a switch's port in cycle `first`, the last one in `last`.
  void Enter(golden::Payload payload, int node, int port, Cycle first, Cycle last, bool cut_through);
  void Leave(const golden::Departure& departure);
  /// Its last word is at the destination; `counted`: its latency counts.
  void Deliver(golden::Payload payload, Cycle last, bool counted);
  void Drop(golden::Payload payload);

  /// The packet goes to another process.
  void Send(golden::Payload payload, Saver* save);
  /// A packet comes from there.
  void Receive(golden::Payload payload, Loader* load);

  /// Packets that end from now on are kept for TakeEnded.
  void KeepEnded(bool keep) { keep_ended_ = keep; }
  /// Those that ended since it was called last.
  struct Ended {
    Journey journey;
    bool counted;
  };
  std::vector<Ended> TakeEnded() { return std::exchange(ended_, {}); }
  /// Tells packets that ended, in an order that no number of threads shows in.
  static void Tell(std::vector<Ended> ended, const Listener& listener);
  /// After the run: those that are inside, of all threads.
  std::vector<Ended> Inside() const;

  /// After the run, of this thread.
  const Kept& kept() const { return kept_; }
  /// The chosen packets that are inside, of all threads.
  Kept KeptInside() const;
  /// The chosen packets, those by number first, then the slowest ones. Some may not have arrived.
  static std::vector<Journey> Chosen(const JourneyChoice& choice, const Kept& kept);

 private:
  class NodeProbe;
  struct Source {
    std::int64_t sent = 0;
    Cycle link_free = 0;
  };
  /// Of all threads.
  struct System {
    System(int nodes, int endpoints);
    ~System();

    Places<Journey> inside;       ///< by payload
    std::vector<Source> sources;  ///< by endpoint
    std::vector<std::unique_ptr<NodeProbe>> probes;  ///< by switch
  };

  void Keep(const Journey& journey, bool counted);
  void End(Journey* journey, bool counted);

  const JourneyChoice choice_;
  const Measured measured_;
  const int lanes_;
  const std::shared_ptr<System> system_;
  Kept kept_;  ///< `slowest` is a heap, the fastest of them first
  bool keep_ended_ = false;
  std::vector<Ended> ended_;
};

}  // namespace tilefly::network
