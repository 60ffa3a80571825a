// SPDX-License-Identifier: Apache-2.0
#include "systemc/nic/fabric_port.h"

#include <algorithm>

namespace tilefly::systemc {
namespace {

constexpr std::uint32_t kFlows = 1024;
constexpr Cycle kReturn = 1;  // from the last word to the credit return; the NIC's own, no stage of a switch

}  // namespace

FabricPort::FabricPort(sc_core::sc_module_name name, const FabricPortOptions& options, bool loosely_timed,
                       fabric::PacketPool* pool)
    : TimedModule(name), options_(options), loosely_timed_(loosely_timed), pool_(pool) {
  in.register_nb_transport_fw(this, &FabricPort::Receive);
  in.register_b_transport(this, &FabricPort::Blocking);
  out.register_nb_transport_bw(this, &FabricPort::Hear);
}

/// A packet that comes by the transport that this run does not use (FAB-9) is reported, and lost.
bool FabricPort::Takes(bool blocking) {
  if (blocking == loosely_timed_) return true;
  ++lost_;
  const char* const what = blocking ? ": a packet by b_transport, but the NIC is approximately timed: set loosely_timed"
                                    : ": a packet by nb_transport, but the NIC is loosely timed: call b_transport";
  SC_REPORT_ERROR("tilefly/nic", (name() + std::string(what)).c_str());
  return false;
}

void FabricPort::Send(std::uint32_t destination, std::shared_ptr<const fabric::Frame> frame, Cycle at) {
  fabric::Packet& packet = Make(destination, std::move(frame));
  if (loosely_timed_) return Pass(&packet, at);
  queue_.push_back(&packet);
  if (log_ != nullptr) log_->Enter(packet, packet.header, options_.vl, "queued", at);
  Wake(at + 1);
}

fabric::Packet& FabricPort::Make(std::uint32_t destination, std::shared_ptr<const fabric::Frame> frame) {
  fabric::Packet& packet = pool_->Make();
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  header.len = static_cast<std::uint16_t>(frame->size());
  header.tc = static_cast<std::uint8_t>(options_.tc);
  header.vl = static_cast<std::uint8_t>(options_.vl);
  header.src = options_.address;
  header.dst = destination;
  header.mode = static_cast<std::uint8_t>(options_.mode);
  header.ordered = options_.ordered;
  if (!options_.ordered) header.flow = static_cast<std::uint16_t>(flow_++ % kFlows);
  packet.header = golden::HeaderBits(header);
  packet.length = header.len;
  packet.frame = std::move(frame);
  return packet;
}

tlm::tlm_sync_enum FabricPort::Receive(fabric::Packet& packet, tlm::tlm_phase&, sc_core::sc_time& delay) {
  if (!Takes(false)) return tlm::TLM_ACCEPTED;
  const Cycle first = fabric::CycleOfCall(delay);
  const Cycle last = first + packet.Duration(options_.lanes);
  if (log_ != nullptr) log_->Words(TransactionLog::kIn, packet, first, last + 1);
  packet.acquire();
  coming_.Enter(last, &packet);
  Wake(last);
  return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum FabricPort::Hear(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  // Messages are answered by themselves, and a NIC may ignore a pause.
  if (phase == fabric::ACK || phase == fabric::FLOW_PAUSE) return tlm::TLM_ACCEPTED;
  if (phase == fabric::DROPPED) ++lost_;
  const Cycle wire = fabric::CycleOfCall(delay);
  returned_.Enter(wire, {packet.header.vl(), packet.cells()});
  WakeAfter(wire);
  return tlm::TLM_ACCEPTED;
}

void FabricPort::Step(Cycle now) {
  returned_.Drain(now - 1, [&](const Returned& returned) {
    home_[returned.vl] = static_cast<std::uint16_t>(home_[returned.vl] + returned.cells);
    credits_.Return(returned.vl, home_[returned.vl], options_.credit);
  });
  coming_.Drain(now, [&](fabric::Packet* packet) { Receive(now, packet); });
  Start(now);
}

/// The last word is there.
void FabricPort::Receive(Cycle now, fabric::Packet* packet) {
  tlm::tlm_phase phase = fabric::END_PACKET;
  sc_core::sc_time delay = fabric::TimeOf(kReturn);
  in->nb_transport_bw(*packet, phase, delay);
  Deliver(*packet, now);
  packet->release();
}

void FabricPort::Deliver(const fabric::Packet& packet, Cycle at) {
  if (packet.broken_off) return;
  if (packet.bad || packet.frame == nullptr) {
    ++lost_;
  } else {
    on_frame_(packet.header.source(), *packet.frame, at);
  }
}

void FabricPort::Start(Cycle now) {
  if (queue_.empty()) return;
  if (now < next_start_) return Wake(next_start_);
  if (!credits_.LaneOk(options_.vl, options_.credit, options_.mtu_cells)) return;
  fabric::Packet* const packet = queue_.front();
  queue_.pop_front();
  credits_.Grant(options_.vl, packet->cells(), options_.credit);
  next_start_ = now + Slots(*packet);
  if (!queue_.empty()) Wake(next_start_);
  if (log_ != nullptr) {
    log_->Leave(*packet, now);
    log_->Words(TransactionLog::kOut, *packet, now, now + packet->Duration(options_.lanes) + 1);
  }
  tlm::tlm_phase phase = fabric::BEGIN_PACKET;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  out->nb_transport_fw(*packet, phase, delay);
  packet->release();
}

/// Loosely timed: the packet reaches the other NIC, and all that it brings about there happens, in this call. No credits:
/// the link alone is kept.
void FabricPort::Pass(fabric::Packet* packet, Cycle at) {
  const Cycle past = fabric::CycleAt(sc_core::sc_time_stamp());
  const Cycle start = link_ledger_.Book(past, std::max(at, past) + 1, Slots(*packet));
  if (log_ != nullptr) log_->Words(TransactionLog::kOut, *packet, start, start + packet->Duration(options_.lanes) + 1);
  sc_core::sc_time delay = fabric::UntilCycle(start);
  out->b_transport(*packet, delay);
  if (packet->drop != Drop::kNone) ++lost_;
  packet->release();
}

/// Loosely timed: the time of return is that of the last word, but for a memory that waited until later.
void FabricPort::Blocking(fabric::Packet& packet, sc_core::sc_time& delay) {
  if (!Takes(true)) return;
  const Cycle first = fabric::CycleOfCall(delay);
  const Cycle last = first + packet.Duration(options_.lanes);
  if (log_ != nullptr) log_->Words(TransactionLog::kIn, packet, first, last + 1);
  Deliver(packet, last);
  delay = fabric::UntilCycle(std::max(last, fabric::CycleAt(sc_core::sc_time_stamp())));
}

}  // namespace tilefly::systemc
