// SPDX-License-Identifier: Apache-2.0
#include "golden/acks/edge_flows.h"

#include "golden/acks/ack_checker.h"

namespace tilefly::golden {

void EdgeFlows::SetRegisters(Cycle now, const Cfg& write) {
  if (!write.valid || write.read || static_cast<CfgSpace>(write.space) != CfgSpace::kPort) return;
  const auto reg = static_cast<PortReg>(write.index);
  const bool of_channels = reg == PortReg::kMode || reg == PortReg::kFlowMark || reg == PortReg::kFlowChannel;
  if (!of_channels && reg != PortReg::kAckDeadline) return;
  for (int p = 0; p < context_.profile.ports; ++p) {
    if (!Addresses(write, p)) continue;
    const PortRegisters& port = context_.registers.port(p);
    if (!of_channels) {
      account_.SetDeadline(p, port.ack_deadline.sweeps);
      continue;
    }
    if (port.has_flows() && channels_ == nullptr) MakeChannels();
    if (channels_ != nullptr) channels_->SetRegisters(now, p, port.has_flows(), {port.flow_mark, port.flow_channel});
  }
}

void EdgeFlows::TakeAck(Cycle now, int port, const Ack& ack) {
  if (HasChannels(port)) return channels_->Acknowledge(now, port, ack);
  account_.Advance(now);
  account_.Acknowledge(port, ack.flow, ack.cells);
  if (context_.watchers.acks != nullptr) context_.watchers.acks->Acknowledged(port, ack);
}

void EdgeFlows::MakeChannels() {
  channels_ = std::make_unique<FlowPorts>(context_.profile.ports, &context_.counters);
  channels_->Watch(watched_);
}

}  // namespace tilefly::golden
