// SPDX-License-Identifier: Apache-2.0
// All that a run of a system leaves behind as text, so that runs can be compared.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "network/figures.h"
#include "network/network.h"

namespace tilefly::network {

inline std::string Text(const LatencyHistogram& histogram) {
  std::string text;
  for (const auto& [cycles, packets] : histogram.Entries()) text += fmt::format(" {}:{}", cycles, packets);
  return text;
}

inline std::string Text(const TrafficHistory& history) {
  std::string text;
  for (int tc = 0; tc < golden::kMaxClasses; ++tc) {
    for (const TrafficBin& bin : history.of_class(tc))
      text += fmt::format(" {}/{}/{}/{}/{}/{}", bin.created, bin.sent, bin.received, bin.lost, bin.packets, bin.cycles);
  }
  for (const TrafficHistory::SourceBins& bins : history.sources()) text += fmt::format(" {}", bins);
  return text;
}

inline std::string Text(const Samples& samples) {
  std::string text = fmt::format("{} intervals of {}\n", samples.intervals(), samples.width());
  const auto add = [&](const char* what, std::size_t number, const std::vector<FlowSample>& series) {
    if (series.empty()) return;
    text += fmt::format("{} {}:", what, number);
    for (const FlowSample& one : series) {
      text += fmt::format(" {}/{}/{}/{}/{}/{}/{}/{}/{}/{}/{}/{}/{}/{}/{}", one.created, one.sent, one.sent_packets, one.ended,
                          one.received, one.received_packets, one.received_bytes, one.load, one.buffered, one.latency.count(),
                          one.latency.sum(), one.latency.max(), one.latency.Quantile(0.99), one.throttled, one.held);
    }
    text += "\n";
  };
  for (int tc = 0; tc < golden::kMaxClasses; ++tc) add("class", static_cast<std::size_t>(tc), samples.of_class(tc));
  for (std::size_t g = 0; g < samples.groups().size(); ++g) add("group", g, samples.groups()[g]);
  for (const std::vector<LinkSample>& series : samples.links()) {
    for (const LinkSample& one : series)
      text += fmt::format(" {}/{}/{}/{}", one.words, one.packets, one.load, one.buffered);
    text += "\n";
  }
  return text;
}

/// All that a run leaves behind, a line for each thing.
inline std::string Text(const Network& network, Ending ending, const Figures& figures) {
  const Statistics& sums = figures.statistics;
  std::string text = fmt::format("ending {} cycle {} left '{}' inside {}\n", static_cast<int>(ending), network.cycle(),
                                 figures.leftover.Text(), network.standing().in_flight);
  text += fmt::format("words {} {}, hops {} {}, drops {}\n", sums.offered_words, sums.accepted_words, sums.hops,
                      sums.flit_hops, sums.dropped());
  text += fmt::format("copies {} {} lost {} acks on links {}\n", sums.resent, sums.duplicates, sums.lost, sums.acks_on_links);
  text += fmt::format("queued {} {} {}\n", figures.queue.packets, figures.queue.words, figures.queue.measured_words);
  for (const ClassStatistics& one : sums.classes) {
    text +=
        fmt::format("class {} {} {};{};{}\n", one.sent, one.delivered, one.words, Text(one.latency), Text(one.network));
  }
  text += fmt::format("background {} {} {} {} {};{}\n", sums.background.sent, sums.background.delivered,
                      sums.background.words, sums.background_words, figures.queue.background_words,
                      Text(sums.background.latency));
  for (const NodeFigures& node : figures.nodes) {
    for (const Node::PortCounts& port : node.ports) text += fmt::format(" {}/{}", port.packets, port.words);
    for (const Nic::Counters& nic : node.nics) {
      text += fmt::format(" nic {} {} {} {} {} {}", nic.packets, nic.words, nic.measured_words, nic.stalled_cycles,
                          nic.measured_stalled, nic.measured_busy);
      text += fmt::format(" {} {} {} {} {} {} {} {} {}", nic.window_cycles, nic.measured_window, nic.acks,
                          nic.late_acks, nic.acked_cycles, nic.resends, nic.given_up, nic.duplicates, nic.late_copies);
      text += fmt::format(" {} {} {} {} {}", nic.messages, nic.message_bytes, nic.biased_messages, nic.biased_bytes,
                          nic.measured_retry);
      text += fmt::format(" {} {} {}", nic.throttled_cycles, nic.measured_throttled, nic.pauses);
    }
    text += fmt::format(" times {} words {}", node.times, node.words);
    text += "\n";
  }
  const FlowCounts& flows = figures.flows;
  text += fmt::format("flows {} {} {} {} {} {} {} {} {} {} {}\n", flows.acks, flows.marks_made, flows.marks_in, flows.held,
                      flows.held_cycles, flows.throttled, flows.full, flows.lost, flows.stray, flows.pauses,
                      flows.packets_on_links);
  for (const WorstFlow& one : figures.worst_flows) {
    const golden::FlowBook& book = one.book;
    text += fmt::format("flow {} {} {}: {} {} {} {} {} {} {} {} {}\n", one.source, one.destination, one.tc, book.packets,
                        book.bytes, book.acked_packets, book.marked, book.held, book.held_cycles, book.throttled_cycles,
                        book.most_held_cells, book.least_window_cells);
  }
  for (const LatencyBatch& batch : sums.batches) text += fmt::format("batch {} {}\n", batch.packets, batch.cycles);
  text += fmt::format("traffic to {}:{}\n", network.judged_to(), Text(sums.history));
  if (sums.samples.kept()) text += "samples " + Text(sums.samples);
  text += fmt::format("routed {} {} {} {}\n", figures.routed.minimal, figures.routed.nonminimal,
                      figures.routed.again_minimal, figures.routed.again_nonminimal);
  for (const workload::JobStatistics& job : sums.jobs) {
    text += fmt::format("job {} {} {} {} {} {};{}\n", job.ranks_done, job.messages, job.bytes, job.last, job.phase_end,
                        Text(job.message_latency), Text(job.rank_iteration));
    text += fmt::format("failure {} {} {}\n", job.failure.cycle, job.failure.rank, job.failure.code);
  }
  for (const Journey& journey : figures.journeys) {
    text += fmt::format("packet {} of {} to {}: {} {} {} {} {} {} {} {}", journey.number, journey.record.source,
                        journey.record.destination, journey.record.created, journey.record.sent, journey.ready,
                        journey.held + journey.throttled, journey.tried, journey.first, journey.last, journey.dropped);
    for (const JourneyHop& hop : journey.hops) {
      text += fmt::format("; {} {} {} {} {} {} {} {} {} {}", hop.node, hop.in_port, hop.out_port, hop.lane, hop.first,
                          hop.trigger, hop.stages, hop.waits.no_credit, hop.waits.no_room, hop.taken);
      text += fmt::format(" {} {} {} {} {}", hop.again, hop.tried, hop.rerouted, hop.held, hop.throttled);
    }
    text += "\n";
  }
  return text;
}

/// What a run leaves behind.
inline std::string TextOf(const topology::Topology& topology, const NetworkOptions& options) {
  Network network(topology, options);
  const Ending ending = network.Run();
  return Text(network, ending, Figures(network));
}

}  // namespace tilefly::network
