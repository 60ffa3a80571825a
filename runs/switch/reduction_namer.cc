// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/reduction_namer.h"

#include <fmt/format.h>

#include "golden/common/stage_times.h"

namespace tilefly::runs {
namespace {

bool Begins(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

}  // namespace

std::string NameOf(const Red& red) {
  const char* const what = red.what < kRedWhatValues.size() ? ToString(static_cast<RedWhat>(red.what)) : "packet";
  return fmt::format("{} {} of group {}", what, red.seq, red.group);
}

void ReductionNamer::Sent(int port, const Red& red, Cycle last) {
  constexpr std::size_t kKept = golden::kWireToEvent;  // more than end, or begin, between a packet's end and its event
  std::deque<Packet>& sent = sent_[static_cast<std::size_t>(port)];
  sent.push_back({red, last});
  if (sent.size() > kKept) sent.pop_front();
}

std::optional<cosim::RingLaunch> ReductionNamer::Launch(const cosim::Divergence& divergence) const {
  const auto found = [](const cosim::RingLaunch* launch) {
    return launch == nullptr ? std::nullopt : std::optional(*launch);
  };
  const Cycle event = divergence.cycle - 1;  // the record shows events of the cycle before
  if (divergence.stage == "row R") return found(launches_.Waiting(divergence.output, divergence.launch_lane));
  if (divergence.stage == "CFU" && Begins(divergence.field, "meet_")) return found(launches_.AtMeeting(event));
  if (divergence.stage == "reduction" && Begins(divergence.field, "step_"))
    return found(launches_.AtStep(event, divergence.port));
  if (divergence.stage == "reduction" && Begins(divergence.field, "done_"))
    return found(launches_.Complete(event, divergence.port, divergence.launch_lane));
  return std::nullopt;
}

std::string ReductionNamer::Name(const cosim::Divergence& divergence) const {
  if (const std::optional<cosim::RingLaunch> launch = Launch(divergence)) return launch->Name();
  const bool reports = divergence.stage == "reduction" && (divergence.field == "ev" || divergence.field == "code");
  if (!reports) return "";
  for (const Packet& packet : sent_[static_cast<std::size_t>(divergence.port)]) {
    if (packet.last + golden::kWireToEvent == divergence.cycle - 1) return NameOf(packet.red);
  }
  return "";
}

}  // namespace tilefly::runs
