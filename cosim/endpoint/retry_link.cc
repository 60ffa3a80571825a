// SPDX-License-Identifier: Apache-2.0
#include "cosim/endpoint/retry_link.h"

#include <fmt/format.h>

#include <string_view>

namespace tilefly::cosim {
namespace {

/// Packets that a port without retry may have taken and not put on its link, of three words or more.
constexpr int kOnTheWayOut = 4;

// Causes of lines of the time line.
constexpr const char* kPlan = "plan";
constexpr const char* kGivenUp = "port";

Cycle RetrainOf(const LinkFaultSetup* faults, int port) {
  if (faults == nullptr) return faults::kRetrain;
  for (const faults::PlannedLink& link : faults->plan.links) {
    if (link.link.port == port && link.retrain) return *link.retrain;
  }
  return faults->plan.retrain;
}

bool IsOfLink(const faults::PlannedEvent& event) {
  return event.kind == faults::EventKind::kDown || event.kind == faults::EventKind::kUp;
}

}  // namespace

RetryLink::RetryLink(const SwitchSetup& setup, int port, const LinkSetup& link, FrameSink* sink)
    : port_(port),
      cable_(setup.mode(port).lanes),
      best_effort_(setup.retry_register().down == RetryHalves::kBestEffort),
      raised_(link.up),
      begin_(link.begin),
      log_(link.log),
      decides_(link.delay, setup.profile().mtu_words_enh),
      halves_(setup.profile(), port, cable_, setup.SharedCells(port), {setup.retry_register(), setup.lanes_register()}),
      books_(sink, cable_),
      laws_(setup.profile(), port, cable_, setup.SharedCells(port)),
      to_switch_(link.delay),
      to_partner_(link.delay),
      lanes_out_(cable_),
      lanes_in_(cable_),
      faults_(link.faults != nullptr ? std::make_unique<LinkFaults>(*link.faults, port, link.begin) : nullptr),
      delay_(link.delay),
      first_of_(AttemptLaws::kSeqs),
      shown_lanes_{cable_, cable_} {
  decides_.Retrain(RetrainOf(link.faults, port));
  if (link.faults == nullptr) return;
  const std::vector<faults::PlannedEvent>& events = link.faults->plan.events;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (IsOfLink(events[i]) && events[i].link.port == port) events_.push_back({events[i], i});
  }
}

void RetryLink::Tell(Cycle now, const char* direction, const char* what, const std::string& value, const char* cause) {
  if (log_ != nullptr && now >= begin_) log_->Planned({now - begin_, port_, direction, what, value, cause});
}

void RetryLink::Want(Cycle now, bool up) {
  if (up == wanted_) return;
  wanted_ = up;
  if (up) {
    BringUp(now, "drawn");
  } else {
    TakeDown(now, kNever, "drawn");
  }
}

/// The ends that are up in cycle `now` fall then, or when they are told.
void RetryLink::FallsBy(Cycle now, const char* cause) {
  for (const End end : {kSwitch, kPartner}) {
    if (decides_.up(end, now)) falls_by_[end] = cause;
  }
}

void RetryLink::TakeDown(Cycle now, Cycle time, const char* cause) {
  const Cycle before = decides_.comes_up();
  FallsBy(now, cause);
  decides_.TakeDown(now, time);
  if (decides_.comes_up() != before) rises_by_ = cause;
}

Cycle RetryLink::BringUp(Cycle now, const char* cause) {
  const Cycle before = decides_.comes_up();
  const Cycle up = decides_.BringUp(now);
  if (decides_.comes_up() != before) rises_by_ = cause;
  return up;
}

void RetryLink::GiveUp(Cycle now, End end, const char* why) {
  const Cycle before = decides_.comes_up();
  if (!decides_.Fails(end, now)) return;
  FallsBy(now, kGivenUp);
  if (decides_.comes_up() != before) rises_by_ = kGivenUp;
  Tell(now, end == kSwitch ? "out" : "in", "given_up", why, kGivenUp);
}

/// What the plan does to the whole link in this cycle.
void RetryLink::BeginEvents(Cycle now) {
  for (; next_event_ < events_.size() && begin_ + events_[next_event_].plan.at <= now; ++next_event_) {
    const faults::PlannedEvent& event = events_[next_event_].plan;
    events_[next_event_].effect = Effect::kActed;
    if (event.kind == faults::EventKind::kDown) {
      TakeDown(now, event.cycles.value_or(kNever), kPlan);
      Tell(now, "both", NameOf(event.kind), event.cycles ? std::to_string(*event.cycles) : "ever", kPlan);
      continue;
    }
    const Cycle up = BringUp(now, kPlan);
    if (up < 0) events_[next_event_].effect = Effect::kNoChange;
    const std::string value = up < 0 ? "no effect: the link is up" : up > now ? fmt::format("put off to {}", up - begin_) : "";
    Tell(now, "both", NameOf(event.kind), value, kPlan);
  }
}

Effect RetryLink::EffectOf(std::size_t number) const {
  for (const Event& event : events_) {
    if (event.number == number) return event.effect;
  }
  return faults_->EffectOf(number);
}

/// What ends that are up or down begin and forget. Returns whether now neither of them is up any more.
bool RetryLink::NoteEnds(Cycle now) {
  const std::array<bool, 2> up = {decides_.up(kSwitch, now), decides_.up(kPartner, now)};
  const auto cause = [&](End end) { return up[end] ? rises_by_ : falls_by_[end]; };
  const bool both = up[kSwitch] != up_[kSwitch] && up[kPartner] != up_[kPartner] &&
                    std::string_view(cause(kSwitch)) == cause(kPartner);
  for (const End end : {kSwitch, kPartner}) {
    if (up[end] == up_[end] || now <= raised_ || (both && end == kPartner)) continue;
    Tell(now, both ? "both" : end == kSwitch ? "in" : "out", up[end] ? "link_up" : "link_down", "", cause(end));
  }
  if (!up[kSwitch] && up_[kSwitch]) SwitchFalls(now);
  if (!up[kPartner] && up_[kPartner]) PartnerFalls();
  const bool gone = !up[kSwitch] && !up[kPartner] && (up_[kSwitch] || up_[kPartner]);
  up_ = up;
  return gone;
}

/// `told_` still is that of the cycle before. What the switch hears in a cycle leaves its replay buffer two cycles later.
void RetryLink::SwitchFalls(Cycle now) {
  lanes_out_.Down();
  heard_at_fall_ = told_[1];
  told_ = {};
  was_plain_ = plain_;
  if (best_effort_ && !plain_) {
    plain_ = true;
    Tell(now, "both", "without_retry", "the wires are clean from now on", falls_by_[kSwitch]);
    if (faults_) faults_->GoPlain(now);
  }
  laws_.LinkDown(plain_);
}

void RetryLink::PartnerFalls() {
  lanes_in_.Down();
  expected_at_fall_ = halves_.expected();
}

/// What was on its way is gone.
void RetryLink::BothAreDown() {
  books_.Lose();
  if (was_plain_) {
    lost_beside_.uncounted += laws_.attempts() - attempts_before_ - accepted_ + kOnTheWayOut;
  } else {
    lost_beside_.arrived += (expected_at_fall_ - heard_at_fall_) & (AttemptLaws::kSeqs - 1);
    ++lost_beside_.may_arrive;
  }
  attempts_before_ = laws_.attempts();
  accepted_ = 0;
}

/// The partner's half of the cycle: what it makes of what arrives, and what it puts on its link.
RetryLink::OnWire RetryLink::DrivePartner(Cycle now, const OnWire& in, const Partner& partner) {
  const auto [sender, receiver, acks, pauses] = partner;
  const bool up = up_[kPartner], plain = halves_.plain();
  const Link arrives = faults_ ? faults_->Pass(LinkFaults::kOut, now, in.link, in.lanes) : in.link;
  sender->SetLanes(halves_.lanes_in_use());
  sender->Hold(!up || !halves_.HasRoom());
  sender->Drive(now, &word_);
  Link sent;
  receiver->DriveControl(now, &sent.ctrl);
  if (up) acks->Drive(now, &sent.ctrl);
  const RetryHalves::Passed passed = halves_.Step(now, up, arrives, {word_, !sender->sends(), sender->waits_for_credit()});
  if (halves_.tries()) books_.Try(now + delay_);
  halves_.ShowSent(&sent);
  if (up && !arrives.ctrl.err && arrives.ctrl.ack_valid) acks->Receive(now, arrives.ctrl);
  if (up && !arrives.ctrl.err && arrives.ctrl.pause_valid) pauses->Receive(now, arrives.ctrl);
  if (up && !arrives.ctrl.err && arrives.ctrl.lanes_valid && !plain) lanes_in_.Told(arrives.ctrl.lanes_bad);
  if (passed.broke_off || (!up && receiver->in_packet())) receiver->Abandon(now);
  const bool first = passed.word.valid && passed.word.sop;
  if (first) receiver->SetLanes(plain ? cable_ : arrives.tag.pace + 1);
  receiver->Receive(now, passed.word, first && !plain ? first_of_[arrives.tag.seq] : now - delay_);
  received_words_ = first ? 1 : received_words_ + passed.word.valid;
  if (passed.word.valid && passed.word.eop) {
    accepted_words_ += received_words_;
    ++accepted_;
  }
  return {sent, lanes_in_.Of(halves_.lanes_in_use())};
}

void RetryLink::Drive(Cycle now, const Partner& partner, Link* link) {
  if (now == raised_) decides_.Raise();
  BeginEvents(now);
  const bool gone = NoteEnds(now);
  const OnWire sent = DrivePartner(now, to_partner_.Out(now), partner);
  const OnWire arrives = to_switch_.Out(now);
  to_switch_.Put(now, sent);
  NoteLanes(now, LinkFaults::kIn, halves_.lanes_in_use());
  CountCycle(now);
  *link = faults_ ? faults_->Pass(LinkFaults::kIn, now, arrives.link, arrives.lanes) : arrives.link;
  books_.See(now, up_[kSwitch], plain_, *link);
  if (gone) BothAreDown();
  if (halves_.gives_up() != nullptr) GiveUp(now, kPartner, halves_.gives_up());
  told_ = {told_[0], told_[0], told_[1]};
  if (!up_[kSwitch] || link->ctrl.err) return;
  if (link->ctrl.lanes_valid) laws_.Masked(now, link->ctrl.lanes_bad);
  if (link->ctrl.lanes_valid) lanes_out_.Told(link->ctrl.lanes_bad);
  if (link->ctrl.retry_valid) laws_.Told(now, told_[0] = link->ctrl.retry_seq);
  if (link->ctrl.credit_valid) laws_.Returned(link->ctrl.credit_vl, told_freed_[link->ctrl.credit_vl] = link->ctrl.credit_cells);
}

/// Cycle `now`, as its beginning found the link.
void RetryLink::CountCycle(Cycle now) {
  if (now < begin_) return;
  for (const End end : {kSwitch, kPartner}) down_cycles_ += !up_[end];
  for (const int lanes : shown_lanes_) degraded_cycles_ += lanes < cable_;
}

void RetryLink::NoteLanes(Cycle now, LinkFaults::Way way, int lanes) {
  int& shown = shown_lanes_[way];
  if (lanes == shown) return;
  shown = lanes;
  Tell(now, way == LinkFaults::kOut ? "out" : "in", "lanes", std::to_string(lanes), "lanes");
}

void RetryLink::Receive(Cycle now, const Link& link, bool fails, int lanes) {
  const int used = link.word.valid && !plain_ ? link.tag.pace + 1 : lanes;
  to_partner_.Put(now, {link, lanes_out_.Of(used)});
  if (up_[kSwitch]) {
    NoteLanes(now, LinkFaults::kOut, lanes);
    laws_.See(now, link);
    if (link.word.valid && link.word.sop && !plain_) first_of_[link.tag.seq] = laws_.FirstOf(link.tag.seq);
  }
  if (fails) GiveUp(now, kSwitch, "");
}

void RetryLink::EndFaults(Cycle now) {
  if (faults_) faults_->End();
  in_traffic_ = work();
  next_event_ = events_.size();
  BringUp(now, "drain");
}

/// Of what the switch has sent.
bool RetryLink::SwitchKnows() const {
  bool knows = !laws_.in_attempt() && laws_.all_known() && (plain_ || told_[0] == laws_.next());
  for (int vl = 0; vl < golden::kMaxLanes; ++vl) {
    const std::uint16_t wired = laws_.wired(vl);
    knows = knows && halves_.taken(vl) == wired && halves_.freed(vl) == wired && told_freed_[static_cast<std::size_t>(vl)] == wired;
  }
  return knows;
}

bool RetryLink::Quiet(Cycle now) const {
  return decides_.works(now) && books_.open() == 0 && halves_.CreditsHome() && SwitchKnows();
}

std::string RetryLink::WhyNotQuiet(Cycle now) const {
  if (!decides_.works(now))
    return decides_.comes_up() == kNever ? "it is down" : fmt::format("it is down until cycle {}", decides_.comes_up());
  if (books_.open() > 0) return fmt::format("{} frames were not accepted by the switch", books_.open());
  if (!halves_.CreditsHome()) return "credits of its partner are not home";
  return SwitchKnows() ? "" : "credits or acknowledgements of the switch are not home";
}

LinkWork RetryLink::work() const {
  return {halves_.counts().attempts + laws_.attempts(), laws_.words() + halves_.words_sent(),
          books_.accepted_words() + accepted_words_};
}

}  // namespace tilefly::cosim
