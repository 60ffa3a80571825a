// SPDX-License-Identifier: Apache-2.0
#include "cosim/reduction/launch_story.h"

#include <fmt/format.h>

#include "golden/common/stage_times.h"

namespace tilefly::cosim {
namespace {

constexpr Cycle kMargin = 8;  ///< cycles shown before and after
/// Of a quiet row R: from a complete packet to its first word on the link.
constexpr Cycle kRowToLink =
    golden::kCompleteToGrant + golden::kGrantToCell + golden::kEventToDecision + golden::kTakeToWire;

}  // namespace

bool LaunchStoryFinder::Sample(Cycle now, const Observation& observation) {
  launches_.Sample(now, observation);
  for (std::size_t port = 0; port < observation.reds.size(); ++port) {
    if (observation.reds[port].ev == static_cast<std::uint8_t>(RedEv::kSegment)) reported_[port] = now - 1;
  }
  bool changed = false;
  for (const RingLaunches::Completion& result : launches_.completed()) changed |= Offer(result, now - 1);
  return changed;
}

bool LaunchStoryFinder::Offer(const RingLaunches::Completion& result, Cycle event) {
  const RingLaunch& launch = result.launch;
  if (!launch.is_stream() || launch.goes_down() || launch.parts.empty()) return false;
  if (story_ && story_->parts.size() >= launch.parts.size()) return false;
  Story story;
  story.parts = launch.parts;
  story.output = result.port;
  story.input = launch.parts.front();
  for (const int port : launch.parts) {
    const Cycle reported = reported_[static_cast<std::size_t>(port)];
    if (reported <= launch.at - golden::kEndToLaunch && reported > reported_[static_cast<std::size_t>(story.input)])
      story.input = port;
  }
  const Cycle words = profile_.red_words + 2;
  story.from = launch.at - words - kMargin;
  story.to = event + kRowToLink + words + kMargin;
  story.marker = launch.at;
  if (story.from < from_ || story.to > to_) return false;
  std::string ports;
  for (const int port : launch.parts) ports += fmt::format("{}{}", ports.empty() ? "" : ", ", port);
  story.title = fmt::format("{}, ports {} to port {}", launch.Name(), ports, result.port);
  story_ = story;
  return true;
}

}  // namespace tilefly::cosim
