// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/followed_packets.h"

#include <fmt/format.h>

#include <algorithm>

#include "runs/common/common_settings.h"
#include "runs/common/journey_table.h"
#include "runs/switch/switch_journey_figures.h"
#include "support/errors.h"

namespace tilefly::runs {
namespace {

constexpr const char* kSlowest = "slowest";
constexpr std::size_t kMostLines = 5;

JourneySources PortsOf(int ports, const char* option) {
  return {'p', ports, "the endpoint of port", "the switch has ports", option};
}

}  // namespace

FollowedPackets::FollowedPackets(const Settings& settings)
    : automatic_window_(settings.Get("waves.start") == "auto" && settings.Get("waves.end") == "auto"),
      ports_(settings.KnownProfile()->ports) {
  choice_ = ParseJourneys(settings.Get("journey"), PortsOf(ports_, "--journey"));
  const std::string& traced = settings.Get("waves.packet");
  if (traced.empty() || settings.Get("waves.mode") != "full") return;
  traced_ = traced;
  if (traced == kSlowest) {
    choice_.slowest = std::max(choice_.slowest, 1);
    return;
  }
  const network::JourneyChoice one = ParseJourneys(traced, PortsOf(ports_, "--trace-packet"));
  if (one.packets.size() != 1 || one.slowest > 0)
    throw UsageError(fmt::format("--trace-packet {}: give one packet, as p7:3, or slowest", traced));
  const bool known = std::any_of(choice_.packets.begin(), choice_.packets.end(), [&](const auto& packet) {
    return packet.endpoint == one.packets[0].endpoint && packet.number == one.packets[0].number;
  });
  if (!known) choice_.packets.push_back(one.packets[0]);
}

std::string FollowedPackets::TracedName() const {
  std::string name = traced_;
  std::replace(name.begin(), name.end(), ':', '-');
  return name;
}

void FollowedPackets::Begin(SwitchRun* run, RunControl* control) {
  following_ = std::make_unique<cosim::SwitchJourneys>(
      choice_, cosim::SwitchJourneys::Run{&run->setup(), &run->endpoints(), run->reductions() != nullptr, run->options().link_delay});
  following_->PassOn(control->recorder);
  control->recorder = following_.get();
  control->taps.push_back(following_.get());
  run->TellFates(following_->fates());
}

void FollowedPackets::End(const SwitchRun& run) {
  chosen_ = following_->Chosen();
  begin_ = run.traffic_begin();
  const Cycle channel = run.options().chip_timing ? run.options().profile->channel_cycles : 0;
  json_ = SwitchJourneysJson({run.setup(), channel, run.options().link_delay}, chosen_);
}

nlohmann::json FollowedPackets::Write(const RunDirectory& directory) const {
  JourneyFiles files(directory);
  for (const auto& journey : json_) files.Add(journey);
  files.Close();
  return files.OfReport();
}

std::vector<std::string> FollowedPackets::Lines(const RunDirectory& directory, const std::string& command) const {
  std::vector<std::string> lines;
  for (const auto& one : choice_.packets) {
    const std::int64_t sent = following_->SentBy(one.endpoint);
    if (one.number > sent)
      lines.push_back(fmt::format("journey: port p{} never sent its packet {}: it sent {}", one.endpoint, one.number, sent));
  }
  lines.push_back(fmt::format("  journeys: {} ({} of them)", (directory.path() / "journeys.csv").string(), json_.size()));
  for (std::size_t i = 0; i < std::min(json_.size(), kMostLines); ++i) lines.push_back("    " + JourneyLine(json_[i]));
  if (!chosen_.empty() && !traces())
    lines.push_back(fmt::format("    waves of {0}: {1}{0}", NameOf(chosen_.front()), command));
  return lines;
}

std::optional<FollowedPackets::Trace> FollowedPackets::TraceOf(const cosim::WaveOptions& window) const {
  // The slowest one is among those chosen by number, too, when it is one of them; of copies it is the slowest.
  const cosim::SwitchJourney* found = nullptr;
  for (const cosim::SwitchJourney& one : chosen_) {
    if (traced_ != kSlowest && NameOf(one) != traced_) continue;
    if (found == nullptr || (one.delivered() && (!found->delivered() || one.latency() > found->latency()))) found = &one;
  }
  if (found == nullptr) return std::nullopt;
  Trace trace{StoryOf(*found), window, 0};
  if (automatic_window_) {
    trace.window.from = trace.story.from;
    trace.window.to = trace.story.to;
  }
  trace.cycles = std::max<Cycle>(1, std::min(trace.window.to, kMostCycles) + 1 - begin_);
  return trace;
}

}  // namespace tilefly::runs
