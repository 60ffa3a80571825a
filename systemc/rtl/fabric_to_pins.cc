// SPDX-License-Identifier: Apache-2.0
#include "systemc/rtl/fabric_to_pins.h"

#include <algorithm>
#include <utility>

#include "golden/link/check.h"
#include "systemc/fabric/answers.h"

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

/// Hops that an ack has left when it leaves the switch into which the packet comes.
int HopsBack(const fabric::Packet& packet) { return std::max(0, packet.header.hop() - 1); }

}  // namespace

FabricToPins::FabricToPins(sc_core::sc_module_name name) : Transactor(name) {
  in.register_nb_transport_fw(this, &FabricToPins::Receive);
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&lost_);
  sc_core::sc_spawn([this] { ForgetLost(); }, sc_core::sc_gen_unique_name("lost"), &options);
}

void FabricToPins::set_mode(const PortMode& mode) {
  lanes_ = mode.lanes >= 1 && mode.lanes <= 4 ? mode.lanes : 4;
  credits_ = mode.credits;
}

tlm::tlm_sync_enum FabricToPins::Receive(fabric::Packet& packet, tlm::tlm_phase&, sc_core::sc_time& delay) {
  const Cycle first = fabric::CycleOfCall(delay);
  packet.acquire();
  ++open_;
  const auto hop = hops_.insert(hops_.end(), {&packet, false, credits_ && fabric::Answerable(packet, packet.header.hop()), kNever});
  if (credits_) lanes_open_[packet.header.vl()].push_back(hop);
  sending_.push_back({hop, !credits_, first, lanes_, packet.words(), FramerOf(packet), BytesOf(packet)});
  Want(first);
  return tlm::TLM_ACCEPTED;
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
    if (word.eop && std::exchange(sending.ends, false)) End(sending.hop);
  }
  word_o.write(ToPins(word));
}

void FabricToPins::Look(Cycle) {
  const Ctrl ctrl = FromPins<Ctrl>(ctrl_i.read());
  if (ctrl.credit_valid) Free(ctrl.credit_vl, ctrl.credit_cells);
  if (ctrl.ack_valid) Acknowledge(golden::AckOf(ctrl));
}

/// The lane has freed so many cells since reset: the oldest packets end that they are enough for.
void FabricToPins::Free(int vl, std::uint16_t freed) {
  free_[vl] += static_cast<std::uint16_t>(freed - freed_[vl]);
  freed_[vl] = freed;
  auto& open = lanes_open_[vl];
  while (!open.empty() && open.front()->packet->cells() <= free_[vl]) {
    const Hops::iterator hop = open.front();
    open.pop_front();
    free_[vl] -= hop->packet->cells();
    End(hop);
  }
}

void FabricToPins::End(Hops::iterator hop) {
  --open_;
  hop->ended = true;
  Tell(hop->packet, fabric::END_PACKET);
  if (!hop->answerable) {
    hop->packet->release();
    hops_.erase(hop);
    return;
  }
  const Cycle now = fabric::CycleAt(sc_core::sc_time_stamp());
  hop->lost = now + kAckWait;
  lost_.notify(fabric::UntilCycle(hop->lost));  // an earlier one stays
}

void FabricToPins::Acknowledge(const Ack& ack) {
  const auto hop = std::find_if(hops_.begin(), hops_.end(),
                                [&](const Hop& one) {
                                  return one.answerable && fabric::Answers(ack, *one.packet, HopsBack(*one.packet));
                                });
  if (hop == hops_.end()) return;
  hop->answerable = false;
  hop->packet->ack = ack;
  Tell(hop->packet, fabric::ACK);
  if (!hop->ended) return;
  hop->packet->release();
  hops_.erase(hop);
}

void FabricToPins::ForgetLost() {
  const Cycle now = fabric::CycleAt(sc_core::sc_time_stamp());
  Cycle next = kNever;
  for (auto hop = hops_.begin(); hop != hops_.end();) {
    if (hop->lost > now) {
      next = std::min(next, hop->lost);
      ++hop;
      continue;
    }
    hop->packet->release();
    hop = hops_.erase(hop);
  }
  if (next != kNever) lost_.notify(fabric::UntilCycle(next));
}

void FabricToPins::Tell(fabric::Packet* packet, const tlm::tlm_phase& phase) {
  tlm::tlm_phase told = phase;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  in->nb_transport_bw(*packet, told, delay);
}

}  // namespace tilefly::systemc
