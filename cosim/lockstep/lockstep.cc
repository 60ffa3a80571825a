// SPDX-License-Identifier: Apache-2.0
#include "cosim/lockstep/lockstep.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "cosim/library/wire_version.h"
#include "golden/common/register_write.h"
#include "golden/common/types.h"

namespace tilefly::cosim {
namespace {

/// What an event is in words when there is none.
constexpr const char* kNoEvent = "nothing";

bool Carries(const Link& link) {
  const Ctrl& ctrl = link.ctrl;
  return link.word.valid || ctrl.credit_valid || ctrl.retry_valid || ctrl.ack_valid || ctrl.wired_valid || ctrl.lanes_valid ||
         ctrl.pause_valid;
}

bool Happens(const Portobs& obs) {
  return obs.req_valid || obs.dec_valid || obs.gin_valid || obs.crd_valid || obs.pick_valid || obs.arr_rows != 0 ||
         obs.take_valid || obs.drop_valid;
}
bool Happens(const RedObs& obs) { return obs.step_valid || obs.ev != 0 || obs.done_valid; }
bool Happens(const CfuObs& obs) { return obs.launch_valid || obs.meet_valid; }

/// The port's part of reductions; of a device without them nothing ever happens.
const RedObs& RedOf(const Observation& obs, std::size_t port) {
  static const RedObs kNothing;
  return obs.reds.empty() ? kNothing : obs.reds[port];
}

/// All counters of a port: drop reasons by their number, then the others.
std::vector<int> CounterIndices() {
  std::vector<int> indices;
  for (Drop drop : kDropValues) {
    if (drop != Drop::kNone) indices.push_back(static_cast<int>(drop));
  }
  for (Counter counter : kCounterValues) indices.push_back(static_cast<int>(counter));
  return indices;
}

std::string CounterName(int index) {
  return index < static_cast<int>(kDropValues.size()) ? ToString(static_cast<Drop>(index))
                                                      : ToString(static_cast<Counter>(index));
}

}  // namespace

Lockstep::Lockstep(std::unique_ptr<Device> a, std::unique_ptr<Device> b)
    : a_(std::move(a)),
      b_(std::move(b)),
      observed_(a_->Observes() ? a_.get() : b_ && b_->Observes() ? b_.get() : nullptr),
      counting_(a_->Counts() ? a_.get() : b_ && b_->Counts() ? b_.get() : nullptr),
      compares_observation_(b_ && a_->Observes() && b_->Observes()),
      compares_counters_(b_ && a_->Counts() && b_->Counts()),
      compares_link_fails_(b_ && a_->FailsLinks() && b_->FailsLinks()),
      version_1_(a_->wire_version() == 1 || (b_ && b_->wire_version() == 1)),
      radix_(a_->radix()),
      history_(static_cast<std::size_t>(radix_)) {
  if (b_ && (b_->radix() != radix_ || b_->cycle() != a_->cycle())) {
    throw std::logic_error("lockstep: the two devices differ in radix or cycle");
  }
}

void Lockstep::Compare() {
  const std::vector<Link>& links_a = a_->Outputs();
  const Observation& obs_a = a_->Observe();
  if (b_) {
    const std::vector<Link>& links_b = b_->Outputs();
    const Observation& obs_b = b_->Observe();
    Divergence found;
    for (std::size_t port = 0; port < links_a.size(); ++port) {
      compared_busy_ += Carries(links_a[port]) || Carries(links_b[port]);
      // The stage inside the switch says more than the link; it is looked at first.
      if (compares_observation_) CompareObservation(obs_a, obs_b, port);
      found.port = static_cast<int>(port);
      if (FindDifference(links_a[port], links_b[port], &found)) Report(found);
    }
    if (compares_observation_) {
      found.port = -1;
      if (FindDifference(obs_a.cfu, obs_b.cfu, &found)) Report(found);
      for (std::size_t tile = 0; tile < obs_a.turns.size(); ++tile) {
        found.tile = static_cast<int>(tile);
        if (FindDifference(obs_a.turns[tile], obs_b.turns[tile], &found)) Report(found);
      }
      observation_compared_ += radix_;
    }
    if (compares_link_fails_) CompareLinkFails();
    compared_ += radix_;
  }
  if (observed_ != nullptr) Remember();
}

void Lockstep::CompareLinkFails() {
  const std::uint64_t fails_a = a_->LinkFails(), fails_b = b_->LinkFails();
  if (fails_a == fails_b) return;
  Divergence found;
  found.port = golden::LowestBit(fails_a ^ fails_b);
  found.stage = "link";
  found.field = found.signal = "link_fail";
  found.value_a = fmt::format("{}", fails_a >> found.port & 1);
  found.value_b = fmt::format("{}", fails_b >> found.port & 1);
  Report(found);
}

void Lockstep::CompareObservation(const Observation& obs_a, const Observation& obs_b, std::size_t port) {
  Divergence found;
  found.port = static_cast<int>(port);
  if (FindDifference(RedOf(obs_a, port), RedOf(obs_b, port), &found)) Report(found);
  if (FindDifference(obs_a.ports[port], obs_b.ports[port], found.port, &found)) Report(found);
}

std::optional<std::int64_t> Lockstep::observation_compared() const {
  return compares_observation_ ? std::optional(observation_compared_) : std::nullopt;
}

std::optional<std::int64_t> Lockstep::counters_compared() const {
  return compares_counters_ ? std::optional(counters_compared_) : std::nullopt;
}

/// What a device shows of a port now, or with -1 of the CFU.
Lockstep::Event Lockstep::Now(Device& device, int port) const {
  const Observation& obs = device.Observe();
  Event event;
  event.cycle = a_->cycle();
  if (port < 0) {
    event.cfu = obs.cfu;
    return event;
  }
  event.obs = obs.ports[static_cast<std::size_t>(port)];
  event.red = RedOf(obs, static_cast<std::size_t>(port));
  return event;
}

std::string Lockstep::Event::Text() const {
  std::string text;
  for (const std::string& part : {Describe(obs), Describe(red), Describe(cfu)}) {
    if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
  }
  return text.empty() ? kNoEvent : text;
}

void Lockstep::Remember() {
  const Observation& obs = observed_->Observe();
  for (std::size_t port = 0; port < history_.size(); ++port) {
    if (Happens(RedOf(obs, port)) || Happens(obs.ports[port])) history_[port].Add(Now(*observed_, static_cast<int>(port)));
  }
  if (Happens(obs.cfu)) cfu_history_.Add(Now(*observed_, -1));
}

/// A level says what several ports did: their events that move it, then the levels of the two sides.
void Lockstep::TellLevels(Divergence* divergence) const {
  std::vector<std::pair<Cycle, std::string>> lines;
  for (int port = 0; port < radix_; ++port) {
    for (const Event& event : history_[static_cast<std::size_t>(port)].events) {
      if (event.cycle < 0 || !Moves(event.obs, port, divergence->of_output(), divergence->port)) continue;
      lines.emplace_back(event.cycle, fmt::format("cycle {}: both: port {}: {}", event.cycle, port, Describe(event.obs)));
    }
  }
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = lines.size() - std::min(kHistory, lines.size()); i < lines.size(); ++i)
    divergence->history.push_back(lines[i].second);
  for (Device* device : {a_.get(), b_.get()}) {
    const Event now = Now(*device, divergence->port);
    const std::string events = now.Text();
    divergence->history.push_back(fmt::format("cycle {}: {}: {}{}", divergence->cycle, device->Name(), DescribeLevels(now.obs),
                                              events == kNoEvent ? "" : "; " + events));
  }
}

void Lockstep::Step(const Device::Inputs& inputs) {
  const Device::Inputs& given = version_1_ ? AsVersion1(inputs) : inputs;
  a_->Step(given);
  if (b_) b_->Step(given);
}

const Device::Inputs& Lockstep::AsVersion1(const Device::Inputs& inputs) {
  inputs_ = inputs;
  for (Link& link : inputs_.links) {
    constexpr std::size_t kBits = FindWireVersion(1)->link_bits, kLast = kBits / 8;
    std::array<std::uint8_t, Link::kBytes> bytes{};
    link.PackBytes(bytes.data());
    bytes[kLast] &= static_cast<std::uint8_t>((1 << kBits % 8) - 1);
    std::fill(bytes.begin() + kLast + 1, bytes.end(), std::uint8_t{0});
    link = Link::UnpackBytes(bytes.data());
  }
  return inputs_;
}

void Lockstep::Report(Divergence divergence) {
  divergence.cycle = a_->cycle();
  divergence.device_a = a_->Name();
  divergence.device_b = b_->Name();
  if (divergence.stage == "level") {
    TellLevels(&divergence);
  } else if (observed_ != nullptr && (divergence.port >= 0 || divergence.tile < 0)) {
    const History& history = divergence.port >= 0 ? history_[static_cast<std::size_t>(divergence.port)] : cfu_history_;
    for (std::size_t i = 0; i < kHistory; ++i) {
      const Event& event = history.events[(history.next + i) % kHistory];
      if (event.cycle >= 0)
        divergence.history.push_back(fmt::format("cycle {}: {}: {}", event.cycle, WhoseHistory(), event.Text()));
    }
    for (Device* device : {a_.get(), b_.get()}) {
      const std::string now = Now(*device, divergence.port).Text();
      if (!compares_observation_ && now == kNoEvent) continue;  // which is all that one without a record shows
      divergence.history.push_back(fmt::format("cycle {}: {}: {}", divergence.cycle, device->Name(), now));
    }
  }
  throw DivergenceError(std::move(divergence));
}

void Lockstep::CheckDrained() {
  a_->CheckDrained();
  if (b_) b_->CheckDrained();
}

std::vector<Cfg> Lockstep::CounterReads() const {
  std::vector<Cfg> reads;
  for (int port = 0; port < radix_; ++port) {
    for (int index : CounterIndices()) reads.push_back(golden::ReadRegister(port, CfgSpace::kCounter, index));
  }
  return reads;
}

void Lockstep::CompareCounters() {
  if (!compares_counters_) return;
  for (int port = 0; port < radix_; ++port) {
    for (int index : CounterIndices()) {
      const std::uint64_t value_a = a_->Counter(port, index);
      const std::uint64_t value_b = b_->Counter(port, index);
      ++counters_compared_;
      if (value_a == value_b) continue;
      Divergence found;
      found.port = port;
      found.stage = "counter";
      found.field = CounterName(index);
      found.value_a = fmt::format("{}", value_a);
      found.value_b = fmt::format("{}", value_b);
      Report(std::move(found));
    }
  }
}

}  // namespace tilefly::cosim
