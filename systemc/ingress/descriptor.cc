// SPDX-License-Identifier: Apache-2.0
#include "systemc/ingress/descriptor.h"

namespace tilefly::systemc {
namespace {

golden::HeaderBits HeaderOfBare(const Context& context, int port, int length, int tc, std::uint32_t address) {
  const golden::ClassShares::Class& registers = context.port(port).shares->classes[tc];
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kStd);
  header.len = static_cast<std::uint16_t>(length);
  header.tc = static_cast<std::uint8_t>(tc);
  header.src = context.registers.AddressOf(port);
  header.dst = address;
  header.mode = registers.mode;
  header.ordered = registers.ordered;
  return golden::HeaderBits(header);
}

}  // namespace

Descriptor Descriptor::Of(Context& context, int port, const fabric::Packet& packet, Cycle cycle) {
  Descriptor descriptor;
  descriptor.cells = packet.cells();
  golden::Destination destination;
  if (packet.enh) {
    descriptor.came = packet.header;
    descriptor.vl_in = packet.header.vl();
    destination = golden::LookUp(context.registers, context.profile, port, packet.header);
  } else {
    const golden::BareFields fields = golden::BareFields::Parse(packet.frame->data());
    destination = golden::LookUp(context.registers, port, fields);
    const int tc = golden::Classify(context.registers, port, fields);
    descriptor.came = HeaderOfBare(context, port, packet.length, tc, destination.address);
  }
  descriptor.Route(context, port, destination, cycle);
  const PortMode& mode = context.port(port).mode;
  const bool counted = mode.acks && descriptor.header.hop() == 0 &&
                       descriptor.header.destination() != golden::HeaderBits::kReplicated && !descriptor.header.is_red();
  descriptor.in_flow = counted && !mode.flows;
  descriptor.in_channel = counted && mode.flows;
  return descriptor;
}

Descriptor Descriptor::Again(Context& context, int port, const Stored& stored, Cycle cycle) {
  Descriptor descriptor;
  descriptor.cells = stored.cells;
  descriptor.came = stored.header;
  descriptor.vl_in = stored.vl_in;
  descriptor.Route(context, port, golden::LookUp(context.registers, context.profile, port, stored.header), cycle);
  return descriptor;
}

/// The outputs of a packet that was looked up; those that are down are none.
void Descriptor::Route(Context& context, int port, const golden::Destination& destination, Cycle cycle) {
  down = context.downs.Shown(cycle);
  header = came;
  via_came = came.via();
  drop = destination.drop;
  outputs = destination.ports & ~down;
  if (drop == Drop::kNone && destination.ports != 0 && outputs == 0) drop = Drop::kNoRoute;
  if (drop == Drop::kNone && destination.ports == 0) {  // for another switch
    const golden::RouteChoice choice = context.chooser.Choose(cycle, port, &header, down);
    drop = choice.drop;
    outputs = golden::Bit(choice.output);
    decided = choice.decided;
    follows = choice.follows;
    hash_output = choice.hash_output;
  }
  const int mtu = context.port(port).shares->classes[tc()].mtu;
  if (drop == Drop::kNone && mtu != 0 && mtu < cells) drop = Drop::kClassMtu;
}

void Descriptor::Enter(Context& context, int port, Cycle cycle, bool again) {
  context.flows.Advance(cycle);
  if (follows) Follow(context, port);
  if (again) return;
  CountRouted(context, port);
  if (!in_flow) return;
  const golden::FlowPath path{header.destination(), static_cast<std::uint16_t>(header.via()),
                              static_cast<std::uint8_t>(golden::LowestBit(outputs)), header.via_valid()};
  context.flows.Enter(port, static_cast<int>(header.flow()), cells, follows ? &path : nullptr);
}

void Descriptor::CountRouted(Context& context, int port) const {
  if (!decided) return;
  // A packet that decides comes without a valid via: one that it has was drawn here.
  context.counters.Count(port, header.via_valid() ? Counter::kRoutedNonmin : Counter::kRoutedMin);
}

void Descriptor::TakePath(int output, std::uint32_t via, bool via_valid) {
  outputs = golden::Bit(output);
  header.set_via(via);
  header.set_via_valid(via_valid);
}

/// An ordered packet takes the path of its flow while packets of it are in flight.
void Descriptor::Follow(const Context& context, int port) {
  const golden::FlowChannel* flow = context.flows.Find(port, static_cast<int>(header.flow()));
  if (flow == nullptr) return;
  const bool valid = flow->path_valid && (down & golden::Bit(flow->path.port)) == 0;
  if (valid && flow->path.destination == header.destination()) {
    TakePath(flow->path.port, flow->path.via, flow->path.via_valid);
  } else {
    TakePath(hash_output, via_came, false);
  }
}

Crossing* Descriptor::MakeCrossing(Context& context, int port, Stored* stored, int output) const {
  Crossing* const crossing = context.crossings.Make();
  const bool replicated = header.destination() == golden::HeaderBits::kReplicated;
  crossing->packet = replicated ? &stored->packet->Copy() : stored->packet;
  if (!replicated) stored->packet->acquire();
  crossing->header = header;
  crossing->stored = stored;
  crossing->input = port;
  crossing->output = output;
  crossing->vl = LaneOf(context, port, output);
  crossing->cells = stored->cells;
  crossing->length = stored->packet->length;
  return crossing;
}

int Descriptor::LaneOf(const Context& context, int port, int output) const {
  if (kept_lane >= 0) return kept_lane;
  return context.registers.tables().Vl(tc(), vl_in, context.port(port).mode.pclass, context.port(output).mode.pclass);
}

}  // namespace tilefly::systemc
