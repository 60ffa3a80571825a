// SPDX-License-Identifier: Apache-2.0
#include "systemc/rtl/pins_to_fabric.h"

#include <algorithm>

#include "golden/acks/ack_route.h"
#include "golden/link/check.h"

namespace tilefly::systemc {

PinsToFabric::PinsToFabric(sc_core::sc_module_name name, fabric::PacketPool* pool) : Transactor(name), pool_(pool) {
  out.register_nb_transport_bw(this, &PinsToFabric::Hear);
}

void PinsToFabric::set_mode(const PortMode& mode) {
  lanes_ = mode.lanes >= 1 && mode.lanes <= 4 ? mode.lanes : 4;
  credits_ = mode.credits;
}

tlm::tlm_sync_enum PinsToFabric::Hear(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const Cycle wire = fabric::CycleOfCall(delay);
  if (phase == fabric::FLOW_PAUSE) return tlm::TLM_ACCEPTED;  // it is for NICs
  if (phase == fabric::ACK) {
    acks_due_.Enter(wire, packet.ack);
  } else {
    --open_;
    if (!credits_) return tlm::TLM_ACCEPTED;
    returned_.Enter(wire, {packet.header.vl(), packet.cells()});
  }
  Want(wire);
  return tlm::TLM_ACCEPTED;
}

Cycle PinsToFabric::Next(Cycle now) const {
  if (in_packet_ || driven_ != Ctrl{} || returner_.pending() || !acks_.empty()) return now;
  const Cycle next = std::min(returned_.Next(), acks_due_.Next());
  return next == kNever ? kNever : std::max(now, next);
}

/// One credit return and one ack a cycle.
void PinsToFabric::Drive(Cycle now) {
  returned_.Drain(now, [&](const Returned& returned) { returner_.Free(returned.vl, returned.cells); });
  acks_due_.Drain(now, [&](const Ack& ack) { acks_.push_back(ack); });
  if (driven_in_ != now) driven_ = Ctrl{};
  driven_in_ = now;
  if (!driven_.credit_valid && returner_.pending()) {
    const golden::CreditReturner::Message message = returner_.Decide(golden::kMaxLanes);
    driven_.credit_valid = true;
    driven_.credit_vl = message.vl;
    driven_.credit_cells = message.cells;
  }
  if (!driven_.ack_valid && !acks_.empty()) {
    golden::PutAck(acks_.front(), &driven_);
    acks_.pop_front();
  }
  ctrl_o.write(ToPins(driven_));
}

void PinsToFabric::Look(Cycle now) {
  const Word word = FromPins<Word>(word_i.read());
  const bool due = in_packet_ && now == first_ + golden::WordOffset(next_, lanes_);
  if (in_packet_ ? word.valid != due || (word.valid && word.sop) : word.valid && !word.sop) {
    SC_REPORT_ERROR("tilefly/rtl", (std::string(name()) + ": a word is missing, or one too many (law 2)").c_str());
    in_packet_ = false;
    return;
  }
  if (word.valid) Receive(now, word);
}

void PinsToFabric::Receive(Cycle now, const Word& word) {
  if (word.sop) {
    enh_ = word.enh;
    first_ = now;
    next_ = 0;
    bytes_.clear();
  }
  in_packet_ = !word.eop;
  ++next_;
  bytes_.insert(bytes_.end(), word.data.begin(), word.data.begin() + word.last + 1);
  if (word.eop) Begin(now);
}

/// The last word is there.
void PinsToFabric::Begin(Cycle now) {
  fabric::Packet& packet = pool_->Make();
  packet.enh = enh_;
  if (enh_) {
    packet.header = golden::HeaderBits(bytes_.data());
    bytes_.erase(bytes_.begin(), bytes_.begin() + golden::HeaderBits::kBytes);
  }
  packet.length = static_cast<int>(bytes_.size());
  packet.bad = golden::CheckFrame(bytes_.data(), bytes_.size()) != golden::CheckResult::kGood;
  packet.frame = std::make_shared<const fabric::Frame>(bytes_);
  packet.whole = first_ + cable_ < now;
  ++open_;
  tlm::tlm_phase phase = fabric::BEGIN_PACKET;
  sc_core::sc_time delay = fabric::UntilCycle((packet.whole ? now : first_) + cable_);
  out->nb_transport_fw(packet, phase, delay);
  packet.release();
}

}  // namespace tilefly::systemc
