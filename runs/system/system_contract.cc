// SPDX-License-Identifier: Apache-2.0
#include "runs/system/system_contract.h"

#include <fmt/format.h>

#include <algorithm>

#include "runs/system/net_results.h"

namespace tilefly::runs {
namespace {

/// Whether packets with this header keep their order from source to destination.
bool KeepsOrder(const golden::HeaderBits& header) {
  const auto mode = static_cast<RouteMode>(header.mode());
  return header.ordered() || mode == RouteMode::kInOrder || mode == RouteMode::kMinHash || mode == RouteMode::kNminHash;
}

/// One begins with the other.
bool Agree(const std::vector<Cycle>& a, const std::vector<Cycle>& b) {
  const std::size_t both = std::min(a.size(), b.size());
  return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(both), b.begin());
}

}  // namespace

void DeliveryLog::Carries(const network::LinkEvent& event) {
  const bool is_packet = event.kind == network::LinkKind::kPacket && !event.header.is_red();
  if (event.from_nic || !is_packet || wiring_.far(event.node, event.port).endpoint < 0) return;
  Packets& packets = flows_[{event.record.source, event.record.destination, event.header.tc(), event.header.flow()}];
  packets.created.push_back(event.record.created);
  packets.in_order &= KeepsOrder(event.header);
}

std::vector<std::string> DeliveryLog::DifferenceFrom(const DeliveryLog& other, bool timed) const {
  std::size_t packets = 0, orders = 0;
  for (const auto& [flow, mine] : flows_) {
    const auto found = other.flows_.find(flow);
    if (found == other.flows_.end()) continue;  // its packets are counted among all
    const Packets& theirs = found->second;
    if (!timed) {
      packets += mine.created.size() != theirs.created.size();
      continue;
    }
    orders += mine.in_order && !Agree(mine.created, theirs.created);
    std::vector<Cycle> a = mine.created, b = theirs.created;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    packets += !Agree(a, b);
  }
  std::vector<std::string> broken;
  if (packets != 0) broken.push_back(fmt::format("other packets in {} flows", packets));
  if (orders != 0) broken.push_back(fmt::format("another order in {} flows", orders));
  return broken;
}

cosim::ContractFigures ContractFiguresOf(const network::Network& network, const network::Figures& figures) {
  const network::Statistics& statistics = figures.statistics;
  const NetLoads loads = LoadsOf(network, figures);
  LatencyHistogram latency;
  for (const network::ClassStatistics& one : statistics.classes) latency.Merge(one.latency);
  cosim::ContractFigures contract;
  contract.offered = statistics.sent();
  contract.delivered = statistics.delivered();
  std::copy(statistics.drops.begin(), statistics.drops.end(), contract.drops.begin());
  contract.offered_load = loads.offered;
  contract.accepted_load = loads.accepted;
  contract.mean = latency.Mean();
  contract.p99 = static_cast<double>(latency.Quantile(0.99));
  for (std::size_t j = 0; j < statistics.jobs.size(); ++j) {
    const workload::JobStatistics& job = statistics.jobs[j];
    const bool failed = job.failure.cycle != workload::kNoCycle;
    contract.jobs.push_back({fmt::format("job {} ({})", j, network.options().hosts.workload->jobs[j].pattern),
                             job.messages, failed ? job.failure.code : -1,
                             static_cast<double>(std::max(Cycle{0}, job.last - network.nics().begin))});
  }
  return contract;
}

}  // namespace tilefly::runs
