// SPDX-License-Identifier: Apache-2.0
#include "golden/network/network.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/common/register_write.h"
#include "support/errors.h"
#include "support/text.h"

namespace tilefly::golden {
namespace {

/// Cells of 256 words.
constexpr int kBenchCells = CeilDiv(256 * 32, 48);

const Profile& ProfileOf(const topology::Topology& topology) {
  if (const Profile* profile = FindProfile(topology.profile)) return *profile;
  std::vector<std::string> names;
  for (const Profile& profile : kProfiles) names.emplace_back(profile.name);
  ThrowUnknown("switch profile of the topology", topology.profile, names);
}

LanePlan Rising(LanePlan plan, const topology::Topology& topology) {
  plan.rises = NeedsSecondLane(topology);
  return plan;
}

Registers RegistersWith(const Profile& profile, const std::vector<Cfg>& writes) {
  Registers registers(profile);
  for (const Cfg& write : writes) registers.Apply(write);
  return registers;
}

}  // namespace

Network::Network(const topology::Topology& topology, const NetworkOptions& options)
    : topology_(topology),
      options_(options),
      profile_(ProfileOf(topology)),
      wiring_(topology, profile_.ports, options.bench_timing ? LinkTiming::Bench() : LinkTiming::Chip(profile_)),
      routes_(topology, wiring_, profile_, Rising(options.lanes, topology)),
      traffic_(topology, profile_, options.traffic, options.nic_lanes, options.seed),
      domains_(topology, options.whole),
      window_(WindowLength()),
      round_(RoundLength()),
      rounds_(domains_.count()) {
  common_ = options.writes;
  for (const Cfg& write : CreditWrites()) common_.push_back(write);
  for (const Cfg& write : routes_.CommonWrites(RegistersWith(profile_, common_).tables())) common_.push_back(write);
  for (const std::vector<int>& members : domains_.members) windows_.emplace_back(static_cast<int>(members.size()));
  context_.wiring = &wiring_;
  context_.nics = &nics_;
  for (std::size_t s = 0; s < topology.switches.size(); ++s) {
    nodes_.push_back(std::make_unique<Node>(profile_, options.scheduler, static_cast<int>(s), &context_));
  }
  Configure();
}

/// Two lanes of each class in use share the input buffer in fixed parts (docs/network.md, Timing options).
std::vector<Cfg> Network::CreditWrites() const {
  std::vector<Cfg> writes;
  if (!options_.bench_timing) return writes;
  const auto cells = static_cast<std::uint64_t>(kBenchCells + profile_.mtu_cells - 1);
  std::uint16_t lanes = 0;
  const auto use = [&](int tc) {
    for (const std::uint8_t lane : options_.lanes.lanes[tc]) lanes = static_cast<std::uint16_t>(lanes | 1u << lane);
  };
  if (options_.traffic.classes.empty()) use(0);
  for (const TrafficPart& part : options_.traffic.classes) use(part.tc);
  const int count = __builtin_popcount(lanes);
  if (count * static_cast<int>(cells) > profile_.cells) {
    throw UsageError(
        fmt::format("--timing bench: {} lanes of {} cells are more than the input buffer's {}; send fewer classes",
                    count, cells, profile_.cells));
  }
  for (int v = 0; v < kMaxLanes; ++v) {
    const std::uint64_t own = (lanes >> v & 1) != 0 ? cells : 0;
    writes.push_back(WriteRegister(kAllPorts, CfgSpace::kCredit, v, own | own << 12));
  }
  writes.push_back(WriteRegister(kAllPorts, CfgSpace::kCredit, kMaxLanes, 0));
  return writes;
}

std::vector<Cfg> Network::PortWrites(int node) const {
  std::vector<Cfg> writes;
  for (int port = 0; port < profile_.ports; ++port) {
    const FarEnd& far = wiring_.far(node, port);
    if (!far.connected()) continue;
    PortMode mode;
    mode.enable = mode.credits = true;
    mode.std_format = false;
    mode.cut_through = far.node >= 0;
    mode.pclass = static_cast<std::uint8_t>(far.kind);
    mode.lanes = static_cast<std::uint8_t>(far.node >= 0 ? 4 : options_.nic_lanes);
    writes.push_back(WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits()));
  }
  return writes;
}

std::vector<Cfg> Network::WritesOf(int node) const {
  std::vector<Cfg> writes = common_;
  for (const Cfg& write : routes_.Writes(node)) writes.push_back(write);
  for (const Cfg& write : PortWrites(node)) writes.push_back(write);
  return writes;
}

NicSetup Network::MakeNics() const {
  NicSetup setup{};
  setup.traffic = &traffic_;
  setup.credits = *RegistersWith(profile_, common_).port(0).credit;
  for (int c = 0; c < kMaxClasses; ++c) setup.lane[c] = options_.lanes.lanes[c][0];
  for (const topology::Endpoint& endpoint : topology_.endpoints) {
    const topology::Switch& at = topology_.switches[endpoint.port.at];
    setup.addresses.push_back(topology::AddressOf(at.group, at.index, endpoint.port.port));
  }
  setup.mtu_cells = profile_.mtu_cells;
  setup.lanes = options_.nic_lanes;
  return setup;
}

/// Writes `writes`, one a bus cycle from `bus` on, and runs the switch until they have taken effect.
void Network::Apply(Node* node, const std::vector<Cfg>& writes, Cycle bus) {
  Switch& device = node->device();
  for (const Cfg& write : writes) {
    device.Write(bus, write);
    if (device.NextActive() <= bus) device.Step(bus);
    ++bus;
  }
  while (device.NextActive() < bus + kWriteLatency) device.Step(device.NextActive());
}

/// What all switches are written is written to one; the others hold its tables.
void Network::Configure() {
  Node* const first = nodes_.front().get();
  Cycle begin = 0;
  Apply(first, common_, 0);
  const auto common = static_cast<Cycle>(common_.size());
  for (std::size_t s = 0; s < nodes_.size(); ++s) {
    std::vector<Cfg> own = routes_.Writes(static_cast<int>(s));
    for (const Cfg& write : PortWrites(static_cast<int>(s))) own.push_back(write);
    if (s > 0) nodes_[s]->device().ShareTables(first->device());
    begin = std::max(begin, common + kWriteLatency + static_cast<Cycle>(own.size()));
    Apply(nodes_[s].get(), own, common + kWriteLatency);
  }
  nics_ = MakeNics();
  nics_.begin = begin + kWriteLatency;
  nics_.end = nics_.begin + options_.cycles;
  nics_.measured = {nics_.begin + options_.warmup, nics_.end};
  cycle_ = nics_.begin;
  for (std::size_t s = 0; s < nodes_.size(); ++s) {
    nodes_[s]->AttachNics();
    EnterWhenDue(static_cast<int>(s));
  }
  for (int domain = 0; domain < domains_.count(); ++domain) {
    if (const Cycle window = windows_[domain].Next(); window != kNever) rounds_.Enter(domain, window / round_);
  }
}

Nic::Queue Network::Remaining() const {
  Nic::Queue sum;
  for (const auto& node : nodes_) {
    for (const Nic& nic : node->nics()) {
      const Nic::Queue queue = nic.Remaining();
      sum.packets += queue.packets;
      sum.words += queue.words;
      sum.measured_words += queue.measured_words;
      sum.early_words += queue.early_words;
    }
  }
  return sum;
}

std::string Network::NotHome() const {
  if (context_.records.size() != 0) return fmt::format("{} packets are still on record", context_.records.size());
  for (int n = 0; n < nodes(); ++n) {
    const Switch& device = nodes_[n]->device();
    if (device.packets() != 0) return fmt::format("switch {} holds {} packets", n, device.packets());
    for (int port = 0; port < profile_.ports; ++port) {
      if (device.used(port) != 0)
        return fmt::format("switch {} port {}: {} cells in the input buffer", n, port, device.used(port));
      if (device.room(port) != profile_.obuf_cells)
        return fmt::format("switch {} port {}: output buffer not empty", n, port);
      if (!device.credits(port).AllHome()) return fmt::format("switch {} port {}: credits are out", n, port);
      if (const Nic* nic = nodes_[n]->nic(port); nic != nullptr && !nic->credits().AllHome()) {
        return fmt::format("endpoint {}: credits are out", nic->endpoint());
      }
    }
  }
  return "";
}

}  // namespace tilefly::golden
