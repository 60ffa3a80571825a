// SPDX-License-Identifier: Apache-2.0
// Links of retry ports, and links that go up and down (docs/blocks/link_retry.md).
#include "golden/common/stage_times.h"
#include "golden/egress/link_statistics.h"
#include "golden/switch/switch.h"

namespace tilefly::golden {

void Switch::Ready(int port, bool ready, int serdes_lanes) {
  context_.retry_lanes[port] = static_cast<std::uint8_t>(serdes_lanes);
  if (ready == ((context_.no_take & Bit(port)) == 0)) return;
  context_.no_take ^= Bit(port);
  if (ready) buffers_.Wake(Bit(port));
}

/// What waits for a link that is down is a packet in the output buffer, or a request.
void Switch::TellEachHold(Cycle from) const {
  ForEachBit(context_.retry_ports, [&](int port) {
    const bool up = (context_.links_up & Bit(port)) != 0, may_take = (context_.takers() & Bit(port)) != 0;
    const bool held = buffers_.HasWaiting(port) && !(up && may_take);
    context_.watchers.links->Hold(port, from, held || (!up && grants_.HasRequests(port)));
  });
}

void Switch::ReplaysFailed(Cycle cycle, int port) {
  links_.ReplaysFailed(port);
  Need(cycle);
}

void Switch::Started(Cycle cycle, const LinkStart& start) {
  starts_.push_back(start);
  Need(cycle);
}

void Switch::Stamp(int port, Cycle wire, const CreditStamp& stamp) {
  Advance(wire - 1);
  FileControl({wire + kWireToEvent, kNone, stamp.cells, static_cast<std::uint8_t>(port),
               static_cast<std::uint8_t>(stamp.vl + ControlArrival::kStamp)});
}

void Switch::DecideStamps(Cycle now) {
  ForEachBit(context_.retry_ports & ~context_.plain_ports, [&](int port) {
    const std::optional<CreditStamp> stamp = grants_.Stamp(now, port);
    if (!stamp) return;
    output_.stamps.push_back({now + kStampToWire, static_cast<std::uint8_t>(port), *stamp});
    output_.empty = false;
  });
}

/// The link of the port goes up or down.
void Switch::TurnLink(Cycle now, int port, bool up) {
  if ((context_.retry_ports & Bit(port)) != 0) {
    if (up) ingress_.buffer().LinkRises(port);
    else DropLink(port);
  }
  if (!up && (context_.links_up & Bit(port)) != 0) links_.Falls(now, port);
  context_.links_up = up ? context_.links_up | Bit(port) : context_.links_up & ~Bit(port);
  TellDowns(now);
  grants_.Wake(Bit(port));
  buffers_.Wake(Bit(port));
  if (reductions_ != nullptr) reductions_->SeeLinks(now);
}

/// What the links of retry ports come to, behind all events of the cycle.
void Switch::JudgeLinks(Cycle now) {
  links_.Judge(now, grants_.TakeHeard());
  if (checkers_ != nullptr) checkers_->links.EndCycle(links_.failing(), context_.links_up, context_.retry_ports);
}

/// What links of retry ports took and started, as events.
void Switch::CommitRetry() {
  for (const Departure& departure : output_.links.packets) {
    if ((context_.retry_ports & Bit(departure.port)) == 0) continue;
    const int vl = departure.header.vl(), cells = CellsOf(departure.length);
    if (departure.lost) grants_.Discarded(departure.port, vl, cells);
    else grants_.Taken(departure.port, vl, cells);
  }
  for (const LinkStart& start : starts_) {
    if ((context_.retry_ports & Bit(start.port)) != 0) grants_.Started(start.port, start.vl, start.cells, start.again);
  }
  starts_.clear();
}

/// The link of a retry port is down in this cycle: both halves of its credits begin anew.
void Switch::DropLink(int port) {
  grants_.LinkDown(port);
  ingress_.buffer().LinkDown(port);
}

/// A register of ports is to be written.
void Switch::BeforePortWrite(const Cfg& write) {
  for (int p = 0; p < context_.profile.ports; ++p) {
    if (!Addresses(write, p)) continue;
    if (static_cast<PortReg>(write.index) == PortReg::kLanes) links_.LanesWritten(p);
    if (static_cast<PortReg>(write.index) != PortReg::kMode) continue;
    links_.ModeWritten(p);
    context_.retry_lanes[p] = static_cast<std::uint8_t>(context_.OutLanes(p));
  }
}

/// Registers changed: which ports are retry ports.
void Switch::SetRetryPorts(Cycle now) {
  PortMask retries = 0;
  context_.discarding = 0;
  for (int p = 0; p < context_.profile.ports; ++p) {
    if (context_.registers.port(p).retries()) retries |= Bit(p);
    if (context_.registers.port(p).discards()) context_.discarding |= Bit(p);
  }
  ForEachBit(retries ^ context_.retry_ports, [&](int p) {
    const bool becomes = (retries & Bit(p)) != 0;
    grants_.SetRetry(p, becomes);
    ingress_.buffer().SetRetry(p, becomes);
    if (becomes) links_.Begins(now, p);
    if (becomes && (context_.links_up & Bit(p)) == 0) DropLink(p);
  });
  context_.retry_ports = retries;
  context_.no_take &= retries;
  TellDowns(now);
}

}  // namespace tilefly::golden
