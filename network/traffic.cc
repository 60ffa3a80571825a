// SPDX-License-Identifier: Apache-2.0
#include "network/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "support/errors.h"
#include "support/random.h"
#include "support/text.h"
#include "workload/patterns.h"

namespace tilefly::network {
namespace {

/// The group in which a switch stands; of Aries one of the system's, not of the address.
int GroupOf(const topology::Switch& one) { return one.place.empty() ? one.group : one.place.front(); }

/// What the sizes were given by: an option, or a key of one.
std::string SizeOption(const TrafficOptions& options) {
  return options.option == kTrafficOption ? "--size" : options.option + ": size";
}

}  // namespace

Traffic::Traffic(const topology::Topology& topology, const Profile& profile, const TrafficOptions& options, int lanes,
                 std::uint64_t seed)
    : endpoints_(static_cast<int>(topology.endpoints.size())),
      takers_(options.endpoints),
      lanes_(lanes),
      seed_(seed),
      load_(options.load),
      periodic_(options.periodic),
      sizes_(options.size, profile.min_enh_bytes, profile.mtu_bytes, SizeOption(options)),
      least_(profile.min_enh_bytes),
      classes_(options.classes),
      repeat_(static_cast<std::uint64_t>(options.repeat)),
      period_(options.period) {
  if (!(load_ >= 0 && load_ <= 1)) throw UsageError("--load: a share of word slots, 0 to 1");
  if (classes_.empty()) classes_.push_back({0, 1, profile.mtu_bytes});
  if (!options.plan.empty()) {
    SortPlan(options.plan);
    return;
  }
  if (!takers_.empty()) {
    number_of_.assign(static_cast<std::size_t>(endpoints_), -1);
    for (std::size_t i = 0; i < takers_.size(); ++i) number_of_[takers_[i]] = static_cast<int>(i);
  }
  ParsePattern(topology, options);
  MakeMix(options.load);
}

void Traffic::SortPlan(const std::vector<PlannedPacket>& plan) {
  kind_ = Kind::kPlan;
  plan_.resize(static_cast<std::size_t>(endpoints_));
  for (const PlannedPacket& packet : plan) plan_[packet.source].push_back(packet);
}

void Traffic::ParsePattern(const topology::Topology& topology, const TrafficOptions& options) {
  const std::string &text = options.pattern, &option = options.option;
  const std::vector<std::string> words = Split(text, ':');
  const std::string name = words.empty() ? "" : words[0];
  const int count = takers_.empty() ? endpoints_ : static_cast<int>(takers_.size());
  if (name == "adversarial" && words.size() == 2) {
    kind_ = Kind::kAdversarial;
    for (const topology::Endpoint& endpoint : topology.endpoints) {
      group_of_.push_back(GroupOf(topology.switches[endpoint.port.at]));
      members_.resize(std::max(members_.size(), static_cast<std::size_t>(group_of_.back()) + 1));
      const int number = static_cast<int>(group_of_.size()) - 1;
      if (NumberOf(number) >= 0) members_[group_of_.back()].push_back(number);
    }
    const auto groups = static_cast<std::int64_t>(members_.size());
    shift_ = static_cast<int>((ParseInteger(words[1], option + ", shift") % groups + groups) % groups);
    if (std::any_of(members_.begin(), members_.end(), [](const auto& group) { return group.empty(); })) {
      throw UsageError(fmt::format("{} adversarial: some groups have no endpoint{}", option,
                                   takers_.empty() ? "" : " without a job"));
    }
  } else if (name == "bursts" && words.size() == 2) {
    kind_ = Kind::kBursts;
    const std::int64_t burst = ParseInteger(words[1], option + ", packets of a burst");
    if (burst < 1 || burst > 1 << 20)
      throw UsageError(fmt::format("{}: bursts of {} packets; 1 to {}", option, burst, 1 << 20));
    burst_ = static_cast<int>(burst);
    pattern_.emplace("uniform", count, seed_, "endpoint");
  } else if (name == "cbr" && words.size() == 1) {
    periodic_ = true;
    pattern_.emplace("permutation:random", count, seed_, "endpoint");
  } else if (name == "adversarial" || name == "bursts" || name == "cbr") {
    throw UsageError(fmt::format("{}: '{}' is none of adversarial:SHIFT, bursts:PACKETS, cbr", option, text));
  } else {
    std::vector<std::string> known = Pattern::Names();
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      known.insert(known.end(), std::begin(kSystemPatterns), std::end(kSystemPatterns));
      if (option == kTrafficOption)
        known.insert(known.end(), workload::PatternNames().begin(), workload::PatternNames().end());
      ThrowUnknownTraffic(text, known, option);
    }
    pattern_.emplace(text, count, seed_, "endpoint", option, GroupsBy(topology));
  }
  if (count < 2) throw UsageError(option + ": a system of at least two endpoints");
}

/// The groups of those that send, by their numbers in the pattern.
std::vector<int> Traffic::GroupsBy(const topology::Topology& topology) const {
  std::vector<int> groups;
  const auto add = [&](int endpoint) {
    groups.push_back(GroupOf(topology.switches[topology.endpoints[endpoint].port.at]));
  };
  for (const int endpoint : takers_) add(endpoint);
  for (int endpoint = 0; takers_.empty() && endpoint < endpoints_; ++endpoint) add(endpoint);
  return groups;
}

/// Classes of small packets send more of them, so that each offers its share of the word slots.
void Traffic::MakeMix(double load) {
  double packets = 0;
  double total = 0;
  for (const TrafficPart& part : classes_) total += part.share;
  for (TrafficPart& part : classes_) {
    part.share /= total;
    const double words = sizes_.Mean(
        [&](int size) { return static_cast<double>(WordsOf(std::max(std::min(size, part.largest), least_))); });
    const double share = part.share / words;
    up_to_.push_back(packets += share);
    cycles_ += share * sizes_.Mean([&](int size) {
      return static_cast<double>(SlotCyclesOf(WordsOf(std::max(std::min(size, part.largest), least_)), lanes_));
    });
  }
  for (double& up_to : up_to_) up_to /= packets;
  cycles_ /= packets;
  gap_ = load > 0 ? burst_ * cycles_ * (1 / load - 1) : 0;
}

std::optional<Traffic::Source> Traffic::Begin(int endpoint, Cycle now) const {
  if (kind_ == Kind::kPlan) {
    if (plan_[endpoint].empty()) return std::nullopt;
    return Source{0, static_cast<double>(now)};
  }
  const int number = NumberOf(endpoint);
  if (load_ == 0 || number < 0 || (pattern_ && !pattern_->Sends(number))) return std::nullopt;
  const double phase = Unit(Draw(seed_, static_cast<std::uint32_t>(endpoint), 0, Purpose::kPhase));
  return Source{0, static_cast<double>(now) + (load_ < 1 ? phase * (burst_ * cycles_ + gap_) : 0)};
}

const TrafficPart& Traffic::PartOf(int endpoint, std::uint64_t number) const {
  if (classes_.size() == 1) return classes_.front();
  const double at = Unit(Draw(seed_, static_cast<std::uint32_t>(endpoint), number, Purpose::kClass));
  const auto found = std::upper_bound(up_to_.begin(), up_to_.end() - 1, at);
  return classes_[static_cast<std::size_t>(found - up_to_.begin())];
}

int Traffic::LengthOf(int endpoint, std::uint64_t number, const TrafficPart& part) const {
  const int size = sizes_.Pick(Draw(seed_, static_cast<std::uint32_t>(endpoint), number, Purpose::kSize));
  return std::max(std::min(size, part.largest), least_);
}

int Traffic::DestinationOf(int endpoint, std::uint64_t number) const {
  const auto by_pattern = [&](std::uint64_t id) {
    const int to = pattern_->Destination(NumberOf(endpoint), id);
    return takers_.empty() ? to : takers_[to];
  };
  switch (kind_) {
    case Kind::kAdversarial: {
      const std::vector<int>& members = members_[(group_of_[endpoint] + shift_) % static_cast<int>(members_.size())];
      return members[Below(Draw(seed_, static_cast<std::uint32_t>(endpoint), number, Purpose::kDestination),
                           members.size())];
    }
    case Kind::kBursts:
      return by_pattern(number / static_cast<std::uint64_t>(burst_));
    case Kind::kPlan:
    case Kind::kPattern:
      break;
  }
  return by_pattern(number);
}

Traffic::NewPacket Traffic::Head(int endpoint, const Source& source) const {
  if (kind_ == Kind::kPlan) {
    const Cycle created = CreatedOf(endpoint, source);
    if (created == kNever) return {kNever, 0, 0, 0};
    const PlannedPacket& packet = Planned(endpoint, source.number);
    return {created, packet.destination, packet.length, packet.tc};
  }
  const TrafficPart& part = PartOf(endpoint, source.number);
  return {CreatedOf(endpoint, source), DestinationOf(endpoint, source.number),
          LengthOf(endpoint, source.number, part), part.tc};
}

Cycle Traffic::CreatedOf(int endpoint, const Source& source) const {
  if (kind_ != Kind::kPlan) return static_cast<Cycle>(std::ceil(source.at));
  const std::uint64_t round = source.number / plan_[endpoint].size();
  if (round >= repeat_) return kNever;
  return static_cast<Cycle>(source.at) + static_cast<Cycle>(round) * period_ + Planned(endpoint, source.number).at;
}

int Traffic::ClassOf(int endpoint, const Source& source) const {
  return kind_ == Kind::kPlan ? Planned(endpoint, source.number).tc : PartOf(endpoint, source.number).tc;
}

std::uint32_t Traffic::ClassesOf(int endpoint) const {
  std::uint32_t classes = 0;
  if (kind_ == Kind::kPlan) {
    for (const PlannedPacket& packet : plan_[endpoint]) classes |= 1u << packet.tc;
  } else {
    for (const TrafficPart& part : classes_) classes |= 1u << part.tc;
  }
  return classes;
}

std::int64_t Traffic::Left(int endpoint, const Source& source) const {
  return static_cast<std::int64_t>(plan_[endpoint].size() * repeat_ - source.number);
}

void Traffic::Advance(int endpoint, Source* source) const {
  if (kind_ == Kind::kPlan) {
    ++source->number;
    return;
  }
  const int words = WordsOf(LengthOf(endpoint, source->number, PartOf(endpoint, source->number)));
  const double busy = SlotCyclesOf(words, lanes_);
  const std::uint64_t number = source->number++;
  if (periodic_ && burst_ == 1) {
    source->at += busy / load_;
    return;
  }
  source->at += busy;
  if (source->number % static_cast<std::uint64_t>(burst_) != 0) return;
  const std::uint64_t bits = Draw(seed_, static_cast<std::uint32_t>(endpoint), number, Purpose::kGap);
  source->at += periodic_ ? gap_ : static_cast<double>(Geometric(bits, gap_));
}

}  // namespace tilefly::network
