// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/switch_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "cosim/device_factory.h"
#include "cosim/reduction/red_frame.h"
#include "runs/common/figures.h"
#include "runs/switch/failure_point.h"
#include "support/text.h"

namespace tilefly::runs {
namespace {

constexpr Cycle kProgressEvery = 256;

std::unique_ptr<cosim::Device> MakeNth(const RunOptions& options, std::size_t n) {
  if (options.devices.empty() || options.devices.size() > 2)
    throw UsageError("--devices: one name, or two with a comma between");
  return n < options.devices.size() ? MakeDevice(options.devices[n], *options.profile, options.device) : nullptr;
}

}  // namespace

SwitchRun::SwitchRun(const RunOptions& options) : SwitchRun(options, MakeNth(options, 0), MakeNth(options, 1)) {}

SwitchRun::SwitchRun(const RunOptions& options, std::unique_ptr<cosim::Device> a, std::unique_ptr<cosim::Device> b)
    : options_(options),
      setup_(*options.profile, options.kinds, options.lanes),
      scoreboard_(setup_),
      bins_(*options.profile),
      namer_(*options.profile),
      reduction_namer_(*options.profile),
      origins_(*options.profile),
      lockstep_(std::move(a), std::move(b)),
      fault_log_(options.fault_lines),
      held_drops_(static_cast<std::size_t>(options.profile->ports)),
      standstill_(endpoints_, options.stalls.max_cycles + (options.plan ? options.plan->retry.timer : 0)) {
  SetRetry();
  MakeSource();
  RequireWhatTellsFrames();
  if (options.reductions.groups > 0)
    reductions_ = std::make_unique<cosim::ReductionPeers>(setup_, options.reductions, options.seed, source_.get());
  if (options.outages.every > 0) MakeOutages();
  SetBegin();
  MakeEndpoints();
  source_->Begin(begin_);
  if (options.sample > 0) sampler_.emplace(begin_, options.sample, options.profile->ports, source_.get());
}

void SwitchRun::Sent(const cosim::FramePtr& frame, Cycle first, Cycle last) {
  for (FrameSink* tap : taps_) tap->Sent(frame, first, last);
  if (reductions_ && cosim::IsRed(frame->enh, frame->header)) {
    reduction_namer_.Sent(frame->source, Red::UnpackBytes(frame->bytes.data()), last);
    return;
  }
  scoreboard_.Sent(frame, first, last);
  if (sampler_ && !frame->control)
    sampler_->Sent(setup_.ClassOf(*frame), frame->source, lockstep_.cycle(), frame->slots());
}

void SwitchRun::Given(const cosim::FramePtr& frame, Cycle first) {
  for (FrameSink* tap : taps_) tap->Given(frame, first);
}

void SwitchRun::Tried(const cosim::FramePtr& frame, Cycle first) {
  for (FrameSink* tap : taps_) tap->Tried(frame, first);
}

void SwitchRun::Lost(const cosim::FramePtr& frame) {
  for (FrameSink* tap : taps_) tap->Lost(frame);
  scoreboard_.Lost(frame);
}

void SwitchRun::BrokenOff(const cosim::FramePtr& frame, Cycle first, Cycle last, int words) {
  for (FrameSink* tap : taps_) tap->BrokenOff(frame, first, last, words);
  // A part of a packet of reductions is dropped as RED where it is cut through, and as any other where it is stored.
  if (reductions_ && cosim::IsRed(frame->enh, frame->header) && setup_.mode(frame->source).cut_through) return;
  scoreboard_.BrokenOff(frame, first, last, words);
}

void SwitchRun::Received(const cosim::Reception& seen) {
  cosim::Reception reception = seen;
  reception.origin = origins_.Origin(seen.port, seen.first);
  // A packet that waits for a replay is not on its link when the record lets it be expected there.
  if (setup_.mode(seen.port).retry) reception.origin = -1;
  for (FrameSink* tap : taps_) tap->Received(reception);
  if (reductions_ && cosim::IsRed(reception.enh, reception.header)) {
    reductions_->Received(reception);
    return;
  }
  scoreboard_.Received(reception);
  if (!sampler_) return;
  const cosim::DeliveredCopy& copy = scoreboard_.latest();
  if (copy.broken_off) return;
  const auto bytes = static_cast<int>(reception.bytes.size());
  sampler_->Received(copy.tc, reception.port, lockstep_.cycle(), cosim::SlotsOf(bytes, reception.enh), bytes,
                     copy.latency);
}

Outcome SwitchRun::Run(const RunControl& control) {
  const auto started = std::chrono::steady_clock::now();
  const double cpu = CpuSeconds();
  taps_ = control.taps;
  Outcome outcome;
  const auto fail = [&](const std::string& message, Cycle cycle, int port) {
    outcome.verdict = Verdict::kFail;
    outcome.message = message;
    outcome.failed_at = cycle;
    outcome.port = port;
    outcome.point = {message, cycle, {-1, port, -1}};
  };
  try {
    outcome = Loop(control);
  } catch (cosim::DivergenceError& error) {
    Explain(&error);
    const cosim::Divergence& found = error.divergence();
    fail("first divergence: " + found.Summary(), found.cycle, found.port);
    outcome.history = found.history;
    outcome.point = PointOf(found, *options_.profile, reduction_namer_.Launch(found));
  } catch (const cosim::CheckFailure& error) {
    std::string where = fmt::format("cycle {}", error.cycle());
    if (error.port() >= 0) where += fmt::format(", port {}", error.port());
    if (error.packet() != 0) where += fmt::format(", packet {:#x}", error.packet());
    fail(fmt::format("first failure: {}: {}", where, error.what()), error.cycle(), error.port());
  } catch (const cosim::DeviceError& error) {
    fail(fmt::format("first failure: cycle {}: {}", lockstep_.cycle(), error.what()), lockstep_.cycle(), -1);
  }
  if (!traffic_over_) CountTraffic(lockstep_.cycle());
  EndSamples(outcome.verdict == Verdict::kFail);
  for (const auto& endpoint : endpoints_) bins_.AddCreditWraps(endpoint->receiver().credit_wraps());
  outcome.cpu_s = CpuSeconds() - cpu;
  outcome.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return outcome;
}

Outcome SwitchRun::Loop(const RunControl& control) {
  Outcome outcome;
  for (;;) {
    const Cycle now = lockstep_.cycle();
    if (now % kProgressEvery == 0) {
      if (control.stop != nullptr && control.stop->load()) return {Verdict::kInterrupted, "interrupted", {}, now};
      if (std::chrono::steady_clock::now() > control.deadline) return {Verdict::kTimeout, kTimeIsUp, {}, now};
      if (control.progress) control.progress(now, scoreboard_.books());
      if (StandsStill(now)) {
        return {Verdict::kNoProgress,
                fmt::format("no progress: nothing moved from cycle {} to {}, {} frames are under way{}",
                            standstill_.since(), now, scoreboard_.books().in_flight(), standstill_.PausedPorts(now)),
                {},
                now};
      }
    }
    const bool time_over = options_.max_cycles > 0 && now >= begin_ + options_.max_cycles;
    if (!traffic_over_ && (time_over || (source_->Exhausted() && !reductions_))) EndTraffic(now);
    if (traffic_over_ && Quiet(now)) break;
    RunCycle(control);
    if (const std::string why = WhyUndecided(); !why.empty()) return {Verdict::kUndecided, why, {}, now};
  }
  EndSamples(false);
  drained_ = true;
  ReadCounters(control);
  const auto& pauses = scoreboard_.books().drops[static_cast<std::size_t>(Drop::kControl)];
  std::int64_t from_switch = 0;
  for (const auto& endpoint : endpoints_) from_switch += endpoint->receiver().pauses_received();
  bins_.AddPauses(pauses, from_switch);
  const cosim::Books& books = scoreboard_.books();
  bins_.AddDrops(Drop::kNoEthHeader, books.drops[static_cast<std::size_t>(Drop::kNoEthHeader)] + books.copies_dropped);
  if (scoreboard_.books().offered == 0 && (!reductions_ || reductions_->received() == 0)) {
    const bool down = std::any_of(endpoints_.begin(), endpoints_.end(),
                                  [](const auto& endpoint) { return endpoint->retry() != nullptr && endpoint->retry()->downs() > 0; });
    const char* const remedy = source_->Left() > 0
                                   ? "the capture's frames come later: give more --max-cycles, or a faster --pace"
                               : down ? "links were down (faults.csv): let them come up earlier, or give more --max-cycles"
                                      : "give a higher --load, or more --max-cycles";
    outcome.message = fmt::format("no frame was sent: nothing was checked; {}", remedy);
  }
  if (scoreboard_.surprises() > 0 && !options_.stalls.ignore_pause) {
    outcome.message = fmt::format("{} frames were dropped without a fault (BUFFER_FULL)", scoreboard_.surprises());
  }
  if (!outcome.message.empty()) outcome.verdict = Verdict::kFail;
  return outcome;
}

void SwitchRun::RunCycle(const RunControl& control) {
  const Cycle now = lockstep_.cycle();
  lockstep_.Compare();
  const std::vector<Link>& outputs = lockstep_.Outputs();
  const cosim::Observation& observation = lockstep_.Observe();
  origins_.Sample(now, observation);
  if (sampler_) sampler_->BeginCycle(now, endpoints_, observation);
  if (reductions_ && now >= begin_) reductions_->Step(now);
  DriveLinks(now);
  std::uint64_t withholding = 0;
  heard_ = now;
  const std::uint64_t fails = lockstep_.LinkFails();
  for (std::size_t port = 0; port < endpoints_.size(); ++port) {
    cosim::Endpoint& endpoint = *endpoints_[port];
    const int lanes = lockstep_.observed() != nullptr ? observation.ports[port].pace + 1 : options_.lanes;
    endpoint.Receive(now, outputs[port], (fails >> port & 1) != 0, lanes);
    withholding |= std::uint64_t{endpoint.receiver().Withholding()} << port;
    TakeDrops(port, now, observation.ports[port]);
  }
  for (const cosim::LateDrop& drop : observation.late_drops) {
    if (!reductions_ || drop.reason != Drop::kRed) scoreboard_.Dropped(drop.port, drop.cycle, drop.reason);
  }
  bins_.Sample(observation, withholding);
  namer_.Sample(observation);
  if (reductions_) reduction_namer_.Sample(now, observation);
  DriveBus(now);
  Record(control);
  lockstep_.Step(inputs_);
}

/// The register bus has one access in each cycle; writes of the plan of faults wait for the others.
void SwitchRun::DriveBus(Cycle now) {
  inputs_.cfg = Cfg{};
  while (next_rewrite_ < options_.rewrites.size() && now >= begin_ + options_.rewrites[next_rewrite_].at) {
    const std::vector<Cfg>& writes = options_.rewrites[next_rewrite_++].writes;
    register_bus_.insert(register_bus_.end(), writes.begin(), writes.end());
  }
  if (reductions_) {
    const std::vector<Cfg> writes = reductions_->TakeRewrites();
    register_bus_.insert(register_bus_.end(), writes.begin(), writes.end());
  }
  if (!register_bus_.empty()) {
    inputs_.cfg = register_bus_.front();
    register_bus_.pop_front();
  } else if (!traffic_over_ && next_planned_ < planned_writes_.size() && now >= begin_ + planned_writes_[next_planned_].at) {
    const PlannedWrite& write = planned_writes_[next_planned_++];
    inputs_.cfg = write.write;
    fault_log_.Planned({now - begin_, write.port, "", NameOf(faults::EventKind::kTable), write.text, "plan"});
  }
}

/// The record shows the events of the previous cycle. A drop that may be of an attempt that is still coming in waits until
/// the books know the attempt.
void SwitchRun::TakeDrops(std::size_t port, Cycle now, const Portobs& observed) {
  const auto tell = [&](Cycle cycle, Drop reason) { scoreboard_.Dropped(static_cast<int>(port), cycle, reason); };
  const cosim::RetryLink* const retry = endpoints_[port]->retry();
  HeldDrops& held = held_drops_[port];
  const Cycle attempt = retry != nullptr ? retry->attempt() : -1;
  held.Release(attempt, tell);
  const auto reason = static_cast<Drop>(observed.drop_reason);
  if (!observed.drop_valid || (reductions_ && reason == Drop::kRed)) return;
  if (!held.Hold(attempt, setup_.mode(static_cast<int>(port)).cut_through, now - 1, reason)) tell(now - 1, reason);
}

/// Once a cycle: a device may fail in its step, when the cycle is recorded.
void SwitchRun::Record(const RunControl& control) {
  if (control.recorder == nullptr || recorded_ == lockstep_.cycle()) return;
  recorded_ = lockstep_.cycle();
  control.recorder->Record(lockstep_, inputs_);
}

void SwitchRun::ShowFailure(const RunControl& control, Cycle after) {
  taps_.clear();
  try {
    ShowCycle(control);
    while (--after >= 0) {
      lockstep_.Step(inputs_);
      ShowCycle(control);
    }
  } catch (const cosim::DeviceError&) {  // it goes no further
  }
}

/// The endpoints go on, whatever they think of the words.
void SwitchRun::ShowCycle(const RunControl& control) {
  const Cycle now = lockstep_.cycle();
  const auto ignoring = [](auto&& act) {
    try {
      act();
    } catch (const cosim::CheckFailure&) {
    }
  };
  if (driven_ != now) ignoring([&] { DriveLinks(now); });
  if (heard_ != now) {
    const std::vector<Link>& outputs = lockstep_.Outputs();
    for (std::size_t port = 0; port < endpoints_.size(); ++port) ignoring([&] { endpoints_[port]->Receive(now, outputs[port]); });
  }
  heard_ = now;
  Record(control);
}

void SwitchRun::DriveLinks(Cycle now) {
  driven_ = now;
  const int down = outages_ && now >= begin_ && !traffic_over_ ? outages_->At(now) : -1;
  for (std::size_t port = 0; port < endpoints_.size(); ++port) {
    cosim::Endpoint& endpoint = *endpoints_[port];
    endpoint.Want(now, static_cast<int>(port) != down);
    endpoint.Drive(now, &inputs_.links[port]);
    links_down_ += inputs_.link_up[port] && !endpoint.link_up();
    const bool comes_up = endpoint.link_up() && !inputs_.link_up[port];
    if (!endpoint.link_up()) without_route_till_[port] = now + kSeenUp;
    if (endpoint.retry() != nullptr && (comes_up || (takes_back_ && now < without_route_till_[port])))
      scoreboard_.MayBeLostAt(static_cast<int>(port));
    inputs_.link_up[port] = endpoint.link_up();
    if (reductions_ && !endpoint.link_up()) reductions_->LinkIsDown(static_cast<int>(port));
  }
}

void SwitchRun::EndTraffic(Cycle now) {
  CountTraffic(now);
  source_->Close();
  if (reductions_) reductions_->Close();
}

/// What flowed up to now is what loads and shares are of.
void SwitchRun::CountTraffic(Cycle now) {
  traffic_over_ = true;
  traffic_end_ = quiet_since_ = now;
  for (const auto& endpoint : endpoints_) {
    if (endpoint->retry() != nullptr) endpoint->retry()->EndFaults(now);
  }
  for (std::size_t port = 0; port < endpoints_.size(); ++port) {
    port_loads_.push_back({source_->OfferedSlots(static_cast<int>(port), now), endpoints_[port]->sender().slots_passed(now),
                           endpoints_[port]->receiver().slots_received()});
  }
  scoreboard_.EndTraffic();
  if (sampler_) sampler_->EndTraffic(now);
}

/// Once: what a drained switch does while its counters are read is none of the series. `failed`: within the cycle.
void SwitchRun::EndSamples(bool failed) {
  if (!sampler_ || sampler_->ended()) return;
  if (failed) {
    sampler_->End(lockstep_.cycle() + 1, endpoints_, nullptr);
  } else {
    sampler_->End(lockstep_.cycle(), endpoints_, &lockstep_.Observe());
  }
}

/// Finds out which packet a divergence is about.
void SwitchRun::Explain(cosim::DivergenceError* error) {
  cosim::Divergence& found = error->divergence();
  if (found.tile >= 0) FindTurning(*options_.profile, lockstep_.a().Observe(), lockstep_.b()->Observe(), &found);
  found.packet = namer_.Packet(found, scoreboard_);
  found.launch = reduction_namer_.Name(found);
  if (found.stage != "link" || found.port < 0) return;
  const cosim::LinkReceiver& receiver = endpoints_[static_cast<std::size_t>(found.port)]->receiver();
  if (!receiver.in_packet()) return;
  const cosim::Bytes& bytes = receiver.partial();
  if (reductions_ && receiver.receives_red() && bytes.size() >= Red::kBytes) {
    found.launch = NameOf(Red::UnpackBytes(bytes.data()));
  } else {
    found.packet = scoreboard_.PacketBeginning(found.port, bytes.data(), bytes.size());
  }
}

double SwitchRun::offered_load() const {
  double offered = 0;
  for (const PortLoad& load : port_loads_) offered += load.offered;
  return Share(offered);
}

double SwitchRun::accepted_load() const {
  std::int64_t out = 0;
  for (const PortLoad& load : port_loads_) out += load.out;
  return Share(static_cast<double>(out));
}

/// Of the word slots of all ports.
double SwitchRun::Share(double slots) const {
  const double all = traffic_slots() * static_cast<double>(endpoints_.size());
  return all > 0 ? slots / all : 0;
}

}  // namespace tilefly::runs
