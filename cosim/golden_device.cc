// SPDX-License-Identifier: Apache-2.0
#include "cosim/golden_device.h"

#include <algorithm>

#include "cosim/errors.h"
#include "golden/common/stage_times.h"

namespace tilefly::cosim {
namespace {

/// Cycles from one look at the invariants to the next.
constexpr Cycle kCheckEvery = 64;

}  // namespace

GoldenDevice::GoldenDevice(const Profile& profile, const DeviceOptions& options)
    : profile_(profile),
      red_bytes_(frames_),
      switch_(profile_, options.scheduler),
      link_up_(profile.ports, true),
      outputs_(profile.ports),
      first_(options.first_cycle),
      cycle_(first_) {
  ports_.reserve(profile.ports);
  for (int p = 0; p < profile.ports; ++p) ports_.push_back({{profile_, frames_}, golden::MacOut(frames_)});
  switch_.KeepRedBytes(&red_bytes_);
  switch_.Observe(&observed_);
}

const std::vector<Link>& GoldenDevice::Outputs() {
  if (outputs_of_ != cycle_) {
    outputs_of_ = cycle_;
    for (int p = 0; p < profile_.ports; ++p) outputs_[p] = ports_[p].out.Output(cycle_);
  }
  return outputs_;
}

void GoldenDevice::Step(const Inputs& inputs) {
  Outputs();  // words of this cycle, before what they are made of goes on
  for (int p = 0; p < profile_.ports; ++p) {
    const bool up = inputs.link_up[p];
    if (up != link_up_[p]) {
      link_up_[p] = up;
      switch_.LinkUp(p, up, cycle_);
    }
    Receive(p, inputs.links[p], up);
  }
  switch_.Write(cycle_, inputs.cfg);
  switch_.Step(cycle_);
  Collect();
  if (cycle_ % kCheckEvery == 0) Check();
  ++cycle_;
}

/// What its MACs have to send is decided.
Cycle GoldenDevice::NextChange() const {
  const bool arriving = std::any_of(ports_.begin(), ports_.end(), [](const Port& port) { return !port.in.idle(); });
  const Cycle next = arriving ? cycle_ : std::max(cycle_, switch_.NextActive());
  return next == kNever ? kNever : next - first_;
}

/// The invariants of the block pages.
void GoldenDevice::Check() const {
  golden::Audit audit;
  switch_.Check(&audit);
  for (int p = 0; p < profile_.ports; ++p) {
    ports_[p].in.Check(cycle_, p, &audit);
    ports_[p].out.Check(cycle_, p, &audit);
  }
  if (!audit.broken().empty()) throw DeviceError(audit.Message());
}

void GoldenDevice::CheckDrained() {
  golden::Audit audit;
  switch_.CheckDrained(&audit);
  if (!audit.broken().empty()) throw DeviceError(audit.Message());
}

/// Link `port` in this cycle.
void GoldenDevice::Receive(int port, const Link& link, bool up) {
  const bool heard = up && switch_.registers().port(port).mode.enable;
  if (heard && link.ctrl.credit_valid) {
    switch_.Credit(port, cycle_, link.ctrl.credit_vl, link.ctrl.credit_cells);
  }
  if (heard && link.ctrl.ack_valid) switch_.Ack(port, cycle_, golden::AckOf(link.ctrl));
  if (!ports_[port].in.idle() || (heard && link.word.valid)) ReceiveWord(port, link.word, heard);
}

void GoldenDevice::ReceiveWord(int port, const Word& word, bool heard) {
  const golden::MacIn::Mode mode = golden::MacIn::ModeOf(switch_.registers().port(port));
  const golden::MacIn::Events events = ports_[port].in.Step(cycle_, word, heard, mode);
  if (events.stray) strays_.Push(cycle_ + golden::kWireToEvent, port);
  if (events.refused) switch_.Refuse(port, cycle_);
  // The frame's use that comes with the arrival is the switch's, up to the last copy's take.
  if (events.started) switch_.Arrive(port, cycle_, events.arrival);
  if (!events.ended) return;
  switch_.Finish(port, cycle_, events.end);
  if (events.pause.obeyed) {
    switch_.Pause(port, cycle_ + golden::kWireToEvent, events.pause.classes, events.pause.quanta);
  }
}

/// What the switch put out in this cycle, and the counts that are due in it.
void GoldenDevice::Collect() {
  const golden::StepOutput& output = switch_.output();
  for (const golden::Departure& departure : output.links.packets) {
    ports_[departure.port].out.Queue(departure, output.links.EthOf(departure));
    if (departure.last_copy) frames_.DropUse(departure.payload);
  }
  for (const golden::PauseFrame& pause : output.links.pauses) ports_[pause.port].out.Queue(pause);
  for (const golden::CreditReturn& credit : output.credits) {
    ports_[credit.port].out.Queue(credit.wire, {credit.vl, credit.cells});
  }
  for (const golden::AckReturn& ack : output.acks) ports_[ack.port].out.TakeAck(ack.wire, ack.ack);
  for (const golden::DropRecord& drop : output.drops) frames_.DropUse(drop.payload);
  for (int p = 0; p < profile_.ports; ++p) {
    if (ports_[p].out.StompedRead(cycle_)) switch_.Count(p, tilefly::Counter::kTxStomped);
  }
  strays_.Drain(cycle_, [&](int port) { switch_.Count(port, tilefly::Counter::kRxStray); });
}

const Observation& GoldenDevice::Observe() {
  observation_.ports = observed_.ports;
  observation_.turns = observed_.turns;
  observation_.reds = observed_.reds;
  observation_.cfu = observed_.cfu;
  return observation_;
}

}  // namespace tilefly::cosim
