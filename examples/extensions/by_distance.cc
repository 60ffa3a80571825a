// SPDX-License-Identifier: Apache-2.0
// A counter: how many packets passed how many switches, and the sum of their latencies in cycles.
#include <algorithm>

#include "apps/program.h"
#include "extensions.h"

using namespace tilefly::network;

namespace {

constexpr int kMost = 8;  // or more

class ByDistance final : public OwnCounter {
 public:
  std::vector<std::string> Names() const override {
    std::vector<std::string> names;
    for (int switches = 1; switches <= kMost; ++switches) {
      names.push_back("packets_over_" + std::to_string(switches));
      names.push_back("cycles_over_" + std::to_string(switches));
    }
    return names;
  }
  void Deliver(const PacketEvent& event, Sums& sums) const override {
    if (!event.measured) return;
    const auto place = static_cast<std::size_t>(2 * (std::min(event.hops, kMost) - 1));
    ++sums[place];
    sums[place + 1] += event.cycle - event.created;
  }
};

}  // namespace

void AddByDistance() {
  Counters().Add("by_distance", "packets and cycles by the number of switches passed",
                 [](const tilefly::topology::Topology&) { return std::make_unique<ByDistance>(); });
}
