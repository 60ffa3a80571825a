// SPDX-License-Identifier: Apache-2.0
// The congestion meters of a switch and the request stores that they see, and the ends of cycles of its flow channels
// (docs/blocks/flow_channel.md).
#include "golden/common/stage_times.h"
#include "golden/switch/switch.h"

namespace tilefly::golden {

template <typename Visit>
void Switch::ForEachStore(Visit&& visit) const {
  ingress_.queues().ForEach([&](Index, const Queue& queue) {
    int cells = 0;
    Index id = queue.next_grant;
    for (int n = 0; n < queue.stored; ++n, id = context_.packets[id].next) cells += context_.packets[id].cells;
    if (queue.stored > 0) visit(int{queue.output}, int{queue.vl}, cells, int{queue.stored}, queue.newest_more);
  });
  if (reductions_ == nullptr) return;
  for (int p = 0; p < context_.profile.ports; ++p) {
    reductions_->row().ForEachRequest(p, [&](int vl, const StoredRequest& request) {
      visit(p, vl, request.cells, 1, request.more);
    });
  }
}

/// Ports had no meter before: the meters begin with what the request stores hold.
void Switch::MakeMeters() {
  meters_ = std::make_unique<OutputMeters>(context_.profile);
  ForEachStore([&](int output, int lane, int cells, int stored, bool more) {
    meters_->Begin(output, lane, cells, stored, more);
  });
}

/// Steps 4 to 6 of the flow channels.
void Switch::EndFlows(Cycle now) {
  const auto live = [&](int port) {
    const PortMode& mode = context_.registers.port(port).mode;
    return mode.enable && mode.credits && (context_.links_up & Bit(port)) != 0;
  };
  edge_flows_.channels()->EndCycle(now, live, [&](int port, const FlowPause& pause) {
    output_.flow_pauses.push_back({now + kFlowPauseToWire, pause, static_cast<std::uint8_t>(port)});
    output_.empty = false;
  });
}

void Switch::CheckMeters(Audit* audit) const {
  std::array<std::int64_t, kMaxPorts> loads{};
  std::array<std::array<int, kMaxLanes>, kMaxPorts> deep{};
  ForEachStore([&](int output, int lane, int cells, int stored, bool more) {
    loads[output] += cells;
    deep[output][lane] += meters_->IsDeep(stored, more);
  });
  for (int p = 0; p < context_.profile.ports; ++p) meters_->Check(p, loads[p], deep[p], audit);
}

}  // namespace tilefly::golden
