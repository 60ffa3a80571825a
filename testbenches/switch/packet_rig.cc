// SPDX-License-Identifier: Apache-2.0
#include "testbenches/switch/packet_rig.h"

#include <algorithm>

#include "golden/ingress/lookup.h"

namespace tilefly::golden {

PacketRig::PacketRig(const Profile& profile, const SchedulerChoice& scheduler)
    : profile_(profile),
      switch_(std::make_unique<Switch>(profile, scheduler)),
      table_(profile),
      partners_(profile.ports),
      words_(profile.ports) {
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  header_ = HeaderBits(header);
  Cfg write;
  write.valid = true;
  write.port = kAllPorts;
  write.space = static_cast<std::uint8_t>(CfgSpace::kPort);
  write.index = static_cast<std::uint16_t>(PortReg::kMode);
  PortMode mode;
  mode.enable = mode.cut_through = mode.credits = true;
  mode.std_format = false;
  write.data = mode.ToBits();
  switch_->Write(0, write);
  cycle_ = kWriteLatency;
  switch_->Step(cycle_++);
  for (int p = 0; p < profile.ports; ++p) starts_.Wake(cycle_, cycle_ - 1, p);
}

void PacketRig::Send(int port, Cycle a0, const Request& request) {
  HeaderBits header = header_;
  header.set_length(request.length);
  header.set_tc(request.tc);
  header.set_destination(FabricAddress(0, 0, request.destination));
  partners_[port].credits.Grant(0, CellsOf(request.length), table_);
  switch_->Arrive(port, a0, {true, header, static_cast<Payload>(port)});
}

/// First words of this cycle.
void PacketRig::StartPackets() {
  due_.PopDue(cycle_);
  if (!source_) return;
  ForEachBit(starts_.PopDue(cycle_), [&](int port) {
    Partner& partner = partners_[port];
    if (cycle_ < partner.next_start) return starts_.Wake(partner.next_start, cycle_, port);
    if (!partner.has_request) {
      partner.request = source_(port);
      partner.has_request = true;
    }
    if (partner.request.not_before > cycle_) return starts_.Wake(partner.request.not_before, cycle_, port);
    if (!partner.credits.LaneOk(0, table_, profile_.mtu_cells)) {
      blocked_ |= Bit(port);
      return;
    }
    Send(port, cycle_, partner.request);
    partner.has_request = false;
    partner.next_start = cycle_ + CeilDiv(partner.request.length + 16, kWordBytes);
    starts_.Wake(partner.next_start, cycle_, port);
  });
}

void PacketRig::Collect() {
  const StepOutput& output = switch_->output();
  for (const Departure& departure : output.links.packets) {
    words_[departure.port] += departure.format.words;
    ++packets_;
    const int vl = departure.header.vl();
    std::uint16_t& sunk = partners_[departure.port].sunk[vl];
    sunk = static_cast<std::uint16_t>(sunk + CellsOf(departure.length));
    const Cycle wire = departure.take + kTakeToWire;
    if (sink_pace_ == 0) {
      switch_->Credit(departure.port, wire, vl, sunk);
    } else {
      Cycle& free = partners_[departure.port].sink_free;
      free = std::max(free, wire) + departure.format.words * sink_pace_;
      sunk_.push({free, departure.port, vl, sunk});
    }
    if (on_departure_) on_departure_(departure);
  }
  for (const CreditReturn& message : output.credits) credits_.Push(message.wire, message);
  drops_ += output.drops.size();
}

/// The switch is told as early before the wire as of a sink that is never full.
void PacketRig::ReturnSunk() {
  for (; !sunk_.empty() && sunk_.top().wire <= cycle_ + kTakeToWire; sunk_.pop()) {
    const Sunk& sunk = sunk_.top();
    switch_->Credit(sunk.port, sunk.wire, sunk.vl, sunk.cells);
  }
}

void PacketRig::RunTo(Cycle end) {
  while (cycle_ < end) {
    StartPackets();
    ReturnSunk();
    if (switch_->NextActive() <= cycle_) {
      switch_->Step(cycle_);
      Collect();
    }
    credits_.Drain(cycle_, [&](const CreditReturn& message) {
      partners_[message.port].credits.Return(message.vl, message.cells, table_);
      if ((blocked_ & Bit(message.port)) != 0) {
        blocked_ &= ~Bit(message.port);
        starts_.Wake(cycle_ + 1, cycle_, message.port);
      }
    });
    const Cycle sunk = sunk_.empty() ? kNever : sunk_.top().wire - kTakeToWire;
    const Cycle next = std::min({switch_->NextActive(), credits_.Next(), sunk, source_ ? due_.Next(cycle_) : kNever, end});
    cycle_ = std::max(cycle_ + 1, next);
  }
}

Cycle PacketRig::Drain() {
  Stop();
  while (switch_->NextActive() != kNever || credits_.Next() != kNever || !sunk_.empty()) RunTo(cycle_ + 1);
  return cycle_;
}

void PacketRig::ResetCounts() {
  std::fill(words_.begin(), words_.end(), 0);
  packets_ = 0;
}

bool PacketRig::AllHome() const {
  for (int p = 0; p < profile_.ports; ++p) {
    if (switch_->used(p) != 0 || switch_->room(p) != profile_.obuf_cells || switch_->load(p) != 0) return false;
    if (!switch_->credits(p).AllHome() || !partners_[p].credits.AllHome()) return false;
  }
  return switch_->packets() == 0;
}

}  // namespace tilefly::golden
