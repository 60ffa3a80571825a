// SPDX-License-Identifier: Apache-2.0
#include "golden/switch/switch.h"

#include <algorithm>

#include "golden/link/control_frame.h"

namespace tilefly::golden {
namespace {

constexpr Cycle kGrantLeave = 3;  ///< from the decision to the grant's leave cycle
constexpr int kRequestCellBits = 7;

}  // namespace

Switch::Switch(const Profile& profile, const SchedulerChoice& scheduler)
    : context_(profile),
      ingress_(context_),
      grants_(context_, scheduler),
      buffers_(context_),
      request_crossbar_(context_.profile, context_.geometry),
      grant_crossbar_(context_.profile, context_.geometry),
      credits_due_(context_.due),
      load_books_(profile.ports, profile.load_epoch_cycles) {}

/// The cycles up to `to` that need no step have passed: calendars count from there.
void Switch::Advance(Cycle to) {
  if (to > now_) now_ = std::min(to, next_active_ - 1);
}

void Switch::Write(Cycle bus, const Cfg& write) {
  if (!write.valid || write.read) return;
  const Index detail = writes_.Take();
  writes_[detail] = write;
  rare_.Enter(bus + kWriteLatency, {Rare::kWrite, 0, false, 0, detail});
  Need(bus + kWriteLatency);
}

void Switch::Arrive(int port, Cycle a0, const Arrival& arrival) {
  Advance(a0 - 1);
  Need(ingress_.Arrive(now_, port, a0, arrival));
}

void Switch::Finish(int port, Cycle a_last, const End& end) {
  Advance(a_last - 1);
  Need(ingress_.Finish(now_, port, a_last, end));
}

void Switch::Refuse(int port, Cycle a0) { Need(ingress_.Refuse(port, a0)); }

void Switch::Credit(int port, Cycle wire, int vl, std::uint16_t cells) {
  Advance(wire - 1);
  const Cycle due = wire + kCreditLatency;
  const Index id = credit_arrivals_.Take();
  CreditArrival& arrival = credit_arrivals_[id];
  arrival = {due, kNone, cells, static_cast<std::uint8_t>(port), static_cast<std::uint8_t>(vl)};
  credits_due_.File(due, now_, id, &arrival.next);
  Need(DueCycles::Clip(due, now_));
}

void Switch::Pause(int port, Cycle event, unsigned classes, const std::array<std::uint16_t, kMaxClasses>& quanta) {
  const Index detail = pauses_.Take();
  pauses_[detail] = quanta;
  rare_.Enter(event, {Rare::kPause, static_cast<std::uint8_t>(port), false, static_cast<std::uint8_t>(classes), detail});
  Need(event);
}

void Switch::LinkUp(int port, bool up, Cycle cycle) {
  rare_.Enter(cycle, {Rare::kLink, static_cast<std::uint8_t>(port), up, 0, kNone});
  Need(cycle);
}

void Switch::Step(Cycle now) {
  now_ = now;
  context_.due.Clear(now);
  output_.Clear();
  if (context_.observed != nullptr) {
    load_books_.Watch(now, context_.loads);
    for (Portobs& port : context_.observed->ports) port = Portobs{};
    for (Turnobs& turn : context_.observed->turns) turn = Turnobs{};
  }
  Decide(now);
  Commit(now);
  if (context_.observed != nullptr) ObserveLevels(now);
  next_active_ = ComputeNext(now);
}

/// Decisions: they read what the events up to now - 1 left.
void Switch::Decide(Cycle now) {
  SwitchObservation* observed = context_.observed;
  buffers_.Decide(now, [&](int port) { return ingress_.buffer().used(port); }, &output_.links);
  grants_.Decide(now, ingress_.queues(), [&](int output, int input, int vl, const VirtualQueues::StoredRequest& granted) {
    grant_crossbar_.Leave(output, input, granted.queue);
    if (observed != nullptr) {
      Portobs& port = observed->ports[output];
      port.dec_valid = true;
      port.dec_src = static_cast<std::uint8_t>(input);
      port.dec_vl = static_cast<std::uint8_t>(vl);
      port.dec_cells = static_cast<std::uint8_t>(granted.cells);
    }
  });
  ingress_.Decide(
      now,
      [&](Index queue_id, const Queue& queue, const Packet& packet) {
        request_crossbar_.Leave(queue.input, queue.output, queue_id << kRequestCellBits | packet.cells);
        if (observed != nullptr) {
          Portobs& port = observed->ports[queue.input];
          port.req_valid = true;
          port.req_dst = queue.output;
          port.req_vl = queue.vl;
          port.req_cells = packet.cells;
        }
      },
      [&](Index id, const Packet& packet) {
        data_crossbar_.Push(now + Transfer::kReadLatency + kDataCrossing, id);
        if (observed != nullptr) {
          Portobs& port = observed->ports[packet.input];
          port.pick_valid = true;
          port.pick_dst = packet.output;
          port.pick_cells = packet.cells;
          const Cycle first = now + Transfer::kReadLatency + 1;
          columns_.Carry({first, first + packet.cells - 1,
                          static_cast<std::uint8_t>(context_.geometry.TurnTile(packet.input, packet.output)),
                          static_cast<std::uint8_t>(context_.geometry.TurnOutput(packet.output)),
                          context_.geometry.input[packet.input]});
        }
      },
      [&](int port, const CreditReturner::Message& message) {
        output_.credits.push_back({now + kCreditToWire, static_cast<std::uint8_t>(port), message.vl, message.cells});
      });
  request_crossbar_.Arbitrate(now);
  grant_crossbar_.Arbitrate(now + kGrantLeave);
}

/// Events.
void Switch::Commit(Cycle now) {
  SwitchObservation* observed = context_.observed;
  request_crossbar_.Deliver(now, [&](std::uint32_t message) {
    Queue& queue = ingress_.queues()[message >> kRequestCellBits];
    ++queue.stored;
    grants_.Request(now, queue.output, queue.input, queue.vl, static_cast<int>(message & ((1u << kRequestCellBits) - 1)));
  });
  grant_crossbar_.Deliver(now, [&](std::uint32_t queue_id) {
    const Packet& packet = context_.packets[ingress_.Grant(now, queue_id)];
    ingress_.RequestCredit(queue_id);
    if (observed != nullptr) {
      Portobs& port = observed->ports[packet.input];
      port.gin_valid = port.crd_valid = true;
      port.gin_src = port.crd_src = packet.output;
      port.gin_vl = port.crd_vl = packet.vl;
    }
  });
  data_crossbar_.Drain(now, [&](Index id) {
    const Packet& packet = context_.packets[id];
    const int row = context_.geometry.row[packet.input];
    grants_.FirstCell(now, packet.output, row, packet.cells);
    buffers_.FirstCell(now, id);
    if (observed != nullptr) {
      Portobs& port = observed->ports[packet.output];
      port.arr_rows = static_cast<std::uint8_t>(port.arr_rows | 1u << row);
    }
  });
  ingress_.Commit(now, &output_.drops);
  buffers_.FreeRoom(now, [&](int port, int cells) { grants_.FreeRoom(port, cells); });
  DeliverCredits(now);
  rare_.Drain(now, [&](const Rare& rare) { Happen(now, rare); });
  if (context_.sending_pause != 0) buffers_.Wake(ingress_.buffer().TakeChanged() & context_.sending_pause);
}

void Switch::DeliverCredits(Cycle now) {
  for (Index id = credits_due_.Take(now); id != kNone;) {
    CreditArrival& arrival = credit_arrivals_[id];
    const Index next = arrival.next;
    if (arrival.due > now) {
      credits_due_.File(arrival.due, now, id, &arrival.next);
    } else {
      grants_.Credit(now, arrival.port, arrival.vl, arrival.cells);
      credit_arrivals_.Release(id);
    }
    id = next;
  }
}

void Switch::Happen(Cycle now, const Rare& rare) {
  switch (rare.kind) {
    case Rare::kWrite:
      ApplyWrite(writes_[rare.detail]);
      writes_.Release(rare.detail);
      break;
    case Rare::kPause: {
      std::array<Cycle, kMaxClasses> until{};
      const int lanes = context_.registers.port(rare.port).lanes();
      for (int c = 0; c < kMaxClasses; ++c) until[c] = now + PauseCycles(pauses_[rare.detail][c], lanes);
      grants_.Pause(rare.port, rare.classes, until);
      context_.counters.Count(rare.port, Counter::kRxPause);
      pauses_.Release(rare.detail);
      break;
    }
    case Rare::kLink:
      context_.links_up = rare.up ? context_.links_up | Bit(rare.port) : context_.links_up & ~Bit(rare.port);
      grants_.Wake(Bit(rare.port));
      buffers_.Wake(Bit(rare.port));
      break;
  }
}

void Switch::ApplyWrite(const Cfg& write) {
  context_.registers.Apply(write);
  context_.sending_pause = 0;
  for (int p = 0; p < context_.profile.ports; ++p) {
    if (context_.registers.port(p).sends_pause()) context_.sending_pause |= Bit(p);
    if (static_cast<CfgSpace>(write.space) == CfgSpace::kCredit) grants_.RebaseCredits(p);
    if (ChangesPlaces(write) && Addresses(write, p)) grants_.RestartScheduler(p);
    grants_.Wake(Bit(p));
    buffers_.Wake(Bit(p));
  }
}

void Switch::Observe(SwitchObservation* observation) {
  context_.observed = observation;
  columns_.Clear();
  load_books_ = LoadBooks(context_.profile.ports, context_.profile.load_epoch_cycles);
  context_.route_books = observation == nullptr ? nullptr : &route_books_;
  if (observation == nullptr) return;
  observation->ports.assign(context_.profile.ports, {});
  observation->turns.assign(context_.profile.tiles, {});
  ObserveLevels(now_);
}

void Switch::ObserveLevels(Cycle now) {
  for (int p = 0; p < context_.profile.ports; ++p) {
    Portobs& port = context_.observed->ports[p];
    port.owner_valid = static_cast<std::uint8_t>(grants_.owner_valid(p));
    for (int row = 0; row < context_.profile.rows; ++row) {
      port.owners = static_cast<std::uint16_t>(port.owners | grants_.owner(p, row) << 4 * row);
    }
    port.ibuf_cells = static_cast<std::uint16_t>(ingress_.buffer().used(p));
    port.obuf_room = static_cast<std::uint16_t>(grants_.room(p));
    port.load = static_cast<std::uint16_t>(std::min(context_.loads.load(p), LoadRing::kMaxShown));
  }
  columns_.Show(now, &context_.observed->turns);
}

Cycle Switch::ComputeNext(Cycle now) const {
  if (grants_.active() || buffers_.active() || ingress_.active() || request_crossbar_.active() || grant_crossbar_.active()) {
    return now + 1;
  }
  return std::min({context_.due.Next(now), ingress_.Next(), request_crossbar_.Next(), grant_crossbar_.Next(),
                   data_crossbar_.Next(), rare_.Next()});
}

}  // namespace tilefly::golden
