// SPDX-License-Identifier: Apache-2.0
// What a device of a system puts on its links, checked and made messages of.
#include <fmt/format.h>

#include <utility>

#include "cosim/lockstep/divergence.h"
#include "cosim/system/device_node.h"
#include "golden/common/stage_times.h"

namespace tilefly::cosim {

using golden::CellsOf;
using golden::kTakeToWire;

/// `link_o` of the current cycle.
void DeviceNode::Check(int port, const Link& link) {
  CheckWord(port, link.word);
  if (link.ctrl != Ctrl{}) CheckControl(port, link.ctrl);
}

void DeviceNode::CheckWord(int port, const Word& word) {
  Port& own = ports_[static_cast<std::size_t>(port)];
  Sending& out = own.out;
  const bool due = out.Due(now());
  if (!word.valid) {
    if (due) {
      Fail(port, fmt::format("word {} of {} is missing, its first was there in cycle {}", out.next, NameOfLeaving(own),
                             out.first));
    }
    if (word != Word{}) Fail(port, "fields of a word that is not valid are not zero");
    return;
  }
  settled_ = now() + kSettle;
  if (out.frame != nullptr && !due) Fail(port, "a word between two words of a packet");
  if (out.frame == nullptr) Begin(port, word);
  if (out.red != nullptr) TakeData(word, &out);
  Link expected, seen;
  expected.word = MakeWord(*out.frame, out.next);
  seen.word = word;
  Divergence found;
  if (FindDifference(seen, expected, &found)) {
    Fail(port, fmt::format("word {} of {}: {} is {}, expected {}", out.next, NameOfLeaving(own), found.field,
                           found.value_a, found.value_b));
  }
  if (++out.next < out.words) return;
  if (out.red != nullptr) return EndReduction(port);
  End(port);
}

std::string DeviceNode::NameOfLeaving(const Port& own) const {
  return NameOf(own.out.red != nullptr ? context_->records[own.out.payload] : inside_.at(own.leaving).record);
}

/// A packet's first word, which names it.
void DeviceNode::Begin(int port, const Word& word) {
  Port& own = ports_[static_cast<std::size_t>(port)];
  if (!word.sop || !word.enh) Fail(port, "a word that begins no packet with header, outside any packet");
  if (now() < own.out_free)
    Fail(port, fmt::format("a packet begins, the link is taken until cycle {}", own.out_free - 1));
  if (golden::HeaderBits(word.data.data()).is_red()) return BeginReduction(port, word);
  const PacketKey key = KeyIn(word);
  const auto found = inside_.find(key);
  if (found == inside_.end()) Fail(port, "a packet leaves that is not inside");
  const Inside& packet = found->second;
  const golden::HeaderBits seen(word.data.data());
  own.leaving = key;
  Sending out;
  auto frame = std::make_shared<Frame>(*packet.frame);
  frame->header = HeaderOut(packet, seen).Unpack();
  out.frame = std::move(frame);
  out.payload = packet.payload;
  Send(port, std::move(out));
}

/// The first word of a packet that is known: frame and payload.
void DeviceNode::Send(int port, Sending out) {
  Port& own = ports_[static_cast<std::size_t>(port)];
  const golden::PortRegisters& registers = registers_.port(port);
  const golden::HeaderBits header(out.frame->header);
  out.first = now();
  out.lanes = registers.serdes_lanes();
  out.words = out.frame->words();
  own.out = std::move(out);
  own.out_free = now() + SlotCycles(own.out.words, own.out.lanes);
  own.taken.Grant(header.vl(), CellsOf(header.length()), *registers.credit);
  // Packets may leave in another order than they were granted in, so only the sum can be judged.
  if (!own.taken.LaneOk(header.vl(), *registers.credit, 0)) {
    Fail(port, fmt::format("{} overruns the credits: lane {} has {} cells out", NameOfLeaving(own), header.vl(),
                           own.taken.used(header.vl())));
  }
  golden::Departure departure{};
  departure.take = now() - kTakeToWire;
  departure.header = header;
  departure.payload = own.out.payload;
  departure.format = golden::FrameFormat::Of(false, static_cast<Kind>(header.kind()), header.length());
  departure.length = static_cast<std::uint16_t>(header.length());
  departure.eth = -1;
  departure.port = static_cast<std::uint8_t>(port);
  departure.serdes_lanes = static_cast<std::uint8_t>(own.out.lanes);
  departure.last_copy = true;
  Depart(departure, now());
}

/// The header as the packet came in, with what a switch writes into it; lane and way are the switch's own to choose.
golden::HeaderBits DeviceNode::HeaderOut(const Inside& packet, const golden::HeaderBits& seen) const {
  golden::HeaderBits header = packet.header;
  header.Leave(packet.input, seen.vl());
  header.set_via(seen.via());
  header.set_via_valid(seen.via_valid());
  return header;
}

void DeviceNode::End(int port) {
  Port& own = ports_[static_cast<std::size_t>(port)];
  own.out.frame.reset();
  const auto packet = inside_.find(own.leaving);
  if (watch_.passed)
    watch_.passed({NameOf(packet->second.record), packet->second.input, port, packet->second.in, now()});
  inside_.erase(packet);
}

void DeviceNode::CheckControl(int port, const Ctrl& ctrl) {
  settled_ = now() + kSettle;
  Ctrl known;
  if (ctrl.credit_valid) {
    known.credit_valid = true;
    known.credit_vl = ctrl.credit_vl;
    known.credit_cells = ctrl.credit_cells;
  }
  if (ctrl.ack_valid) golden::PutAck(golden::AckOf(ctrl), &known);
  if (ctrl != known) Fail(port, "the control slot carries something else than a credit return or an ack");
  if (ctrl.credit_valid) CheckCredit(port, ctrl);
  if (ctrl.ack_valid) CheckAck(port, ctrl);
}

void DeviceNode::CheckCredit(int port, const Ctrl& ctrl) {
  golden::CreditSender& held = ports_[static_cast<std::size_t>(port)].held;
  const int used = held.used(ctrl.credit_vl);
  if (!held.Return(ctrl.credit_vl, ctrl.credit_cells, *registers_.port(port).credit)) {
    Fail(port, fmt::format("a credit return of lane {} up to {} cells, of which {} were in use", ctrl.credit_vl,
                           ctrl.credit_cells, used));
  }
  Return({now(), static_cast<std::uint8_t>(port), ctrl.credit_vl, ctrl.credit_cells});
}

/// One that comes to a NIC or goes on to a switch by the way that its packet came.
void DeviceNode::CheckAck(int port, const Ctrl& ctrl) {
  const Ack ack = golden::AckOf(ctrl);
  const int hops = far(port).node < 0 ? 0 : ack.hops + 1;  // in this switch
  if (hops > golden::kMostAckHops || golden::PortOfAck(hops, ack.port, ack.path) != port) {
    Fail(port, fmt::format("an ack of flow {} with {} hops left, for port {} by path {:#x}", ack.flow, ack.hops,
                           ack.port, ack.path));
  }
  PassOn({now(), ack, static_cast<std::uint8_t>(port)});
  context_->last_event = std::max(context_->last_event, now() - golden::kAckToWire);
}

}  // namespace tilefly::cosim
