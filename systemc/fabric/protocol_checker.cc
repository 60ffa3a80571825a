// SPDX-License-Identifier: Apache-2.0
#include "systemc/fabric/protocol_checker.h"

#include <algorithm>
#include <cstring>

namespace tilefly::fabric {
namespace {

bool Same(const golden::HeaderBits& a, const golden::HeaderBits& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

ProtocolChecker::ProtocolChecker(sc_core::sc_module_name name, const Options& options)
    : sc_module(name), options_(options) {
  in.register_nb_transport_fw(this, &ProtocolChecker::Forward);
  in.register_b_transport(this, &ProtocolChecker::Blocking);
  out.register_nb_transport_bw(this, &ProtocolChecker::Backward);
}

tlm::tlm_sync_enum ProtocolChecker::Forward(Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  Use(false);
  CheckCall(packet, delay);
  if (phase == BEGIN_PACKET) {
    Begin(packet, CycleOfCall(delay));
  } else if (phase == LAST_WORD) {
    Close(packet, CycleOfCall(delay));
  } else {
    Violate("FAB-1", std::string("phase ") + phase.get_name() + " on the forward path");
  }
  const tlm::tlm_phase before = phase;
  const sc_core::sc_time delay_before = delay;
  const tlm::tlm_sync_enum status = out->nb_transport_fw(packet, phase, delay);
  CheckReturn("nb_transport_fw", status, phase != before || delay != delay_before);
  return status;
}

tlm::tlm_sync_enum ProtocolChecker::Backward(Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  Use(false);
  CheckCall(packet, delay);
  if (phase == END_PACKET || phase == DROPPED) {
    End(packet, CycleOfCall(delay), phase == DROPPED);
  } else if (phase == ACK) {
    Acknowledge(packet);
  } else if (phase == FLOW_PAUSE) {
    Pause(packet);
  } else {
    Violate("FAB-1", std::string("phase ") + phase.get_name() + " on the backward path");
  }
  const tlm::tlm_phase before = phase;
  const sc_core::sc_time delay_before = delay;
  const tlm::tlm_sync_enum status = in->nb_transport_bw(packet, phase, delay);
  CheckReturn("nb_transport_bw", status, phase != before || delay != delay_before);
  return status;
}

void ProtocolChecker::Blocking(Packet& packet, sc_core::sc_time& delay) {
  Use(true);
  ++checked_;
  out->b_transport(packet, delay);
}

/// FAB-5 and FAB-7, of every call.
void ProtocolChecker::CheckCall(const Packet& packet, const sc_core::sc_time& delay) {
  ++checked_;
  if (!packet.has_mm() || packet.get_ref_count() == 0) Violate("FAB-5", "a packet to which nobody refers");
  // A negative time is a very large one.
  if (delay > TimeOf(kMostAhead)) Violate("FAB-7", "an annotation that is negative or above 65536 cycles");
  if ((sc_core::sc_time_stamp() + delay).value() % TicksOfCycle() != 0) Violate("FAB-7", "a time inside a cycle");
}

/// FAB-2.
void ProtocolChecker::CheckReturn(const char* path, tlm::tlm_sync_enum status, bool changed) {
  if (status != tlm::TLM_ACCEPTED || changed) {
    Violate("FAB-2", std::string(path) + " does not return TLM_ACCEPTED with phase and time as they were");
  }
}

/// FAB-1, FAB-3 and FAB-4 at the start of a packet.
void ProtocolChecker::Begin(const Packet& packet, Cycle cycle) {
  const auto found = hops_.find(&packet);
  if (found != hops_.end() && !found->second.ended) Violate("FAB-1", "BEGIN_PACKET of a packet that has not ended");
  if (cycle < last_begin_) Violate("FAB-3", "a packet that begins before the one that was told first");
  if (cycle < link_free_ || open_ != nullptr) Violate("FAB-3", "a packet that begins among the words of another");
  last_begin_ = std::max(last_begin_, cycle);
  if (packet.open) open_ = &packet;
  const bool in_one_cycle = packet.whole || packet.open;
  link_free_ = std::max(link_free_, cycle + (in_one_cycle ? 1 : golden::CeilDiv(4 * packet.words(), options_.lanes)));
  const int lane = packet.enh ? packet.header.vl() : 0;
  hops_[&packet] = {packet.header, packet.frame.get(), packet.length, packet.cells(), lane, cycle, false,
                    false,         packet.open,        false};
  used_[lane] += packet.cells();
  if (options_.credits) CheckCredit(lane, cycle - options_.cable);
}

/// FAB-1 and FAB-3 at the last word of a packet that began open.
void ProtocolChecker::Close(const Packet& packet, Cycle cycle) {
  const auto found = hops_.find(&packet);
  if (found == hops_.end() || !found->second.open) return Violate("FAB-1", "LAST_WORD of a packet that is not open");
  Hop& hop = found->second;
  if (packet.open || packet.enh || packet.frame == nullptr) Violate("FAB-1", "LAST_WORD that does not tell the frame");
  if (cycle + 1 < link_free_) Violate("FAB-3", "a last word before the first one");
  link_free_ = std::max(link_free_, cycle + 1);
  hop.open = false;
  open_ = nullptr;
  hop.frame = packet.frame.get();
  hop.length = packet.length;
}

/// FAB-4: of the cells that go free only those of returns that have come by `cycle` are free.
void ProtocolChecker::CheckCredit(int lane, Cycle cycle) {
  for (; !returns_.empty() && returns_.top().cycle <= cycle; returns_.pop()) {
    used_[returns_.top().lane] -= returns_.top().cells;
  }
  int excess = 0;
  for (int v = 0; v < golden::kMaxLanes; ++v) excess += std::max(0, used_[v] - options_.credit.reserve[v]);
  if (used_[lane] > options_.credit.cap[lane]) Violate("FAB-4", "more cells of a lane than its cap");
  if (excess > options_.credit.shared) Violate("FAB-4", "more cells beyond the reserves than the shared part");
}

/// FAB-1 and FAB-6 at the end of a packet.
void ProtocolChecker::End(const Packet& packet, Cycle cycle, bool dropped) {
  const auto found = hops_.find(&packet);
  if (found == hops_.end()) return Violate("FAB-1", "the end of a packet that has not begun");
  Hop& hop = found->second;
  if (hop.ended) return Violate("FAB-1", "a second end of a packet");
  if (hop.open && !dropped) Violate("FAB-1", "END_PACKET before LAST_WORD");
  if (cycle < hop.first - options_.cable) Violate("FAB-1", "an end whose time is before that of BEGIN_PACKET");
  if (!Same(packet.header, hop.header) || packet.frame.get() != hop.frame || packet.length != hop.length) {
    Violate("FAB-6", "header or frame changed between BEGIN_PACKET and its end");
  }
  if (dropped && hop.answered) Violate("FAB-1", "DROPPED after ACK");
  if (dropped && packet.drop == Drop::kNone) Violate("FAB-1", "DROPPED without a reason");
  hop.ended = true;
  if (dropped) hop.answered = true;
  returns_.push({cycle, hop.lane, hop.cells});
}

/// FAB-1 of an ack.
void ProtocolChecker::Acknowledge(const Packet& packet) {
  const auto found = hops_.find(&packet);
  if (found == hops_.end()) return Violate("FAB-1", "ACK of a packet that has not begun");
  if (found->second.answered) return Violate("FAB-1", "a second ACK, or one after DROPPED");
  found->second.answered = true;
}

/// FAB-1 of a pause, which is no packet's.
void ProtocolChecker::Pause(const Packet& packet) {
  const auto found = hops_.find(&packet);
  if (found != hops_.end() && !found->second.ended) Violate("FAB-1", "FLOW_PAUSE of a packet on its way");
}

void ProtocolChecker::Finish() {
  int open = 0;
  for (auto& [packet, hop] : hops_) {
    if ((hop.ended && !hop.open) || hop.missed) continue;
    hop.missed = true;
    ++open;
  }
  if (open != 0) Violate("FAB-8", std::to_string(open) + " packets began and did not end");
}

/// FAB-9: blocking calls and phases are not mixed.
void ProtocolChecker::Use(bool blocking) {
  bool& used = blocking ? used_blocking_ : used_phases_;
  if (!used && (blocking ? used_phases_ : used_blocking_)) Violate("FAB-9", "b_transport and nb_transport on one link");
  used = true;
}

void ProtocolChecker::Violate(const char* rule, const std::string& what) {
  violations_.push_back({rule, what, CycleAt(sc_core::sc_time_stamp())});
  if (options_.silent) return;
  SC_REPORT_ERROR("tilefly/fabric", (std::string(rule) + " at " + name() + ": " + what).c_str());
}

}  // namespace tilefly::fabric
