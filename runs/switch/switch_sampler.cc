// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/switch_sampler.h"

#include <algorithm>
#include <cstddef>

namespace tilefly::runs {

SwitchSampler::SwitchSampler(Cycle begin, Cycle width, int ports, cosim::TrafficSource* source)
    : source_(source), told_(static_cast<std::size_t>(ports)), next_(begin + width) {
  samples_.Keep(begin, width, ports, kLinksOfPort * ports);
}

/// Words of links are those of the endpoints' counters: of control frames and of reductions too.
void SwitchSampler::Take(Cycle now, const std::vector<std::unique_ptr<cosim::Endpoint>>& endpoints,
                         const cosim::Observation* observation) {
  if (!traffic_over_) TakeOffered(now);
  for (std::size_t port = 0; port < told_.size(); ++port) {
    const std::int64_t sent = endpoints[port]->sender().slots_passed(now);
    const std::int64_t received = endpoints[port]->receiver().slots_so_far();
    const Portobs levels = observation != nullptr ? observation->ports[port] : Portobs{};
    const int in = kLinksOfPort * static_cast<int>(port), out = in + 1;
    samples_.AddLink(in, now, sent - told_[port].sent, 0, 0);
    samples_.AddBuffered(in, now, levels.ibuf_cells);
    samples_.AddLink(out, now, received - told_[port].received, 0, levels.load);
    samples_.AddLevels(static_cast<int>(port), now, levels.load, levels.ibuf_cells);
    told_[port].sent = sent;
    told_[port].received = received;
  }
}

void SwitchSampler::TakeOffered(Cycle now) {
  for (std::size_t port = 0; port < told_.size(); ++port) {
    const cosim::ClassSlots offered = source_->Offered(static_cast<int>(port), now);
    for (std::size_t tc = 0; tc < offered.size(); ++tc) {
      const std::int64_t more = offered[tc] - told_[port].offered[tc];
      if (more != 0) samples_.Create(static_cast<int>(tc), static_cast<int>(port), now - 1, more);
    }
    told_[port].offered = offered;
  }
}

void SwitchSampler::Sent(int tc, int port, Cycle at, int slots) {
  for (network::FlowSample* one : {&samples_.OfClass(tc, at), &samples_.OfGroup(port, at)}) {
    one->sent += slots;
    ++one->sent_packets;
  }
}

void SwitchSampler::Received(int tc, int port, Cycle at, int slots, int bytes, Cycle latency) {
  for (network::FlowSample* one : {&samples_.OfClass(tc, at), &samples_.OfGroup(port, at)}) {
    one->received += slots;
    ++one->received_packets;
    one->received_bytes += bytes;
    one->latency.Add(latency);
  }
}

void SwitchSampler::EndTraffic(Cycle now) {
  if (now > samples_.begin()) TakeOffered(now);
  traffic_over_ = true;
}

void SwitchSampler::End(Cycle end, const std::vector<std::unique_ptr<cosim::Endpoint>>& endpoints,
                        const cosim::Observation* observation) {
  end_ = std::max(end, samples_.begin() + 1);
  samples_.End(end_);
  levels_at_end_ = observation != nullptr;
  if (end > samples_.begin()) Take(end, endpoints, observation);
  next_ = kNever;
}

}  // namespace tilefly::runs
