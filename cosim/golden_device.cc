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
  for (int p = 0; p < profile.ports; ++p) ports_.emplace_back(profile_, frames_);
  switch_.KeepRedBytes(&red_bytes_);
  switch_.Observe(&observed_);
}

const std::vector<Link>& GoldenDevice::Outputs() {
  if (outputs_of_ != cycle_) {
    outputs_of_ = cycle_;
    SetRetryPorts();
    golden::ForEachBit(retries_, [&](int p) {
      ports_[p].retry->Begin((switch_.plain_ports() & golden::Bit(p)) == 0, ports_[p].out.empty());
    });
    for (int p = 0; p < profile_.ports; ++p) outputs_[p] = ports_[p].out.Output(cycle_);
    golden::ForEachBit(retries_, [&](int p) { ShowRetry(&ports_[p], &outputs_[p]); });
  }
  return outputs_;
}

/// A port that becomes a retry port begins with new halves.
void GoldenDevice::SetRetryPorts() {
  if (retries_ == switch_.retry_ports()) return;
  golden::ForEachBit(retries_ ^ switch_.retry_ports(), [&](int p) {
    const bool becomes = (switch_.retry_ports() & golden::Bit(p)) != 0;
    ports_[p].retry = becomes ? std::make_unique<golden::RetryEnds>(profile_, switch_.first_lanes(p)) : nullptr;
    ports_[p].stamp.reset();
  });
  retries_ = switch_.retry_ports();
}

bool GoldenDevice::Retries(int port) const {
  return ports_[port].retry != nullptr && ports_[port].retry->enabled();
}

/// What the MAC shows goes into the replay buffer; what that shows goes on the wire.
void GoldenDevice::ShowRetry(Port* port, Link* link) {
  port->from_mac = link->word;
  port->retry->Show(link);
  link->ctrl.wired_valid = port->stamp.has_value();
  link->ctrl.wired_vl = port->stamp ? port->stamp->vl : 0;
  link->ctrl.wired_cells = port->stamp ? port->stamp->cells : 0;
  port->stamp.reset();
}

/// What the retry blocks show to the switch in this cycle.
void GoldenDevice::BeforeStep() {
  golden::ForEachBit(retries_, [&](int p) {
    ports_[p].take_words = 0;
    const golden::PortRegisters& registers = switch_.registers().port(p);
    ports_[p].registers = {registers.serdes_lanes(), registers.retry, registers.lanes};
    switch_.Ready(p, ports_[p].retry->ready(registers.serdes_lanes()), ports_[p].retry->serdes_lanes());
    const golden::RetryOut::Outputs shown = ports_[p].retry->Shown();
    if (shown.link_failed) switch_.ReplaysFailed(cycle_, p);
    if (!shown.start) return;
    const int cells = golden::SenderHealing::CellsOfStart(shown.start_len);
    switch_.Started(cycle_, {static_cast<std::uint8_t>(p), shown.start_vl, static_cast<std::uint8_t>(cells), shown.again});
  });
  switch_.TellHolds(cycle_);
}

/// The retry blocks of the cycle, with what the links took, and the registers of before the step.
void GoldenDevice::AfterStep(const Inputs& inputs) {
  golden::ForEachBit(retries_, [&](int p) {
    Port& port = ports_[p];
    if (Retries(p) && (falls_ & golden::Bit(p)) != 0) {
      switch_.Count(p, tilefly::Counter::kReplayLost, port.retry->held() + (port.take_words > 0 ? 1 : 0));
    }
    port.retry->Send(cycle_, port.registers, inputs.link_up[p], port.from_mac, port.take_words,
                     (switch_.lanes_written() & golden::Bit(p)) != 0);
    port.retry->CountEvents([&](tilefly::Counter counter, int times) { switch_.Count(p, counter, times); });
    port.retry->Observe(&observed_.ports[p]);
  });
  // The pace is a level: it belongs to the ports that are retry ports behind this step.
  golden::ForEachBit(retries_ ^ switch_.retry_ports(), [&](int p) {
    const bool becomes = (retries_ & golden::Bit(p)) == 0;
    observed_.ports[p].pace = static_cast<std::uint8_t>(becomes ? switch_.first_lanes(p) - 1 : 0);
  });
}

void GoldenDevice::Step(const Inputs& inputs) {
  Outputs();  // words of this cycle, before what they are made of goes on
  falls_ = 0;
  for (int p = 0; p < profile_.ports; ++p) {
    const bool up = inputs.link_up[p];
    if (up != link_up_[p]) {
      link_up_[p] = up;
      switch_.LinkUp(p, up, cycle_);
      if (!up) falls_ |= golden::Bit(p);
      if (!up && ports_[p].retry) switch_.Count(p, tilefly::Counter::kLinkDowns);
    }
    Receive(p, inputs.links[p], up);
  }
  AnswerReads();
  if (inputs.cfg.valid && inputs.cfg.read && inputs.cfg.space == static_cast<int>(CfgSpace::kCounter))
    reads_.push_back({cycle_ + golden::kWriteLatency, inputs.cfg.port, inputs.cfg.index});
  switch_.Write(cycle_, inputs.cfg);
  BeforeStep();
  switch_.Step(cycle_);
  Collect();
  AfterStep(inputs);
  if (cycle_ % kCheckEvery == 0) Check();
  ++cycle_;
}

/// A read is an event of bus cycle w + 7, and answers what was counted before that cycle: sweeps of flow channels count
/// while the counters are read, one after the other.
void GoldenDevice::AnswerReads() {
  for (; !reads_.empty() && reads_.front().due <= cycle_; reads_.pop_front()) {
    const Read& read = reads_.front();
    answers_[{read.port, read.index}] = switch_.ReadCounter(read.port, read.index);
  }
}

std::uint64_t GoldenDevice::Counter(int port, int index) {
  AnswerReads();
  const auto answer = answers_.find({port, index});
  return answer == answers_.end() ? switch_.ReadCounter(port, index) : answer->second;
}

/// What its MACs have to send is decided.
Cycle GoldenDevice::NextChange() const {
  if (retries_ != switch_.retry_ports()) return cycle_ - first_;
  const bool arriving = std::any_of(ports_.begin(), ports_.end(), [](const Port& port) { return !port.in.idle(); });
  Cycle next = arriving ? cycle_ : std::max(cycle_, switch_.NextActive());
  golden::ForEachBit(retries_, [&](int p) {
    const Port& port = ports_[p];
    const bool gives = !port.out.empty() || port.stamp || port.take_words > 0;
    const Cycle quiet = gives ? 0 : port.retry->Quiet(switch_.registers().port(p).retry);
    if (quiet != kNever) next = std::min(next, cycle_ + quiet);
  });
  return next == kNever ? kNever : next - first_;
}

/// The invariants of the block pages.
void GoldenDevice::Check() const {
  golden::Audit audit;
  switch_.Check(&audit);
  for (int p = 0; p < profile_.ports; ++p) {
    ports_[p].in.Check(cycle_, p, &audit);
    ports_[p].out.Check(cycle_, p, &audit);
    if (ports_[p].retry) ports_[p].retry->Check(p, &audit);
  }
  if (!audit.broken().empty()) throw DeviceError(audit.Message());
}

void GoldenDevice::CheckDrained() {
  golden::Audit audit;
  switch_.CheckDrained(&audit);
  for (int p = 0; p < profile_.ports; ++p) {
    if (ports_[p].retry) ports_[p].retry->CheckDrained(p, &audit);
  }
  if (!audit.broken().empty()) throw DeviceError(audit.Message());
}

/// Link `port` in this cycle.
void GoldenDevice::Receive(int port, const Link& link, bool up) {
  const bool heard = up && switch_.registers().port(port).mode.enable;
  if (heard) ReceiveSlot(port, link.ctrl);
  golden::MacIn::Mode mode = golden::MacIn::ModeOf(switch_.registers().port(port));
  const Word* word = &link.word;
  golden::RetryEnds::Passed passed;
  if (ports_[port].retry) {
    passed = ports_[port].retry->Receive(link, up);
    word = &passed.word;
    if (Retries(port)) mode.serdes_lanes = passed.serdes_lanes;
  }
  if (!ports_[port].in.idle() || (heard && word->valid)) ReceiveWord(port, *word, heard, mode);
}

void GoldenDevice::ReceiveSlot(int port, const Ctrl& slot) {
  if (slot.err) return switch_.Count(port, tilefly::Counter::kRxBadCtl);
  if (slot.credit_valid) switch_.Credit(port, cycle_, slot.credit_vl, slot.credit_cells);
  if (slot.ack_valid) switch_.Ack(port, cycle_, golden::AckOf(slot));
  if (slot.wired_valid && Retries(port)) switch_.Stamp(port, cycle_, {slot.wired_vl, slot.wired_cells});
}

void GoldenDevice::ReceiveWord(int port, const Word& word, bool heard, golden::MacIn::Mode mode) {
  const golden::MacIn::Events events = ports_[port].in.Step(cycle_, word, heard, mode);
  if (events.stray) strays_.Push(cycle_ + golden::kWireToEvent, port);
  if (events.refused) switch_.Refuse(port, cycle_);
  // The frame's use that comes with the arrival is the switch's, up to the last copy's take.
  if (events.started) {
    golden::Arrival arrival = events.arrival;
    if (ports_[port].retry) arrival.serdes_lanes = mode.serdes_lanes;
    if (watcher_ != nullptr && arrival.enh) watcher_->Comes(arrival.payload, arrival.header);
    switch_.Arrive(port, cycle_, arrival);
  }
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
    Port& port = ports_[departure.port];
    port.out.Queue(departure, output.links.EthOf(departure), port.retry != nullptr);
    port.take_words = departure.has_words() ? departure.format.words : 0;
    if (watcher_ != nullptr) watcher_->Takes(departure, frames_[departure.payload]);
    if (departure.last_copy) frames_.DropUse(departure.payload);
  }
  for (const golden::PauseFrame& pause : output.links.pauses) ports_[pause.port].out.Queue(pause);
  for (const golden::CreditReturn& credit : output.credits) {
    ports_[credit.port].out.Queue(credit.wire, {credit.vl, credit.cells});
  }
  for (const golden::StampReturn& stamp : output.stamps) ports_[stamp.port].stamp = stamp.stamp;
  for (const golden::AckReturn& ack : output.acks) ports_[ack.port].out.TakeAck(ack.wire, ack.ack);
  for (const golden::FlowPauseReturn& pause : output.flow_pauses) ports_[pause.port].out.TakePause(pause.wire, pause.pause);
  for (const golden::DropRecord& drop : output.drops) {
    if (watcher_ != nullptr) watcher_->Drops(drop, frames_[drop.payload]);
    frames_.DropUse(drop.payload);
  }
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
