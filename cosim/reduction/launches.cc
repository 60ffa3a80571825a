// SPDX-License-Identifier: Apache-2.0
#include "cosim/reduction/launches.h"

#include <fmt/format.h>

#include "golden/common/stage_times.h"

namespace tilefly::cosim {
namespace {

constexpr int kEnginesOfGroup = 8;
constexpr int kDown = static_cast<int>(RedLane::kD), kShort = static_cast<int>(RedLane::kS);  ///< fifos of results

}  // namespace

std::string RingLaunch::Name() const {
  const char* const way = goes_down() ? "down" : "up";
  if (is_stream()) return fmt::format("segment {} {} of slot {}", segment, way, index);
  if (is_notice()) return fmt::format("notice of group {}", index);
  return fmt::format("short operation {} of group {} engine {}", way, index / kEnginesOfGroup, index % kEnginesOfGroup);
}

RingLaunches::RingLaunches(const Profile& profile) : profile_(profile), fifos_(Index(profile.ports)) {}

template <typename Is>
const RingLaunch* RingLaunches::Latest(Is&& is) const {
  for (auto launch = launches_.rbegin(); launch != launches_.rend(); ++launch) {
    if (is(*launch)) return &*launch;
  }
  return nullptr;
}

const RingLaunch* RingLaunches::AtStep(Cycle event, int port) const {
  const Cycle passed = golden::StepOffset(profile_.tiles, port);
  return Latest([&](const RingLaunch& launch) { return !launch.is_notice() && launch.at + passed == event; });
}

const RingLaunch* RingLaunches::AtMeeting(Cycle event) const {
  const Cycle passed = golden::MeetOffset(profile_.tiles);
  return Latest([&](const RingLaunch& launch) { return !launch.is_notice() && launch.at + passed == event; });
}

/// Packets of one lane pass a port one after another: it is that of the last launch whose first word has been there. In
/// fifo D are results of ups at the root, and of downs elsewhere, where a first down comes before any.
const RingLaunch* RingLaunches::Complete(Cycle event, int port, int lane) const {
  const Cycle passed = profile_.red_delay + (port >> 1);
  return Latest([&](const RingLaunch& launch) {
    if (launch.at + passed >= event || launch.is_stream() == (lane == kShort)) return false;
    if (!launch.is_stream()) return true;
    const bool has_parent = slots_[Index(launch.index & 1)].downs != 0;
    return lane != kDown ? !launch.goes_down() : launch.goes_down() == has_parent;
  });
}

const RingLaunch* RingLaunches::Waiting(int port, int lane) const {
  if (lane >= kLanes) return nullptr;
  const Fifo& fifo = fifos_[Index(port)][Index(lane)];
  if (!fifo.waiting.empty()) return &fifo.waiting.front();
  const RingLaunch* const hidden = Complete(event_, port, lane);
  return hidden != nullptr && hidden->at > fifo.last ? hidden : nullptr;
}

void RingLaunches::Begin(Cycle event, const CfuObs& cfu) {
  RingLaunch launch;
  launch.at = event;
  launch.candidate = static_cast<RedCandidate>(cfu.launch_number);
  launch.index = cfu.launch_index;
  if (launch.is_stream()) {
    Slot& slot = slots_[Index(launch.index & 1)];
    launch.segment = launch.goes_down() ? slot.downs++ : slot.ups++;
  }
  launches_.push_back(launch);
  if (launches_.size() > kKept) launches_.erase(launches_.begin());
}

void RingLaunches::Sample(Cycle now, const Observation& observation) {
  completed_.clear();
  if (observation.reds.empty()) return;
  const Cycle event = now - 1;
  event_ = event;
  const CfuObs& cfu = observation.cfu;
  if (cfu.slot0_state == static_cast<std::uint8_t>(RedState::kIdle)) slots_[0] = {};
  if (cfu.slot1_state == static_cast<std::uint8_t>(RedState::kIdle)) slots_[1] = {};
  if (cfu.launch_valid) Begin(event, cfu);
  for (int port = 0; port < profile_.ports; ++port) {
    const RedObs& red = observation.reds[Index(port)];
    if (red.step_valid && red.step_part) {
      if (const RingLaunch* const launch = AtStep(event, port)) {
        launches_[static_cast<std::size_t>(launch - launches_.data())].parts.push_back(port);
      }
    }
    const Portobs& obs = observation.ports[Index(port)];
    if (obs.dec_valid && obs.dec_red && obs.dec_src < kLanes) {
      Fifo& fifo = fifos_[Index(port)][obs.dec_src];
      if (!fifo.waiting.empty()) {
        fifo.waiting.pop_front();
      } else if (const RingLaunch* const hidden = Waiting(port, obs.dec_src)) {
        fifo.last = hidden->at;
      }
    }
    if (!red.done_valid || red.done_lane >= kLanes) continue;
    if (const RingLaunch* const launch = Complete(event, port, red.done_lane)) {
      Fifo& fifo = fifos_[Index(port)][red.done_lane];
      fifo.waiting.push_back(*launch);
      fifo.last = launch->at;
      completed_.push_back({port, red.done_lane, *launch});
    }
  }
}

}  // namespace tilefly::cosim
