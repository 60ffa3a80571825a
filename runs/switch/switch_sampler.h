// SPDX-License-Identifier: Apache-2.0
// Time series of one switch (docs/time-series.md): what endpoints see and the observation record shows, so that any
// description of the switch has the same.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cosim/device.h"
#include "cosim/endpoint/endpoint.h"
#include "cosim/traffic/traffic_source.h"
#include "network/samples.h"

namespace tilefly::runs {

/// Ports are the groups of its samples, the two directions of their links the links.
class SwitchSampler {
 public:
  static constexpr int kLinksOfPort = 2;  ///< into the switch, out of it

  /// Traffic begins in cycle `begin`; intervals have `width` cycles. The source must outlive it.
  SwitchSampler(Cycle begin, Cycle width, int ports, cosim::TrafficSource* source);

  /// Cycle `now` begins: endpoints have done nothing in it.
  void BeginCycle(Cycle now, const std::vector<std::unique_ptr<cosim::Endpoint>>& endpoints,
                  const cosim::Observation& observation) {
    if (now < next_) return;
    Take(now, endpoints, &observation);
    samples_.Reach(now + 1);
    next_ = samples_.EndAfter(now);
  }
  /// A frame's first word is on the link of a port in cycle `at`.
  void Sent(int tc, int port, Cycle at, int slots);
  /// A packet's last word came out of a port in cycle `at`.
  void Received(int tc, int port, Cycle at, int slots, int bytes, Cycle latency);
  /// What comes to be sent from cycle `now` on counts for nothing.
  void EndTraffic(Cycle now);
  /// The run ends before cycle `end`; `observation` is that of this cycle, null: it is not known.
  void End(Cycle end, const std::vector<std::unique_ptr<cosim::Endpoint>>& endpoints,
           const cosim::Observation* observation);

  const network::Samples& samples() const { return samples_; }
  bool ended() const { return end_ > 0; }
  /// Levels of the last interval are known.
  bool levels_at_end() const { return levels_at_end_; }
  /// The cycle before which the run has ended.
  Cycle end() const { return end_; }

 private:
  struct Told {
    cosim::ClassSlots offered{};
    std::int64_t sent = 0;
    std::int64_t received = 0;
  };

  void Take(Cycle now, const std::vector<std::unique_ptr<cosim::Endpoint>>& endpoints,
            const cosim::Observation* observation);
  void TakeOffered(Cycle now);

  network::Samples samples_;
  cosim::TrafficSource* source_;
  std::vector<Told> told_;  ///< by port
  Cycle next_;
  Cycle end_ = 0;
  bool traffic_over_ = false;
  bool levels_at_end_ = false;
};

}  // namespace tilefly::runs
