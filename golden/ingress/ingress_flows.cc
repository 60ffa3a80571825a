// SPDX-License-Identifier: Apache-2.0
// Packets of ports with flow channels, at the end of the pipeline and at their release (docs/blocks/flow_channel.md).
#include "golden/ingress/ingress.h"
#include "golden/state/stage_probe.h"

namespace tilefly::golden {
namespace {

FlowWay WayOf(const Packet& packet) {
  return {static_cast<std::uint16_t>(packet.header.via()), packet.output, packet.header.via_valid()};
}

/// The packet is sent: its header tells of its channel.
void Send(Packet* packet, bool gen, bool by_class) {
  packet->header.set_gen(gen);
  packet->header.set_an(by_class);
}

}  // namespace

/// The packet, which its class has room for, comes to the end of the pipeline: whether it enters the queue stage, or is
/// held. It does not follow its channel to a port in `down`. A packet that was taken back is not counted again.
bool Ingress::MayPass(Cycle now, Index id, PortMask down, const QueueStage::Lanes& lanes) {
  Packet& packet = context_.packets[id];
  const FlowWay routed = WayOf(packet);
  const bool keeps = !packet.follows || FollowChannel(&packet, down);
  if (!packet.again) CountRouted(packet);
  if (!packet.in_channel || packet.again) {
    flows_.channels()->Enters(packet.input);
    return true;
  }
  FlowArrival arrival;
  arrival.destination = packet.header.destination();
  arrival.packet = id;
  arrival.bytes = static_cast<std::uint16_t>(packet.header.length());
  arrival.tc = static_cast<std::uint8_t>(packet.header.tc());
  arrival.cells = packet.cells;
  arrival.chooses = packet.follows;
  arrival.routed = routed;
  arrival.out_port = packet.output;
  arrival.out_lane = lanes[packet.output];
  const FlowVerdict verdict = flows_.channels()->Packet(now, packet.input, arrival, WayOf(packet), keeps);
  if (!verdict.held) {
    Send(&packet, verdict.gen, verdict.by_class);
    return true;
  }
  if (context_.watchers.stages != nullptr) context_.watchers.stages->Held(now, packet);
  if (context_.watchers.observation != nullptr) {
    Portobs& port = context_.watchers.observation->ports[packet.input];
    port.hold_valid = true;
    port.hold_channel = verdict.channel;
  }
  return false;
}

/// An ordered packet takes the path of its flow channel ("Path of ordered packets"), or the hash path when the channel has
/// none or its port is in `down`. Returns false of the hash path, which may change with tables and links.
bool Ingress::FollowChannel(Packet* packet, PortMask down) const {
  const HeaderBits& header = packet->header;
  const FlowWay pair{packet->via_came, packet->hash_output, false};
  const std::optional<FlowWay> way =
      flows_.channels()->channels(packet->input).WayOf(header.tc(), header.destination(), pair);
  if (!way) return true;
  const FlowWay& taken = (down & Bit(way->port)) != 0 ? pair : *way;
  TakePath(packet, taken.port, taken.via, taken.via_valid);
  return !(taken == pair);
}

void Ingress::ReleaseHeld(Cycle now) {
  flows_.channels()->Release(now, [&](int input, const FlowRelease& go) {
    Send(&context_.packets[go.packet], go.gen, go.by_class);
    if (context_.watchers.stages != nullptr) context_.watchers.stages->Released(now, context_.packets[go.packet]);
    stage_.Release(go.packet, go.port, go.lane);
    if (context_.watchers.observation == nullptr) return;
    Portobs& port = context_.watchers.observation->ports[input];
    port.go_valid = true;
    port.go_channel = go.channel;
  });
}

}  // namespace tilefly::golden
