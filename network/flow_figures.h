// SPDX-License-Identifier: Apache-2.0
// What flow channels did in a run (docs/blocks/flow_channel.md, Results, report, journeys).
#pragma once

#include <cstdint>
#include <vector>

#include "golden/flows/flow_books.h"

namespace tilefly::network {

class Network;
class Nodes;

/// Sums over the ports to NICs. Most are counters of the switches under the names of docs/reference/counters.md.
struct FlowCounts {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(acks, marks_made, marks_in, held, held_cycles, throttled, full, lost, stray, pauses, packets_on_links, unseen_ports);
  }

  std::int64_t acks = 0;        ///< acks that ports made
  std::int64_t marks_made = 0;  ///< of these, those with a mark
  std::int64_t marks_in = 0;
  std::int64_t held = 0;
  std::int64_t held_cycles = 0;  ///< sum over the packets that were held, from event a + 18 to the release
  std::int64_t throttled = 0;
  std::int64_t full = 0;
  std::int64_t lost = 0;
  std::int64_t stray = 0;
  std::int64_t pauses = 0;
  std::int64_t packets_on_links = 0;  ///< packets, once for each link that carries them
  std::int64_t unseen_ports = 0;      ///< ports of devices that keep no books: `held_cycles` and the flows lack theirs
};
static_assert(sizeof(FlowCounts) == 12 * sizeof(std::int64_t));  // Whoever adds a member adds it to Serialize.

/// A pair of endpoints and class whose packets were held.
struct WorstFlow {
  std::int32_t source, destination;  ///< endpoints
  std::int32_t tc;
  golden::FlowBook book;
};

/// After the run: adds what the switches of this process counted, and as many flows as may be listed.
void AddFlows(const Network& network, const Nodes& nodes, FlowCounts* counts, std::vector<WorstFlow>* worst);
/// Keeps the `most` flows with most held cycles; of equal ones those with the lowest source, destination and class.
void KeepWorst(int most, std::vector<WorstFlow>* flows);

}  // namespace tilefly::network
