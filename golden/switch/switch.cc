// SPDX-License-Identifier: Apache-2.0
#include "golden/switch/switch.h"

#include <algorithm>

#include "golden/common/stage_times.h"
#include "golden/link/control_frame.h"

namespace tilefly::golden {
namespace {

/// In a message of the grant crossbar, beside the queue: the grant is one with `reroute`.
constexpr std::uint32_t kReroute = std::uint32_t{1} << 31;
/// Fields of a request across the switch: its cells, whether its queue holds packets without a request, the queue.
constexpr int kRequestMoreAt = 7, kRequestQueueAt = 8;

}  // namespace

Switch::Switch(const Profile& profile, const SchedulerChoice& scheduler)
    : context_(profile),
      edge_flows_(context_),
      ingress_(context_, edge_flows_),
      grants_(context_, scheduler),
      buffers_(context_),
      links_(context_),
      request_crossbar_(context_.profile, context_.geometry),
      grant_crossbar_(context_.profile, context_.geometry),
      acks_(context_, edge_flows_),
      control_due_(context_.due, kDueControl) {}

/// The cycles up to `to` that need no step have passed: calendars count from there.
void Switch::Advance(Cycle to) {
  if (to > now_) now_ = std::min(to, next_active_ - 1);
}

void Switch::Write(Cycle bus, const Cfg& write) {
  if (!write.valid || write.read) return;
  const Index detail = writes_.Allocate();
  writes_[detail] = write;
  rare_.Enter(bus + kWriteLatency, {Rare::kWrite, 0, false, 0, detail});
  Need(bus + kWriteLatency);
}

void Switch::Arrive(int port, Cycle a0, const Arrival& arrival) {
  Advance(a0 - 1);
  if (context_.watchers.acks != nullptr) context_.watchers.acks->Begun(arrival.payload);
  if (arrival.enh) context_.registers.routes().Prefetch(SwitchAddress::OfPort(arrival.header.destination()));
  Need(ingress_.Arrive(now_, port, a0, arrival));
}

void Switch::Finish(int port, Cycle a_last, const End& end) {
  Advance(a_last - 1);
  const Index id = ingress_.buffer().arriving(port);
  if (context_.watchers.acks != nullptr && end.status != Drop::kNone && id != kNone) {
    context_.watchers.acks->Damaged(context_.packets[id].payload);
  }
  Need(ingress_.Finish(now_, port, a_last, end));
}

void Switch::Refuse(int port, Cycle a0) { Need(ingress_.Refuse(port, a0)); }

void Switch::Credit(int port, Cycle wire, int vl, std::uint16_t cells) {
  Advance(wire - 1);
  FileControl({wire + kWireToEvent, kNone, cells, static_cast<std::uint8_t>(port), static_cast<std::uint8_t>(vl)});
}

void Switch::Ack(int port, Cycle wire, const tilefly::Ack& ack) {
  Advance(wire - 1);
  const Index id =
      FileControl({wire + kWireToEvent, kNone, 0, static_cast<std::uint8_t>(port), ControlArrival::kAck});
  if (link_acks_.size() <= id) link_acks_.resize(id + 1);
  link_acks_[id] = ack;
}

Index Switch::FileControl(const ControlArrival& arrival) {
  const Index id = control_arrivals_.Allocate();
  control_arrivals_[id] = arrival;
  control_due_.File(arrival.due, now_, id, &control_arrivals_[id].next);
  Need(DueCycles::Clip(arrival.due, now_));
  return id;
}

void Switch::Pause(int port, Cycle event, unsigned classes, const std::array<std::uint16_t, kMaxClasses>& quanta) {
  const Index detail = pauses_.Allocate();
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
  const Calendars due = context_.due.PopDue(now);
  if (!output_.empty) output_.Clear();
  if (context_.watchers.observation != nullptr) {
    checkers_->loads.Watch(now, context_.loads);
    for (Portobs& port : context_.watchers.observation->ports) port = Portobs{};
    for (Turnobs& turn : context_.watchers.observation->turns) turn = Turnobs{};
    for (RedObs& red : context_.watchers.observation->reds) red = RedObs{};
    context_.watchers.observation->cfu = CfuObs{};
  }
  const bool watches_links = links_.active();
  if (watches_links) links_.Look(now, grants_);
  Decide(now, due);
  Commit(now, due);
  if (watches_links) JudgeLinks(now);
  TellHolds(now + 1);
  if (context_.watchers.observation != nullptr) {
    ObserveLevels(now);
    if (reductions_ != nullptr) reductions_->Show(now, context_.watchers.observation);
    WatchAcks(now);
  }
  next_active_ = next_but_flows_ = NextButFlows(now);
  if (edge_flows_.channels() != nullptr) next_active_ = std::min(next_active_, edge_flows_.channels()->Next());
}

/// Decisions: they read what the events up to now - 1 left.
void Switch::Decide(Cycle now, Calendars due) {
  if (AnyOf(due & kDueTake, buffers_.active())) {
    buffers_.Decide(
        now, [&](int port) { return ingress_.buffer().used(port); }, &output_.links);
    output_.empty = false;
  }
  if (context_.retry_ports != 0 && now % kStampCycles == 0) DecideStamps(now);
  if ((due & kDueReduction) != 0) reductions_->Decide(now);
  if (AnyOf(due & kDueGrant, grants_.active())) DecideGrants(now);
  if (AnyOf(due & kDuePick, ingress_.active())) DecideInputs(now, due);
  if (request_crossbar_.active()) {
    request_crossbar_.Arbitrate(now);
    context_.due.Set(now + kCrossing, kDueRequest);
  }
  if (grant_crossbar_.active()) {
    grant_crossbar_.Arbitrate(now + kGrantToLeave);
    context_.due.Set(now + kGrantToArrival, kDueGranted);
  }
}

void Switch::DecideGrants(Cycle now) {
  Requests requests{ingress_.queues(), reductions_.get(), context_.profile.ports};
  grants_.Decide(now, requests, [&](int output, int input, int vl, const StoredRequest& granted,
                                    bool reroute) {
    const bool is_red = input >= context_.profile.ports;
    if (context_.watchers.observation != nullptr) {
      Portobs& port = context_.watchers.observation->ports[output];
      port.dec_valid = true;
      port.dec_reroute = reroute;
      port.dec_red = is_red;
      port.dec_src = static_cast<std::uint8_t>(is_red ? input - context_.profile.ports : input);
      port.dec_vl = static_cast<std::uint8_t>(vl);
      port.dec_cells = static_cast<std::uint8_t>(granted.cells);
    }
    if (checkers_ != nullptr) checkers_->links.Granted(output, (context_.links_up & Bit(output)) != 0, reroute);
    if (meters_ != nullptr) {
      const Queue* queue = is_red ? nullptr : &ingress_.queues()[granted.queue];
      meters_->Grant(output, vl, granted.cells, is_red ? 0 : queue->stored, is_red ? granted.more : queue->newest_more);
    }
    if (is_red) return reductions_->row().Granted(now, output, input - context_.profile.ports);
    grant_crossbar_.Leave(output, input, granted.queue | (reroute ? kReroute : 0));
    if (context_.watchers.stages != nullptr)
      TellStage(Stage::kGranted, now, ingress_.queues().LastGranted(granted.queue));
  });
}

void Switch::DecideInputs(Cycle now, Calendars due) {
  SwitchObservation* observed = context_.watchers.observation;
  ingress_.Decide(
      now, due,
      [&](Index queue_id, const Queue& queue, const Packet& packet) {
        TellStage(Stage::kRequested, now, packet);
        request_crossbar_.Leave(queue.input, queue.output,
                                queue_id << kRequestQueueAt | Index{packet.more} << kRequestMoreAt | packet.cells);
        if (observed != nullptr) {
          Portobs& port = observed->ports[queue.input];
          port.req_valid = true;
          port.req_dst = queue.output;
          port.req_vl = queue.vl;
          port.req_cells = packet.cells;
        }
      },
      [&](Index id, const Packet& packet) {
        TellStage(Stage::kPicked, now, packet);
        const Cycle arrival = now + kPickToArrival;
        data_crossbar_.Push(arrival, id);
        context_.due.Set(arrival, kDueCell);
        if (observed != nullptr) {
          Portobs& port = observed->ports[packet.input];
          port.pick_valid = true;
          port.pick_dst = packet.output;
          port.pick_cells = packet.cells;
          const Cycle first = now + kPickToLeave + kLeaveToRow;
          checkers_->columns.Carry({first, first + packet.cells - 1,
                                    static_cast<std::uint8_t>(context_.geometry.TurnTile(packet.input, packet.output)),
                                    static_cast<std::uint8_t>(context_.geometry.TurnOutput(packet.output)),
                                    context_.geometry.input[packet.input]});
        }
      },
      [&](int port, const CreditReturner::Message& message) {
        output_.credits.push_back({now + kCreditToWire, static_cast<std::uint8_t>(port), message.vl, message.cells});
        output_.empty = false;
      });
}

/// Events.
void Switch::Commit(Cycle now, Calendars due) {
  // FreeRoom runs first: an ack that it makes tells the load, and its mark, without the requests of this cycle.
  if ((due & kDueRoom) != 0) FreeRoom(now);
  if (meters_ != nullptr) meters_->CommitGrants();
  if ((due & kDueControl) != 0) DeliverControl(now);
  if (context_.retry_ports != 0) CommitRetry();  // behind returns, which are judged without what is charged in the cycle
  acks_.Cross(now);
  if ((due & kDueRequest) != 0) DeliverRequests(now);
  if ((due & kDueGranted) != 0) DeliverGrants(now);
  if ((due & kDueCell) != 0) DeliverCells(now);
  if (ingress_.HasEvents(now, due)) ingress_.Commit(now, due, &output_.drops);
  if (edge_flows_.channels() != nullptr) ingress_.ReleaseHeld(now);
  if ((due & kDueReduction) != 0) CommitReductions(now);
  if ((due & kDueAck) != 0) {
    acks_.Deliver(now, &output_.acks);
    output_.empty = false;
  }
  if (edge_flows_.channels() != nullptr) EndFlows(now);
  if (!output_.drops.empty()) output_.empty = false;
  edge_flows_.account().Advance(now);
  if (checkers_ != nullptr) checkers_->acks.Look(now, context_.profile.ports, edge_flows_.account());
  rare_.Drain(now, [&](const Rare& rare) { Apply(now, rare); });
  edge_flows_.account().Advance(now + 1);
  if (context_.sending_pause != 0) buffers_.Wake(ingress_.buffer().TakeChanged() & context_.sending_pause);
}

void Switch::DeliverRequests(Cycle now) {
  request_crossbar_.Deliver(now, [&](std::uint32_t message) {
    Queue& queue = ingress_.queues()[message >> kRequestQueueAt];
    const int cells = static_cast<int>(message & ((1u << kRequestMoreAt) - 1));
    const bool more = (message >> kRequestMoreAt & 1) != 0;
    if (context_.watchers.stages != nullptr) TellStage(Stage::kStored, now, ingress_.queues().NextStored(queue));
    ++queue.stored;
    if (meters_ != nullptr) {
      meters_->Request(queue.output, queue.vl, cells, queue.stored, queue.newest_more, more);
    }
    queue.newest_more = more;
    grants_.Request(now, queue.output, queue.input, queue.vl, cells);
  });
}

void Switch::DeliverGrants(Cycle now) {
  grant_crossbar_.Deliver(now, [&](std::uint32_t message) {
    const Index queue_id = message & ~kReroute;
    const bool reroute = (message & kReroute) != 0;
    const Index id = reroute ? ingress_.TakeBack(now, queue_id) : ingress_.Grant(now, queue_id);
    const Packet& packet = context_.packets[id];
    TellStage(reroute ? Stage::kRerouted : Stage::kGrantHere, now, packet);
    ingress_.RequestCredit(queue_id);
    if (context_.watchers.observation != nullptr) {
      Portobs& port = context_.watchers.observation->ports[packet.input];
      port.gin_valid = port.crd_valid = true;
      port.gin_reroute = reroute;
      port.gin_src = port.crd_src = packet.output;
      port.gin_vl = port.crd_vl = packet.vl;
    }
  });
}

void Switch::DeliverCells(Cycle now) {
  data_crossbar_.Drain(now, [&](Index id) {
    const Packet& packet = context_.packets[id];
    TellStage(Stage::kArrived, now, packet);
    FirstCell(now, id);
  });
  context_.packets.PrefetchNext(data_crossbar_);
}

/// A packet's first cell comes into the output buffer.
void Switch::FirstCell(Cycle now, Index id) {
  const Packet& packet = context_.packets[id];
  const int row = context_.geometry.row[packet.input];
  grants_.FirstCell(now, packet.output, row, packet.cells);
  buffers_.FirstCell(now, id);
  if (context_.watchers.observation == nullptr) return;
  Portobs& port = context_.watchers.observation->ports[packet.output];
  port.arr_rows = static_cast<std::uint8_t>(port.arr_rows | 1u << row);
}

void Switch::FreeRoom(Cycle now) {
  buffers_.FreeRoom(now, [&](const Packet& packet) {
    grants_.FreeRoom(packet.output, packet.cells);
    if (packet.answered) acks_.Make(now, packet, grants_.LoadBefore(now, packet.output), meters_.get());
  });
}

void Switch::DeliverControl(Cycle now) {
  for (Index id = control_due_.PopDue(now); id != kNone;) {
    ControlArrival& arrival = control_arrivals_[id];
    const Index next = arrival.next;
    if (arrival.due > now) {
      control_due_.File(arrival.due, now, id, &arrival.next);
    } else {
      if (arrival.vl == ControlArrival::kAck) {
        PassOn(now, arrival.port, link_acks_[id]);
      } else if (arrival.vl >= ControlArrival::kStamp) {
        const auto vl = static_cast<std::uint8_t>(arrival.vl - ControlArrival::kStamp);
        if ((context_.retry_ports & ~context_.plain_ports & Bit(arrival.port)) != 0)
          ingress_.buffer().Stamp(arrival.port, {vl, arrival.cells});
      } else {
        grants_.Credit(now, arrival.port, arrival.vl, arrival.cells);
      }
      control_arrivals_.Release(id);
    }
    id = next;
  }
}

void Switch::PassOn(Cycle now, int port, const tilefly::Ack& ack) {
  if (acks_.PassOn(now, port, ack, grants_.LoadBefore(now, port)) && context_.watchers.observation != nullptr) {
    checkers_->loads.Heard(port, ack.load);
  }
}

void Switch::Apply(Cycle now, const Rare& rare) {
  switch (rare.kind) {
    case Rare::kWrite:
      ApplyWrite(now, writes_[rare.detail]);
      writes_.Release(rare.detail);
      break;
    case Rare::kPause: {
      std::array<Cycle, kMaxClasses> until{};
      const int serdes_lanes = context_.registers.port(rare.port).serdes_lanes();
      for (int c = 0; c < kMaxClasses; ++c) until[c] = now + PauseCycles(pauses_[rare.detail][c], serdes_lanes);
      grants_.Pause(rare.port, rare.classes, until);
      context_.counters.Count(rare.port, Counter::kRxPause);
      pauses_.Release(rare.detail);
      break;
    }
    case Rare::kLink:
      TurnLink(now, rare.port, rare.up);
      break;
  }
}

void Switch::ApplyWrite(Cycle now, const Cfg& write) {
  if (static_cast<CfgSpace>(write.space) == CfgSpace::kRed) {
    if (context_.profile.red_present == 0) return;
    MakeReductions();
    return reductions_->Write(now, write);
  }
  if (static_cast<CfgSpace>(write.space) == CfgSpace::kPort) BeforePortWrite(write);
  context_.registers.Apply(write);
  edge_flows_.SetRegisters(now, write);
  if (reductions_ != nullptr) reductions_->Wake(now);
  context_.sending_pause = 0;
  SetRetryPorts(now);
  for (int p = 0; p < context_.profile.ports; ++p) {
    if (context_.registers.port(p).sends_pause()) context_.sending_pause |= Bit(p);
    if (static_cast<CfgSpace>(write.space) == CfgSpace::kCredit) grants_.RebaseCredits(p);
    if (ChangesPlaces(write) && Addresses(write, p)) grants_.RestartScheduler(p);
    grants_.Wake(Bit(p));
    buffers_.Wake(Bit(p));
    if (context_.registers.port(p).has_flows() && meters_ == nullptr) MakeMeters();
  }
}

Cycle Switch::NextButFlows(Cycle now) const {
  if (AnyOf(context_.due.Has(now + 1), grants_.active(), buffers_.active(), ingress_.active(),
            request_crossbar_.active(), grant_crossbar_.active(), acks_.active())) {
    return now + 1;
  }
  Cycle next = std::min({context_.due.Next(now), ingress_.Next(now), rare_.Next()});
  ForEachBit(context_.retry_ports & context_.links_up, [&](int port) {
    if (grants_.StampsDue(port)) next = std::min(next, (now / kStampCycles + 1) * kStampCycles);
  });
  if (links_.active()) next = std::min(next, links_.Next(now, grants_));
  return next;
}

}  // namespace tilefly::golden
