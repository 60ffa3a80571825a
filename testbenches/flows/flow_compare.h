// SPDX-License-Identifier: Apache-2.0
// Golden's flow channels beside the second reading of the page, in every cycle, and the bins of its lines.
#pragma once

#include <string>

#include "testbenches/bench/comparison.h"
#include "testbenches/flows/golden_flows.h"
#include "testbenches/flows/naive_flows.h"

namespace tilefly::bench {

/// Compares what two answer in a cycle.
inline void CompareFlowOutputs(Comparison* run, const FlowOutputs& one, const FlowOutputs& golden) {
  run->Compare("instead", one.instead.has_value(), golden.instead.has_value());
  if (one.instead && golden.instead) {
    run->Compare("path_port", one.instead->port, golden.instead->port);
    run->Compare("path_via_valid", one.instead->via_valid, golden.instead->via_valid);
    run->Compare("path_via", one.instead->via, golden.instead->via);
  }
  run->Compare("held", one.held, golden.held);
  if (golden.sent) {
    run->Compare("gen", one.gen, golden.gen);
    run->Compare("by_class", one.by_class, golden.by_class);
  }
  if (golden.held) {
    run->Compare("channel", static_cast<std::uint64_t>(one.channel), static_cast<std::uint64_t>(golden.channel));
  }
  run->Compare("go_valid", one.go.has_value(), golden.go.has_value());
  if (one.go && golden.go) {
    run->Compare("go_packet", one.go->packet, golden.go->packet);
    run->Compare("go_cells", one.go->cells, golden.go->cells);
    run->Compare("go_port", one.go->port, golden.go->port);
    run->Compare("go_lane", one.go->lane, golden.go->lane);
    run->Compare("go_gen", one.go->gen, golden.go->gen);
    run->Compare("go_by_class", one.go->by_class, golden.go->by_class);
    run->Compare("go_channel", one.go->channel, golden.go->channel);
  }
  run->Compare("pause_valid", one.pause.has_value(), golden.pause.has_value());
  if (one.pause && golden.pause) {
    run->Compare("pause.tc", one.pause->tc, golden.pause->tc);
    run->Compare("pause.dst", one.pause->destination, golden.pause->destination);
    run->Compare("pause.period", one.pause->period, golden.pause->period);
    run->Compare("pause.credit", one.pause->credit, golden.pause->credit);
  }
  run->Compare("full", one.full, golden.full);
  run->Compare("throttled", one.throttled, golden.throttled);
  run->Compare("lost", static_cast<std::uint64_t>(one.lost), static_cast<std::uint64_t>(golden.lost));
  run->Compare("stray", one.stray, golden.stray);
  run->Compare("marked", one.marked, golden.marked);
  run->Compare("quiescent", one.quiescent, golden.quiescent);
}

/// Golden and the second reading, side by side.
class FlowPair {
 public:
  FlowPair(Comparison* run, const golden::FlowChannels::Parameters& p, int port)
      : golden(p, port), naive({p.set_bits, p.ways, p.sweep_bits, p.classes}, port), run_(run) {}

  /// What golden answers.
  FlowOutputs Step(Cycle now, const FlowInputs& in) {
    const FlowOutputs out = golden.Step(now, in);
    CompareFlowOutputs(run_, naive.Step(now, in), out);
    if (!golden.audit.broken().empty()) run_->Fail(golden.audit.Message());
    if (out.held || out.go || out.pause || in.home || out.sent || out.lost > 0) run_->Busy();
    Tell(in, out);
    return out;
  }

  GoldenFlows golden;
  NaiveFlows naive;

 private:
  void Tell(const FlowInputs& in, const FlowOutputs& out) {
    if (out.held) run_->Event("held: class, destination, cells, channel", {in.header.tc, in.header.dst, in.cells, out.channel});
    if (out.sent) run_->Event("sent: class, destination, cells, channel", {in.header.tc, in.header.dst, in.cells, out.channel});
    if (out.go) run_->Event("released: packet, channel", {out.go->packet, out.go->channel});
    if (in.home) run_->Event("ack: destination, cells, mark, share", {in.ack.dst, in.ack.cells, in.ack.mark, in.ack.share});
    if (out.pause) run_->Event("pause: destination, credit", {out.pause->destination, out.pause->credit});
    if (out.lost > 0) run_->Event("lost", {out.lost});
  }

  Comparison* run_;
};

/// Lines of the rules that random traffic acts on; each must act so often in all.
class FlowLines {
 public:
  static constexpr const char* kAll[] = {
      "1 taken back: not counted again",
      "1.1 the entry in use",
      "1.1 the lowest free way",
      "1.1 class channel: no way is free",
      "1.1 class channel: it holds a packet",
      "1.3 sent",
      "1.3 sent in a throttled entry",
      "1.3 sent in a throttled class channel",
      "1.4 held behind others, although it may send",
      "1.4 held by a first window",
      "1.4 held in a class channel",
      "1.4 held in an entry",
      "2 a release waits for the pipeline",
      "2 popped, and may not send any more",
      "2 released",
      "2 released in a throttled entry",
      "2 released in a throttled class channel",
      "3.1 stray: no such entry",
      "3.1 stray: no cells in flight",
      "3.2 of the present generation",
      "3.2 of the old generation",
      "3.2 more than there are",
      "3.2 the deadline begins anew",
      "3.2 the first window ends",
      "3.3 a mark for a throttled channel",
      "3.3 throttled",
      "3.3 throttled, a class channel",
      "3.3 share above FULL",
      "3.4 not throttled any more",
      "3.4 grown by one",
      "3.4 grown from the window",
      "3.4 grown from the share",
      "3.4 grown up to FULL",
      "4.2 lost in a class channel",
      "4.2 lost in an entry",
      "4.2 lost, and the next generation grows old",
      "4.3 turn",
      "4.4 a class channel is forgotten",
      "4.4 an entry is forgotten",
      "5 asked for in the cycle of the pop",
      "5 the port is not live",
      "5 a pause with credit",
      "5 a pause without credit",
      "5 the pause is over",
      "6.1 pushed on the tell fifo",
      "6.1 in the tell fifo already",
      "6.2 pushed on the ready fifo",
      "6.3 an entry is free",
      "path: the entry's",
      "path: the entry's port is down",
      "path: busy without path",
      "path: class channel",
      "path: the class channel is in use",
      "path: as routed, kept",
      "path: forgotten",
  };

  /// `least`: how often each line must act.
  FlowLines(Comparison* run, int least) : run_(run) {
    for (const char* const line : kAll) bins_.push_back(run->AddBin(line, least));
  }
  void Add(const NaiveFlows& naive) {
    std::size_t i = 0;
    for (const char* const line : kAll) {
      const auto at = naive.lines().find(line);
      if (at != naive.lines().end()) run_->Hit(bins_[i], at->second);
      ++i;
    }
  }

 private:
  Comparison* run_;
  std::vector<Bin> bins_;
};

}  // namespace tilefly::bench
