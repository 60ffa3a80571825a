// SPDX-License-Identifier: Apache-2.0
#include "systemc/link/retry_link.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/common/stage_times.h"
#include "golden/credit/sender_healing.h"
#include "support/errors.h"

namespace tilefly::systemc {
namespace {

constexpr Cycle kUp = 1;            ///< the cycle in which the link works for the first time
constexpr Cycle kStartToWire = 2;   ///< from the start of an attempt to its first word on the link
constexpr Cycle kOutRegister = 1;   ///< a word is in it before it is on the link, also when the link goes down then
constexpr Cycle kMostDelay = 626;   ///< for which the replay buffer has room
constexpr int kBestEffort = 2;      ///< LINK_DOWN_BEHAVIOR

const RetryLinkOptions& Checked(const char* name, const RetryLinkOptions& options) {
  if (options.delay < 1 || options.delay > kMostDelay)
    throw UsageError(fmt::format("{}: delay {}: a link with retry has a cable of 1 to {} cycles, for whose words the "
                                 "replay buffer has room (RetryLinkOptions::delay)",
                                 name, options.delay, kMostDelay));
  if (options.word_ber != 0 && !IsErrorRate(options.word_ber))
    throw UsageError(fmt::format("{}: word_ber {}: a bit error rate is 0, or 1e-15 to 1e-3 (RetryLinkOptions::word_ber)",
                                 name, options.word_ber));
  if (options.registers.down == kBestEffort)
    throw UsageError(fmt::format("{}: down {}: links have no best effort; take 0 (discard) or 1 (block) "
                                 "(RetryLinkOptions::registers)",
                                 name, options.registers.down));
  if (options.retrain < 1)
    throw UsageError(fmt::format("{}: retrain {}: a link that an end has given up is down for 1 cycle or more "
                                 "(RetryLinkOptions::retrain)",
                                 name, options.retrain));
  return options;
}

network::DirectionPlan PlanOf(const RetryLinkOptions& options) {
  network::DirectionPlan plan;
  plan.seed = options.seed;
  plan.direction = static_cast<std::uint32_t>(options.direction);
  plan.rates.word_ber = options.word_ber;
  return plan;
}

}  // namespace

RetryLink::RetryLink(sc_core::sc_module_name name, const Profile& profile, const RetryLinkOptions& options)
    : TimedModule(name),
      options_(Checked(this->name(), options)),
      lanes_(profile.vls),
      longest_(profile.mtu_words_enh),
      sender_(profile, downs_, kUp, faults::kSerdesLanes),
      receiver_(PlanOf(options), downs_, kUp, 0, options.delay + kOutRegister) {
  in.register_nb_transport_fw(this, &RetryLink::Forward);
  out.register_nb_transport_bw(this, &RetryLink::Backward);
}

golden::CreditTable RetryLink::AnyCredit() {
  golden::CreditTable table;
  table.cap.fill(0xffff);
  table.shared = std::int64_t{1} << 32;
  return table;
}

void RetryLink::start_of_simulation() { Wake(kUp); }

bool RetryLink::Ready() {
  awaited_ = !sender_.ready();
  return !awaited_;
}

/// The output has taken the packet in this cycle.
tlm::tlm_sync_enum RetryLink::Forward(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const Cycle take = fabric::CycleOfCall(delay) - golden::kTakeToWire;
  if (phase != fabric::BEGIN_PACKET || !packet.enh || packet.whole || user_ == nullptr || take != fabric::CycleAt(sc_core::sc_time_stamp())) {
    SC_REPORT_ERROR(kMessages, (name() + std::string(": takes packets with header only, in the cycle of the take, and "
                                                     "from the output of SwitchNode::Repeat"))
                                   .c_str());
    return tlm::TLM_ACCEPTED;
  }
  network::PacketRecord record{};
  record.red = 0;  // its slot is to be let go
  sender_.Take({take, take + golden::kTakeToRetry, packet.words(), packet.header, record,
                Keep({&packet, packet.header.vl(), packet.cells()})});
  WakeAfterSteps();
  return tlm::TLM_ACCEPTED;
}

/// The end of an attempt that broke off is not the packet's.
tlm::tlm_sync_enum RetryLink::Backward(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const bool broken = far_.IsBroken(packet);
  if (phase == fabric::END_PACKET || phase == fabric::DROPPED) {
    const Cycle wire = fabric::CycleOfCall(delay);
    if (far_.End(packet, wire))
      user_->Return(std::max(wire, returns_from_) + options_.delay, packet.header.vl(), packet.cells());
    if (broken) packet.release();
  }
  if (broken) return tlm::TLM_ACCEPTED;
  sc_core::sc_time delayed = delay + fabric::TimeOf(options_.delay);
  return in->nb_transport_bw(packet, phase, delayed);
}

void RetryLink::Step(Cycle now) {
  if (downs_.IsUp(now) != up_) Turn(now);
  receiver_.Run(now + 1, &counts_, this);
  if (now >= resync_) Resync();
  WakeAfterSteps();
}

/// When the output has had its step: what it took in this cycle is there.
void RetryLink::AfterSteps(Cycle now) {
  if (sender_.due() <= now) StepSender(now);
  if (awaited_ && sender_.ready()) {
    awaited_ = false;
    user_->LinkReady(now + 1);
  }
  const Cycle next = std::min(sender_.due(), receiver_.due());
  if (next != kNever) Wake(std::max(next, now + 1));
}

void RetryLink::StepSender(Cycle now) {
  bool again = false;
  const network::RetrySender::Held* const held = sender_.Step(now, options_.registers, &again, &counts_);
  if (held != nullptr) {
    const Slot slot = slots_[held->contents];
    if (again) user_->Charge(now + 1, slot.vl, slot.cells);
    receiver_.Take({now + kStartToWire + options_.delay, Keep(slot), held->seq, held->lanes, held->used, held->header});
  }
  sender_.ReleaseContents([&](golden::Payload payload) { LetGo(payload); });
  if (!up_) Settle();
  if (sender_.has_given_up() && !gives_up_) GiveUp(now);
}

/// The cycle in which the return that a stamp asks for is in a control slot at the sender, for an attempt that started in
/// `started` and never came.
Cycle RetryLink::Healed(Cycle started, int vl) const {
  constexpr Cycle kTurn = golden::kStampCycles * golden::kMaxLanes;
  const Cycle place = golden::kStampCycles * vl;
  const Cycle first = started + kStartToWire;  // the first decision whose stamp counts the attempt
  const Cycle stamp = (first + kTurn - 1 - place) / kTurn * kTurn + place;
  return stamp + 1 + options_.delay + golden::kWireToEvent + golden::kFreedToWire + options_.delay;
}

golden::Payload RetryLink::Keep(Slot slot) {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<golden::Payload>(slots_.size()));
    slots_.emplace_back();
  }
  const golden::Payload payload = free_slots_.back();
  free_slots_.pop_back();
  slot.packet->acquire();
  slots_[payload] = slot;
  return payload;
}

void RetryLink::LetGo(golden::Payload payload) {
  slots_[payload].packet->release();
  free_slots_.push_back(payload);
}

void RetryLink::Begins(const network::LinkAttempt& attempt, bool broken) {
  fabric::Packet* packet = slots_[attempt.payload].packet;
  if (broken) {
    packet = &packet->Copy();
    packet->bad = true;
    packet->fault = Drop::kBroken;
    packet->broken_off = true;
    ++counts_.broken_copies;
  }
  const Slot& slot = slots_[attempt.payload];
  far_.Begin(*packet, slot.vl, slot.cells, broken);
  tlm::tlm_phase phase = fabric::BEGIN_PACKET;
  sc_core::sc_time delay = fabric::UntilCycle(attempt.wire);
  out->nb_transport_fw(*packet, phase, delay);
  LetGo(attempt.payload);
}

void RetryLink::Unseen(const network::LinkAttempt& attempt) {
  const Slot& slot = slots_[attempt.payload];
  if (downs_.IsUp(attempt.wire))
    user_->Return(Healed(attempt.wire - options_.delay - kStartToWire, slot.vl), slot.vl, slot.cells);
  LetGo(attempt.payload);
}

void RetryLink::Says(const network::LinkReport& said) {
  sender_.Hear({said.wire + options_.delay, said.report, said.mask});
}

}  // namespace tilefly::systemc
