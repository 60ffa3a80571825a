// SPDX-License-Identifier: Apache-2.0
#include "systemc/device/systemc_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cosim/errors.h"
#include "golden/common/stage_times.h"

namespace tilefly::systemc {
namespace {

/// From an event of the kernel to the first cycle in which a link may show something of it, that is not known by then: an ack
/// that arrives in t - 1 is on the control slot in t + 5, and nothing comes sooner.
constexpr Cycle kAhead = golden::kAckToWire - 1;
static_assert(golden::kAckToWire < golden::kFreedToWire && golden::kAckToWire < golden::kTakeToWire &&
              golden::kAckToWire <= golden::kFlowPauseToWire);

/// Counters of the MACs, which the models do not have: they see packets that have no words.
bool IsOfMac(int index) {
  const auto counter = static_cast<Counter>(index);
  return counter == Counter::kRxStray || counter == Counter::kRxStomped || counter == Counter::kRxDamaged ||
         counter == Counter::kTxStomped;
}

}  // namespace

SystemcDevice::SystemcDevice(const Profile& profile, const golden::SchedulerChoice& scheduler)
    : profile_(profile),
      registers_(profile),
      mac_counters_(profile.ports),
      kernel_(profile_, scheduler),
      outputs_(static_cast<std::size_t>(profile.ports)) {
  ports_.reserve(static_cast<std::size_t>(profile.ports));
  for (int p = 0; p < profile.ports; ++p) {
    ports_.push_back({{profile_, frames_}, golden::MacOut(frames_), {}, false, false, false, {}, {}, {}, {}});
  }
  observation_.ports.resize(static_cast<std::size_t>(profile.ports));
  observation_.turns.resize(static_cast<std::size_t>(profile.tiles));
}

/// The latest cycle whose outputs are known.
Cycle SystemcDevice::Known() const {
  const Cycle first = inputs_.empty() ? next_ : std::min(next_, inputs_.front().cycle);
  return first >= kNever - kAhead ? kNever : first + kAhead - 1;
}

/// Runs the kernel as far as it takes to know the outputs of `cycle`; inputs are there up to the cycle before.
void SystemcDevice::Know(Cycle cycle) {
  if (Known() < cycle) RunTo(cycle - 1);
}

void SystemcDevice::RunTo(Cycle through) {
  records_.clear();
  try {
    next_ = kernel_.Run(inputs_, through, &records_);
  } catch (const std::runtime_error& error) {
    throw cosim::DeviceError(error.what());
  }
  inputs_.clear();
  ran_ = through;
  ++runs_;
  for (const KernelOutput& output : records_) Collect(output);
}

void SystemcDevice::Collect(const KernelOutput& output) {
  Port& port = ports_[output.port];
  // Of two that want a slot the later one waits.
  const auto enter = [&](std::map<Cycle, KernelOutput>* slots) {
    Cycle slot = output.cycle;
    while (slots->count(slot) != 0) ++slot;
    slots->emplace(slot, output);
    busy_ = std::max(busy_, slot);
  };
  switch (output.kind) {
    case KernelOutput::Kind::kBytes:
      made_.insert(made_.end(), output.bytes.begin(), output.bytes.end());
      return;
    case KernelOutput::Kind::kPacket:
      return TakePacket(output);
    case KernelOutput::Kind::kCredit:
      if (registers_.port(output.port).mode.credits) enter(&port.credits);
      return;
    case KernelOutput::Kind::kAck:
      return enter(&port.acks);
    case KernelOutput::Kind::kPause:
      return enter(&port.pauses);
    case KernelOutput::Kind::kDrop:
      drops_.push_back({output.port, output.cycle, output.drop});
      return;
    case KernelOutput::Kind::kGone:
      return frames_.DropUse(output.id);
  }
}

/// The frame that the switch made, with a use for the caller.
golden::Index SystemcDevice::MadeFrame(int length) {
  const golden::Index id = frames_.Allocate();
  frames_[id].bytes.assign(made_.begin(), made_.begin() + length);
  made_.clear();
  return id;
}

void SystemcDevice::TakePacket(const KernelOutput& output) {
  const golden::Index id = output.made ? MadeFrame(output.header.length()) : output.id;
  golden::Departure departure{};
  departure.take = output.cycle - golden::kTakeToWire;
  departure.header = output.header;
  departure.payload = id;
  departure.length = static_cast<std::uint16_t>(output.header.length());
  departure.format =
      golden::FrameFormat::Of(!output.enh, static_cast<Kind>(output.header.kind()), output.header.length());
  departure.eth = departure.format.conversion == golden::Conversion::kEthernet ? 0 : -1;
  departure.port = output.port;
  departure.serdes_lanes = output.lanes;
  const Cycle words = golden::WordOffset(departure.format.words - 1, output.lanes);
  ports_[output.port].out.Queue(departure, output.eth);
  if (output.made) frames_.DropUse(id);  // the words have theirs
  ports_[output.port].last_reads.push_back(departure.take + golden::kTakeToRead + words);
  busy_ = std::max(busy_, output.cycle + words);
}

const std::vector<Link>& SystemcDevice::Outputs() {
  if (outputs_of_ == cycle_) return outputs_;
  Know(cycle_);
  outputs_of_ = cycle_;
  observation_.late_drops = std::exchange(drops_, {});
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    Port& port = ports_[p];
    outputs_[p] = port.out.Output(cycle_);
    if (const auto credit = port.credits.find(cycle_); credit != port.credits.end()) {
      std::uint16_t& freed = port.freed[credit->second.vl];
      freed = static_cast<std::uint16_t>(freed + credit->second.cells);
      outputs_[p].ctrl.credit_valid = true;
      outputs_[p].ctrl.credit_vl = credit->second.vl;
      outputs_[p].ctrl.credit_cells = freed;
      port.credits.erase(credit);
    }
    if (const auto ack = port.acks.find(cycle_); ack != port.acks.end()) {
      golden::PutAck(ack->second.ack, &outputs_[p].ctrl);
      port.acks.erase(ack);
    }
    if (const auto pause = port.pauses.find(cycle_); pause != port.pauses.end()) {
      golden::PutPause(pause->second.pause, &outputs_[p].ctrl);
      port.pauses.erase(pause);
    }
  }
  return outputs_;
}

const cosim::Observation& SystemcDevice::Observe() {
  Outputs();
  return observation_;
}

void SystemcDevice::Step(const Inputs& inputs) {
  Outputs();  // words of this cycle, before what they are made of goes on
  writes_.Drain(cycle_ - 1, [&](const Cfg& write) { registers_.Apply(write); });
  for (int p = 0; p < profile_.ports; ++p) Receive(p, inputs.links[static_cast<std::size_t>(p)], inputs.link_up[static_cast<std::size_t>(p)]);
  if (inputs.cfg.valid && !inputs.cfg.read) {
    writes_.Enter(cycle_ + golden::kWriteLatency, inputs.cfg);
    Tell(KernelInput::Kind::kWrite, 0).write = inputs.cfg;
  }
  for (int p = 0; p < profile_.ports; ++p) CountStomped(p);
  ++cycle_;
}

/// Reads of the past, too: a packet may be known later than it is read.
void SystemcDevice::CountStomped(int number) {
  Port& port = ports_[static_cast<std::size_t>(number)];
  for (; !port.last_reads.empty() && port.last_reads.front() <= cycle_; port.last_reads.pop_front()) {
    if (port.out.StompedRead(port.last_reads.front())) mac_counters_.Count(number, Counter::kTxStomped);
  }
}

KernelInput& SystemcDevice::Tell(KernelInput::Kind kind, int port) {
  KernelInput& input = inputs_.emplace_back();
  input.kind = kind;
  input.cycle = cycle_;
  input.port = static_cast<std::uint8_t>(port);
  return input;
}

/// Link `port` in this cycle.
void SystemcDevice::Receive(int port, const Link& link, bool up) {
  if (!up) throw cosim::DeviceError(fmt::format("systemc: the link of port {} goes down, which the models do not know", port));
  const bool heard = registers_.port(port).mode.enable;
  if (heard && link.ctrl.credit_valid) {
    KernelInput& credit = Tell(KernelInput::Kind::kCredit, port);
    credit.vl = link.ctrl.credit_vl;
    credit.cells = link.ctrl.credit_cells;
  }
  if (heard && link.ctrl.ack_valid) Tell(KernelInput::Kind::kAck, port).ack = golden::AckOf(link.ctrl);
  if (!ports_[static_cast<std::size_t>(port)].in.idle() || (heard && link.word.valid)) ReceiveWord(port, link.word, heard);
}

void SystemcDevice::ReceiveWord(int number, const Word& word, bool heard) {
  Port& port = ports_[static_cast<std::size_t>(number)];
  const golden::PortRegisters& registers = registers_.port(number);
  const golden::MacIn::Events events = port.in.Step(cycle_, word, heard, golden::MacIn::ModeOf(registers));
  if (events.stray) mac_counters_.Count(number, Counter::kRxStray);
  if (events.refused) {
    mac_counters_.Count(number, Drop::kHeader);
    drops_.push_back({number, cycle_ + golden::kWireToEvent, Drop::kHeader});
  }
  if (events.started) {
    port.enh = events.arrival.enh;
    port.reduces = port.enh && events.arrival.header.is_red();
    port.cut_through = port.enh && registers.mode.cut_through;
    Begin(number, events.arrival);
  }
  if (events.ended) End(number, events);
}

void SystemcDevice::Begin(int port, const golden::Arrival& arrival) {
  KernelInput& begin = Tell(arrival.enh ? KernelInput::Kind::kBegin : KernelInput::Kind::kOpen, port);
  begin.id = arrival.payload;
  if (!arrival.enh) return;
  begin.header = arrival.header;
  begin.length = arrival.header.length();
  const std::vector<std::uint8_t>& bytes = frames_[arrival.payload].bytes;  // of the first word
  std::copy_n(bytes.begin(), std::min<std::size_t>(bytes.size(), kLookedAt), begin.bytes.begin());
}

/// All of a packet of a reduction, which the ring computes with.
void SystemcDevice::TellBytes(int port, golden::Index id) {
  const std::vector<std::uint8_t>& bytes = frames_[id].bytes;
  for (std::size_t offset = 0; offset < bytes.size(); offset += kLookedAt) {
    KernelInput& input = Tell(KernelInput::Kind::kBytes, port);
    input.id = id;
    input.offset = static_cast<int>(offset);
    std::copy_n(bytes.begin() + input.offset, std::min<std::size_t>(bytes.size() - offset, kLookedAt), input.bytes.begin());
  }
}

/// The frame's use that came with the arrival goes with kGone.
void SystemcDevice::End(int number, const golden::MacIn::Events& events) {
  const Port& port = ports_[static_cast<std::size_t>(number)];
  const golden::Frame& frame = frames_[events.payload];
  const Drop status = events.end.status;
  if (port.reduces) TellBytes(number, events.payload);
  KernelInput& end = Tell(port.enh ? KernelInput::Kind::kEnd : KernelInput::Kind::kBare, number);
  end.id = events.payload;
  end.status = status;
  end.length = static_cast<int>(frame.bytes.size());
  std::copy_n(frame.bytes.begin(), std::min<std::size_t>(frame.bytes.size(), kLookedAt), end.bytes.begin());
  if (!port.cut_through || status == Drop::kNone) return;
  mac_counters_.Count(number, status == Drop::kStomped ? Counter::kRxStomped : Counter::kRxDamaged);
}

bool SystemcDevice::Quiet() const {
  return inputs_.empty() && drops_.empty() && busy_ < cycle_ && writes_.Next() == kNever &&
         std::all_of(ports_.begin(), ports_.end(), [](const Port& port) { return port.in.idle(); });
}

void SystemcDevice::SkipIdle(Cycle to) {
  while (cycle_ < to && Quiet()) {
    if (Known() < cycle_) {
      RunTo(std::min<Cycle>(to - 1, next_));
    } else {
      cycle_ = Known() >= to ? to : Known() + 1;
    }
  }
}

std::uint64_t SystemcDevice::Counter(int port, int index) {
  if (IsOfMac(index)) return mac_counters_.Read(port, index);
  if (counters_of_ != cycle_) {
    if (ran_ < cycle_ - 1) RunTo(cycle_ - 1);
    counters_ = kernel_.Counters();
    counters_of_ = cycle_;
  }
  const int size = KernelProcess::counters_a_port();
  return counters_[static_cast<std::size_t>(port * size + index)] + mac_counters_.Read(port, index);
}

void SystemcDevice::CheckDrained() {
  if (ran_ < cycle_ - 1) RunTo(cycle_ - 1);
  if (!kernel_.Drained()) throw cosim::DeviceError("systemc: the switch is not drained, or a packet was not given back");
}

}  // namespace tilefly::systemc
