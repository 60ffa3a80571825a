// SPDX-License-Identifier: Apache-2.0
#include "cosim/golden_device.h"

namespace tilefly::cosim {
namespace {

constexpr Cycle kStrayLatency = 4;   ///< from the wire to the count
constexpr Cycle kTakeToRead = 2;     ///< from the take to the first word's read
constexpr int kPauseWords = 2;

}  // namespace

GoldenDevice::GoldenDevice(const Profile& profile)
    : profile_(profile), switch_(profile_), link_up_(profile.ports, true), outputs_(profile.ports) {
  ports_.reserve(profile.ports);
  for (int p = 0; p < profile.ports; ++p) ports_.emplace_back(profile_, frames_);
  switch_.Observe(&observed_);
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
  if (inputs.cfg.valid) switch_.Write(cycle_, inputs.cfg);
  switch_.Step(cycle_);
  CountLate();
  Collect();
  ++cycle_;
}

/// Link `port` in this cycle.
void GoldenDevice::Receive(int port, const Link& link, bool up) {
  const bool heard = up && switch_.registers().port(port).mode.enable;
  if (heard && link.ctrl.credit_valid) {
    switch_.Credit(port, cycle_, link.ctrl.credit_vl, link.ctrl.credit_cells);
  }
  if (!ports_[port].mac.idle() || (heard && link.word.valid)) ReceiveWord(port, link.word, heard);
}

void GoldenDevice::ReceiveWord(int port, const Word& word, bool heard) {
  const golden::PortRegisters& registers = switch_.registers().port(port);
  const golden::MacIn::Mode mode{registers.mode.cut_through, !registers.mode.credits, registers.lanes()};
  const golden::MacIn::Events events = ports_[port].mac.Step(cycle_, word, heard, mode);
  if (events.stray) strays_.Push(cycle_ + kStrayLatency, port);
  if (events.refused) switch_.Refuse(port, cycle_);
  // The frame's use that comes with the arrival is the switch's, up to the last copy's take.
  if (events.started) switch_.Arrive(port, cycle_, events.arrival);
  if (events.ended) {
    switch_.Finish(port, cycle_, events.end);
    if (events.pause.obeyed) {
      switch_.Pause(port, cycle_ + golden::InputBuffer::kAdmission, events.pause.classes, events.pause.quanta);
    }
  }
}

/// Counts that are due in this cycle.
void GoldenDevice::CountLate() {
  strays_.Drain(cycle_, [&](int port) { switch_.Count(port, tilefly::Counter::kRxStray); });
  last_reads_.Drain(cycle_, [&](const LastRead& read) {
    if (frames_[read.frame].bad) switch_.Count(read.port, tilefly::Counter::kTxStomped);
    frames_.DropUse(read.frame);
  });
}

/// What the switch put out in this cycle.
void GoldenDevice::Collect() {
  const golden::StepOutput& output = switch_.output();
  for (const golden::Departure& departure : output.links.packets) Send(departure);
  for (const golden::PauseFrame& pause : output.links.pauses) SendPause(pause);
  for (const golden::CreditReturn& message : output.credits) ports_[message.port].credits.push_back(message);
  for (const golden::DropRecord& drop : output.drops) frames_.DropUse(drop.payload);
}

void GoldenDevice::Send(const golden::Departure& departure) {
  const bool has_words = departure.format.conversion != golden::Conversion::kEthernet || departure.eth >= 0;
  if (has_words) {
    golden::Framer::EthHeader eth{};
    if (departure.eth >= 0) eth = switch_.output().links.eth_headers[departure.eth];
    frames_.AddUse(departure.payload);  // the sender's
    frames_.AddUse(departure.payload);  // the count's
    ports_[departure.port].sending.push_back({departure.take + golden::kTakeToWire, departure.lanes,
                                              departure.format.words, 0, departure.payload,
                                              golden::Framer(departure, eth), {}});
    last_reads_.Enter(departure.take + kTakeToRead + golden::WordOffset(departure.format.words - 1, departure.lanes),
                      {departure.port, departure.payload});
  }
  if (departure.last_copy) frames_.DropUse(departure.payload);
}

void GoldenDevice::SendPause(const golden::PauseFrame& pause) {
  ports_[pause.port].sending.push_back({pause.take + golden::kTakeToWire, pause.lanes, kPauseWords, 0, golden::kNone,
                                        golden::Framer({}, {}), golden::MakePause(pause.address, pause.quanta)});
}

const std::vector<Link>& GoldenDevice::Outputs() {
  if (outputs_of_ != cycle_) {
    outputs_of_ = cycle_;
    for (int p = 0; p < profile_.ports; ++p) outputs_[p] = MakeOutput(&ports_[p]);
  }
  return outputs_;
}

/// `link_o` of a port in this cycle; called once a cycle.
Link GoldenDevice::MakeOutput(Port* port) {
  Link link;
  if (!port->sending.empty()) {
    Sending& sending = port->sending.front();
    if (cycle_ == sending.first + golden::WordOffset(sending.next, sending.lanes)) {
      const int k = sending.next++;
      link.word = sending.frame == golden::kNone ? golden::WordOf(sending.pause.data(), golden::kMinStdBytes, k)
                                                 : sending.framer.MakeWord(k, frames_[sending.frame]);
      if (sending.next == sending.words) {
        if (sending.frame != golden::kNone) frames_.DropUse(sending.frame);
        port->sending.pop_front();
      }
    }
  }
  if (!port->credits.empty() && port->credits.front().wire == cycle_) {
    link.ctrl.credit_valid = true;
    link.ctrl.credit_vl = port->credits.front().vl;
    link.ctrl.credit_cells = port->credits.front().cells;
    port->credits.pop_front();
  }
  return link;
}

const Observation& GoldenDevice::Observe() {
  observation_.ports = observed_.ports;
  observation_.turns = observed_.turns;
  return observation_;
}

}  // namespace tilefly::cosim
