// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/systemc_side.h"

#include <algorithm>
#include <cstring>

#include "golden/link/check.h"

namespace tilefly::systemc {
namespace {

/// A frame that begins with its packet's number.
std::shared_ptr<const fabric::Frame> MakeFrame(int length, std::uint32_t id) {
  auto frame = std::make_shared<fabric::Frame>(static_cast<std::size_t>(length));
  std::memcpy(frame->data(), &id, sizeof id);
  const std::size_t data = frame->size() - golden::kFcsBytes;
  const std::uint32_t crc = golden::Crc32(0, frame->data(), data);
  std::memcpy(frame->data() + data, &crc, sizeof crc);
  return frame;
}

std::uint32_t IdOf(const Partner::Shared& shared, const fabric::Packet& packet) {
  if (const auto bare = shared.ids.find(packet.frame.get()); bare != shared.ids.end()) return bare->second;
  std::uint32_t id;
  std::memcpy(&id, packet.frame->data(), sizeof id);
  return id;
}

}  // namespace

Partner::Partner(sc_core::sc_module_name name, int port, const SwitchSetup& setup, const std::vector<Offer>& offers, Cycle late,
                 Shared* shared)
    : TimedModule(name), port_(port), setup_(setup), offers_(offers), late_(late), shared_(shared), table_(setup.profile) {
  in.register_nb_transport_fw(this, &Partner::Receive);
  out.register_nb_transport_bw(this, &Partner::Hear);
  if (!offers_.empty()) Wake(offers_.front().at);
}

tlm::tlm_sync_enum Partner::Receive(fabric::Packet& packet, tlm::tlm_phase&, sc_core::sc_time& delay) {
  const Cycle wire = fabric::CycleOfCall(delay);
  shared_->outcome.deliveries.push_back({IdOf(*shared_, packet), static_cast<std::uint8_t>(port_), wire, packet.header,
                                         packet.length, packet.bad});
  shared_->outcome.end = std::max(shared_->outcome.end, wire);
  packet.acquire();
  taken_.Enter(wire + late_, &packet);
  Wake(wire + late_);
  if ((setup_.answering & golden::Bit(port_)) != 0) {
    packet.acquire();
    answered_.Enter(wire + kAnswerCycles, &packet);
    Wake(wire + kAnswerCycles);
  }
  return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum Partner::Hear(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == fabric::ACK) {
    shared_->outcome.acks[port_].push_back(packet.ack.flow);
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
  taken_.Drain(now, [&](fabric::Packet* packet) {
    tlm::tlm_phase phase = fabric::END_PACKET;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    in->nb_transport_bw(*packet, phase, delay);
    packet->release();
  });
  answered_.Drain(now, [&](fabric::Packet* packet) {
    packet->ack = AnswerTo(packet->header, IdOf(*shared_, *packet));
    tlm::tlm_phase phase = fabric::ACK;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    in->nb_transport_bw(*packet, phase, delay);
    packet->release();
  });
  Send(now);
}

void Partner::Send(Cycle now) {
  if (next_ == offers_.size()) return;
  const Offer& offer = offers_[next_];
  if (const Cycle earliest = std::max(offer.at, next_start_); now < earliest) return Wake(earliest);
  const bool enh = offer.bare == nullptr;
  if (enh && !credits_.LaneOk(offer.header.vl(), table_, setup_.profile.mtu_cells)) return;
  ++next_;
  fabric::Packet& packet = shared_->pool->Make();
  packet.header = offer.header;
  packet.length = offer.header.length();
  packet.bad = offer.bad;
  packet.enh = enh;
  packet.frame = enh ? MakeFrame(packet.length, offer.id) : offer.bare;
  if (!enh) shared_->ids[packet.frame.get()] = offer.id;
  if (enh) credits_.Grant(offer.header.vl(), packet.cells(), table_);
  next_start_ = now + packet.words();
  if (next_ < offers_.size()) Wake(next_start_);
  tlm::tlm_phase phase = fabric::BEGIN_PACKET;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  out->nb_transport_fw(packet, phase, delay);
  packet.release();
}

SwitchBench::SwitchBench(const std::string& name, const SwitchSetup& setup, const Offers& offers, SwitchNode* device,
                         fabric::PacketPool* pool, Cycle late, Cycle cable)
    : device_(device), pool_(pool), shared_{pool, {}, {}} {
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

SystemcRun RunSystemc(const SwitchSetup& setup, const Offers& offers, Cycle late) {
  fabric::PacketPool pool;
  Switch device("switch", setup.profile, setup.scheduler);
  SwitchBench bench("", setup, offers, &device, &pool, late);
  sc_core::sc_start();
  SystemcRun run = bench.Collect();
  for (int p = 0; p < setup.profile.ports; ++p) {
    auto& counters = run.outcome.counters.emplace_back();
    for (int index = 0; index <= static_cast<int>(kCounterValues.back()); ++index) {
      counters.push_back(device.ReadCounter(p, index));
    }
  }
  run.events_a_hop = static_cast<double>(device.kernel_events()) / static_cast<double>(std::max<std::uint64_t>(1, device.taken()));
  return run;
}

}  // namespace tilefly::systemc
