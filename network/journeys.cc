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
    Journey& journey = system_->inside[packet.payload];
    if (journey.number == 0) return;  // a copy of an attempt that was broken off
    if (stage == golden::Stage::kRerouted) return Reroute(now, &journey);
    JourneyHop& hop = journey.hops.back();
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
    } else if (stage == golden::Stage::kArrived) {
      hop.held = statistics_->HeldBefore(packet.output, now + 1);
    }
  }
  void Held(Cycle now, const golden::Packet& packet) override {
    Journey& journey = system_->inside[packet.payload];
    if (journey.number > 0) journey.hops.back().throttled = -now;
  }
  void Released(Cycle now, const golden::Packet& packet) override {
    Journey& journey = system_->inside[packet.payload];
    if (journey.number > 0) journey.hops.back().throttled += now;
  }
  /// The link of `port` takes the packet in cycle `now`.
  void Taken(int port, Cycle now, JourneyHop* hop) const {
    hop->held = statistics_->HeldBefore(port, now) - hop->held;
    hop->taken = now;
  }

 private:
  /// An output has given the packet back, and routing chooses again.
  static void Reroute(Cycle now, Journey* journey) {
    JourneyHop& before = journey->hops.back();
    before.rerouted = now;
    JourneyHop next{};
    next.node = before.node;
    next.in_port = before.in_port;
    next.again = true;
    next.tried = before.tried;
    next.first = before.first;
    next.trigger = before.trigger;
    journey->hops.push_back(next);
  }

  System* system_;
  const golden::LinkStatistics* statistics_;
};

Journeys::System::System(int nodes, int ports, int endpoints)
    : held(nodes, ports), sources(endpoints), probes(nodes) {}
Journeys::System::~System() = default;

Journeys::Journeys(const JourneyChoice& choice, const Measured& measured, int nodes, int ports, int endpoints)
    : choice_(choice), measured_(measured), system_(std::make_shared<System>(nodes, ports, endpoints)) {}

Journeys::Journeys(const Journeys* first)
    : choice_(first->choice_), measured_(first->measured_), system_(first->system_) {}

golden::StageProbe* Journeys::ProbeOf(int node, const golden::LinkStatistics* statistics) {
  system_->probes[node] = std::make_unique<NodeProbe>(system_.get(), statistics);
  return system_->probes[node].get();
}

void Journeys::Start(golden::Payload payload, const PacketRecord& record, const golden::HeaderBits& header, Cycle free,
                     Cycle held, Cycle throttled) {
  system_->inside.Make(payload);
  Source& source = system_->sources[record.source];
  Journey& journey = system_->inside[payload];
  journey.record = record;
  journey.number = ++source.sent;
  journey.tc = header.tc();
  journey.length = header.length();
  journey.ready = std::max(record.created, source.link_free);
  journey.held = held;
  journey.throttled = throttled;
  journey.tried = journey.first = journey.last = -1;
  journey.dropped = journey.attempt = false;
  journey.hops.clear();
  source.link_free = free;
}

void Journeys::Enter(golden::Payload payload, int node, int port, Cycle first, Cycle last, bool cut_through) {
  Journey& journey = system_->inside[payload];
  if (journey.number == 0) return;
  JourneyHop hop{};
  hop.node = node;
  hop.in_port = static_cast<std::uint8_t>(port);
  hop.first = first;
  hop.tried = journey.tried >= 0 ? journey.tried : first;
  hop.trigger = cut_through ? first : last;
  journey.tried = -1;
  journey.hops.push_back(hop);
}

void Journeys::Leave(const golden::Departure& departure) {
  Journey& journey = system_->inside[departure.payload];
  if (journey.number == 0) return;
  JourneyHop& hop = journey.hops.back();
  system_->probes[hop.node]->Taken(departure.port, departure.take, &hop);
}

void Journeys::Deliver(golden::Payload payload, Cycle first, Cycle last, bool counted) {
  Journey& journey = system_->inside[payload];
  if (journey.tried < 0) journey.tried = first;
  journey.first = first;
  journey.last = last;
  counted = counted && measured_.Has(journey.record.created);
  Count(journey, counted);
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

void Journeys::Ignore(golden::Payload payload) {
  system_->inside.Make(payload);
  system_->inside[payload].number = 0;
}

void Journeys::Hold(const LinkDirection& direction, int seq, golden::Payload payload) {
  Journey& journey = system_->inside[payload];
  if (journey.number == 0) return;
  journey.attempt = true;
  system_->held.Hold(direction, seq, std::move(journey));
  journey.number = 0;
}

/// Of a packet in a replay buffer.
void Journeys::Put(std::optional<Journey> journey, bool attempt, golden::Payload payload) {
  if (!journey) return Ignore(payload);
  system_->inside.Make(payload);
  system_->inside[payload] = std::move(*journey);
  system_->inside[payload].attempt = attempt;
}

void Journeys::Try(const LinkDirection& direction, int seq, golden::Payload payload, Cycle wire) {
  Put(system_->held.Start(direction, seq, wire), true, payload);
}

void Journeys::Accept(const LinkDirection& direction, golden::Payload payload) {
  system_->inside.Make(payload);
  system_->inside[payload].attempt = false;
  system_->held.Accept(direction);
}

void Journeys::Keep(const LinkDirection& direction, std::optional<int> first) {
  first ? system_->held.Release(direction, *first) : system_->held.ReleaseAll(direction);
}

void Journeys::Reclaim(const LinkDirection& direction, int seq, golden::Payload payload) {
  Put(system_->held.Lose(direction, seq), false, payload);
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
void Journeys::Count(const Journey& journey, bool counted) {
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
  ForEachInside([&](const Journey& journey) { inside.push_back({journey, false}); });
  return inside;
}

/// Of a packet on a link that repeats there is what its sender holds, until it is accepted; its attempts are left out.
template <typename Visit>
void Journeys::ForEachInside(Visit&& visit) const {
  system_->inside.ForEach([&](const Journey& journey) {
    if (journey.number > 0 && !journey.attempt) visit(journey);
  });
  system_->held.ForEachMissing(visit);
}

Journeys::Kept Journeys::KeptInside() const {
  Kept kept;
  ForEachInside([&](const Journey& journey) {
    if (IsNumbered(choice_, journey)) kept.numbered.push_back(journey);
  });
  return kept;
}

/// A process does not know what the others have accepted: of a packet that several have, that counts which has come
/// farthest, and what no sender holds before what a sender holds.
std::vector<Journey> Journeys::Chosen(const JourneyChoice& choice, const Kept& kept) {
  std::vector<Journey> chosen = kept.numbered;
  const auto key = [](const Journey& one) {
    return std::make_tuple(one.record.source, one.number, one.attempt, -static_cast<std::int64_t>(one.hops.size()));
  };
  std::sort(chosen.begin(), chosen.end(), [&](const Journey& a, const Journey& b) { return key(a) < key(b); });
  const auto same = [](const Journey& a, const Journey& b) {
    return a.record.source == b.record.source && a.number == b.number;
  };
  chosen.erase(std::unique(chosen.begin(), chosen.end(), same), chosen.end());
  std::vector<Journey> slowest = kept.slowest;
  std::sort(slowest.begin(), slowest.end(), Slower);
  slowest.resize(std::min(slowest.size(), static_cast<std::size_t>(choice.slowest)));
  for (const Journey& journey : slowest) {
    if (!IsNumbered(choice, journey)) chosen.push_back(journey);
  }
  return chosen;
}

}  // namespace tilefly::network
