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

/// The way of a packet through one switch. A cycle is -1 when the packet did not come so far.
struct JourneyHop {
  std::int32_t node;
  std::uint8_t in_port;
  std::uint8_t out_port = 0;
  std::uint8_t lane = 0;    ///< lane on the link behind the switch
  bool decided = false;     ///< true: routing chose between minimal and non-minimal paths
  bool nonminimal = false;  ///< true: it took a non-minimal path
  Cycle first = -1;         ///< first word on the link of `in_port`
  Cycle trigger = -1;       ///< word that sets the packet off: the first of a packet that is cut through, else the last
  std::array<Cycle, golden::kStages> stages{-1, -1, -1, -1, -1, -1, -1};
  Cycle earliest_pick = -1;      ///< of a packet that is cut through: first cycle from which its words come in time
  golden::LinkStatistics::Waits waits{0, 0};  ///< waits between request stored and grant
  Cycle taken = -1;              ///< the link of `out_port` takes it
};

struct Journey {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(record, number, tc, length, ready, last, dropped, hops);
  }
  bool delivered() const { return last >= 0; }
  Cycle latency() const { return last - record.created; }

  PacketRecord record{};
  std::int64_t number = 0;  ///< number among the packets of its source, from 1
  int tc = 0;
  int length = 0;
  Cycle ready = -1;  ///< the words of the packet before are gone from the source's link
  Cycle last = -1;   ///< last word at the destination
  bool dropped = false;
  std::vector<JourneyHop> hops;
};

// Whoever adds a member adds it to Serialize.
static_assert(sizeof(Journey) == sizeof(PacketRecord) + 5 * sizeof(std::int64_t) + sizeof(std::vector<JourneyHop>));

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

  /// `lanes`: SerDes lanes of the NICs' links.
  Journeys(const JourneyChoice& choice, const Measured& measured, int nodes, int endpoints, int lanes);
  /// For another thread of the same process.
  explicit Journeys(const Journeys* first);

  /// The probe that follows packets in a switch, which keeps `statistics` of its links.
  golden::StageProbe* ProbeOf(int node, const golden::LinkStatistics* statistics);

  /// A NIC puts the packet's first word on its link.
  void Start(golden::Payload payload, const PacketRecord& record, const golden::HeaderBits& header, int words);
  /// The packet's first word is on the link into a port of a switch in cycle `first`, its last word in `last`.
  void Enter(golden::Payload payload, int node, int port, Cycle first, Cycle last, bool cut_through);
  void Leave(const golden::Departure& departure);
  /// The packet's last word is at the destination in cycle `last`. `counted`: its latency counts.
  void Deliver(golden::Payload payload, Cycle last, bool counted);
  void Drop(golden::Payload payload);

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
  Kept kept_;  ///< `slowest` is a heap with the fastest packet first
  bool keep_ended_ = false;
  std::vector<Ended> ended_;
};

}  // namespace tilefly::network
