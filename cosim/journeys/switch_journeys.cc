// SPDX-License-Identifier: Apache-2.0
#include "cosim/journeys/switch_journeys.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "cosim/reduction/red_frame.h"
#include "golden/common/stage_times.h"
#include "golden/ingress/cut_through.h"
#include "support/keep_first.h"

namespace tilefly::cosim {
namespace {

/// The slower first; of equally slow ones the one with the smaller source, number and output.
bool IsSlower(const SwitchJourney& a, const SwitchJourney& b) {
  return std::make_tuple(-a.latency(), a.source, a.number, a.way.output) <
         std::make_tuple(-b.latency(), b.source, b.number, b.way.output);
}

bool HasLossyClass(const SwitchSetup& setup) {
  if (!setup.classes()) return false;
  const auto& classes = setup.classes()->table().classes;
  return std::any_of(classes.begin(), classes.end(), [](const auto& one) { return one.lossy; });
}

/// Since `before` was written into `counts`.
OutputWaits::Counts Since(const PacketWay::Reckoned& before, const OutputWaits::Counts& counts) {
  return {counts.down - before.down, counts.no_room - before.no_room, counts.no_credit - before.no_credit};
}

}  // namespace

SwitchJourneys::SwitchJourneys(const network::JourneyChoice& choice, const Run& run)
    : choice_(choice),
      run_(run),
      stages_(run.setup->profile(), this),
      waits_(*run.setup),
      holds_(run.setup->profile()),
      flows_(run.setup->profile().ports),
      crossing_(run.setup->profile(), run.reductions),
      sent_(static_cast<std::size_t>(run.setup->profile().ports)),
      up_(sent_.size(), true),
      in_order_(!run.reductions && !HasLossyClass(*run.setup)),
      out_(sent_.size()) {}

/// Whether the frame counts among those that its port's endpoint sends.
bool SwitchJourneys::Counts(const Frame& frame) const {
  return !frame.control && !(run_.reductions && IsRed(frame.enh, frame.header));
}

void SwitchJourneys::Sent(const FramePtr& frame, Cycle, Cycle last) { waits_.Sent(*frame, last); }

void SwitchJourneys::Given(const FramePtr& frame, Cycle first) {
  if (Counts(*frame)) given_.emplace(frame->id, Begin(*frame, first));
}

void SwitchJourneys::Tried(const FramePtr& frame, Cycle first) {
  if (const auto found = given_.find(frame->id); found != given_.end()) found->second.tried = first;
}

/// A copy of the attempt requests as a packet does.
void SwitchJourneys::BrokenOff(const FramePtr& frame, Cycle, Cycle, int) {
  if (run_.setup->mode(frame->source).cut_through) in_order_ = false;
}

void SwitchJourneys::Lost(const FramePtr& frame) {
  const auto found = given_.find(frame->id);
  if (found == given_.end()) return;
  found->second.lost = SwitchJourney::Lost::kWithLink;
  if (IsNumbered(found->second)) numbered_.push_back(found->second);
  given_.erase(found);
}

void SwitchJourneys::Record(Lockstep& devices, const Device::Inputs& inputs) {
  now_ = devices.cycle();
  const Observation& observation = devices.Observe();
  waits_.Sample(now_, {observation, devices.Outputs(), inputs});
  holds_.Sample(now_, observation);
  flows_.Sample(now_, observation);
  stages_.Sample(now_, observation);
  crossing_.Sample(now_, observation, [this](const std::shared_ptr<PacketWay>& way) {
    const OutputWaits::Counts counts = waits_.Of(way->output, way->lane);
    way->reckoned = {now_ - 1, counts.down, counts.no_room, counts.no_credit};
  });
  SeeLinks(inputs);
  ForgetHolds();
  if (recorder_ != nullptr) recorder_->Record(devices, inputs);
}

/// What was on a link with retry that went down has come by the time it comes up, or is lost.
void SwitchJourneys::SeeLinks(const Device::Inputs& inputs) {
  for (std::size_t port = 0; port < up_.size(); ++port) {
    if (inputs.link_up[port] == up_[port]) continue;
    up_[port] = inputs.link_up[port];
    if (!run_.setup->mode(static_cast<int>(port)).retry) continue;
    if (up_[port]) out_[port].clear();
    else if (!inside_.empty()) in_order_ = false;
  }
}

/// Of flow channels, for packets that are not inside any more. An attempt that comes in may have been held already.
void SwitchJourneys::ForgetHolds() {
  constexpr Cycle kEvery = 4096;
  if (now_ % kEvery != 0) return;
  std::vector<Cycle> oldest(sent_.size(), now_ - kEvery);
  for (const auto& entry : inside_) {
    Cycle& of_port = oldest[static_cast<std::size_t>(entry.second.journey.source)];
    of_port = std::min(of_port, entry.second.journey.trigger());
  }
  for (std::size_t port = 0; port < oldest.size(); ++port) flows_.Forget(static_cast<int>(port), oldest[port]);
}

void SwitchJourneys::Reached(const std::shared_ptr<PacketWay>& way, Stage stage) {
  PacketWay::Reckoned& reckoned = way->reckoned;
  if (stage == Stage::kRequest) {
    crossing_.Leave(way);
  } else if (stage == Stage::kGrant) {
    const OutputWaits::Counts waits = Since(reckoned, waits_.Of(way->output, way->lane));
    crossing_.Grant(way->output, way->cells);
    // A grant that came before the request may be there, or at an output whose load is another: nothing is known.
    reckoned = reckoned.stored < 0 || !crossing_.Holds(way->output)
                   ? PacketWay::Reckoned{}
                   : PacketWay::Reckoned{reckoned.stored, waits.down, waits.no_room, waits.no_credit};
  } else if (stage == Stage::kFirstCell) {
    reckoned.take.down = waits_.Of(way->output, way->lane).down;
  } else if (stage == Stage::kTake) {
    reckoned.take.down = waits_.Of(way->output, way->lane).down - reckoned.take.down;
    reckoned.take.retry = holds_.Before(way->output, way->At(Stage::kFirstCell) - 1);
    waits_.Taken(way->output, way->lane, way->cells, way->lost);
  } else if (stage == Stage::kLinkOut) {
    out_[static_cast<std::size_t>(way->output)].push_back(way);
  }
}

/// The next frame that the endpoint of its port starts; without anything on the link before it, its first word is at the
/// switch in cycle `first`.
SwitchJourney SwitchJourneys::Begin(const Frame& frame, Cycle first) {
  const LinkSender& sender = (*run_.endpoints)[static_cast<std::size_t>(frame.source)]->sender();
  SwitchJourney journey;
  journey.source = frame.source;
  journey.number = ++sent_[static_cast<std::size_t>(frame.source)];
  journey.tc = run_.setup->ClassOf(frame);
  journey.bytes = static_cast<int>(frame.bytes.size());
  journey.lane = frame.enh ? frame.header.vl : 0;
  journey.cut_through = frame.enh && run_.setup->mode(frame.source).cut_through;
  journey.credits = sender.uses_credits();
  journey.waited = sender.waited();
  journey.created = frame.created >= 0 ? frame.created : journey.waited.taken;
  journey.sent = first - run_.link_delay;
  journey.way.output = -1;
  journey.way.at.fill(-1);
  return journey;
}

void SwitchJourneys::Offered(const Frame& frame, const SwitchSetup::Fate& fate, int lane, Cycle first, Cycle last) {
  const auto given = given_.find(frame.id);
  Inside inside{given != given_.end() ? given->second : Begin(frame, first), fate.outputs, lane};
  if (given != given_.end()) given_.erase(given);
  SwitchJourney& journey = inside.journey;
  journey.tc = fate.tc;
  journey.first = first;
  journey.last = last;
  if (journey.cut_through) {
    const RetryLink* const retry = (*run_.endpoints)[static_cast<std::size_t>(frame.source)]->retry();
    const int lanes = retry != nullptr ? retry->attempt_lanes() : run_.setup->mode(frame.source).lanes;
    journey.earliest_pick = first + golden::StartOffset(frame.header.len, lanes) - golden::kPickToLeave;
  }
  // Which of several ports it takes, whether an output refuses its copy without a word, and whether a flow channel holds it,
  // shows later.
  if (fate.one_of || fate.refused != 0 || run_.setup->mode(frame.source).flows) in_order_ = false;
  inside_.emplace(frame.id, std::move(inside));
}

/// The way that ends with what was received, which left on lane `lane`; null: the record shows none.
std::shared_ptr<PacketWay> SwitchJourneys::Claim(const Reception& reception, int lane) {
  auto& out = out_[static_cast<std::size_t>(reception.port)];
  // What was taken and has no words, and what is on no books, is passed over.
  while (!out.empty() && out.front()->At(Stage::kLinkOut) < reception.first) out.pop_front();
  if (out.empty() || out.front()->At(Stage::kLinkOut) != reception.first) return nullptr;
  const std::shared_ptr<PacketWay> way = out.front();
  out.pop_front();
  if (way->lane != lane) stages_.TakePlaceOf(way.get(), lane);
  return way;
}

void SwitchJourneys::CameOut(const Frame& frame, int lane, const Reception& reception, bool done) {
  const auto found = inside_.find(frame.id);
  if (found == inside_.end()) return;  // sent before somebody wanted to know
  SwitchJourney journey = found->second.journey;
  if (const std::shared_ptr<PacketWay> way = Claim(reception, lane)) journey.way = *way;
  journey.throttled = flows_.Of(journey.source, journey.trigger());
  journey.way.output = reception.port;
  journey.way.lane = lane;
  journey.first_out = reception.first;
  journey.accepted_out = reception.accepted;
  journey.last_out = reception.last;
  Keep(journey);
  found->second.outputs &= ~(std::uint64_t{1} << reception.port);
  if (done) inside_.erase(found);
}

void SwitchJourneys::Dropped(const Frame& frame, Drop reason) {
  const auto found = inside_.find(frame.id);
  if (found == inside_.end()) return;
  if (IsNumbered(found->second.journey)) {
    numbered_.push_back(found->second.journey);
    numbered_.back().drop = reason;
  }
  inside_.erase(found);
}

/// Which of the recorded stages were those of the copy is not known.
void SwitchJourneys::LostWithLink(const Frame& frame, int port, bool done) {
  const auto found = inside_.find(frame.id);
  if (found == inside_.end()) return;
  Inside& inside = found->second;
  if (IsNumbered(inside.journey)) {
    const bool blocks = run_.setup->retry_register().down == faults::kBlock;
    numbered_.push_back(inside.journey);
    numbered_.back().lost = blocks ? SwitchJourney::Lost::kWithLink : SwitchJourney::Lost::kWithLinkOrNoRoute;
    numbered_.back().way.output = port;
    numbered_.back().way.lane = inside.lane;
  }
  if (port >= 0) inside.outputs &= ~(std::uint64_t{1} << port);
  if (done) inside_.erase(found);
}

/// Nobody follows it, but it may have the stages of another packet.
void SwitchJourneys::BrokenCameOut(int lane, const Reception& reception) { Claim(reception, lane); }

bool SwitchJourneys::IsNumbered(const SwitchJourney& journey) const {
  return std::any_of(choice_.packets.begin(), choice_.packets.end(), [&](const auto& one) {
    return one.endpoint == journey.source && one.number == journey.number;
  });
}

void SwitchJourneys::Keep(const SwitchJourney& journey) {
  if (IsNumbered(journey)) numbered_.push_back(journey);
  KeepFirst(journey, static_cast<std::size_t>(choice_.slowest), IsSlower, &slowest_);
}

/// Copies that are still inside, each with the stages that it has reached, as far as it is known which they are.
void SwitchJourneys::AddInside(const Inside& inside, std::vector<SwitchJourney>* journeys) const {
  SwitchJourney journey = inside.journey;
  if (now_ < journey.first) journey.first = -1;  // its first word is on its way to the switch
  journey.throttled = flows_.Of(journey.source, journey.trigger());
  if (!in_order_ || inside.outputs == 0) {
    journeys->push_back(journey);
    return;
  }
  for (std::uint64_t left = inside.outputs; left != 0; left &= left - 1) {
    const int output = __builtin_ctzll(left);
    const auto before = std::count_if(inside_.begin(), inside_.end(), [&](const auto& other) {
      const Inside& one = other.second;
      return one.journey.source == journey.source && one.lane == inside.lane && (one.outputs >> output & 1) != 0 &&
             one.journey.number < journey.number;
    });
    std::vector<std::shared_ptr<PacketWay>> ways;  // those on the link were requested first
    for (const auto& way : out_[static_cast<std::size_t>(output)]) {
      if (way->input == journey.source && way->lane == inside.lane) ways.push_back(way);
    }
    const auto behind = stages_.UnderWay({journey.source, output, inside.lane});
    ways.insert(ways.end(), behind.begin(), behind.end());
    journeys->push_back(journey);
    if (before < static_cast<std::ptrdiff_t>(ways.size())) journeys->back().way = *ways[static_cast<std::size_t>(before)];
    journeys->back().way.output = output;
    journeys->back().way.lane = inside.lane;
  }
}

std::vector<SwitchJourney> SwitchJourneys::Chosen() const {
  std::vector<SwitchJourney> chosen = numbered_;
  for (const auto& entry : inside_) {
    if (IsNumbered(entry.second.journey)) AddInside(entry.second, &chosen);
  }
  for (const auto& entry : given_) {
    if (IsNumbered(entry.second)) chosen.push_back(entry.second);
  }
  std::sort(chosen.begin(), chosen.end(), [](const SwitchJourney& a, const SwitchJourney& b) {
    return std::tie(a.source, a.number, a.way.output) < std::tie(b.source, b.number, b.way.output);
  });
  std::vector<SwitchJourney> slowest = slowest_;
  std::sort(slowest.begin(), slowest.end(), IsSlower);
  std::copy_if(slowest.begin(), slowest.end(), std::back_inserter(chosen),
               [this](const SwitchJourney& journey) { return !IsNumbered(journey); });
  return chosen;
}

}  // namespace tilefly::cosim
