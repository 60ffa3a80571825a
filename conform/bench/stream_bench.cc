// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/stream_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "conform/bench/drawn_frames.h"
#include "support/random.h"

namespace tilefly::conform {
namespace {

constexpr Cycle kProgressEvery = 4096;
constexpr Cycle kSettle = 1000;
constexpr std::size_t kTableSettles = 16;  // cycles
constexpr std::int64_t kStarved = 8;       // an input with less than this part of its share

}  // namespace

StreamBench::StreamBench(const Capability& capability, const Scenario& scenario, std::uint64_t seed)
    : StreamBench(capability, scenario, seed, std::make_unique<DrawnFrames>(capability, scenario, seed)) {}

StreamBench::StreamBench(const Capability& capability, const Scenario& scenario, std::uint64_t seed,
                         std::unique_ptr<FrameSource> source)
    : capability_(capability),
      scenario_(scenario),
      seed_(seed),
      source_(std::move(source)),
      books_(capability, scenario),
      parts_{Part::kTable},
      writes_(source_->Table()),
      held_(static_cast<std::size_t>(capability.ports), false),
      served_(static_cast<std::size_t>(capability.ports), 0),
      sent_before_(static_cast<std::size_t>(capability.ports), 0),
      fill_(scenario),
      shares_(capability, scenario),
      situations_(capability) {
  const auto ports = static_cast<std::size_t>(capability.ports);
  for (int port = 0; port < capability.ports; ++port) {
    senders_.emplace_back(capability, scenario, seed, port);
    receivers_.emplace_back(capability, scenario, seed, port);
  }
  inputs_.in.resize(ports);
  inputs_.out_ready.assign(ports, false);
  if (scenario.garbage) parts_.insert(parts_.end(), {Part::kGarbage, Part::kReset, Part::kTable, Part::kTable});
  parts_.push_back(Part::kTraffic);
}

Outcome StreamBench::Run(StreamDevice* device, const std::function<void(Cycle)>& progress) {
  StreamOutputs shown;
  shown.in_ready.assign(inputs_.in.size(), false);
  shown.out.resize(inputs_.in.size());
  for (Turn turn = Next(); turn != Turn::kOver; turn = Next()) {
    if (turn == Turn::kReset) {
      device->Reset();
      continue;
    }
    if (progress && now_ % kProgressEvery == 0) progress(now_);
    device->Step(inputs_, &shown);
    Judge(shown);
  }
  return Found();
}

Turn StreamBench::Next() {
  try {
    while (!breach_ && !drained_) {
      switch (parts_.front()) {
        case Part::kTable:
          if (DriveTable()) return Turn::kCycle;
          break;
        case Part::kGarbage:
          if (DriveGarbage()) return Turn::kCycle;
          break;
        case Part::kReset:
          parts_.pop_front();
          Forget();
          return Turn::kReset;
        case Part::kTraffic:
          if (DriveTraffic()) return Turn::kCycle;
      }
    }
  } catch (const Breach& breach) {
    breach_ = breach;
  }
  return Turn::kOver;
}

void StreamBench::Judge(const StreamOutputs& shown) {
  if (breach_) return;
  Digest(shown);
  drops_ = shown.drops;
  if (parts_.front() == Part::kGarbage) {
    LookAtGarbage(shown);
    return;
  }
  try {
    Look(shown);
    if (parts_.front() == Part::kTraffic) Watch(shown);
  } catch (const Breach& breach) {
    breach_ = breach;
  }
}

void StreamBench::Reject(const std::string& rule, int port, const std::string& what) {
  breach_ = Breach(rule, now_, port, what);
}

/// A cycle of the traffic, after what is due before it: false when that is a reset or a table, or the test is over.
bool StreamBench::DriveTraffic() {
  if (begin_ < 0) begin_ = moved_ = now_;
  if (!turning_) {
    if (Drained()) {
      books_.Close(now_, !capability_.flow.drops.empty(), drops_);
      drained_ = true;
      return false;
    }
    traffic_ = now_ - begin_ - drains_;
    turning_ = true;
    if (resets_ < scenario_.resets.size() && traffic_ >= scenario_.resets[resets_]) {
      ++resets_;
      writes_ = source_->Table();
      parts_.insert(parts_.begin(), {Part::kReset, Part::kTable});
      return false;
    }
  }
  if (ChangeTable()) return false;
  turning_ = false;
  if (!over_ && (traffic_ >= scenario_.traffic || source_->Exhausted())) {
    CheckService();
    over_ = true;
    window_end_ = now_;
    window_beats_ = BeatsOut() - window_beats_;
    source_->Close();
  }
  if (traffic_ == scenario_.traffic / 4) {
    window_begin_ = now_;
    window_beats_ = BeatsOut();
  }
  Drive(changes_ || !OutputBegins());
  return true;
}

/// Of outputs that all want, one after the other: no frame to the next one begins while frames to the one before are
/// inside, and the time that takes is no traffic. So an input's share follows from what the device chooses, not from
/// the queues that it had before.
bool StreamBench::OutputBegins() {
  if (over_ || scenario_.each_output == 0 || traffic_ < (output_ + 1) * PartOfOutput()) return true;
  if (!EmptyAtLast()) {
    ++drains_;
    return false;
  }
  CheckService();
  ++output_;
  source_->NextRound();
  return true;
}

/// Cycles of the traffic for each output that all want.
Cycle StreamBench::PartOfOutput() const { return scenario_.traffic / std::max(1, scenario_.each_output); }

/// Nothing is inside, or what a lossy device has dropped: that does not come.
bool StreamBench::EmptyAtLast() {
  if (capability_.flow.lossy && now_ - moved_ > capability_.claims.progress) books_.GiveUp();
  return Empty();
}

/// A table that has to change is written when nothing is inside; no frame begins before.
bool StreamBench::ChangeTable() {
  if (!changes_ && (over_ || !source_->ChangesTable(traffic_))) return false;
  changes_ = true;
  if (!EmptyAtLast()) return false;
  changes_ = false;
  writes_ = source_->TakeChange();
  parts_.push_front(Part::kTable);
  return true;
}

Outcome StreamBench::Found() const {
  Outcome outcome;
  outcome.cycle = now_;
  if (breach_) {
    outcome.breach = breach_->what();
    outcome.rule = breach_->rule();
    outcome.port = breach_->port();
    outcome.cycle = breach_->cycle();
  }
  if (drained_ && !scenario_.mask.CoversPorts()) outcome.measured = Measured();
  outcome.complete = breach_ || drained_;
  outcome.counts = books_.counts();
  for (const PortSender& sender : senders_) outcome.beats_in += sender.beats();
  outcome.beats_out = BeatsOut();
  outcome.digest = digest_;
  outcome.situations = situations_.times();
  return outcome;
}

std::int64_t StreamBench::BeatsOut() const {
  std::int64_t beats = 0;
  for (const PortReceiver& receiver : receivers_) beats += receiver.beats();
  return beats;
}

/// What the scenario measures; none: nothing came of it.
std::optional<double> StreamBench::Measured() const {
  const auto cycles = static_cast<double>(window_end_ - window_begin_);
  switch (scenario_.measure) {
    case Measure::kNone:
      break;
    case Measure::kLatency:
      if (worst_ >= 0) return static_cast<double>(worst_);
      break;
    case Measure::kThroughput:
    case Measure::kUniform:
      if (cycles > 0) return static_cast<double>(window_beats_) / (cycles * capability_.ports);
      break;
    case Measure::kFairness:
      return shares_.Fairness();
    case Measure::kClasses:
      return shares_.Classes();
  }
  return std::nullopt;
}

void StreamBench::Digest(const StreamOutputs& shown) {
  const auto add = [this](std::uint64_t value) { digest_ = Mix64(digest_ ^ value) + kGolden64; };
  for (std::size_t port = 0; port < shown.out.size(); ++port) {
    const Beat& beat = shown.out[port];
    add(std::uint64_t{shown.in_ready[port]} << 1 | std::uint64_t{beat.valid});
    if (!beat.valid) continue;
    add(beat.keep);
    add(std::uint64_t{beat.last} << 32 | beat.user);
    add(std::uint64_t{beat.dest} << 32 | beat.id);
    for (int at = 0; at < capability_.signals.data_bytes; at += 8) {
      std::uint64_t bytes = 0;
      for (int i = at; i < std::min(at + 8, capability_.signals.data_bytes); ++i) {
        if ((beat.keep >> i & 1) != 0) bytes |= std::uint64_t{beat.data[static_cast<std::size_t>(i)]} << (8 * (i - at));
      }
      add(bytes);
    }
  }
}

bool StreamBench::Empty() const {
  return books_.outstanding() == 0 &&
         std::all_of(senders_.begin(), senders_.end(), [](const PortSender& sender) { return sender.idle(); });
}

/// `holds`: no frame begins.
void StreamBench::Drive(bool holds) {
  bool free = Empty();
  for (std::size_t port = 0; port < senders_.size(); ++port) {
    senders_[port].Drive(now_, holds || !fill_.open() ? nullptr : source_.get(), free, &inputs_.in[port]);
    free = free && senders_[port].idle();
    inputs_.out_ready[port] = receivers_[port].Ready(now_, over_, fill_.shut());
  }
}

void StreamBench::Look(const StreamOutputs& shown) {
  for (std::size_t port = 0; port < senders_.size(); ++port) {
    const bool ready = shown.in_ready[port] || !capability_.flow.stops_inputs;
    if (const FramePtr frame = senders_[port].Look(now_, ready, source_.get(), &books_))
      situations_.WentIn(*frame, now_);
  }
  for (std::size_t port = 0; port < receivers_.size(); ++port) {
    const std::optional<Arrival> arrival =
        receivers_[port].Look(now_, shown.out[port], inputs_.out_ready[port], &books_);
    if (arrival) Arrived(static_cast<int>(port), *arrival);
  }
  situations_.LookAtPorts(inputs_, shown, books_);
  ++now_;
}

/// The device has to move while it can: no output is held up by the bench, and something waits.
void StreamBench::Watch(const StreamOutputs& shown) {
  bool goes_in = false;
  bool goes_out = false;  // or is held up by the bench
  bool input_waits = false;
  for (std::size_t port = 0; port < senders_.size(); ++port) {
    goes_out = goes_out || (shown.out[port].valid && inputs_.out_ready[port]) || receivers_[port].held();
    goes_in = goes_in || (inputs_.in[port].valid && !senders_[port].waits()) || senders_[port].hesitates();
    input_waits = input_waits || senders_[port].waits();
  }
  const bool moves = goes_in || goes_out;
  const bool waits = input_waits || books_.outstanding() > 0;
  if (fill_.Look(now_, goes_in, input_waits, Empty())) source_->NextRound();
  if (fill_.full()) situations_.Full();
  if (moves) moved_ = now_;
  if (!waits) idle_ = now_;
  if (scenario_.isolation && !over_) WatchIsolation();
  const Cycle still = now_ - std::max(moved_, idle_);
  if (still <= capability_.claims.progress) return;
  if (capability_.flow.lossy && !scenario_.quiet &&
      std::none_of(senders_.begin(), senders_.end(), [](const PortSender& s) { return s.waits(); }))
    return;
  if (scenario_.patient && books_.outstanding() > 0)
    throw Breach("tvalid", now_, -1,
                 fmt::format("no output shows tvalid while tready is 0, for {} cycles, and {} frames are inside: "
                             "tvalid must not wait for tready "
                             "(IHI 0051, 2.2.1)",
                             still, books_.outstanding()));
  throw Breach("progress", now_, -1,
               fmt::format("nothing moved for {} cycles (claims.progress); {} {} inside{}", still, books_.outstanding(),
                           books_.outstanding() == 1 ? "frame is" : "frames are", WhoWaits()));
}

/// ", input 1 waits for tready"; empty: none does.
std::string StreamBench::WhoWaits() const {
  for (std::size_t port = 0; port < senders_.size(); ++port) {
    if (senders_[port].waits())
      return fmt::format(", and {} waits for tready since cycle {}", senders_[port].waiting().Name(),
                         senders_[port].waits_since());
  }
  return "";
}

/// Frames to outputs that are not stopped come out in time, and go in.
void StreamBench::WatchIsolation() const {
  const int stopped = StoppedOutput(capability_, scenario_, seed_);
  const auto watched = [&](int output) { return output != stopped && !scenario_.mask.Covers("isolation", output); };
  for (int output = 0; output < capability_.ports; ++output) {
    if (!watched(output)) continue;
    const Passage* const oldest = books_.Oldest(output);
    if (oldest != nullptr && now_ - oldest->last_in > capability_.claims.progress)
      throw Breach("isolation", now_, output,
                   fmt::format("{} is in since cycle {} and does not come out while output {} is stopped",
                               oldest->frame->Name(), oldest->last_in, stopped));
  }
  for (const PortSender& sender : senders_) {
    if (!sender.waits() || !watched(sender.waiting().destination)) continue;
    if (now_ - sender.waits_since() > capability_.claims.progress)
      throw Breach("isolation", now_, sender.waiting().source,
                   fmt::format("a beat of {} is driven since cycle {}, and tready does not take it while output {} is "
                               "stopped, where no frame of this input goes",
                               sender.waiting().Name(), sender.waits_since(), stopped));
  }
}

/// Who sent had a share of what came out, in the traffic or the output's part of it.
void StreamBench::CheckService() {
  const auto served = std::exchange(served_, std::vector<std::int64_t>(served_.size(), 0));
  const std::int64_t all = std::accumulate(served.begin(), served.end(), std::int64_t{0});
  std::vector<std::size_t> sent;
  for (std::size_t port = 0; port < senders_.size(); ++port) {
    if (senders_[port].beats() > sent_before_[port] || senders_[port].waits()) sent.push_back(port);
    sent_before_[port] = senders_[port].beats();
  }
  if (!scenario_.serves_all || capability_.flow.lossy) return;
  for (const std::size_t port : sent) {
    if (kStarved * served[port] * static_cast<std::int64_t>(sent.size()) >= all) continue;
    throw Breach("starved", now_, static_cast<int>(port),
                 fmt::format("of {} beats that came out in {} cycles of traffic {} are of input {}: less than an "
                             "eighth of the share of one of {} inputs",
                             all, PartOfOutput(), served[port], port, sent.size()));
  }
}

bool StreamBench::Drained() const {
  if (!over_) return false;
  for (std::size_t port = 0; port < senders_.size(); ++port) {
    if (!senders_[port].idle() || receivers_[port].in_frame() || receivers_[port].held()) return false;
  }
  const bool complete = books_.outstanding() == 0;
  if (!complete && !(capability_.flow.lossy && !scenario_.quiet)) return false;
  // What a device invents, or sends twice, comes within this time; what a lossy one has dropped does not come.
  return now_ - moved_ > (complete ? std::min(capability_.claims.progress, kSettle) : capability_.claims.progress);
}

/// An entry a cycle, and some cycles until all are in force; false: it is written, or there is none.
bool StreamBench::DriveTable() {
  if (capability_.forwarding.by != Addressing::kTable || step_ == writes_.size() + kTableSettles) {
    step_ = 0;
    parts_.pop_front();
    return false;
  }
  const std::size_t at = step_++;
  inputs_.write = at < writes_.size() ? writes_[at] : TableWrite{};
  Drive(true);
  return true;
}

/// Frames of any content and length, some without an end; nothing that comes out is judged.
bool StreamBench::DriveGarbage() {
  if (garbage_end_ < 0) garbage_end_ = now_ + scenario_.traffic;
  if (now_ >= garbage_end_) {
    parts_.pop_front();
    return false;
  }
  const int width = capability_.signals.data_bytes;
  const std::uint64_t full = width == kMostBytes ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  for (std::size_t port = 0; port < inputs_.in.size(); ++port) {
    Stream draw(seed_, static_cast<std::uint32_t>(port), static_cast<std::uint64_t>(now_), Purpose::kFault);
    inputs_.out_ready[port] = draw.Below(4) != 0;
    Beat& beat = inputs_.in[port];
    if (held_[port]) continue;
    beat = Beat{};
    beat.valid = draw.Below(4) != 0;
    if (!beat.valid) continue;
    beat.last = draw.Below(16) == 0;
    beat.keep = capability_.signals.keep && beat.last ? (full >> draw.Below(static_cast<std::uint64_t>(width))) : full;
    beat.user = static_cast<std::uint32_t>(draw.Next() & ((std::uint64_t{1} << capability_.signals.user_bits) - 1));
    beat.dest = static_cast<std::uint32_t>(draw.Next() & ((std::uint64_t{1} << capability_.signals.dest_bits) - 1));
    draw.Fill(beat.data.data(), static_cast<std::size_t>(width));
  }
  return true;
}

void StreamBench::LookAtGarbage(const StreamOutputs& shown) {
  for (std::size_t port = 0; port < inputs_.in.size(); ++port)
    held_[port] = inputs_.in[port].valid && !(shown.in_ready[port] || !capability_.flow.stops_inputs);
  ++now_;
}

/// What was inside is gone with the reset.
void StreamBench::Forget() {
  situations_.Reset(books_.outstanding() > 0);
  books_.Forget();
  for (PortSender& sender : senders_) sender.Reset();
  for (PortReceiver& receiver : receivers_) receiver.Reset();
  std::fill(inputs_.in.begin(), inputs_.in.end(), Beat{});
  moved_ = now_;
}

void StreamBench::Arrived(int port, const Arrival& arrival) {
  const Passage& passage = arrival.passage;
  if (passage.first_in < 0) return;  // nothing is known of it
  situations_.CameOut(port, arrival);
  const auto beats = static_cast<std::int64_t>(BeatsOf(*passage.frame, capability_.signals.data_bytes));
  const bool drains = scenario_.each_output > 0 && traffic_ >= (output_ + 1) * PartOfOutput();
  if (!over_ && !drains) served_[static_cast<std::size_t>(passage.frame->source)] += beats;
  // From the cycle in which the bench drove what the device waits for, if it takes a beat a cycle.
  const Cycle begin = passage.offered + (capability_.flow.cut_through ? 0 : beats - 1);
  worst_ = std::max(worst_, arrival.first - begin);
  if (over_ || port != source_->Focus() || !InWindow()) return;
  shares_.Add(port, *passage.frame);
}

/// Shares are counted without the first quarter of the traffic, or of an output's part of it.
bool StreamBench::InWindow() const { return traffic_ % PartOfOutput() >= PartOfOutput() / 4; }

}  // namespace tilefly::conform
