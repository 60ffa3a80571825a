// SPDX-License-Identifier: Apache-2.0
#include "systemc/system/system_registers.h"

#include "golden/acks/ack_route.h"
#include "golden/common/register_write.h"
#include "network/credit_tables.h"

namespace tilefly::systemc {

SystemRegisters::SystemRegisters(const topology::Topology& topology, const Profile& profile,
                                 const network::Wiring& wiring, const network::RoutingOptions& routing, int tc,
                                 int nic_lanes, std::uint64_t seed, bool repeats)
    : profile_(profile),
      wiring_(wiring),
      tc_(tc),
      nic_lanes_(nic_lanes),
      seed_(seed),
      repeats_(repeats),
      routes_(topology, profile, routing),
      lanes_(topology, profile, topology::PlanLanes(topology, routes_.paths()), routing.name, {}, {tc}, false),
      acks_(routes_.longest() <= golden::kMostAckHops + 1) {}

std::vector<Cfg> SystemRegisters::Writes(int node) const {
  std::vector<Cfg> writes;
  golden::Registers registers(profile_);  // as written so far: tables of lanes are written from what is there
  const auto add = [&](const std::vector<Cfg>& more) {
    for (const Cfg& write : more) registers.Apply(write);
    writes.insert(writes.end(), more.begin(), more.end());
  };
  add(lanes_.ClassWrites(registers.tables()));
  add(routes_.CommonWrites(seed_));
  add(lanes_.MapWrites(lanes_.plan().table_of[node], registers.tables()));
  add(routes_.Writes(node));
  for (int port = 0; port < wiring_.ports(); ++port) AddPort(node, port, &writes);
  return writes;
}

void SystemRegisters::AddPort(int node, int port, std::vector<Cfg>* writes) const {
  const network::FarEnd& far = wiring_.far(node, port);
  if (!far.connected()) return;
  const bool between_switches = far.node >= 0;
  PortMode mode;
  mode.enable = mode.credits = true;
  mode.std_format = false;
  mode.cut_through = between_switches;
  mode.pclass = lanes_.port_class(node, port);
  mode.lanes = static_cast<std::uint8_t>(between_switches ? 4 : nic_lanes_);
  mode.acks = !between_switches && acks_;
  writes->push_back(golden::WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits()));
  if (!between_switches) return;
  if (repeats_) {
    const golden::CreditTable credits = network::RepeatingLinkCredits(profile_, lanes_.of_class(tc_), far.delay);
    for (const Cfg& write : network::CreditWrites(port, credits)) writes->push_back(write);
  } else if (const auto credits = network::LongLinkCredits(profile_, lanes_.of_class(tc_), far.delay)) {
    for (const Cfg& write : network::CreditWrites(port, *credits)) writes->push_back(write);
  }
}

}  // namespace tilefly::systemc
