// SPDX-License-Identifier: Apache-2.0
#include "systemc/switch/switch.h"

namespace tilefly::systemc {
namespace {

/// Whether the write concerns flow channels.
bool OfFlows(const Cfg& write) {
  if (static_cast<CfgSpace>(write.space) != CfgSpace::kPort) return false;
  const auto reg = static_cast<PortReg>(write.index);
  return reg == PortReg::kMode || reg == PortReg::kFlowMark || reg == PortReg::kFlowChannel;
}

}  // namespace

Switch::Switch(sc_core::sc_module_name name, const Profile& profile, const golden::SchedulerChoice& scheduler)
    : SwitchNode(name),
      context_(profile),
      tiles_("tile", profile.tiles, [&](const char* tile, std::size_t number) {
        return new Tile(tile, static_cast<int>(number), context_, scheduler);
      }) {
  configure.register_b_transport(this, &Switch::Transport);
  configure.register_nb_transport_fw(this, &Switch::Access);
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&written_);
  sc_core::sc_spawn([this] { ApplyWrites(); }, sc_core::sc_gen_unique_name("registers"), &options);
  Wire();
  if (profile.red_present == 0) return;
  ring_ = std::make_unique<CombinerRing>("ring", context_);
  context_.on_turn = [this](Cycle cycle) { ring_->Look(cycle); };
  for (int port = 0; port < profile.ports; ++port) {
    input(port).taken().bind(ring_->taken[port]);
    ring_->result[port].bind(output(port).result);
  }
}

/// As on the tile page: row buses into all tiles of the row, column channels to the tiles of the column.
void Switch::Wire() {
  const auto tile = [this](int row, int col) -> Tile& { return tiles_[row * context_.profile.cols + col]; };
  for (int row = 0; row < context_.profile.rows; ++row) {
    for (int source = 0; source < context_.profile.cols; ++source) {
      for (int lane = 0; lane < Tile::kPorts; ++lane) {
        for (int col = 0; col < context_.profile.cols; ++col) {
          tile(row, source).inputs[lane].request.bind(tile(row, col).requests.rows);
          tile(row, source).inputs[lane].data.bind(tile(row, col).data.rows);
          tile(row, source).outputs[lane].grant.bind(tile(row, col).grants.rows);
          tile(row, source).outputs[lane].ack.bind(tile(row, col).acks.rows);
        }
      }
    }
  }
  for (int col = 0; col < context_.profile.cols; ++col) {
    for (int from = 0; from < context_.profile.rows; ++from) {
      for (int to = 0; to < context_.profile.rows; ++to) {
        for (int lane = 0; lane < Tile::kPorts; ++lane) {
          tile(from, col).requests.columns.bind(tile(to, col).outputs[lane].request);
          tile(from, col).data.columns.bind(tile(to, col).outputs[lane].data);
          tile(from, col).grants.columns.bind(tile(to, col).inputs[lane].grant);
          tile(from, col).acks.columns.bind(tile(to, col).inputs[lane].ack);
        }
      }
    }
  }
}

/// Before the simulation it takes no time: initiators that run ahead need the registers in the first cycle.
void Switch::Write(const Cfg& write) {
  if (!sc_core::sc_is_running()) return Apply(0, write);
  WriteIn(fabric::CycleAt(sc_core::sc_time_stamp()), write);
}

/// The event of a write is in the middle of its cycle: the decisions of the next one are the first to see it.
void Switch::WriteIn(Cycle bus, const Cfg& write) {
  writes_.Enter(bus + golden::kWriteLatency, write);
  written_.notify(fabric::UntilCycle(writes_.Next()) + fabric::TimeOf(1) / 2);
}

void Switch::ApplyWrites() {
  const Cycle now = fabric::CycleAt(sc_core::sc_time_stamp()) - 1;
  writes_.Drain(now, [&](const Cfg& write) { Apply(now, write); });
  for (int p = 0; p < context_.profile.ports; ++p) output(p).Look();
  if (writes_.Next() != kNever) written_.notify(fabric::UntilCycle(writes_.Next()) + fabric::TimeOf(1) / 2);
}

void Switch::Apply(Cycle cycle, const Cfg& write) {
  if (static_cast<CfgSpace>(write.space) == CfgSpace::kRed) {
    if (ring_ != nullptr) ring_->Write(cycle, write);
    return;
  }
  const bool of_flows = OfFlows(write);
  for (int p = 0; of_flows && p < context_.profile.ports; ++p) {
    if (golden::Addresses(write, p)) output(p).KeepFlows(cycle);
  }
  context_.registers.Apply(write);
  if (ring_ != nullptr) ring_->Look(cycle);
  for (int p = 0; p < context_.profile.ports; ++p) {
    if (static_cast<CfgSpace>(write.space) == CfgSpace::kCredit) output(p).grants().Rebase();
    if (static_cast<CfgSpace>(write.space) == CfgSpace::kPort && write.index == static_cast<int>(PortReg::kAckDeadline) &&
        golden::Addresses(write, p)) {
      context_.flows.Advance(cycle);
      context_.flows.SetDeadline(p, context_.port(p).ack_deadline.sweeps);
    }
    if (of_flows && golden::Addresses(write, p)) input(p).WriteFlows(cycle);
    if (golden::ChangesPlaces(write) && golden::Addresses(write, p)) output(p).grants().Restart();
  }
}

/// A counter, or a group's STATUS.
std::uint64_t Switch::Read(const Cfg& read) const {
  if (static_cast<CfgSpace>(read.space) == CfgSpace::kCounter) return context_.counters.Read(read.port, read.index);
  return ring_ == nullptr ? 0 : ring_->Status(GroupIndex::FromBits(read.index).group).ToBits();
}

void Switch::Transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const auto access = RegisterAccess::Of(&payload, context_.profile.ports);
  if (!access) return;
  if (payload.is_write()) {
    WriteIn(fabric::CycleOfCall(delay), access->cfg);
  } else {
    access->Answer(&payload, Read(access->cfg));
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

/// The register bus answers at once: the non-blocking call completes early.
tlm::tlm_sync_enum Switch::Access(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  Transport(payload, delay);
  phase = tlm::BEGIN_RESP;
  return tlm::TLM_COMPLETED;
}

std::uint64_t Switch::kernel_events() const {
  std::uint64_t events = 0;
  for (const Tile& tile : tiles_) events += tile.kernel_events();
  if (ring_ != nullptr) events += ring_->kernel_events();
  return events;
}

bool Switch::Drained() {
  const Cycle now = fabric::CycleAt(sc_core::sc_time_stamp());
  for (int p = 0; p < context_.profile.ports; ++p) {
    const GrantUnit& grants = output(p).grants();
    if (input(p).Used(now) != 0 || input(p).packets() != 0 || grants.room() != context_.profile.obuf_cells) return false;
    if (context_.loads.load(p) != 0 || !grants.credits().AllHome()) return false;
  }
  return context_.crossings.held() == 0 && context_.made.held() == 0 && (ring_ == nullptr || ring_->Idle());
}

}  // namespace tilefly::systemc
