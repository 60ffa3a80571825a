// SPDX-License-Identifier: Apache-2.0
// A node whose links may damage words and send them again (docs/network.md, Links with faults): what golden switches
// and devices of words do alike at the ends of such links, and both ends of the links of NICs.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "network/node.h"
#include "network/repeating_ports.h"

namespace tilefly::network {

class RepeatingNode : public Node {
 public:
  RepeatingNode(const Profile& profile, int index, NodeContext* context) : Node(profile, index, context) {}

  void Receive(const LinkMessage& message, Cycle from) override {
    if (repeats_ != nullptr && repeats_->TakeForSlot(message)) return;
    Node::Receive(message, from);
  }
  void AwaitRepeats(golden::PortMask ports, const std::string& why) override;
  void BeginRepeats(golden::PortMask ports, const PlannedFaults& faults, Cycle up, Cycle begin) override;
  bool HasGivenUp(int port) const override { return Repeats(port) && (*repeats_)[port].sender.has_given_up(); }
  int CountHeld(int port) const override {
    return Repeats(port) ? static_cast<int>((*repeats_)[port].sender.held().size()) : 0;
  }
  int CountHeldByNic(int port) const override {
    return RepeatsToNic(port) ? static_cast<int>((*repeats_)[port].nic->sender().held().size()) : 0;
  }
  std::vector<DrawnError> Drawn(int port) const override;
  std::vector<DrawnError> DrawnAtNic(int port) const override;
  DirectionCounts SentBy(int port, bool nic, Cycle begin, Cycle end) const override;

 protected:
  // What each kind of switch does in its own way.

  virtual const Profile& SwitchProfile() const = 0;
  virtual const golden::PortRegisters& RegistersOf(int port) const = 0;
  /// The port's link is down from the start of the run on, and comes up for the first time in cycle `up`. It has
  /// `lanes` SerDes lanes.
  virtual void AwaitLink(int port) = 0;
  virtual void BeginLink(int port, Cycle up, int lanes) = 0;
  /// The link of the port goes down or comes up in cycle `now`, which is to be made.
  virtual void TurnLink(int port, bool up, Cycle now) = 0;
  /// Whether control slots on their way to the port are put together even where none is damaged.
  virtual bool NeedsSlots() const { return false; }
  /// The first word of an attempt passes the gate of the port.
  virtual void BeginAttempt(int port, const LinkAttempt& attempt, bool broken) = 0;
  /// An attempt is on its way to the port.
  virtual void TakeAttempt(int port, const LinkAttempt& attempt) { (*repeats_)[port].receiver.Take(attempt); }
  /// The receiving half of the port has a report, a mask or both for the slot of cycle `said.wire`, at this end.
  virtual void Says(int port, const LinkReport& said) = 0;
  /// What comes before cycle `until` in control slots that are put together, in a call of Run(end).
  virtual void HearSlots(int port, Cycle until, Cycle end) = 0;
  /// Stamps that come to the port without a slot, in a call of Run(end).
  virtual void TellStamps(int port, Cycle end) = 0;
  /// An end asks in cycle `cycle` for its link to go down.
  void GiveUp(int port, bool nic, Cycle cycle);

  // What they do alike.

  void ReceiveRepeated(const LinkMessage& message) override;
  bool IsNews(const golden::CreditReturn& credit) override;
  void AddDown(int port, Cycle from, Cycle till) override { repeats_->AddDown(port, from, till); }
  void StartToRepeat(int port, const Nic::Start& start, golden::Payload payload, Cycle now) override;
  bool RepeatsToNic(int port) const { return Repeats(port) && (*repeats_)[port].nic != nullptr; }
  NicRepeats& NicEnd(int port) { return *(*repeats_)[port].nic; }
  const NicRepeats& NicEnd(int port) const { return *(*repeats_)[port].nic; }
  void HearPort(int port, Cycle end);
  golden::Payload CopyOf(golden::Payload payload);
  /// How an attempt ends that has passed the gate; marks one that is broken off.
  Drop EndOfAttempt(const LinkAttempt& attempt, bool broken);
  LinkAttempt MakeAttempt(int port, bool of_nic, const RetrySender::Held& held, Cycle wire);
  /// An attempt of the port begins: its first word is on the link in start + golden::kRetryStages.
  void StartAttempt(int port, const RetrySender::Held& held, Cycle start);
  /// A report, or a stamp, of the port goes to the far end; `wire` is at this end.
  void SendReport(int port, const LinkReport& said);
  void SendStamp(int port, const LinkCredit& stamp);
  void HearAtNics(Cycle now, Cycle end);
  void StepNicLinks(Cycle now, Cycle end);
  /// From cycle `from` on the port, or its NIC, uses the SerDes lanes that its sending half says, or `now`.
  void TellLanes(int port, bool of_nic, Cycle from);
  void TellLanesInUse(int port, bool of_nic, Cycle from, const RepeatingPorts::LanesInUse& now);
  /// Links that go down or come up in cycle `now`.
  void TurnLinks(Cycle now);
  void KeepDropped(int port, bool of_nic, Cycle now);
  /// What an end held when its link went down, in cycle `down`.
  void DropHeld(int port, bool of_nic, Cycle down, std::deque<RetrySender::Held> held);
  LinkDirection DirectionFrom(int port, bool of_nic) const;
  void HoldJourney(int port, bool of_nic, golden::Payload payload);
  void KeepJourneys(int port, bool of_nic, Cycle now);

  std::unique_ptr<RepeatingPorts> repeats_;  ///< null: no link repeats

 private:
  class AtPort;
  class AtNic;
  void BeginLanes(int port, const PlannedFaults& faults, Cycle begin);
  void HearNicSlots(int port, Cycle end);
  void ComeToNic(int port, const LinkAttempt& attempt, bool broken, Cycle end);
  void StepNicEnd(int port, Cycle now, Cycle end);
  void JudgeJourney(const LinkDirection& into, const LinkAttempt& attempt, bool broken);
  void EndJourneys(const LinkDirection& into);
  void TellExpected(int port, bool of_nic, int expected, Cycle at);
  void SettleDropped(int port, bool of_nic);
  golden::Payload Reclaim(int port, bool of_nic, const RetrySender::Held& held);
};

}  // namespace tilefly::network
