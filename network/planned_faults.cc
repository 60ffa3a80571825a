// SPDX-License-Identifier: Apache-2.0
#include "network/planned_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "support/errors.h"

namespace tilefly::network {
namespace {

constexpr int kMostDelay = 626;  ///< cycles of a link for which the replay buffer has room

bool IsOfWords(faults::EventKind kind) {
  return kind == faults::EventKind::kBer || kind == faults::EventKind::kDropWord || kind == faults::EventKind::kBadWord ||
         kind == faults::EventKind::kRepeatWord;
}
bool IsOfLanes(faults::EventKind kind) {
  return kind == faults::EventKind::kLaneDown || kind == faults::EventKind::kLaneUp;
}
bool IsOfSlots(faults::EventKind kind) {
  return kind == faults::EventKind::kDropSlot || kind == faults::EventKind::kBadSlot ||
         kind == faults::EventKind::kRepeatSlot || kind == faults::EventKind::kStuck;
}

faults::Direction Reversed(faults::Direction direction) {
  if (direction == faults::Direction::kBoth) return direction;
  return direction == faults::Direction::kOut ? faults::Direction::kIn : faults::Direction::kOut;
}

}  // namespace

PlannedFaults::PlannedFaults(std::shared_ptr<const faults::Plan> plan, const std::vector<LinkFault>& fail_links,
                             bool retry, std::uint64_t seed, const topology::Topology& topology, const Wiring& wiring,
                             int nic_lanes)
    : plan_(std::move(plan)), topology_(topology), wiring_(wiring), nic_lanes_(nic_lanes) {
  if (retry) CheckDelays();
  if (plan_ == nullptr && (!retry || fail_links.empty())) return;
  if (plan_ == nullptr) plan_ = std::make_shared<const faults::Plan>();
  Check(retry);
  downs_ = DownsOf(*plan_, topology, wiring);
  writes_ = WritesOf(*plan_, topology, wiring);
  if (manager() != nullptr && !writes_.empty())
    throw UsageError(fmt::format("{}: the plan's manager writes the routing tables; leave the event out, or give the manager "
                                 "tables: off",
                                 writes_.front().origin));
  AddDirections(seed);
  if (retry) AddDowns(downs_);
  if (retry) AddDowns(fail_links);
  if (!CheckDamages(retry)) into_.clear();
}

/// Links that go down repeat: their ends forget what is on them, and begin anew. Whoever takes them down checks their names.
void PlannedFaults::AddDowns(const std::vector<LinkFault>& downs) {
  for (const LinkFault& down : downs) {
    const bool is_port = down.node >= 0 && down.node < wiring_.nodes() && down.port >= 0 && down.port < wiring_.ports();
    if (!is_port || !wiring_.far(down.node, down.port).connected()) continue;
    std::string& by = into_[Place(down.node, down.port)].down_by;
    if (by.empty()) by = NameOf(down);
  }
}

/// What all directions have. `direction`: by its sender, the number of a port of a switch or that of a NIC behind them.
void PlannedFaults::AddDirection(std::uint64_t seed, int direction, DirectionPlan* one) const {
  one->seed = plan_->seed.value_or(seed);
  one->direction = static_cast<std::uint32_t>(direction);
  one->rates = plan_->channel;
  one->rates_by = plan_->channel_origin;
  one->retrain = plan_->retrain;
}

/// What is drawn, and what events do, in each direction of a link.
void PlannedFaults::AddDirections(std::uint64_t seed) {
  into_.resize(static_cast<std::size_t>(wiring_.nodes()) * static_cast<std::size_t>(wiring_.ports()));
  into_nic_.resize(into_.size());
  for (int node = 0; node < wiring_.nodes(); ++node) {
    for (int port = 0; port < wiring_.ports(); ++port) {
      const FarEnd& far = wiring_.far(node, port);
      if (far.node >= 0) {
        AddDirection(seed, golden::kMaxPorts * far.node + far.port, &into_[Place(node, port)]);
      } else if (far.endpoint >= 0) {
        AddDirection(seed, golden::kMaxPorts * wiring_.nodes() + far.endpoint, &into_[Place(node, port)]);
        AddDirection(seed, golden::kMaxPorts * node + port, &into_nic_[Place(node, port)]);
      }
    }
  }
  std::map<const DirectionPlan*, const faults::PlannedLink*> entries;
  for (const faults::PlannedLink& link : plan_->links) {
    ForEachDirection(link.link, link.direction, link.origin, [&](DirectionPlan* one) {
      const auto [first, is_new] = entries.emplace(one, &link);
      if (!is_new)
        throw UsageError(fmt::format("{}: {} stands twice: {} is its other end ({}); give one entry, or one for each direction",
                                     link.origin, link.link.Text(), first->second->link.Text(), first->second->origin));
      one->rates = link.rates;
      one->rates_by = link.origin;
      one->retrain = link.retrain.value_or(plan_->retrain);
    });
  }
  std::map<const DirectionPlan*, std::pair<Cycle, std::string>> stuck_till;
  for (const faults::PlannedEvent& event : plan_->events) {
    // What a stuck receiver does not say is missing in the other direction.
    const bool stuck = event.kind == faults::EventKind::kStuck;
    const faults::Direction direction = stuck ? Reversed(event.direction) : event.direction;
    if (IsOfWords(event.kind))
      ForEachDirection(event.link, direction, event.origin, [&](DirectionPlan* one) { one->events.push_back(event); });
    if (stuck) {
      ForEachDirection(event.link, direction, event.origin, [&](DirectionPlan* one) {
        auto& [till, origin] = stuck_till[one];
        if (event.at < till)
          throw UsageError(fmt::format("{}: at: the receiver is stuck then, by {}; give a later cycle, or leave it out", event.origin, origin));
        till = event.cycles ? event.at + *event.cycles : kNever;
        origin = event.origin;
      });
    }
    if (IsOfSlots(event.kind))
      ForEachDirection(event.link, direction, event.origin, [&](DirectionPlan* one) { one->slot_events.push_back(event); });
    if (IsOfLanes(event.kind)) {
      const topology::Port end = FindLink(event.link, event.origin, topology_, wiring_);
      const int cable = wiring_.far(end.at, end.port).node >= 0 ? faults::kSerdesLanes : nic_lanes_;
      ForEachDirection(event.link, direction, event.origin,
                       [&](DirectionPlan* one) { AddLaneEvent(event, cable, one); });
    }
  }
}

/// A SerDes lane dies or works again: no event does what is so already.
void PlannedFaults::AddLaneEvent(const faults::PlannedEvent& event, int cable, DirectionPlan* one) const {
  if (event.lane >= cable)
    throw UsageError(
        fmt::format("{}: there is no SerDes lane {}: the link has 0 to {}", event.origin, event.lane, cable - 1));
  const auto is_dead = [&](const DeadLane& dead) { return dead.lane == event.lane && event.at < dead.till; };
  const auto dead = std::find_if(one->dead_lanes.begin(), one->dead_lanes.end(), is_dead);
  if (event.kind == faults::EventKind::kLaneUp) {
    if (dead == one->dead_lanes.end())
      throw UsageError(
          fmt::format("{}: the SerDes lane is not dead then; give the cycle of a time in which it is, or leave it out",
                      event.origin));
    dead->till = event.at;
    return;
  }
  if (dead != one->dead_lanes.end())
    throw UsageError(fmt::format("{}: the SerDes lane is dead then, by {}; give a later cycle, or leave it out",
                                 event.origin, dead->origin));
  one->dead_lanes.push_back({event.lane, event.at, event.cycles ? event.at + *event.cycles : kNever, event.origin});
}

/// Whether words or control slots are damaged anywhere.
bool PlannedFaults::CheckDamages(bool retry) {
  bool damages = false;
  for (int node = 0; node < wiring_.nodes(); ++node) {
    for (int port = 0; port < wiring_.ports(); ++port) {
      if (!into_[Place(node, port)].damages() && !into_nic_[Place(node, port)].damages()) continue;
      damages = true;
      loses_acks_ = loses_acks_ || into_[Place(node, port)].damages_slots() || into_nic_[Place(node, port)].damages_slots();
    }
  }
  if (damages && !retry)
    throw UsageError(
        "--fault-plan: the plan damages words or control slots, and without retry `tilefly net` has no links that lose them; "
        "give --retry on");
  if (!damages && !plan_->retry_origin.empty())
    throw UsageError(fmt::format("{}: the plan damages no word and no slot and takes no link down, so that the key changes nothing; leave "
                                 "it out",
                                 plan_->retry_origin));
  return damages;
}

/// The replay buffer has room for what is on a link.
void PlannedFaults::CheckDelays() const {
  for (int node = 0; node < wiring_.nodes(); ++node) {
    for (int port = 0; port < wiring_.ports(); ++port) {
      if (const FarEnd& far = wiring_.far(node, port); far.connected() && far.delay > kMostDelay)
        throw UsageError(fmt::format("--retry on: the link of s{}.{} has a delay of {} cycles, and the replay buffer has room for {}; "
                                     "take shorter cables, or --retry off",
                                     node, port, far.delay, kMostDelay));
    }
  }
}

/// What no link of a system does.
void PlannedFaults::Check(bool retry) const {
  if (plan_->retry.down == 2)
    throw UsageError("--fault-plan: retry: down: links of systems have no best effort; give discard or block");
  const auto check = [](const faults::Rates& rates, const std::string& origin) {
    if (rates.slot.noise > 0)
      throw UsageError(fmt::format("{}: slot: noise: noise of control slots changes nothing in a system: an idle slot with an error says "
                                   "nothing, as an idle one; leave it out",
                                   origin));
  };
  check(plan_->channel, plan_->channel_origin);
  for (const faults::PlannedLink& link : plan_->links) check(link.rates, link.origin);
  for (const std::string& origin : {plan_->retry_origin, plan_->retrain_origin}) {
    if (!origin.empty() && !retry)
      throw UsageError(fmt::format("{}: only links with retry have this key; give --retry on, or leave the key out", origin));
  }
  if (plan_->lanes_origin.empty()) return;
  const bool lanes = std::any_of(plan_->events.begin(), plan_->events.end(),
                                 [](const faults::PlannedEvent& event) { return IsOfLanes(event.kind); });
  if (!retry)
    throw UsageError(
        fmt::format("{}: only links with retry judge their SerDes lanes; give --retry on", plan_->lanes_origin));
  if (!lanes)
    throw UsageError(
        fmt::format("{}: no SerDes lane of the plan dies, so that the key changes nothing; leave it out, or give an "
                    "event lane_down",
                    plan_->lanes_origin));
}

/// The directions that are meant, of the end that is named: that of an endpoint's link is the NIC.
template <typename Visit>
void PlannedFaults::ForEachDirection(const faults::LinkName& link, faults::Direction direction, const std::string& origin,
                                     Visit&& visit) {
  const topology::Port near = FindLink(link, origin, topology_, wiring_);
  const FarEnd& far = wiring_.far(near.at, near.port);
  DirectionPlan* in = &into_[Place(near.at, near.port)];
  DirectionPlan* out = far.node >= 0 ? &into_[Place(far.node, far.port)] : &into_nic_[Place(near.at, near.port)];
  if (link.end == faults::LinkName::End::kEndpoint) std::swap(in, out);
  if (direction != faults::Direction::kOut) visit(in);
  if (direction != faults::Direction::kIn) visit(out);
}

bool PlannedFaults::Damages(int node, int port) const {
  if (into_.empty() || !wiring_.far(node, port).connected()) return false;
  return Into(node, port).damages() || Out(node, port).damages();
}

std::string PlannedFaults::WhatDamages(int node, int port) const {
  return (Into(node, port).damages() ? Into(node, port) : Out(node, port)).origin();
}

/// What goes wrong on the way out of a port with a link.
const DirectionPlan& PlannedFaults::Out(int node, int port) const {
  const FarEnd& far = wiring_.far(node, port);
  return far.node >= 0 ? Into(far.node, far.port) : IntoNic(node, port);
}

}  // namespace tilefly::network
