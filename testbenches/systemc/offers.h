// SPDX-License-Identifier: Apache-2.0
// What both descriptions of a switch get, and what they make of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generated/wire.h"
#include "golden/common/header_bits.h"
#include "golden/common/types.h"
#include "golden/credit/credit_sender.h"
#include "golden/flows/flow_pause.h"
#include "golden/scheduler/schedulers.h"
#include "testbenches/systemc/frames.h"

namespace tilefly::systemc {

/// A switch and its surroundings.
struct ContractSetup {
  /// All ports enabled, cut through, credits, with header, four lanes, edges of the ack network; they flood to all.
  explicit ContractSetup(const Profile& profile);

  /// A register write before the traffic.
  void Write(int port, CfgSpace space, int index, std::uint64_t data);
  /// What the registers give to the lanes of port 0, which the other ports are to have, too.
  golden::CreditTable credit() const;

  const Profile profile;
  golden::SchedulerChoice scheduler;
  std::vector<Cfg> writes;          ///< in bus cycle 0
  std::vector<std::pair<Cycle, Cfg>> later;  ///< and in these bus cycles, ascending
  std::vector<Cycle> samples;       ///< cycles before whose events the groups' STATUS is read, ascending
  golden::PortMask answering = 0;   ///< ports whose partner is a switch: it acknowledges what it gets
  golden::PortMask standard = 0;    ///< ports of standard Ethernet: bare frames, no credits
  bool open = true;                 ///< partners send every other bare frame open
  std::optional<std::uint32_t> changed;  ///< planted fault: the packet whose frame arrives with a bit changed
};

/// The ack that the partner of an answering port gives for what left with this header, `kAnswerCycles` after its first
/// word. Mark and share follow from `id`.
tilefly::Ack AnswerTo(const golden::HeaderBits& header, std::uint32_t id);
inline constexpr Cycle kAnswerCycles = 60;
/// Of every link.
inline constexpr int kLanes = 4;

/// A packet that is to be sent: as soon as its time has come, the link is free and there is credit.
struct Offer {
  std::uint32_t id;           ///< its own
  Cycle at;
  golden::HeaderBits header;  ///< kind ENH_ETH; lane, class, destination, length
  bool bad = false;
  FramePointer bare;          ///< of a bare frame, which has no header
};

/// Offers of each port, in order of time.
using Offers = std::vector<std::vector<Offer>>;

struct TrafficOptions {
  double load = 0.5;               ///< share of word slots
  std::vector<int> sizes = {64};   ///< bytes, equally often
  int classes = 1;                 ///< 0 .. classes - 1, equally often; each on the lane of its number
  std::string pattern = "uniform"; ///< see Pattern
  double replicated = 0;           ///< share of the packets
  double bad = 0;                  ///< share of the packets
  golden::PortMask standard = 0;   ///< ports that send bare frames: tagged, some to unknown addresses
  double pauses = 0;               ///< share of the bare frames after which the partner sends a PAUSE of all or of some classes
  int most_quanta = 500;           ///< of those
  double routed = 0;               ///< share of the packets that go to other groups of a system, in all modes
  Cycle cycles = 20000;            ///< in which packets are offered
  std::uint64_t seed = 1;
};

/// Bernoulli arrivals at every port of a switch.
Offers MakeOffers(int ports, const TrafficOptions& options);
/// Groups of that system, the switch's own included.
inline constexpr int kGroups = 8;

/// A packet that left.
struct Delivery {
  std::uint32_t id;
  std::uint8_t port;
  Cycle first_word;
  golden::HeaderBits header;
  int length;  ///< bytes of the frame on the link
  bool bad;
  std::uint64_t content;  ///< ContentOf the frame
};

/// A PAUSE frame that the switch sent.
struct Told {
  std::uint8_t port;
  Cycle first_word;
  std::uint16_t quanta;
};

/// A pause for one flow that the switch sent.
struct FlowTold {
  std::uint8_t port;
  Cycle wire;
  golden::FlowPause pause;
};

/// What came of the offers.
struct Outcome {
  std::vector<Delivery> deliveries;                   ///< in order of each port
  std::vector<Told> pauses;                           ///< likewise
  std::vector<FlowTold> flow_pauses;                  ///< likewise
  std::vector<std::vector<std::uint64_t>> counters;   ///< of each port, after the drain
  std::vector<std::vector<tilefly::Ack>> acks;        ///< of each port: the acks that came back
  std::vector<std::uint64_t> statuses;                ///< of all groups, of each sample
  Cycle end = 0;                                      ///< cycle of the last delivery
  bool drained = false;                               ///< nothing is left inside, all credits are home
};

}  // namespace tilefly::systemc
