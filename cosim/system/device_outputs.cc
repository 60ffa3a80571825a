// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/device_outputs.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "cosim/lockstep/divergence.h"
#include "cosim/system/link_failure.h"
#include "golden/common/stage_times.h"

namespace tilefly::cosim {

using golden::CellsOf;
using golden::kTakeToWire;

namespace {

/// The header as the packet came in, with what a switch writes into it; lane and way are the switch's own to choose, and
/// where the packet came to flow channels, their bits, too.
golden::HeaderBits HeaderOut(const PacketInside& packet, const golden::HeaderBits& seen, bool flows) {
  golden::HeaderBits header = packet.header;
  header.Leave(packet.input, seen.vl());
  header.set_via(seen.via());
  header.set_via_valid(seen.via_valid());
  if (!flows) return header;
  header.set_gen(seen.gen());
  header.set_an(seen.an());
  return header;
}

}  // namespace

DeviceOutputs::DeviceOutputs(const Profile& profile, int node, const golden::Registers& registers,
                             network::NodeContext* context, PacketsInside* inside, DeviceReductions* reductions,
                             LinkListener* listener, Passed passed)
    : node_(node),
      registers_(registers),
      context_(*context),
      inside_(*inside),
      reductions_(*reductions),
      listener_(*listener),
      passed_(std::move(passed)),
      ports_(static_cast<std::size_t>(profile.ports)) {}

bool DeviceOutputs::Check(Cycle now, int port, const Link& link) {
  now_ = now;
  CheckWord(port, link.word);
  const bool controls = link.ctrl != Ctrl{};
  if (controls) CheckControl(port, link.ctrl);
  return link.word.valid || controls;
}

void DeviceOutputs::Hold(int port, const golden::HeaderBits& header) {
  ports_[static_cast<std::size_t>(port)].held.Grant(header.vl(), CellsOf(header.length()),
                                                    *registers_.port(port).credit);
}

void DeviceOutputs::HoldLost(int port, int vl, int cells) {
  ports_[static_cast<std::size_t>(port)].held.Grant(vl, cells, *registers_.port(port).credit);
}

void DeviceOutputs::Return(int port, const network::LinkCredit& credit) {
  ports_[static_cast<std::size_t>(port)].taken.Return(credit.vl, credit.cells, *registers_.port(port).credit);
}

void DeviceOutputs::Cut(int port) {
  if (ports_[static_cast<std::size_t>(port)].out.frame != nullptr) End(port, false);
}

/// Docs/blocks/link_retry.md, Credits: receiver, rule 4. Returns that were decided before are on the link up to six cycles
/// behind the link down, so the account begins anew with the link up.
void DeviceOutputs::LinkTurns(int port, bool up) {
  Port& own = ports_[static_cast<std::size_t>(port)];
  own.down = !up;
  if (!up) return;
  const golden::CreditTable& table = *registers_.port(port).credit;
  for (int vl = 0; vl < golden::kMaxLanes; ++vl) {
    const int used = own.held.used(vl);
    own.held.Restart(vl, 0, table);
    own.held.FirstReturn(vl, static_cast<std::uint16_t>(-used), table);
  }
}

std::string DeviceOutputs::NotHome() const {
  for (std::size_t port = 0; port < ports_.size(); ++port) {
    if (!ports_[port].down && !ports_[port].held.AllHome()) return fmt::format("port {}: cells were not returned", port);
    if (!ports_[port].taken.AllHome()) return fmt::format("port {}: credits are out", port);
  }
  return "";
}

void DeviceOutputs::CheckWord(int port, const Word& word) {
  Port& own = ports_[static_cast<std::size_t>(port)];
  FrameOnLink& out = own.out;
  const bool due = out.Due(now_);
  if (!word.valid) {
    if (due) {
      Fail(port, fmt::format("word {} of {} is missing, its first was there in cycle {}", out.next, NameOfLeaving(own),
                             out.first));
    }
    if (word != Word{}) Fail(port, "fields of a word that is not valid are not zero");
    return;
  }
  if (out.frame != nullptr && !due) Fail(port, "a word between two words of a packet");
  if (out.frame == nullptr) Begin(port, word);
  if (out.red != nullptr) reductions_.TakeData(word, &out);
  Link expected, seen;
  expected.word = MakeWord(*out.frame, out.next);
  seen.word = word;
  Divergence found;
  if (FindDifference(seen, expected, &found)) {
    Fail(port, fmt::format("word {} of {}: {} is {}, expected {}", out.next, NameOfLeaving(own), found.field,
                           found.value_a, found.value_b));
  }
  if (++out.next < out.words) return;
  End(port, true);
}

std::string DeviceOutputs::NameOfLeaving(const Port& own) const {
  return NameOf(own.out.red != nullptr ? context_.records[own.out.payload] : inside_.AtLeaving(own.leaving).record);
}

/// A packet's first word, which names it.
void DeviceOutputs::Begin(int port, const Word& word) {
  Port& own = ports_[static_cast<std::size_t>(port)];
  if (!word.sop || !word.enh) Fail(port, "a word that begins no packet with header, outside any packet");
  if (now_ < own.out_free)
    Fail(port, fmt::format("a packet begins, the link is taken until cycle {}", own.out_free - 1));
  if (golden::HeaderBits(word.data.data()).is_red()) return Send(port, reductions_.Begin(now_, port, word, registers_));
  const PacketKey key = KeyIn(word);
  const PacketInside* const packet = inside_.Find(key);
  if (packet == nullptr) Fail(port, "a packet leaves that is not inside");
  const golden::HeaderBits seen(word.data.data());
  own.leaving = key;
  FrameOnLink out;
  auto frame = std::make_shared<Frame>(*packet->frame);
  frame->header = HeaderOut(*packet, seen, registers_.port(packet->input).has_flows()).Unpack();
  out.frame = std::move(frame);
  out.payload = packet->payload;
  inside_.BeginToLeave(key);
  Send(port, std::move(out));
}

/// The first word of a packet that is known: frame and payload.
void DeviceOutputs::Send(int port, FrameOnLink out) {
  Port& own = ports_[static_cast<std::size_t>(port)];
  const golden::HeaderBits header(out.frame->header);
  out.first = now_;
  out.lanes = own.lanes > 0 ? own.lanes : registers_.port(port).serdes_lanes();
  out.words = out.frame->words();
  own.out = std::move(out);
  own.out_free = now_ + SlotCycles(own.out.words, own.out.lanes);
  if (!own.repeats) ChargeCredits(port, header);
  golden::Departure departure{};
  departure.take = now_ - kTakeToWire;
  departure.header = header;
  departure.payload = own.out.payload;
  departure.format = golden::FrameFormat::Of(false, static_cast<Kind>(header.kind()), header.length());
  departure.length = static_cast<std::uint16_t>(header.length());
  departure.eth = -1;
  departure.port = static_cast<std::uint8_t>(port);
  departure.serdes_lanes = static_cast<std::uint8_t>(own.out.lanes);
  departure.last_copy = true;
  listener_.Departs(departure);
}

void DeviceOutputs::ChargeCredits(int port, const golden::HeaderBits& header) {
  Port& own = ports_[static_cast<std::size_t>(port)];
  const golden::PortRegisters& registers = registers_.port(port);
  own.taken.Grant(header.vl(), CellsOf(header.length()), *registers.credit);
  // Packets may leave in another order than they were granted in, so only the sum can be judged.
  if (own.taken.LaneOk(header.vl(), *registers.credit, 0)) return;
  Fail(port, fmt::format("{} overruns the credits: lane {} has {} cells out", NameOfLeaving(own), header.vl(),
                         own.taken.used(header.vl())));
}

/// `passed`: all its words were on the link.
void DeviceOutputs::End(int port, bool passed) {
  Port& own = ports_[static_cast<std::size_t>(port)];
  if (own.out.red != nullptr) {
    listener_.EndsReduction(port, own.out.payload);
  } else {
    const PacketInside& packet = inside_.AtLeaving(own.leaving);
    if (passed && passed_) passed_({NameOf(packet.record), packet.input, port, packet.in, now_});
    inside_.HasLeft(own.leaving);
  }
  own.out = {};
}

void DeviceOutputs::CheckControl(int port, const Ctrl& ctrl) {
  Ctrl known;
  if (ctrl.credit_valid) {
    known.credit_valid = true;
    known.credit_vl = ctrl.credit_vl;
    known.credit_cells = ctrl.credit_cells;
  }
  if (ctrl.ack_valid) golden::PutAck(golden::AckOf(ctrl), &known);
  const std::optional<golden::FlowPause> pause = golden::PauseOf(ctrl);
  if (pause) golden::PutPause(*pause, &known);
  if (ctrl != known) Fail(port, "the control slot carries something else than a credit return, an ack or a pause");
  if (ctrl.credit_valid) CheckCredit(port, ctrl);
  if (ctrl.ack_valid) CheckAck(port, ctrl);
  if (pause) CheckPause(port, *pause);
}

void DeviceOutputs::CheckCredit(int port, const Ctrl& ctrl) {
  golden::CreditSender& held = ports_[static_cast<std::size_t>(port)].held;
  const int used = held.used(ctrl.credit_vl);
  if (!held.Return(ctrl.credit_vl, ctrl.credit_cells, *registers_.port(port).credit)) {
    Fail(port, fmt::format("a credit return of lane {} up to {} cells, of which {} were in use", ctrl.credit_vl,
                           ctrl.credit_cells, used));
  }
  listener_.Returns({now_, static_cast<std::uint8_t>(port), ctrl.credit_vl, ctrl.credit_cells});
}

/// One that comes to a NIC or goes on to a switch by the way that its packet came.
void DeviceOutputs::CheckAck(int port, const Ctrl& ctrl) {
  const Ack ack = golden::AckOf(ctrl);
  const int hops = context_.wiring->far(node_, port).node < 0 ? 0 : ack.hops + 1;  // in this switch
  if (hops > golden::kMostAckHops || golden::PortOfAck(hops, ack.port, ack.path) != port) {
    Fail(port, fmt::format("an ack of flow {} with {} hops left, for port {} by path {:#x}", ack.flow, ack.hops,
                           ack.port, ack.path));
  }
  listener_.PassesOn({now_, ack, static_cast<std::uint8_t>(port)});
  context_.last_event = std::max(context_.last_event, now_ - golden::kAckToWire);
}

/// One that the registers of the port allow.
void DeviceOutputs::CheckPause(int port, const golden::FlowPause& pause) {
  const golden::PortRegisters& registers = registers_.port(port);
  const bool ends = pause.period == 0 && pause.credit == 0;
  const bool holds = pause.period == registers.flow_channel.period && pause.credit <= registers.flow_channel.hold;
  if (!registers.has_flows() || !(ends || holds)) {
    Fail(port, fmt::format("a pause of class {}, destination {:#x}, period {}, credit {}, which the port's registers do not allow",
                           pause.tc, pause.destination, pause.period, pause.credit));
  }
  listener_.Pauses({now_, pause, static_cast<std::uint8_t>(port)});
}

void DeviceOutputs::Fail(int port, const std::string& what) const { throw LinkFailure(now_, node_, port, what); }

}  // namespace tilefly::cosim
