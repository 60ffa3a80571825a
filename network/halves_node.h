// SPDX-License-Identifier: Apache-2.0
// A node whose golden switch runs as halves (docs/timing.md, Halves), with the same results as a GoldenNode.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "golden/halves/half_switch.h"
#include "network/network_options.h"
#include "network/golden_node.h"

namespace tilefly::network {

class HalvesNode final : public Node, private golden::HalfLinks {
 public:
  /// Why the switches of such a system, whose packets take so many lanes, do not run as halves; null: those with the
  /// registers for it do.
  static const char* WhyNot(const NetworkOptions& options, const Profile& profile, int lanes, bool reductions);

  HalvesNode(const Profile& profile, const golden::SchedulerChoice& scheduler, int index, NodeContext* context);

  void Write(const std::vector<Cfg>& writes, Cycle bus) override;
  void MeetPeers(const std::function<Node*(int node)>& peer) override;
  void Receive(const LinkMessage& message, Cycle from) override;
  void Run(Cycle end) override;
  void RunPutOff(Cycle end) override;
  Cycle Due() const override;
  Cycle lead() const override { return GoldenNode::kLead; }
  std::string NotHome(bool lost) override;
  std::uint64_t ReadCounter(int port, int index) override {
    return halves_.ReadCounter(port, index, context_->until == kNever ? halves_.done() : context_->until);
  }
  const golden::Registers* registers() const override { return &registers_; }
  void ShareTables(const golden::Registers& other) override { registers_.ShareTables(other); }
  bool runs_as_halves() const override { return true; }
  int Load(int port, Cycle end) override { return halves_.Load(port, std::min(end, context_->until)); }
  int Used(int port, Cycle end) override { return halves_.Used(port, std::min(end, context_->until)); }
  const golden::CreditSender& Credits(int port) const override {
    return halves_.Credits(port, context_->until);
  }
  void ForEachQueued(const QueuedVisitor& visit) const override { halves_.ForEachQueued(visit); }
  void PrefetchParts() const override {
    halves_.Prefetch();
    PrefetchEnds();
  }
  void PrefetchNics() const override { golden::Prefetch(nics()); }
  void PrefetchInbox(const LinkMessage& message) const override {
    message.kind == LinkKind::kPacket ? halves_.PrefetchInput(message.port) : halves_.PrefetchOutput(message.port);
  }
  void PrefetchTail(const LinkMessage& message) const override {
    if (message.kind == LinkKind::kPacket) halves_.PrefetchRoute(message.packet.header);
  }
  void SaveState(Saver* save) override;
  void LoadState(Loader* load) override;
  std::size_t bytes() const override { return sizeof(*this); }
  golden::HalfSwitch* halves() { return &halves_; }

 private:
  void TakeFromNic(int port, const LinkPacket& packet, Cycle end) override;
  void TakeFromNic(int port, const LinkCredit& credit, Cycle end) override;
  void Depart(const golden::Departure& departure) override { Node::Depart(departure, kNever); }
  void Return(const golden::CreditReturn& credit) override { Node::Return(credit); }
  void PassOn(const golden::AckReturn& ack) override { Node::PassOn(ack); }
  void SendPacket(int port, const LinkPacket& packet) override;
  void SendCredit(int port, const LinkCredit& credit) override;
  void Await(Cycle due, Cycle from);
  void Hurry(Cycle due);
  void Begin();
  /// When something has to be done.
  Cycle NextDue() const { return std::min(halves_.Due(), nics_due_); }
  void Tell(int port, const LinkPacket& packet);

  const Profile& profile_;
  golden::Registers registers_;
  mutable golden::HalfSwitch halves_;  ///< what waits there is applied when somebody asks for the state
  bool begun_ = false;
  Cycle written_ = kNever;          ///< the cycle behind the event of the last write; kNever: there was no write
  Cycle end_ = 0;                   ///< of the run that lasts
  std::vector<HalvesNode*> peers_;  ///< by port: who gets at once what is for it; null: it goes by a message
};

}  // namespace tilefly::network
