// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cosim/endpoint/endpoint.h"
#include "cosim/endpoint/link_faults.h"
#include "cosim/errors.h"
#include "cosim/lockstep/bins.h"
#include "cosim/lockstep/lockstep.h"
#include "cosim/lockstep/recorder.h"
#include "cosim/reduction/reduction_peers.h"
#include "cosim/scoreboard/origin_tracker.h"
#include "cosim/scoreboard/scoreboard.h"
#include "cosim/traffic/traffic_source.h"
#include "cosim/common/story.h"
#include "golden/common/stage_times.h"
#include "runs/common/command.h"
#include "runs/switch/held_drops.h"
#include "runs/switch/packet_namer.h"
#include "runs/switch/plan_check.h"
#include "runs/switch/reduction_namer.h"
#include "runs/switch/run_options.h"
#include "runs/switch/standstill.h"
#include "runs/switch/switch_sampler.h"

namespace tilefly::runs {

/// How a run ended.
struct Outcome {
  Verdict verdict = Verdict::kPass;
  std::string message;               ///< why, when it did not pass
  std::vector<std::string> history;  ///< last events of the port concerned
  Cycle failed_at = -1;              ///< cycle of the failure
  int port = -1;
  cosim::FailurePoint point{};  ///< where waves look for it
  double cpu_s = 0;
  double wall_s = 0;
};

/// What a port had while traffic flowed, in word slots.
struct PortLoad {
  double offered = 0;    ///< of the frames that arrived at its endpoint
  std::int64_t in = 0;   ///< of what the endpoint put on `link_i`
  std::int64_t out = 0;  ///< of the packets that the endpoint has received whole
};

/// What ends a run early and who watches it.
struct RunControl {
  const std::atomic<bool>* stop = nullptr;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::function<void(Cycle, const cosim::Books&)> progress;  ///< called now and then
  cosim::Recorder* recorder = nullptr;
  std::vector<cosim::FrameSink*> taps;  ///< see every frame sent and received
};

/// One run: devices under test, an endpoint at every port, a traffic source, the scoreboard. It configures the switch
/// over the register bus, lets traffic flow for `max_cycles`, drains, reads and compares all counters, and closes the
/// books.
class SwitchRun final : private cosim::FrameSink {
 public:
  /// Throws UsageError for options that do not fit together.
  explicit SwitchRun(const RunOptions& options);
  /// The same with given devices (`b` may be null).
  SwitchRun(const RunOptions& options, std::unique_ptr<cosim::Device> a, std::unique_ptr<cosim::Device> b);

  Outcome Run(const RunControl& control);
  /// After a failure: shows the recorder its cycle and `after` more, as far as the devices go on. Nothing is compared
  /// or checked any more, and what is counted in them is of no account: take results before.
  void ShowFailure(const RunControl& control, Cycle after);

  const RunOptions& options() const { return options_; }
  const cosim::SwitchSetup& setup() const { return setup_; }
  const cosim::TrafficSource& source() const { return *source_; }
  const cosim::Scoreboard& scoreboard() const { return scoreboard_; }
  /// Tells `sink` what becomes of each frame; before Run.
  void TellFates(cosim::FateSink* sink) { scoreboard_.TellFates(sink); }
  const cosim::Bins& bins() const { return bins_; }
  cosim::Lockstep& lockstep() { return lockstep_; }
  const std::vector<std::unique_ptr<cosim::Endpoint>>& endpoints() const { return endpoints_; }
  /// Null without reductions.
  const cosim::ReductionPeers* reductions() const { return reductions_.get(); }
  const std::optional<cosim::Capture>& capture_summary() const { return capture_; }
  Cycle traffic_begin() const { return begin_; }
  /// What went wrong on links with retry.
  const cosim::FaultLog& fault_log() const { return fault_log_; }
  /// 0 for a run that ended before.
  Cycle traffic_cycles() const { return std::max<Cycle>(0, traffic_end_ - begin_); }
  /// A capture without its pace has no offered load; `offered_load` is what the links took then.
  bool has_offered_load() const { return source_->HasLoad(); }
  /// Frames of the capture, of all repetitions, that no link took.
  std::int64_t frames_left() const { return source_->Left(); }
  /// Times that a link went down.
  std::int64_t links_down() const { return links_down_; }
  /// Shares of the word slots while traffic flowed.
  double offered_load() const;
  double accepted_load() const;
  /// Word slots of a port while traffic flowed; not above 0: the run ended before.
  double traffic_slots() const { return static_cast<double>(traffic_cycles()) * options_.lanes / 4; }
  const std::vector<PortLoad>& port_loads() const { return port_loads_; }
  /// Time series, null when none are kept.
  const SwitchSampler* sampler() const { return sampler_ ? &*sampler_ : nullptr; }
  /// Counters were read: the run came to its end.
  bool drained() const { return drained_; }

 private:
  /// After the last access of the register bus every table stands, and every answer has come. A bound of its own.
  static constexpr Cycle kRegisterLatency = 16;
  static_assert(kRegisterLatency > golden::kAnswerLatency);
  /// Idle cycles after which nothing is under way. A bound of its own: acks and credit returns may follow what has come
  /// out, and drops are still to be counted; none of it takes longer than a quiet hop, and a return may wait for those
  /// of all other lanes.
  static constexpr Cycle kSettle = 128;
  static_assert(kSettle > golden::kQuietHop + golden::kMaxLanes);
  /// The same where packets may be lost: longer than a packet waits for lost credits, so that one that is not lost comes.
  static constexpr Cycle kSettleUncertain = 4096;

  void Sent(const cosim::FramePtr& frame, Cycle first, Cycle last) override;
  void Received(const cosim::Reception& seen) override;
  void BrokenOff(const cosim::FramePtr& frame, Cycle first, Cycle last, int words) override;
  void Lost(const cosim::FramePtr& frame) override;
  void Given(const cosim::FramePtr& frame, Cycle first) override;
  void Tried(const cosim::FramePtr& frame, Cycle first) override;

  void MakeSource();
  void SetRetry();
  void SetFlows();
  void SetBegin();
  void MakeEndpoints();
  void MakeOutages();
  void RequireWhatTellsFrames() const;
  Outcome Loop(const RunControl& control);
  void RunCycle(const RunControl& control);
  void ShowCycle(const RunControl& control);
  void DriveLinks(Cycle now);
  void TakeDrops(std::size_t port, Cycle now, const Portobs& observed);
  void Record(const RunControl& control);
  void DriveBus(Cycle now);
  void EndTraffic(Cycle now);
  void CountTraffic(Cycle now);
  bool Quiet(Cycle now);
  bool StandsStill(Cycle now);
  std::string WhyUndecided() const;
  void ReadCounters(const RunControl& control);
  void EndSamples(bool failed);
  void CheckPauses(const std::vector<std::int64_t>& before) const;
  std::int64_t Refused();
  cosim::LostBounds LostBoundsOf(int port);
  double Share(double slots) const;
  void Explain(cosim::DivergenceError* error);

  RunOptions options_;
  cosim::SwitchSetup setup_;
  std::optional<cosim::Capture> capture_;  ///< without its frames: what the file was like
  std::unique_ptr<cosim::TrafficSource> source_;
  std::unique_ptr<cosim::ReductionPeers> reductions_;
  std::unique_ptr<cosim::LinkOutages> outages_;  ///< null without
  cosim::Scoreboard scoreboard_;
  cosim::Bins bins_;
  PacketNamer namer_;
  ReductionNamer reduction_namer_;
  cosim::OriginTracker origins_;
  cosim::Lockstep lockstep_;
  cosim::FaultLog fault_log_;
  cosim::LinkFaultSetup faults_;
  cosim::LinkSetup link_;
  std::vector<std::unique_ptr<cosim::Endpoint>> endpoints_;
  std::vector<HeldDrops> held_drops_;  ///< by port
  Standstill standstill_;
  cosim::Device::Inputs inputs_;
  std::deque<Cfg> register_bus_;
  std::size_t next_rewrite_ = 0;
  std::vector<PlannedWrite> planned_writes_;  ///< of the plan of faults, by time
  std::size_t next_planned_ = 0;
  std::vector<FrameSink*> taps_;
  Cycle begin_ = 0;
  Cycle traffic_end_ = 0;
  bool traffic_over_ = false;
  bool drained_ = false;
  std::vector<PortLoad> port_loads_;
  std::optional<SwitchSampler> sampler_;
  std::int64_t links_down_ = 0;
  /// Packets that are on the books so many cycles after a link came up have found it up: two epochs of the load ring, and the
  /// way of the longest packet from its first word, on one SerDes lane, to its place in a queue.
  static constexpr Cycle kSeenUp = 700;
  bool takes_back_ = false;  ///< ports whose link is down get no packets (LINK_DOWN_BEHAVIOR is not block)
  std::array<Cycle, golden::kMaxPorts> without_route_till_{};
  Cycle recorded_ = -1;      ///< last cycle that the recorder was given
  Cycle heard_ = -1;         ///< last cycle whose words the endpoints got
  Cycle driven_ = -1;        ///< last cycle whose inputs stand
  Cycle quiet_since_ = 0;  ///< nothing is under way
};

}  // namespace tilefly::runs
