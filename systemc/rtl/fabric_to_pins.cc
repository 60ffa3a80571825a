// SPDX-License-Identifier: Apache-2.0
#include "systemc/rtl/fabric_to_pins.h"

#include <algorithm>
#include <utility>

#include "golden/acks/ack_route.h"
#include "golden/link/check.h"

namespace tilefly::systemc {
namespace {

/// The packet's bytes; of one that has a length only zeros with their check.
golden::Frame BytesOf(const fabric::Packet& packet) {
  golden::Frame frame;
  frame.bad = packet.bad;
  if (packet.frame != nullptr) {
    frame.bytes = *packet.frame;
    return frame;
  }
  const auto data = static_cast<std::size_t>(packet.length - golden::kFcsBytes);
  frame.bytes.resize(data);
  const std::uint32_t crc = golden::Crc32(0, frame.bytes.data(), data);
  for (int i = 0; i < golden::kFcsBytes; ++i) frame.bytes.push_back(static_cast<std::uint8_t>(crc >> 8 * i));
  return frame;
}

golden::Framer FramerOf(const fabric::Packet& packet) {
  golden::Departure departure{};
  departure.header = packet.header;
  departure.length = static_cast<std::uint16_t>(packet.length);
  departure.format = golden::FrameFormat::Of(!packet.enh, Kind::kStd, packet.length);
  return {departure, {}};
}

}  // namespace

FabricToPins::FabricToPins(sc_core::sc_module_name name)
    : Transactor(name), hops_([this](fabric::Packet& packet, const tlm::tlm_phase& phase) {
        tlm::tlm_phase told = phase;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        in->nb_transport_bw(packet, told, delay);
      }) {
  in.register_nb_transport_fw(this, &FabricToPins::Receive);
  in.register_b_transport(this, &FabricToPins::Refuse);
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&lost_);
  sc_core::sc_spawn([this] { WaitForAcks(fabric::CycleAt(sc_core::sc_time_stamp())); }, sc_core::sc_gen_unique_name("lost"), &options);
}

void FabricToPins::set_mode(const PortMode& mode) {
  lanes_ = mode.lanes >= 1 && mode.lanes <= 4 ? mode.lanes : 4;
  credits_ = mode.credits;
}

tlm::tlm_sync_enum FabricToPins::Receive(fabric::Packet& packet, tlm::tlm_phase&, sc_core::sc_time& delay) {
  if (packet.open) {
    SC_REPORT_ERROR("tilefly/rtl", (std::string(name()) + ": an open packet has no bytes for the pins: send it whole").c_str());
    return tlm::TLM_ACCEPTED;
  }
  const Cycle first = fabric::CycleOfCall(delay);
  const int hops = packet.header.hop();
  const Cycle last = first + golden::WordOffset(packet.words() - 1, lanes_);
  const auto hop = hops_.Begin(packet, last, hops, std::max(0, hops - 1), credits_);
  sending_.push_back({hop, !credits_, first, lanes_, packet.words(), FramerOf(packet), BytesOf(packet)});
  Want(first);
  return tlm::TLM_ACCEPTED;
}

/// Loosely timed use.
void FabricToPins::Refuse(fabric::Packet& packet, sc_core::sc_time&) {
  packet.drop = Drop::kBroken;
  SC_REPORT_ERROR("tilefly/rtl", (std::string(name()) + ": b_transport: pins have words in every cycle, and take no loosely timed "
                                                        "packets: send them by nb_transport").c_str());
}

Cycle FabricToPins::Next(Cycle now) const {
  if (shown_) return now;
  return sending_.empty() ? kNever : std::max(now, sending_.front().first);
}

void FabricToPins::Drive(Cycle now) {
  const auto last = [](const Sending& one) { return one.first + golden::WordOffset(one.words - 1, one.lanes); };
  while (!sending_.empty() && now > last(sending_.front())) sending_.pop_front();
  shown_ = !sending_.empty() && now >= sending_.front().first;
  Word word;
  if (shown_) {
    Sending& sending = sending_.front();
    const int k = golden::CeilDiv(static_cast<int>(now - sending.first) * sending.lanes, 4);
    if (sending.first + golden::WordOffset(k, sending.lanes) == now) word = sending.framer.MakeWord(k, sending.frame);
    if (word.eop && std::exchange(sending.ends, false)) hops_.End(sending.hop);
  }
  word_o.write(ToPins(word));
}

void FabricToPins::Look(Cycle now) {
  const Ctrl ctrl = FromPins<Ctrl>(ctrl_i.read());
  if (ctrl.credit_valid) hops_.Return(ctrl.credit_vl, ctrl.credit_cells);
  if (ctrl.ack_valid) hops_.Acknowledge(golden::AckOf(ctrl));
  if (ctrl.credit_valid || ctrl.ack_valid) WaitForAcks(now);
  if (const auto pause = golden::PauseOf(ctrl)) TellPause(*pause);
}

void FabricToPins::TellPause(const golden::FlowPause& pause) {
  fabric::Packet& packet = pauses_.Make();
  packet.pause = pause;
  tlm::tlm_phase phase = fabric::FLOW_PAUSE;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  in->nb_transport_bw(packet, phase, delay);
  packet.release();
}

void FabricToPins::WaitForAcks(Cycle now) {
  lost_.cancel();
  if (hops_.waiting() == 0) return;
  if (const Cycle next = hops_.ForgetLost(now); next != kNever) lost_.notify(fabric::UntilCycle(next));
}

}  // namespace tilefly::systemc
