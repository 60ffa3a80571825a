// SPDX-License-Identifier: Apache-2.0
// A node whose switch is golden. It runs only the cycles in which something happens.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "network/repeating_node.h"

namespace tilefly::network {

class GoldenNode final : public RepeatingNode {
 public:
  static constexpr Cycle kLead = golden::kCreditToWire;
  /// Of a switch whose links repeat: a stamp that is decided in t is on the link in t + 1, and what stands in a control
  /// slot is needed at the far end in the cycle in which it is there.
  static constexpr Cycle kRepeatingLead = golden::kStampToWire - golden::kWireToEvent;

  GoldenNode(const Profile& profile, const golden::SchedulerChoice& scheduler, int index, NodeContext* context);

  void Write(const std::vector<Cfg>& writes, Cycle bus) override;
  void Run(Cycle end) override;
  Cycle Due() const override { return DueBy(switch_.NextActive()); }
  Cycle DueButSweeps() const override { return DueBy(switch_.next_but_flows()); }
  Cycle lead() const override { return repeats_ == nullptr ? kLead : kRepeatingLead; }
  std::string NotHome(bool lost) override;
  Cycle LastFlowDeadline() const override;
  std::uint64_t ReadCounter(int port, int index) override { return switch_.ReadCounter(port, index); }
  void KeepLinkStatistics() override;
  void SaveState(Saver* save) override;
  void LoadState(Loader* load) override;
  std::size_t bytes() const override { return sizeof(*this); }
  const golden::Registers* registers() const override { return &switch_.registers(); }
  void ShareTables(const golden::Registers& other) override { switch_.ShareTables(other); }
  golden::Switch* golden() override { return &switch_; }
  const golden::Switch* golden() const override { return &switch_; }
  void PrefetchParts() const override {
    switch_.Prefetch();
    Node::PrefetchParts();
  }

 private:
  void TakeFromNic(int port, const LinkPacket& packet, Cycle end) override;
  void TakeFromNic(int port, const LinkCredit& credit, Cycle end) override;
  void TellPacket(int port, const LinkPacket& packet);
  void TellCredit(int port, const LinkCredit& credit);
  void TellAck(int port, const LinkAck& ack);
  void TellInboxes(Cycle end);
  bool Collect(Cycle now, Cycle end);
  /// The step of cycle `now` is no event of the run.
  bool IsAside(Cycle now) const { return switch_.SweepsAlone(now) || IsPlanned(now); }
  /// When the node is due whose switch is due in `own`.
  Cycle DueBy(Cycle own) const;
  std::string FlowsNotHome(bool lost) const;
  template <typename Visit>
  void ForEachPayload(Visit&& visit);
  template <typename Archive>
  void SerializeLinks(Archive& archive);
  const Profile& SwitchProfile() const override { return switch_.profile(); }
  const golden::PortRegisters& RegistersOf(int port) const override { return switch_.registers().port(port); }
  void AwaitLink(int port) override { switch_.LinkUp(port, false, 0); }
  void BeginLink(int port, Cycle up, int lanes) override;
  void BeginAttempt(int port, const LinkAttempt& attempt, bool broken) override;
  void Says(int port, const LinkReport& said) override { SendReport(port, said); }
  void HearSlots(int port, Cycle until, Cycle end) override;
  void TellStamps(int port, Cycle end) override;
  void TakeToRepeat(const golden::Departure& departure, golden::Payload payload) override;
  bool IsDownAt(int port, Cycle cycle) const {
    return Repeats(port) ? !(*repeats_)[port].downs->IsUp(cycle) : IsDownBetween(port, cycle, cycle);
  }
  void TurnLink(int port, bool up, Cycle now) override { switch_.LinkUp(port, up, now); }
  void GiveUpFailing(Cycle now);
  void RunRepeating(Cycle end);
  void HearRepeated(Cycle end);
  void StepSenders(Cycle now);
  void SendStamps();

  golden::Switch switch_;
};

}  // namespace tilefly::network
