// SPDX-License-Identifier: Apache-2.0
#include "cosim/endpoint/retry_link.h"

#include <fmt/format.h>

namespace tilefly::cosim {

RetryLink::RetryLink(const SwitchSetup& setup, int port, const LinkSetup& link, FrameSink* sink)
    : up_(link.up),
      halves_(setup.profile(), port, setup.mode(port).lanes, setup.SharedCells(port), SwitchSetup::Retry()),
      books_(sink),
      laws_(setup.profile(), port, setup.mode(port).lanes, setup.SharedCells(port)),
      to_switch_(link.delay),
      to_partner_(link.delay),
      faults_(link.faults != nullptr ? std::make_unique<LinkFaults>(*link.faults, port, link.begin) : nullptr),
      delay_(link.delay) {}

void RetryLink::Drive(Cycle now, LinkSender* sender, LinkReceiver* receiver, LinkAcks* acks, Link* link) {
  const bool up = IsUp(now);
  Link arrives = to_partner_.Out(now);
  if (faults_) arrives = faults_->Pass(LinkFaults::kOut, now, arrives);
  sender->Hold(!halves_.HasRoom());
  sender->Drive(now, &word_);
  Link sent;
  receiver->DriveControl(now, &sent.ctrl);
  if (up) acks->Drive(now, &sent.ctrl);
  const RetryHalves::Passed passed = halves_.Step(now, up, arrives, word_);
  halves_.ShowSent(&sent);
  if (up && !arrives.ctrl.err && arrives.ctrl.ack_valid) acks->Receive(now, arrives.ctrl);
  if (passed.broke_off) receiver->Abandon(now);
  const bool first = passed.word.valid && passed.word.sop;
  receiver->Receive(now, passed.word, first ? laws_.FirstOf(arrives.tag.seq) : now - delay_);
  received_words_ = first ? 1 : received_words_ + passed.word.valid;
  if (halves_.expected() != expected_) accepted_words_ += received_words_;
  expected_ = halves_.expected();

  *link = to_switch_.Out(now);
  to_switch_.Put(now, sent);
  if (faults_) *link = faults_->Pass(LinkFaults::kIn, now, *link);
  books_.See(now, up, *link);
  if (!up || link->ctrl.err) return;
  if (link->ctrl.retry_valid) laws_.Told(now, told_seq_ = link->ctrl.retry_seq);
  if (link->ctrl.credit_valid) laws_.Returned(link->ctrl.credit_vl, told_freed_[link->ctrl.credit_vl] = link->ctrl.credit_cells);
}

void RetryLink::Receive(Cycle now, const Link& link) {
  to_partner_.Put(now, link);
  if (IsUp(now)) laws_.See(now, link);
}

void RetryLink::EndFaults() {
  if (faults_) faults_->End();
  in_traffic_ = work();
}

/// Of what the switch has sent.
bool RetryLink::SwitchKnows() const {
  bool knows = !laws_.in_attempt() && told_seq_ == laws_.next();
  for (int vl = 0; vl < golden::kMaxLanes; ++vl) {
    const std::uint16_t wired = laws_.wired(vl);
    knows = knows && halves_.taken(vl) == wired && halves_.freed(vl) == wired && told_freed_[static_cast<std::size_t>(vl)] == wired;
  }
  return knows;
}

bool RetryLink::Quiet() const { return books_.open() == 0 && halves_.CreditsHome() && SwitchKnows(); }

std::string RetryLink::WhyNotQuiet() const {
  if (halves_.gave_up()) return "its partner gave up: the replay limit is reached";
  if (books_.open() > 0) return fmt::format("{} frames were not accepted by the switch", books_.open());
  if (!halves_.CreditsHome()) return "credits of its partner are not home";
  return SwitchKnows() ? "" : "credits or acknowledgements of the switch are not home";
}

LinkWork RetryLink::work() const {
  return {halves_.counts().attempts + laws_.attempts(), laws_.words() + halves_.words_sent(),
          books_.accepted_words() + accepted_words_};
}

}  // namespace tilefly::cosim
