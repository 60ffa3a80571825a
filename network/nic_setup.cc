// SPDX-License-Identifier: Apache-2.0
#include "network/nic_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "support/errors.h"

namespace tilefly::network {
namespace {

/// Some class that sends may lose packets, of which no ack tells.
bool MayLose(const NetworkOptions& options, const golden::Registers& registers) {
  const std::vector<int> used = options.UsedClasses();
  return std::any_of(used.begin(), used.end(), [&](int tc) { return registers.port(0).shares->lossy(tc); });
}

/// Packets that a NIC may have outstanding, 0: no limit.
int WindowOf(const NetworkOptions& options, const golden::Registers& registers, bool acks, bool loses_acks) {
  const NicOptions& nics = options.nics;
  const bool app_aware = options.routing.app_aware.has_value();
  if (app_aware && !options.hosts.used()) {
    throw UsageError(
        "--routing app_aware: it chooses for each message, and synthetic traffic has none; give a job (--traffic "
        "alltoall, --goal FILE), or --routing adaptive_0");
  }
  if (!acks) {
    if (!nics.window && !nics.resends() && !app_aware) return 0;
    throw UsageError(
        "--window, --resend, --routing app_aware: NICs know what is outstanding from acks, and there are none; give "
        "--acks on, or leave them out");
  }
  if (!nics.resends() && MayLose(options, registers)) {
    if (!nics.window && !app_aware) return 0;
    throw UsageError(
        "--window, --routing app_aware: a packet that a lossy class loses would be outstanding for ever; give --resend "
        "TIME with it");
  }
  if (!nics.resends() && loses_acks) {
    if (!nics.window && !app_aware) return 0;
    throw UsageError(
        "--window, --routing app_aware: the fault plan damages control slots, and a packet whose ack is lost would be "
        "outstanding for ever; give --resend TIME with it");
  }
  return nics.window.value_or(NicOptions::kMostWindow);
}

/// How packets use flows, when acks name their packets.
ChannelSetup ChannelsOf(const NetworkOptions& options) {
  const NicOptions& nics = options.nics;
  ChannelSetup channels{options.routing.flows, options.routing.any_flow, false, nics.resend, nics.most_resends};
  if (nics.resend_window == 0) return channels;
  if (!nics.resends()) {
    throw UsageError(
        "--resend-window: without --resend no packet is sent again, and none comes twice; give --resend TIME, or leave it "
        "out");
  }
  if (!channels.any) return channels;
  if (channels.count % 2 != 0) {
    throw UsageError(fmt::format(
        "--flows {}: with --resend-window and this --routing a channel has two flows; give an even number", channels.count));
  }
  channels.turns = true;
  channels.count /= 2;
  if (nics.window.value_or(0) <= channels.count) return channels;
  throw UsageError(fmt::format(
      "--window {}: with --resend-window a NIC has {} channels, and no more packets outstanding; give --window {} or less, "
      "or leave it out",
      *nics.window, channels.count, channels.count));
}

}  // namespace

NicSetup MakeNicSetup(const NetworkOptions& options, const topology::Topology& topology, const Profile& profile,
                      const SystemLanes& lanes, const golden::Registers& registers, bool acks, bool loses_acks) {
  NicSetup setup{};
  setup.background = options.background.has_value();
  setup.ends_with_jobs = options.EndsWithJobs();
  setup.clock_khz = profile.clock_khz;
  setup.credits = *registers.port(0).credit;
  for (int c = 0; c < golden::kMaxClasses; ++c) {
    const std::vector<int>& of_class = lanes.of_class(c);
    if (!of_class.empty()) setup.lane[c] = static_cast<std::uint8_t>(of_class.front());
    setup.queue[c] = static_cast<std::uint8_t>(options.nics.class_queues ? c : 0);
  }
  setup.mode = options.routing.mode;
  setup.flows = static_cast<std::uint64_t>(options.routing.flows);
  for (const topology::Endpoint& endpoint : topology.endpoints) {
    const topology::Switch& at = topology.switches[endpoint.port.at];
    setup.addresses.push_back(topology::AddressOf(at.group, at.index, endpoint.port.port));
  }
  setup.mtu_cells = profile.mtu_cells;
  setup.lanes = options.nic_lanes;
  if (options.routing.app_aware) setup.app_aware = &*options.routing.app_aware;
  if (options.nics.resends() || options.nics.resend_window > 0 || options.routing.app_aware)
    setup.channels = ChannelsOf(options);
  setup.numbers = {options.nics.resend_window, options.nics.first_number};
  setup.window = WindowOf(options, registers, acks, loses_acks);
  setup.ends_with_loss = !options.nics.resends();
  setup.pauses = options.congestion.on;
  setup.most_aside = options.congestion.most_aside;
  return setup;
}

}  // namespace tilefly::network
