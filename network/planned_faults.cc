// SPDX-License-Identifier: Apache-2.0
#include "network/planned_faults.h"

#include <fmt/format.h>

#include <utility>

#include "support/errors.h"

namespace tilefly::network {
namespace {

constexpr int kMostDelay = 626;  ///< cycles of a link for which the replay buffer has room

bool IsOfWords(faults::EventKind kind) {
  return kind == faults::EventKind::kBer || kind == faults::EventKind::kDropWord || kind == faults::EventKind::kBadWord;
}
bool IsOfSystem(faults::EventKind kind) {
  return kind == faults::EventKind::kDown || kind == faults::EventKind::kUp || kind == faults::EventKind::kTable;
}

/// Why a system cannot do what the rates say; empty: it can.
std::string WhyNot(const faults::Rates& rates) {
  const auto given = [](const faults::Chances& chances) { return chances.drop + chances.repeat + chances.noise > 0; };
  if (rates.slot_ber > 0 || given(rates.slot)) return "faults of control slots (slot_ber, slot)";
  if (given(rates.word)) return "chances of dropped, repeated and noisy words (word)";
  return "";
}

}  // namespace

PlannedFaults::PlannedFaults(std::shared_ptr<const faults::Plan> plan, bool retry, std::uint64_t seed,
                             const topology::Topology& topology, const Wiring& wiring)
    : plan_(std::move(plan)), topology_(topology), wiring_(wiring) {
  if (plan_ == nullptr) return;
  Check();
  std::vector<DirectionPlan> into(static_cast<std::size_t>(wiring.nodes() * wiring.ports()));
  for (int node = 0; node < wiring.nodes(); ++node) {
    for (int port = 0; port < wiring.ports(); ++port) {
      const FarEnd& far = wiring.far(node, port);
      if (far.node < 0) continue;
      DirectionPlan& one = into[Place(node, port)];
      one.seed = plan_->seed.value_or(seed);
      one.direction = static_cast<std::uint32_t>(golden::kMaxPorts * far.node + far.port);
      one.rates = plan_->channel;
    }
  }
  into_.swap(into);
  for (const faults::PlannedLink& link : plan_->links) {
    ForEachDirection(link.link, link.direction, link.origin, [&](DirectionPlan* one) { one->rates = link.rates; });
  }
  for (const faults::PlannedEvent& event : plan_->events) {
    if (!IsOfWords(event.kind)) continue;
    ForEachDirection(event.link, event.direction, event.origin, [&](DirectionPlan* one) { one->events.push_back(event); });
  }
  bool damages = false;
  for (int node = 0; node < wiring.nodes(); ++node) {
    for (int port = 0; port < wiring.ports(); ++port) {
      if (!into_[Place(node, port)].damages()) continue;
      damages = true;
      if (wiring.far(node, port).delay > kMostDelay)
        throw UsageError(fmt::format("--fault-plan: the link of s{}.{} has a delay of {} cycles, and the replay buffer has room for "
                                     "links of {}; take shorter cables, or errors on other links alone",
                                     node, port, wiring.far(node, port).delay, kMostDelay));
    }
  }
  if (!damages) into_.clear();
  if (damages && !retry)
    throw UsageError(
        "--fault-plan: the plan damages words, which links of `tilefly net` send again or not at all; give --retry on");
}

/// What no link of a system does.
void PlannedFaults::Check() const {
  constexpr const char* kRemedy = "links of `tilefly net` take word_ber and burst, and the events ber, bad_word and drop_word";
  if (const std::string why = WhyNot(plan_->channel); !why.empty())
    throw UsageError(fmt::format("--fault-plan: channel: {} are not done in systems; {}", why, kRemedy));
  for (const faults::PlannedLink& link : plan_->links) {
    if (const std::string why = WhyNot(link.rates); !why.empty())
      throw UsageError(fmt::format("{}: {} are not done in systems; {}", link.origin, why, kRemedy));
  }
  for (const faults::PlannedEvent& event : plan_->events) {
    if (!IsOfWords(event.kind) && !IsOfSystem(event.kind))
      throw UsageError(fmt::format("{}: events of kind {} are not done in systems; {}", event.origin, NameOf(event.kind), kRemedy));
  }
}

FarEnd PlannedFaults::Find(const faults::LinkName& link, const std::string& origin, topology::Port* near) const {
  using End = faults::LinkName::End;
  if (link.end == End::kPort)
    throw UsageError(fmt::format("{}: {} names a port of `tilefly cosim`; in a system write s3.17 or e12", origin, link.Text()));
  if (link.end == End::kEndpoint) {
    if (link.node >= static_cast<int>(topology_.endpoints.size()))
      throw UsageError(fmt::format("{}: topology {} has no endpoint {}", origin, topology_.name, link.node));
    *near = topology_.endpoints[static_cast<std::size_t>(link.node)].port;
  } else {
    const bool is_port = link.node < wiring_.nodes() && link.port < wiring_.ports();
    if (!is_port || !wiring_.far(link.node, link.port).connected())
      throw UsageError(fmt::format("{}: topology {} has no link {}", origin, topology_.name, link.Text()));
    *near = {link.node, link.port};
  }
  return wiring_.far(near->at, near->port);
}

/// The directions that are meant, of the end that is named.
template <typename Visit>
void PlannedFaults::ForEachDirection(const faults::LinkName& link, faults::Direction direction, const std::string& origin,
                                     Visit&& visit) {
  topology::Port near{};
  const FarEnd far = Find(link, origin, &near);
  if (far.node < 0)
    throw UsageError(
        fmt::format("{}: {} is the link of a NIC, whose words are not damaged in systems; name a link between switches", origin,
                    link.Text()));
  if (direction != faults::Direction::kOut) visit(&into_[Place(near.at, near.port)]);
  if (direction != faults::Direction::kIn) visit(&into_[Place(far.node, far.port)]);
}

bool PlannedFaults::Damages(int node, int port) const {
  if (into_.empty()) return false;
  const FarEnd& far = wiring_.far(node, port);
  return far.node >= 0 && (Into(node, port).damages() || Into(far.node, far.port).damages());
}

}  // namespace tilefly::network
