// SPDX-License-Identifier: Apache-2.0
// The flows of a switch's edge ports: flow channels at the ports that have them (docs/blocks/flow_channel.md), the flow
// account at the others (docs/blocks/acks.md).
#pragma once

#include <memory>

#include "golden/acks/flow_account.h"
#include "golden/flows/flow_ports.h"
#include "golden/state/context.h"

namespace tilefly::golden {

class EdgeFlows {
 public:
  explicit EdgeFlows(Context& context) : context_(context) {}

  FlowAccount& account() { return account_; }
  const FlowAccount& account() const { return account_; }
  /// Null: no port had flow channels yet.
  FlowPorts* channels() { return channels_.get(); }
  const FlowPorts* channels() const { return channels_.get(); }
  /// Whether the port has flow channels.
  bool HasChannels(int port) const { return channels_ != nullptr && channels_->Has(port); }

  /// Event of cycle `now`, behind the others of its cycle: a register write, which the registers have already, may set
  /// the deadlines after which the flow account forgets cells, and the flow channels of ports.
  void SetRegisters(Cycle now, const Cfg& write);
  /// Event A of cycle `now`, behind the packets that enter queue stages in this cycle: an ack is home at an edge port.
  void TakeAck(Cycle now, int port, const Ack& ack);
  /// From now on, whether flow channels are checked over time.
  void Watch(bool watched) {
    watched_ = watched;
    if (channels_ != nullptr) channels_->Watch(watched_);
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(account_);
    bool has_channels = channels_ != nullptr;
    archive(has_channels);
    if (!has_channels) return;
    if (channels_ == nullptr) MakeChannels();
    archive(*channels_);
  }

 private:
  void MakeChannels();

  Context& context_;
  FlowAccount account_;
  std::unique_ptr<FlowPorts> channels_;
  bool watched_ = false;
};

}  // namespace tilefly::golden
