// SPDX-License-Identifier: Apache-2.0
#include "network/journeys.h"

#include <algorithm>
#include <tuple>

#include "golden/common/stage_times.h"
#include "golden/ingress/transfer.h"
#include "network/traffic.h"
#include "support/keep_first.h"

namespace tilefly::network {
namespace {

/// The slower first; of equally slow ones the one with the smaller source and number.
bool Slower(const Journey& a, const Journey& b) {
  return std::make_tuple(-a.latency(), a.record.source, a.number) <
         std::make_tuple(-b.latency(), b.record.source, b.number);
}

bool IsNumbered(const JourneyChoice& choice, const Journey& journey) {
  return std::any_of(choice.packets.begin(), choice.packets.end(), [&](const JourneyChoice::Numbered& one) {
    return one.endpoint == journey.record.source && one.number == journey.number;
  });
}

}  // namespace

/// In one switch.
class Journeys::NodeProbe final : public golden::StageProbe {
 public:
  NodeProbe(System* system, const golden::LinkStatistics* statistics) : system_(system), statistics_(statistics) {}

  void Reached(golden::Stage stage, Cycle now, const golden::Packet& packet) override {
    JourneyHop& hop = system_->inside[packet.payload].hops.back();
    hop.stages[static_cast<std::size_t>(stage)] = now;
    if (stage == golden::Stage::kQueued) {
      hop.out_port = packet.output;
      hop.lane = packet.vl;
      hop.decided = packet.decided;
      hop.nonminimal = packet.nonminimal;
      if (packet.cut_through) hop.earliest_pick = packet.when - golden::kPickToLeave;
    } else if (stage == golden::Stage::kStored) {
      hop.waits = statistics_->WaitsOf(packet.output, packet.vl, now + 1);
    } else if (stage == golden::Stage::kGranted) {
      const golden::LinkStatistics::Waits until = statistics_->WaitsOf(packet.output, packet.vl, now);
      hop.waits = {until.no_credit - hop.waits.no_credit, until.no_room - hop.waits.no_room};
    }
  }

 private:
  System* system_;
  const golden::LinkStatistics* statistics_;
};

Journeys::System::System(int nodes, int endpoints) : sources(endpoints), probes(nodes) {}
Journeys::System::~System() = default;

Journeys::Journeys(const JourneyChoice& choice, const Measured& measured, int nodes, int endpoints, int lanes)
    : choice_(choice), measured_(measured), lanes_(lanes), system_(std::make_shared<System>(nodes, endpoints)) {}

Journeys::Journeys(const Journeys* first)
    : choice_(first->choice_), measured_(first->measured_), lanes_(first->lanes_), system_(first->system_) {}

golden::StageProbe* Journeys::ProbeOf(int node, const golden::LinkStatistics* statistics) {
  system_->probes[node] = std::make_unique<NodeProbe>(system_.get(), statistics);
  return system_->probes[node].get();
}

void Journeys::Start(golden::Payload payload, const PacketRecord& record, const golden::HeaderBits& header, int words) {
  system_->inside.Make(payload);
  Source& source = system_->sources[record.source];
  Journey& journey = system_->inside[payload];
  journey.record = record;
  journey.number = ++source.sent;
  journey.tc = header.tc();
  journey.length = header.length();
  journey.ready = std::max(record.created, source.link_free);
  journey.last = -1;
  journey.dropped = false;
  journey.hops.clear();
  source.link_free = record.sent + SlotCyclesOf(words, lanes_);
}

void Journeys::Enter(golden::Payload payload, int node, int port, Cycle first, Cycle last, bool cut_through) {
  JourneyHop hop{};
  hop.node = node;
  hop.in_port = static_cast<std::uint8_t>(port);
  hop.first = first;
  hop.trigger = cut_through ? first : last;
  system_->inside[payload].hops.push_back(hop);
}

void Journeys::Leave(const golden::Departure& departure) {
  system_->inside[departure.payload].hops.back().taken = departure.take;
}

void Journeys::Deliver(golden::Payload payload, Cycle last, bool counted) {
  Journey& journey = system_->inside[payload];
  journey.last = last;
  counted = counted && measured_.Has(journey.record.created);
  Keep(journey, counted);
  End(&journey, counted);
}

void Journeys::End(Journey* journey, bool counted) {
  if (keep_ended_) ended_.push_back({*journey, counted});
  journey->number = 0;
}

void Journeys::Drop(golden::Payload payload) {
  Journey& journey = system_->inside[payload];
  journey.dropped = true;
  if (IsNumbered(choice_, journey)) kept_.numbered.push_back(journey);
  End(&journey, false);
}

void Journeys::Send(golden::Payload payload, Saver* save) {
  (*save)(system_->inside[payload]);
  system_->inside[payload].number = 0;
}

void Journeys::Receive(golden::Payload payload, Loader* load) {
  system_->inside.Make(payload);
  (*load)(system_->inside[payload]);
}

/// A packet has arrived.
void Journeys::Keep(const Journey& journey, bool counted) {
  if (IsNumbered(choice_, journey)) kept_.numbered.push_back(journey);
  if (!counted || choice_.slowest == 0) return;
  KeepFirst(journey, static_cast<std::size_t>(choice_.slowest), Slower, &kept_.slowest);
}

void Journeys::Kept::Append(const Kept& other) {
  numbered.insert(numbered.end(), other.numbered.begin(), other.numbered.end());
  slowest.insert(slowest.end(), other.slowest.begin(), other.slowest.end());
}

void Journeys::Tell(std::vector<Ended> ended, const Listener& listener) {
  std::sort(ended.begin(), ended.end(), [](const Ended& a, const Ended& b) {
    return std::tie(a.journey.record.source, a.journey.number) < std::tie(b.journey.record.source, b.journey.number);
  });
  for (const Ended& one : ended) listener(one.journey, one.counted);
}

std::vector<Journeys::Ended> Journeys::Inside() const {
  std::vector<Ended> inside;
  system_->inside.ForEach([&](const Journey& journey) {
    if (journey.number > 0) inside.push_back({journey, false});
  });
  return inside;
}

Journeys::Kept Journeys::KeptInside() const {
  Kept kept;
  system_->inside.ForEach([&](const Journey& journey) {
    if (journey.number > 0 && IsNumbered(choice_, journey)) kept.numbered.push_back(journey);
  });
  return kept;
}

std::vector<Journey> Journeys::Chosen(const JourneyChoice& choice, const Kept& kept) {
  std::vector<Journey> chosen = kept.numbered;
  std::sort(chosen.begin(), chosen.end(), [](const Journey& a, const Journey& b) {
    return std::tie(a.record.source, a.number) < std::tie(b.record.source, b.number);
  });
  std::vector<Journey> slowest = kept.slowest;
  std::sort(slowest.begin(), slowest.end(), Slower);
  slowest.resize(std::min(slowest.size(), static_cast<std::size_t>(choice.slowest)));
  for (const Journey& journey : slowest) {
    if (!IsNumbered(choice, journey)) chosen.push_back(journey);
  }
  return chosen;
}

}  // namespace tilefly::network
