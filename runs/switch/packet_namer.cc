// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/packet_namer.h"

namespace tilefly::runs {

PacketNamer::PacketNamer(const Profile& profile) : ports_(profile.ports) {
  for (auto& events : events_) events.resize(static_cast<std::size_t>(ports_) * static_cast<std::size_t>(ports_) * 16);
}

std::size_t PacketNamer::Queue(int input, int output, int lane) const {
  return static_cast<std::size_t>((input * ports_ + output) * 16 + lane);
}

void PacketNamer::Sample(const cosim::Observation& observation) {
  for (int port = 0; port < ports_; ++port) {
    const Portobs& obs = observation.ports[static_cast<std::size_t>(port)];
    if (obs.req_valid && obs.req_dst < ports_) ++events_[kRequest][Queue(port, obs.req_dst, obs.req_vl)];
    if (obs.dec_valid && !obs.dec_red && obs.dec_src < ports_) ++events_[kGrant][Queue(obs.dec_src, port, obs.dec_vl)];
    if (obs.gin_valid && obs.gin_src < ports_) ++events_[kGrantArrival][Queue(port, obs.gin_src, obs.gin_vl)];
  }
}

std::uint64_t PacketNamer::Packet(const cosim::Divergence& divergence, const cosim::Scoreboard& scoreboard) const {
  if (divergence.input < 0 || divergence.input >= ports_ || divergence.output < 0 || divergence.output >= ports_ ||
      divergence.lane < 0) {
    return 0;
  }
  Stage stage = kRequest;
  if (divergence.stage == "grant") stage = kGrant;
  if (divergence.stage == "grant-arrival") stage = kGrantArrival;
  const std::size_t queue = Queue(divergence.input, divergence.output, divergence.lane);
  return scoreboard.PacketInFlow(divergence.input, divergence.output, divergence.lane, events_[stage][queue]);
}

}  // namespace tilefly::runs
