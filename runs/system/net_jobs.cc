// SPDX-License-Identifier: Apache-2.0
// Jobs of `tilefly net`: their ranks, classes and hosts.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "cosim/traffic/class_mix.h"
#include "runs/system/net_settings.h"
#include "support/errors.h"
#include "workload/patterns.h"
#include "workload/segments.h"

namespace tilefly::runs {
namespace {

/// Packets of a message are counted in 31 bits.
void CheckMessages(const workload::Job& job, int data) {
  constexpr std::int64_t kMostPackets = std::numeric_limits<std::int32_t>::max();
  for (std::size_t rank = 0; rank < job.schedule.ranks.size(); ++rank) {
    const std::vector<workload::Operation>& operations = job.schedule.ranks[rank].operations;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      if (operations[i].kind != workload::Kind::kSend || operations[i].amount <= kMostPackets * data) continue;
      throw UsageError(
          fmt::format("{}: rank {}: {}: more than {} packets of {} bytes, the most that class {} has; send it in "
                      "parts, or give a class of a larger MTU",
                      job.text, rank, job.schedule.Describe(static_cast<int>(rank), static_cast<int>(i)), kMostPackets,
                      data, job.tc));
    }
  }
}

}  // namespace

/// The endpoints execute jobs instead of sending synthetic traffic.
void NetSettings::AddJobs(const Profile& profile, NetRunOptions* options) const {
  network::NetworkOptions& network = options->network;
  const std::string& traffic = Get("traffic.pattern");
  const std::string& goal = Get("traffic.goal");
  if (HasCapture()) throw UsageError("--pcap and jobs (--goal, message patterns) exclude each other: leave one out");
  if (traffic != "none" && !workload::IsPattern(traffic)) {
    throw UsageError(
        fmt::format("--goal and --traffic {} exclude each other: endpoints execute jobs or send synthetic traffic; "
                    "leave one out, or "
                    "give message patterns ({})",
                    traffic, fmt::join(workload::PatternNames(), ", ")));
  }
  const auto time = [&](const char* path) { return workload::ParseNanoseconds(Get(path), NameOf(path)); };
  const workload::HostCosts costs = {time("host.send"), time("host.receive"), time("host.reduce")};
  workload::Workload workload = workload::MakeWorkload(
      traffic == "none" ? "" : traffic, goal, static_cast<int>(options->topology->endpoints.size()),
      workload::ParseAllocation(Get("traffic.allocation")), network.seed, costs);
  if (!Get("traffic.only").empty()) workload::RunOnly(Get("traffic.only"), &workload);
  for (const workload::Job& job : workload.jobs) {
    const std::vector<cosim::ClassPart> parts =
        ParseClasses(job.tc, options->classes, profile, fmt::format("--traffic {}: class", job.pattern));
    if (parts.size() != 1) throw UsageError(fmt::format("--traffic {}: class={} is to be one class", job.text, job.tc));
    const int data = workload::MostData(std::min(parts[0].largest, profile.mtu_bytes));
    if (data < 4)
      throw UsageError(
          fmt::format("--traffic {}: frames of class {} have at most {} bytes, and headers take {}; give "
                      "another class",
                      job.text, job.tc, parts[0].largest, workload::FrameOf(0, true)));
    CheckMessages(job, data);
    network.hosts.classes.push_back(parts[0].tc);
    network.hosts.most_data.push_back(data);
    network.traffic.classes.push_back({parts[0].tc, 1, parts[0].largest});
  }
  const auto cycles = [&](const char* path) { return workload::CyclesOf(time(path), profile.clock_khz); };
  network.hosts.message_overhead = cycles("nic.message_overhead");
  network.hosts.packet_overhead = cycles("nic.packet_overhead");
  network.hosts.reduction_send = cycles("host.send");
  network.hosts.reduction_receive = cycles("host.receive");
  network.hosts.workload = std::make_shared<const workload::Workload>(std::move(workload));
  network.traffic.pattern = "uniform";
}

}  // namespace tilefly::runs
