// SPDX-License-Identifier: Apache-2.0
#include "network/system_writes.h"

#include <set>

#include "golden/common/register_write.h"
#include "golden/reduction/red_lanes.h"
#include "network/credit_tables.h"

namespace tilefly::network {
namespace {

void Append(const std::vector<Cfg>& more, std::vector<Cfg>* writes) {
  writes->insert(writes->end(), more.begin(), more.end());
}

}  // namespace

SystemWrites::SystemWrites(const NetworkOptions& options, const Profile& profile, const Wiring& wiring,
                           const PlannedFaults& faults, const SystemRoutes& routes, const ReductionTrees& trees,
                           const SystemLanes& lanes, bool acks, const FlowMark& flow_mark)
    : options_(options),
      profile_(profile),
      wiring_(wiring),
      faults_(faults),
      routes_(routes),
      trees_(trees),
      lanes_(lanes),
      acks_(acks),
      flow_mark_(flow_mark),
      used_lanes_(UsedLanes()),
      common_(options.writes) {
  if (options.bench_timing) {
    const bool minimal = routes.paths() == topology::Routing::kMinimal;
    Append(CreditWrites(golden::kAllPorts, BenchCredits(profile, used_lanes_, minimal, options.retry)), &common_);
  }
  Append(lanes.ClassWrites(Common().tables()), &common_);
  if (!trees.empty()) Append(SystemLanes::ReductionWrites(trees.tc(), Common().tables()), &common_);
  Append(routes.CommonWrites(options.seed), &common_);
  const golden::Registers registers = Common();
  const int tables = static_cast<int>(lanes.plan().tables.size());
  for (int table = 0; table < tables; ++table) maps_.push_back(lanes.MapWrites(table, registers.tables()));
}

/// Lanes of the classes that send.
std::vector<int> SystemWrites::UsedLanes() const {
  std::set<int> used;
  for (const int tc : options_.UsedClasses()) used.insert(lanes_.of_class(tc).begin(), lanes_.of_class(tc).end());
  if (!trees_.empty()) used.insert({kRedUpLane, kRedDownLane});
  return {used.begin(), used.end()};
}

golden::Registers SystemWrites::Common() const {
  golden::Registers registers(profile_);
  for (const Cfg& write : common_) registers.Apply(write);
  return registers;
}

std::vector<Cfg> SystemWrites::SharedOf(int map) const {
  std::vector<Cfg> writes = common_;
  Append(maps_[map], &writes);
  return writes;
}

std::vector<Cfg> SystemWrites::OfPorts(int node) const {
  std::vector<Cfg> writes;
  for (int port = 0; port < profile_.ports; ++port) {
    const FarEnd& far = wiring_.far(node, port);
    if (!far.connected()) continue;
    PortMode mode;
    mode.enable = mode.credits = true;
    mode.std_format = false;
    mode.cut_through = far.node >= 0;
    mode.pclass = lanes_.port_class(node, port);
    mode.lanes = static_cast<std::uint8_t>(far.node >= 0 ? 4 : options_.nic_lanes);
    mode.acks = far.endpoint >= 0 && acks_;
    mode.flows = mode.acks && options_.congestion.on;
    mode.retry = faults_.Damages(node, port);
    writes.push_back(golden::WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits()));
    if (mode.retry && !(faults_.retry_register() == PortRetry())) {
      writes.push_back(golden::WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kRetry),
                                             faults_.retry_register().ToBits()));
    }
    if (mode.retry && !(faults_.lanes_register() == PortLanes())) {
      writes.push_back(golden::WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kLanes),
                                             faults_.lanes_register().ToBits()));
    }
    if (const int sweeps = options_.nics.AckDeadline(); mode.acks && sweeps > 0) {
      writes.push_back(golden::WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kAckDeadline),
                                             PortAckDeadline::Of(static_cast<std::uint64_t>(sweeps)).ToBits()));
    }
    if (mode.flows) {
      writes.push_back(
          golden::WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kFlowMark), flow_mark_.ToBits()));
      if (!(options_.congestion.channel == FlowChannel())) {
        writes.push_back(golden::WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kFlowChannel),
                                               options_.congestion.channel.ToBits()));
      }
    }
    if (options_.bench_timing || far.node < 0) continue;
    if (options_.retry) {
      Append(CreditWrites(port, RepeatingLinkCredits(profile_, used_lanes_, far.delay)), &writes);
    } else if (const auto credits = LongLinkCredits(profile_, used_lanes_, far.delay)) {
      Append(CreditWrites(port, *credits), &writes);
    }
  }
  return writes;
}

/// The ports come first: a port is a retry port before its link comes up, which is when the last write has taken effect.
std::vector<Cfg> SystemWrites::OwnOf(int node) const {
  std::vector<Cfg> writes = OfPorts(node);
  Append(routes_.Writes(node), &writes);
  Append(trees_.Writes(node), &writes);
  return writes;
}

std::vector<Cfg> SystemWrites::Of(int node) const {
  std::vector<Cfg> writes = SharedOf(MapOf(node));
  Append(OwnOf(node), &writes);
  return writes;
}

}  // namespace tilefly::network
