// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/systemc_side.h"

#include <algorithm>
#include <cstring>

#include "golden/link/control_frame.h"
#include "testbenches/bench/pause_time.h"
#include "testbenches/systemc/platform.h"
#include "testbenches/systemc/received.h"

namespace tilefly::systemc {
namespace {

std::vector<std::uint8_t> BytesOf(std::uint64_t value) {
  std::vector<std::uint8_t> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

/// What happens on the register bus later, in order of time.
void UseRegisterBus(const ContractSetup& setup, std::vector<std::uint64_t>* statuses, Cpu* cpu) {
  const auto wait_until = [](const sc_core::sc_time& time) { sc_core::wait(time - sc_core::sc_time_stamp()); };
  auto write = setup.later.begin();
  auto sample = setup.samples.begin();
  while (write != setup.later.end() || sample != setup.samples.end()) {
    if (sample == setup.samples.end() || (write != setup.later.end() && write->first <= *sample)) {
      const Cfg& cfg = write->second;
      wait_until(fabric::TimeOf(write->first));
      cpu->Write(Switch::AddressOf(cfg.port, static_cast<CfgSpace>(cfg.space), cfg.index), BytesOf(cfg.data));
      ++write;
      continue;
    }
    // After the step of the cycle, which has the events up to the one before.
    wait_until(fabric::TimeOf(*sample) + fabric::TimeOf(1) / 2);
    for (int g = 0; g < golden::kRedGroups; ++g) {
      std::vector<std::uint8_t> status(sizeof(std::uint64_t));
      cpu->Read(Switch::AddressOf(0, CfgSpace::kRed, RegisterAccess::StatusOf(g)), &status);
      std::memcpy(&statuses->emplace_back(), status.data(), status.size());
    }
    ++sample;
  }
}

}  // namespace

Partner::Partner(sc_core::sc_module_name name, int port, const ContractSetup& setup, const std::vector<Offer>& offers,
                 Cycle late, Shared* shared)
    : TimedModule(name),
      port_(port),
      setup_(setup),
      offers_(offers),
      late_(late),
      shared_(shared),
      table_(setup.profile) {
  in.register_nb_transport_fw(this, &Partner::Receive);
  out.register_nb_transport_bw(this, &Partner::Hear);
  if (!offers_.empty()) Wake(offers_.front().at);
  if (shared->peers == nullptr) return;
  if (const std::optional<RedNext> red = shared->peers->Next(port)) Wake(red->at);
}

tlm::tlm_sync_enum Partner::Receive(fabric::Packet& packet, tlm::tlm_phase&, sc_core::sc_time& delay) {
  const Cycle wire = fabric::CycleOfCall(delay);
  if (packet.header.is_red()) {
    const Cycle last = wire + packet.words() - 1;
    heard_.Enter(last, {wire, packet.header, packet.frame});
    WakeAfter(last);
  } else if (!packet.enh && golden::IsControl(packet.frame->data())) {
    HearPause(packet, wire);
  } else {
    shared_->outcome.deliveries.push_back(Received(setup_, port_, wire, packet));
    shared_->outcome.end = std::max(shared_->outcome.end, wire);
  }
  packet.acquire();
  taken_.Enter(wire + late_, &packet);
  Wake(wire + late_);
  if ((setup_.answering & golden::Bit(port_)) != 0 && !packet.header.is_red()) {
    packet.acquire();
    answered_.Enter(wire + kAnswerCycles, &packet);
    Wake(wire + kAnswerCycles);
  }
  return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum Partner::Hear(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == fabric::ACK) {
    shared_->outcome.acks[port_].push_back(packet.ack);
  } else if (phase == fabric::FLOW_PAUSE) {
    const Cycle wire = fabric::CycleOfCall(delay);
    shared_->outcome.flow_pauses.push_back({static_cast<std::uint8_t>(port_), wire, packet.pause});
  } else {
    if (!packet.enh) return tlm::TLM_ACCEPTED;
    const Cycle wire = fabric::CycleOfCall(delay);
    returned_.Enter(wire, {packet.header.vl(), packet.cells()});
    WakeAfter(wire);
  }
  return tlm::TLM_ACCEPTED;
}

void Partner::Step(Cycle now) {
  returned_.Drain(now - 1, [&](const Returned& returned) {
    home_[returned.vl] = static_cast<std::uint16_t>(home_[returned.vl] + returned.cells);
    credits_.Return(returned.vl, home_[returned.vl], table_);
  });
  told_.Drain(now - 1, [&](std::uint16_t quanta) {
    paused_until_ = now - 1 + bench::PauseTime(quanta, kLanes);
  });
  taken_.Drain(now, [&](fabric::Packet* packet) {
    tlm::tlm_phase phase = fabric::END_PACKET;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    in->nb_transport_bw(*packet, phase, delay);
    packet->release();
  });
  answered_.Drain(now, [&](fabric::Packet* packet) {
    packet->ack = AnswerTo(packet->header, IdOf(*packet->frame));
    tlm::tlm_phase phase = fabric::ACK;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    in->nb_transport_bw(*packet, phase, delay);
    packet->release();
  });
  heard_.Drain(now - 1, [&](const Heard& heard) {
    shared_->peers->Receive(port_, heard.first, now - 1, heard.header, heard.frame);
  });
  Finish(now);
  Send(now);
}

/// Obeyed from the cycle after its last word on.
void Partner::HearPause(const fabric::Packet& packet, Cycle wire) {
  const std::uint16_t quanta = golden::ParsePause(packet.frame->data()).quanta[0];
  shared_->outcome.pauses.push_back({static_cast<std::uint8_t>(port_), wire, quanta});
  const Cycle last = wire + packet.words() - 1 + late_;
  told_.Enter(last, quanta);
  WakeAfter(last);
}

/// Credits or PAUSE let it start.
bool Partner::MayStart(Cycle now, const Offer& offer) const {
  if (offer.bare == nullptr) return credits_.LaneOk(offer.header.vl(), table_, setup_.profile.mtu_cells);
  return now >= paused_until_ || golden::IsControl(offer.bare->data());
}

void Partner::Send(Cycle now) {
  if (now < next_start_) return Wake(next_start_);
  if (SendReduction(now) || next_ == offers_.size()) return;
  const Offer& offer = offers_[next_];
  if (now < offer.at) return Wake(offer.at);
  const bool enh = offer.bare == nullptr;
  if (!MayStart(now, offer)) {
    if (!enh) Wake(paused_until_);
    return;
  }
  ++next_;
  fabric::Packet& packet = shared_->pool->Make();
  packet.header = offer.header;
  packet.length = offer.header.length();
  packet.bad = offer.bad;
  packet.enh = enh;
  packet.frame = enh ? MakeFrame(offer.id, packet.length) : offer.bare;
  if (enh || !setup_.open || offer.id % 2 == 0) return Start(now, &packet);
  open_ = &packet;
  opened_ = &offer;
  last_word_ = now + packet.words() - 1;
  Wake(next_start_ = last_word_ + 1);
  packet.acquire();
  packet.open = true;
  packet.bad = false;
  packet.frame = nullptr;
  packet.length = 0;
  Begin(&packet);
  Wake(last_word_);
}

void Partner::Finish(Cycle now) {
  if (open_ == nullptr || now != last_word_) return;
  open_->open = false;
  open_->bad = opened_->bad;
  open_->frame = opened_->bare;
  open_->length = opened_->header.length();
  tlm::tlm_phase phase = fabric::LAST_WORD;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  out->nb_transport_fw(*open_, phase, delay);
  open_->release();
  open_ = nullptr;
}

/// A reduction packet, if one is ready and its lane has credit.
bool Partner::SendReduction(Cycle now) {
  if (shared_->peers == nullptr) return false;
  const std::optional<RedNext> next = shared_->peers->Next(port_);
  if (!next) return false;
  if (now < next->at) {
    Wake(next->at);
    return false;
  }
  if (!credits_.LaneOk(next->lane, table_, setup_.profile.mtu_cells)) return false;
  const RedSend red = shared_->peers->Pop(port_);
  fabric::Packet& packet = shared_->pool->Make();
  packet.header = red.header;
  packet.length = red.header.length();
  packet.bad = red.bad;
  packet.frame = red.frame;
  Start(now, &packet);
  return true;
}

void Partner::Start(Cycle now, fabric::Packet* packet) {
  if (packet->enh) credits_.Grant(packet->header.vl(), packet->cells(), table_);
  next_start_ = now + packet->words();
  Wake(next_start_);
  Begin(packet);
}

void Partner::Begin(fabric::Packet* packet) {
  tlm::tlm_phase phase = fabric::BEGIN_PACKET;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  out->nb_transport_fw(*packet, phase, delay);
  packet->release();
}

SwitchBench::SwitchBench(const std::string& name, const ContractSetup& setup, const Offers& offers, SwitchNode* device,
                         fabric::PacketPool* pool, Cycle late, Cycle cable, RedPeers* peers)
    : device_(device), pool_(pool), shared_{pool, {}, peers} {
  shared_.outcome.acks.resize(offers.size());
  fabric::ProtocolChecker::Options in_options;
  in_options.credit = golden::CreditTable(setup.profile);
  in_options.silent = true;
  fabric::ProtocolChecker::Options out_options = in_options;
  out_options.credit = setup.credit();
  for (int port = 0; port < setup.profile.ports; ++port) {
    const auto named = [&](const char* what) { return name + what + std::to_string(port); };
    partners_.push_back(std::make_unique<Partner>(named("partner").c_str(), port, setup, offers[port], late, &shared_));
    in_options.credits = out_options.credits = (setup.standard & golden::Bit(port)) == 0;
    out_options.cable = device->TakeCable(port, cable);
    checkers_.push_back(std::make_unique<fabric::ProtocolChecker>(named("in").c_str(), in_options));
    checkers_.push_back(std::make_unique<fabric::ProtocolChecker>(named("out").c_str(), out_options));
    links_.push_back(std::make_unique<CreditLink>(named("link").c_str(), 0));
    links_.push_back(std::make_unique<CreditLink>(named("cable").c_str(), cable - out_options.cable, cable));
    fabric::ProtocolChecker& in = *checkers_[checkers_.size() - 2];
    CreditLink& link = *links_[links_.size() - 2];
    partners_.back()->out.bind(link.in);
    link.out.bind(in.in);
    in.out.bind(device->in(port));
    device->out(port).bind(checkers_.back()->in);
    checkers_.back()->out.bind(links_.back()->in);
    links_.back()->out.bind(partners_.back()->in);
  }
  for (const Cfg& write : setup.writes) device->Write(write);
}

SystemcRun SwitchBench::Collect() {
  SystemcRun run{};
  run.outcome = std::move(shared_.outcome);
  run.outcome.drained = device_->Drained();
  for (const auto& partner : partners_) run.outcome.drained &= partner->done();
  for (const auto& checker : checkers_) {
    checker->Finish();
    run.violations.insert(run.violations.end(), checker->violations().begin(), checker->violations().end());
    run.checked += checker->checked();
  }
  run.held = pool_->held();
  return run;
}

SystemcRun RunSystemc(const ContractSetup& setup, const Offers& offers, Cycle late, RedPeers* peers) {
  fabric::PacketPool pool;
  Switch device("switch", setup.profile, setup.scheduler);
  SwitchBench bench("", setup, offers, &device, &pool, late, 0, peers);
  std::vector<std::uint64_t> statuses;
  Cpu cpu("cpu", [&](Cpu& self) { UseRegisterBus(setup, &statuses, &self); });
  cpu.socket.bind(device.configure);
  sc_core::sc_start();
  SystemcRun run = bench.Collect();
  run.outcome.statuses = std::move(statuses);
  for (int p = 0; p < setup.profile.ports; ++p) {
    auto& counters = run.outcome.counters.emplace_back();
    for (int index = 0; index <= static_cast<int>(kCounterValues.back()); ++index) {
      counters.push_back(device.ReadCounter(p, index));
    }
  }
  run.ring_events = device.ring() == nullptr ? 0 : device.ring()->kernel_events();
  run.events_a_hop = static_cast<double>(device.kernel_events()) / static_cast<double>(std::max<std::uint64_t>(1, device.taken()));
  return run;
}

}  // namespace tilefly::systemc
