// SPDX-License-Identifier: Apache-2.0
// What the blocks of one switch share.
#pragma once

#include <array>
#include <vector>

#include "generated/wire.h"
#include "golden/common/counters.h"
#include "golden/common/wheel.h"
#include "golden/registers/registers.h"
#include "golden/routing/down_ports.h"
#include "golden/routing/load_ring.h"
#include "golden/state/packet.h"

namespace tilefly::golden {

class AckChecker;
class LinkStatistics;
class MeterCheckers;
class RedBytes;
class Reductions;
class RouteChecker;
class StageProbe;

/// Where a packet is dropped: at the end of the pipeline; there but still arriving, so that it is released behind its last
/// word; or at admission.
enum class DropPlace : std::uint8_t { kPipeline, kArriving, kAdmission };

/// Observation record of a cycle: its events, and the levels after the events (docs/blocks/tile.md).
struct SwitchObservation {
  std::vector<Portobs> ports;
  std::vector<RedObs> reds;  ///< of the reduction ports
  CfuObs cfu;
  std::vector<Turnobs> turns;
  std::array<DropPlace, kMaxPorts> drop_places{};  ///< of the drops that `ports` show
};

/// A packet that was dropped at an input. With kNone: the aggregation node has used it, or the last of its copies has
/// ended at an output whose link is down. `payload` belongs to the caller again.
struct DropRecord {
  Payload payload;
  std::uint8_t port;
  Drop reason;
};

/// Calendars of a switch, one bit each: what is due in a cycle.
inline constexpr Calendars kDueTake = 1 << 0;       ///< links that are free again
inline constexpr Calendars kDueGrant = 1 << 1;      ///< outputs that may grant again
inline constexpr Calendars kDuePick = 1 << 2;       ///< inputs that may pick
inline constexpr Calendars kDueRoom = 1 << 3;       ///< room of output buffers
inline constexpr Calendars kDueControl = 1 << 4;    ///< what control slots brought
inline constexpr Calendars kDueRequest = 1 << 5;    ///< requests at outputs
inline constexpr Calendars kDueGranted = 1 << 6;    ///< grants at inputs
inline constexpr Calendars kDueCell = 1 << 7;       ///< first cells at outputs
inline constexpr Calendars kDueArrival = 1 << 8;    ///< admissions
inline constexpr Calendars kDueEnd = 1 << 9;        ///< ends of stored packets
inline constexpr Calendars kDueQueued = 1 << 10;    ///< packets that are queued or come to the queue stage
inline constexpr Calendars kDueLastCell = 1 << 11;  ///< last cells that leave inputs
inline constexpr Calendars kDueAck = 1 << 12;       ///< acks across the switch
inline constexpr Calendars kDueReduction = 1 << 13;  ///< the reduction ring

/// Who watches what happens in a switch; null: nobody.
struct Watchers {
  SwitchObservation* observation = nullptr;  ///< of the cycle
  RouteChecker* routes = nullptr;
  AckChecker* acks = nullptr;
  MeterCheckers* meters = nullptr;
  LinkStatistics* links = nullptr;
  StageProbe* stages = nullptr;  ///< follows packets
};

struct Context {
  explicit Context(const Profile& p)
      : profile(p),
        geometry(p),
        registers(p),
        counters(p.ports),
        loads(p.ports, p.load_epoch_cycles, p.neighbour_epochs),
        downs(p.load_epoch_cycles) {
    retry_lanes.fill(4);
  }

  /// See golden/common/archive.h. Registers are not part of the state: their owner writes them again.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(counters, loads, downs, packets, due, links_up, sending_pause, retry_ports, no_take, discarding, plain_ports,
            retry_lanes);
  }

  /// Ports whose output buffer may be asked for a packet: the link takes it, or it is discarded.
  PortMask takers() const { return (links_up & ~no_take) | down(); }
  /// Retry ports whose link is down, and whose packets are to take another way.
  PortMask down() const { return discarding & ~links_up; }

  /// SerDes lanes in use of the outgoing direction, as committed.
  int OutLanes(int port) const {
    return (retry_ports & Bit(port)) != 0 ? retry_lanes[port] : registers.port(port).serdes_lanes();
  }

  /// Counts a drop at an input. When a cycle has several drops, the observation record shows the one of the last place.
  void CountDrop(int port, Drop reason, DropPlace place) {
    counters.Count(port, reason);
    if (watchers.observation == nullptr) return;
    Portobs& obs = watchers.observation->ports[port];
    DropPlace& shown = watchers.observation->drop_places[port];
    if (obs.drop_valid && place < shown) return;
    obs.drop_valid = true;
    shown = place;
    obs.drop_reason = static_cast<std::uint8_t>(reason);
  }

  const Profile profile;
  const Geometry geometry;
  Registers registers;
  Counters counters;
  LoadRing loads;     ///< of the outputs
  DownPorts downs;    ///< of the outputs: down() as inputs see it
  PacketStore packets;
  DueCycles due;  ///< of all calendars of the switch
  PortMask links_up = ~PortMask{0};
  PortMask sending_pause = 0;  ///< ports that send PAUSE
  PortMask retry_ports = 0;
  PortMask no_take = 0;        ///< retry ports that may take no packet: the replay buffer or the SerDes lanes are not ready
  PortMask discarding = 0;     ///< retry ports that discard and give back what their link cannot take while it is down
  std::array<std::uint8_t, kMaxPorts> retry_lanes;  ///< see OutLanes; of other ports: what a retry port begins with
  PortMask plain_ports = 0;    ///< retry ports that go on without retry, of best effort
  Watchers watchers;
  Reductions* reductions = nullptr;  ///< null: no group was ever written
  RedBytes* red_bytes = nullptr;     ///< null: nobody gives or takes reduction packets
};

}  // namespace tilefly::golden
