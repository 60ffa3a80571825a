// SPDX-License-Identifier: Apache-2.0
// The journeys of chosen packets through the switch of a run, as its links and its observation record show them. This
// works for any device (docs/cosimulation.md, Journeys).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "cosim/endpoint/endpoint.h"
#include "cosim/journeys/flow_holds.h"
#include "cosim/journeys/link_holds.h"
#include "cosim/journeys/output_waits.h"
#include "cosim/journeys/request_crossing.h"
#include "cosim/lockstep/recorder.h"
#include "cosim/scoreboard/scoreboard.h"
#include "cosim/waves/packet_stages.h"
#include "network/journeys.h"

namespace tilefly::cosim {

/// The way of a packet, or of one of its copies. Cycles are cycles of the run, as events; -1: the packet did not come
/// so far. On a link with retry the way is that of the attempt that the far end accepted.
struct SwitchJourney {
  /// What became of a packet that is on no drop counter of its own.
  enum class Lost { kNo, kWithLink, kWithLinkOrNoRoute };

  bool delivered() const { return first_out >= 0; }
  bool dropped() const { return drop != Drop::kNone || lost != Lost::kNo; }
  Cycle latency() const { return first_out - first; }
  /// The word that sets the packet off: the first of one that is cut through, else the last.
  Cycle trigger() const { return cut_through ? first : last; }

  int source = 0;           ///< port whose endpoint sends it
  std::int64_t number = 0;  ///< number of the packet among those that the endpoint sends, from 1
  int tc = 0;
  int bytes = 0;
  int lane = 0;  ///< lane on which the packet comes in
  bool cut_through = false;
  bool credits = false;  ///< its sender waits for credits; else for the end of a PAUSE
  Cycle created = -1;  ///< its time came
  StartWait waited;    ///< at its sender
  Cycle sent = -1;     ///< its sender starts it, with retry into the replay buffer
  Cycle tried = -1;    ///< with retry: the first word of its first attempt is at `link_i`, unless the wire loses it
  Cycle first = -1;    ///< its first word is on `link_i`
  Cycle last = -1;     ///< its last one is
  Cycle throttled = 0;       ///< a flow channel holds it
  Cycle earliest_pick = -1;  ///< of one cut through: so late that its words come in time
  PacketWay way;       ///< as the record shows it, an event a cycle later; output -1: not known
  Cycle first_out = -1;     ///< its first word is on `link_o`, of the first attempt
  Cycle accepted_out = -1;  ///< the same of the attempt that the far end accepted
  Cycle last_out = -1;
  Drop drop = Drop::kNone;
  Lost lost = Lost::kNo;
};

class SwitchJourneys final : public Recorder, public FrameSink, private FateSink, private WaySink {
 public:
  /// The run to follow, and its parts. All of them must outlive this object.
  struct Run {
    const SwitchSetup* setup;
    const std::vector<std::unique_ptr<Endpoint>>* endpoints;
    bool reductions;
    int link_delay;
  };

  /// `choice`: packets of ports by number, and how many of the packets with the largest latencies.
  SwitchJourneys(const network::JourneyChoice& choice, const Run& run);

  /// The sink that the run's scoreboard has to tell.
  FateSink* fates() { return this; }
  /// Passes on what is recorded to `recorder` too; it may be null.
  void PassOn(Recorder* recorder) { recorder_ = recorder; }
  void Record(Lockstep& devices, const Device::Inputs& inputs) override;
  void Sent(const FramePtr& frame, Cycle first, Cycle last) override;
  void Received(const Reception&) override {}
  void Given(const FramePtr& frame, Cycle first) override;
  void Tried(const FramePtr& frame, Cycle first) override;
  void BrokenOff(const FramePtr& frame, Cycle first, Cycle last, int words) override;
  void Lost(const FramePtr& frame) override;

  /// The chosen packets: first those chosen by number, each with its copies by output; then the slowest. A packet that
  /// was chosen by number may not have come out.
  std::vector<SwitchJourney> Chosen() const;
  /// Number of packets that the port's endpoint has sent.
  std::int64_t SentBy(int port) const { return sent_[static_cast<std::size_t>(port)]; }

 private:
  /// A packet of which a copy is still to come out.
  struct Inside {
    SwitchJourney journey;
    std::uint64_t outputs;  ///< of those copies
    int lane;               ///< on which they leave
  };

  void Offered(const Frame& frame, const SwitchSetup::Fate& fate, int lane, Cycle first, Cycle last) override;
  void CameOut(const Frame& frame, int lane, const Reception& reception, bool done) override;
  void Dropped(const Frame& frame, Drop reason) override;
  void LostWithLink(const Frame& frame, int port, bool done) override;
  void BrokenCameOut(int lane, const Reception& reception) override;
  void Reached(const std::shared_ptr<PacketWay>& way, Stage stage) override;

  bool Counts(const Frame& frame) const;
  SwitchJourney Begin(const Frame& frame, Cycle first);
  void SeeLinks(const Device::Inputs& inputs);
  void ForgetHolds();
  std::shared_ptr<PacketWay> Claim(const Reception& reception, int lane);
  bool IsNumbered(const SwitchJourney& journey) const;
  void Keep(const SwitchJourney& journey);
  void AddInside(const Inside& inside, std::vector<SwitchJourney>* journeys) const;

  const network::JourneyChoice choice_;
  const Run run_;
  Recorder* recorder_ = nullptr;
  PacketStages stages_;
  OutputWaits waits_;
  LinkHolds holds_;
  FlowHolds flows_;
  RequestCrossing crossing_;
  Cycle now_ = 0;                                        ///< whose record is sampled
  std::vector<std::int64_t> sent_;                       ///< by port
  std::unordered_map<std::uint64_t, SwitchJourney> given_;  ///< by frame: on links with retry, not accepted by the switch
  std::unordered_map<std::uint64_t, Inside> inside_;        ///< by frame
  std::vector<bool> up_;                                    ///< by port: the link, in the cycle before
  bool in_order_;  ///< the n-th packet inside of a flow is the n-th request of its queue
  std::vector<std::deque<std::shared_ptr<PacketWay>>> out_;  ///< by output: taken, not received
  std::vector<SwitchJourney> numbered_;
  std::vector<SwitchJourney> slowest_;  ///< a heap, the fastest of them first
};

}  // namespace tilefly::cosim
