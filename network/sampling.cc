// SPDX-License-Identifier: Apache-2.0
// When a system tells its time series what they hold (docs/time-series.md): the ends of intervals are those of cycles,
// whatever slices, rounds and processes are.
#include <fmt/format.h>

#include <algorithm>

#include "network/network.h"
#include "support/errors.h"

namespace tilefly::network {

void Network::KeepSamples() {
  if (options_.sample == 0) return;
  sample_frame_ = std::make_unique<SampleFrame>(topology_, wiring_, options_.nic_lanes);
  nics_.samples = sample_frame_.get();
}

/// Intervals become as long as those of the process that has the longest. Collective.
void Network::EqualiseSamples() {
  if (!sample_frame_) return;
  Samples& samples = contexts_.first().statistics.samples;
  samples.Double(processes_.Largest(samples.doublings()));
}

/// The run ends before cycle `end`; counts are gathered. Collective.
void Network::EndSamples(Cycle end) {
  if (!sample_frame_) return;
  const Cycle over = std::max(end, nics_.begin + 1);  // registers are written before
  Samples& samples = contexts_.first().statistics.samples;
  samples.Reach(over);
  EqualiseSamples();
  samples.End(over);
  nodes_.ForEach([over](Node& node) { node.EndSamples(over); });
}

void Node::KeepSamples() {
  if (!is_golden())
    throw UsageError(
        fmt::format("--sample: time series are seen inside of golden switches; switch {} is none", index_));
  sampled_ = std::make_unique<Sampled>();
  sampled_->ports.resize(ends_.size());
  sample_due_ = context_->statistics.samples.EndAfter(context_->statistics.samples.begin());
}

void Node::TakeSamples(Cycle now) {
  if (sample_due_ > now) return;
  Samples& samples = context_->statistics.samples;
  samples.Reach(now);
  while (sample_due_ <= now) {
    TellSamples(sample_due_);
    sample_due_ = samples.EndAfter(sample_due_);
  }
}

void Node::EndSamples(Cycle end) {
  TakeSamples(end - 1);
  if (sampled_->end < end) TellSamples(end);
  sample_due_ = kNever;
}

/// What links did before cycle `end`, and how much waits then. Since nothing has happened after the last cycle that the
/// node has run, this is so however long ago that was.
void Node::TellSamples(Cycle end) {
  Samples& samples = context_->statistics.samples;
  const SampleFrame& frame = *context_->nics->samples;
  std::int64_t load = 0, buffered = 0;  // of all ports
  sampled_->end = end;
  for (int port = 0; port < frame.ports; ++port) {
    const int link = frame.link(index_, port);
    if (link < 0) continue;
    Sampled::Port& told = sampled_->ports[static_cast<std::size_t>(port)];
    const Sending& last = ends_[port].sending;
    const PortCounts& counts = ends_[port].counts;
    const std::int64_t words = counts.all_words - last.words + WordsBefore(end, last.take, last.words, last.lanes);
    const int level = Load(port, end), held = Used(port, end);
    samples.AddLink(link, end, words - told.words, counts.packets - told.packets, level);
    told.words = words;
    told.packets = counts.packets;
    const int into = frame.link_into(*context_->wiring, index_, port);
    samples.AddBuffered(into, end, held);
    load += level;
    buffered += held;
    const Nic* const own = nic(port);
    if (own == nullptr) continue;
    const Nic::Sent sent = own->SentBefore(end);
    samples.AddLink(into, end, sent.words - told.nic_words, sent.packets - told.nic_packets, 0);
    told.nic_words = sent.words;
    told.nic_packets = sent.packets;
  }
  samples.AddLevels(frame.group_of_node[index_], end, load, buffered);
  const golden::FlowPorts* const flows = golden() == nullptr ? nullptr : golden()->channels();
  if (flows == nullptr) return;
  std::int64_t throttled = 0, waits = 0;
  for (int port = 0; port < frame.ports; ++port) {
    if (!flows->Has(port)) continue;
    flows->channels(port).ForEach([&](const golden::FlowState& state) {
      throttled += state.throttled;
      waits += state.held;
    });
  }
  samples.AddFlowLevels(frame.group_of_node[index_], end, throttled, waits);
}

}  // namespace tilefly::network
