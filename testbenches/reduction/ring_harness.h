// SPDX-License-Identifier: Apache-2.0
// Drives the reduction ring of RTL (RingModel) and golden's (GoldenRing) with the same packets, grants and register
// accesses, and compares all that leaves in every cycle: requests, cells, reports, the CFU's commands, observation,
// register reads, quiescence.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cosim/reduction/launch_story.h"
#include "golden/common/register_write.h"
#include "testbenches/bench/edges.h"
#include "testbenches/reduction/golden_ring.h"
#include "testbenches/reduction/register_rule.h"
#include "testbenches/reduction/ring_bins.h"
#include "testbenches/reduction/ring_model.h"
#include "testbenches/reduction/ring_peers.h"
#include "testbenches/reduction/ring_view.h"
#include "testbenches/reduction/row_grants.h"
#include "testbenches/reduction/row_links.h"

namespace tilefly::bench {

template <typename Tile, typename Cfu>
class RingHarness {
 public:
  /// What the test chooses in a cycle.
  struct Stimuli {
    Cfg cfg;  ///< on the register bus
    std::uint64_t links_up = ~std::uint64_t{0};
    bool arrivals = true;  ///< new packets
    bool eager = false;    ///< outputs grant as soon as they can, and links run at their full rate
    bool credits_only = false;  ///< outputs grant no results
    golden::PortMask stopped = 0;  ///< ports whose outputs grant nothing
  };

  RingHarness(Comparison* run, const Profile& profile, RingPeers* peers, RingBins* bins)
      : run_(*run),
        profile_(profile),
        peers_(*peers),
        bins_(bins),
        first_(FirstCycle(run->power_up())),
        dut_(run, profile),
        golden_(profile),
        grants_(profile, run->stimulus()),
        links_(profile.ports),
        granted_(static_cast<std::size_t>(profile.ports)) {
    for (int p = 0; p < profile.ports; ++p) {
      arrivals_.emplace_back(run->stimulus(), p);
      names_.emplace_back(p);
    }
    before_.observed.reds.resize(static_cast<std::size_t>(profile.ports));
    before_.reports.resize(static_cast<std::size_t>(profile.ports));
    if (const std::optional<WaveWindow> window = run->StoryWindow()) story_.emplace(profile, window->from, window->to);
  }

  const golden::GoldenRing& golden() const { return golden_; }
  /// Registers of the group may be written, as far as the CFU knows.
  bool IsSilent(int group) const { return golden_.reductions().cfu().IsSilent(first_ + run_.cycle(), group); }
  /// Whether nothing has come, was launched or has left for longer than a launch takes to leave.
  bool Settled(Cycle now) const { return now - last_event_ > kSettles; }
  /// Number of the first cycle, for RTL and golden.
  Cycle first() const { return first_; }
  /// The RTL's counters and numbers of failures begin near an edge; golden's are as many less. `counts`: of a port, in
  /// the order of their indices; `fails`: of the groups.
  template <typename Counts, typename Fails>
  void BeginCounts(Counts&& counts, Fails&& fails) {
    for (int p = 0; p < profile_.ports; ++p) {
      const std::array<QData*, kCounters> of_port = counts(&dut_.tile(p), p & 1);
      for (int i = 0; i < kCounters; ++i) {
        const int index = kCounters * p + i;
        first_counts_.push_back(FirstCount(run_, static_cast<std::uint32_t>(index)));
        *of_port[static_cast<std::size_t>(i)] = first_counts_.back();
      }
    }
    IData* of_group = fails(&dut_.cfu());
    for (std::size_t g = 0; g < first_fails_.size(); ++g) {
      first_fails_[g] = static_cast<std::uint32_t>(FirstCount(run_, static_cast<std::uint32_t>(1000 + g)));
      of_group[g] = first_fails_[g];
    }
  }
  /// The segments of each lock begin with number `first`, in golden and the RTL: when a slot is bound, `set(model, slot,
  /// first)` sets what each model counts of them.
  template <typename Set>
  void BeginSegments(std::uint16_t first, Set&& set) {
    golden_.BeginSegments(first);
    begin_lock_ = [this, first, set](std::size_t slot) {
      for (int p = 0; p < profile_.ports; p += 2) set(&dut_.tile(p), slot, first);
      set(&dut_.cfu(), slot, first);
    };
  }
  /// RTL's record of the events of the last cycle.
  RedObs observed(int port) { return dut_.observed(port); }
  CfuObs observed_cfu() { return dut_.observed_cfu(); }
  /// CREDITs of the port that were asked for and whose cell comes after cycle `now`, which is over.
  int CreditsKept(Cycle now, int port) const { return grants_.CreditsKept(now, port); }
  /// Cycles since a packet was inside, something came or a register was accessed.
  Cycle idle_cycles() const { return idle_cycles_; }

  void Step(const Stimuli& stimuli) {
    const Cycle now = run_.cycle();
    if (story_) LookForStory(now);
    BeginLocks();
    peers_.Step(now, before_);
    golden::GoldenRing::Inputs inputs;
    dut_.SetCycle(first_ + now);
    const Cfg event = Access(stimuli.cfg);
    if (event.valid && !event.read) inputs.write = event;
    inputs.links_up = stimuli.links_up;
    for (int p = 0; p < profile_.ports; ++p) {
      dut_.SetLink(p, (stimuli.links_up >> p & 1) != 0);
      Arrive(now, p, stimuli, &inputs);
      Grant(now, p, stimuli, &inputs);
    }
    const std::string broken_rule = rule_.Judge(first_ + now, event, golden_.reductions().cfu());
    if (!broken_rule.empty()) run_.Fail(broken_rule);
    dut_.Settle();
    const std::uint64_t answer = Answer(event);
    const golden::GoldenRing::Outputs& outputs = golden_.Step(first_ + now, inputs);
    golden::Audit audit;
    golden_.Check(first_ + now, &audit);
    run_.Check(audit);
    Compare(outputs);
    if (bins_ != nullptr) bins_->Look(golden_, outputs);
    Deliver(now, outputs);
    answer_ = event.valid && event.read ? std::optional<std::uint64_t>(answer) : std::nullopt;
    before_.reports = outputs.reports;
    before_.command = outputs.command;
    before_.observed = outputs.observed;
    CountIdle(stimuli, inputs);
    dut_.Edge();
  }

 private:
  static constexpr Cycle kSettles = 500;

  /// Names of a port's compared values.
  struct Names {
    explicit Names(int port) {
      const std::string prefix = "port_" + std::string(port < 10 ? "0" : "") + std::to_string(port) + ".";
      used = prefix + "used";
      asks = prefix + "req_valid";
      request = prefix + "req";
      cell_valid = prefix + "cell_valid";
      cell = prefix + "cell";
      report = prefix + "report";
      observed = prefix + "obs";
    }
    std::string used, asks, request, cell_valid, cell, report, observed;
  };
  static constexpr int kCounters = 4;             ///< of a port, from RX_RED on
  static constexpr Cycle kSettled = 400;  ///< a quiet ring is quiescent by then, whatever it had to do

  /// In the first cycle in which a slot is bound.
  void BeginLocks() {
    if (!begin_lock_) return;
    const RedCmd command = dut_.command();
    const std::array<bool, golden::kRedSlots> bound = {command.bind0_valid, command.bind1_valid};
    for (std::size_t s = 0; s < bound.size(); ++s) {
      if (bound[s] && !bound_[s]) begin_lock_(s);
    }
    bound_ = bound;
  }

  /// Puts the access on the bus; returns the one that is an event of this cycle.
  Cfg Access(const Cfg& cfg) {
    dut_.SetCfg(cfg);
    bus_.push_back(cfg);
    Cfg event;
    if (bus_.size() > golden::kWriteLatency) {
      event = bus_.front();
      bus_.pop_front();
    }
    if (event.valid) run_.Event("access: read, space, port, index", {event.read, event.space, event.port, event.index});
    return event;
  }

  void Arrive(Cycle now, int p, const Stimuli& stimuli, golden::GoldenRing::Inputs* inputs) {
    RedArrivals& port = arrivals_[static_cast<std::size_t>(p)];
    if (port.idle() && stimuli.arrivals) {
      if (std::optional<RedArrival> packet = peers_.NextPacket(now, p))
        port.Start(now, std::move(*packet), stimuli.eager);
    }
    const RedArrivals::Event event = port.Next(now);
    dut_.SetArrival(p, event);
    if (event.begins) {
      inputs->begins.push_back({p, &port.packet().frame});
      rule_.Begins(Red::UnpackBytes(port.packet().frame.data()).group);
    }
    if (!event.ends) return;
    const bool good = event.status == Drop::kNone;
    inputs->ends.push_back({p, good});
    const Red red = Red::UnpackBytes(port.packet().frame.data());
    rule_.Ends(first_ + now, red.group);
    run_.Event("packet ends: port, what, group, seq", {p, red.what, red.group, red.seq});
    last_event_ = now;
    if (bins_ != nullptr && good) bins_->Ended(p, red);
  }

  void Grant(Cycle now, int p, const Stimuli& stimuli, golden::GoldenRing::Inputs* inputs) {
    const bool stopped = (stimuli.stopped >> p & 1) != 0;
    const std::optional<int> input =
        stopped ? std::nullopt : grants_.Next(now, p, stimuli.eager, stimuli.credits_only);
    dut_.SetGrant(p, input.has_value(), input.value_or(0));
    if (input) inputs->grants.push_back({p, *input});
    granted_[static_cast<std::size_t>(p)] = input;
  }

  /// The record of this cycle tells the events of the one before.
  void LookForStory(Cycle now) {
    cosim::Observation record;
    record.reds = before_.observed.reds;
    record.cfu = before_.observed.cfu;
    record.ports.resize(granted_.size());
    for (std::size_t p = 0; p < granted_.size(); ++p) {
      record.ports[p].dec_valid = record.ports[p].dec_red = granted_[p].has_value();
      record.ports[p].dec_src = static_cast<std::uint8_t>(granted_[p].value_or(0));
    }
    if (story_->Sample(now, record)) run_.Tell(RingView(profile_, *story_->story()).Steps());
  }

  /// What a read that is an event of this cycle will be answered: values as committed.
  std::uint64_t Answer(const Cfg& event) const {
    if (!event.valid || !event.read) return 0;
    if (event.space == static_cast<int>(CfgSpace::kRed)) {
      const int group = GroupIndex::FromBits(event.index).group;
      GroupStatus status = golden_.reductions().cfu().Status(group);
      status.failures += first_fails_[static_cast<std::size_t>(group)];
      return status.ToBits();
    }
    const int index = kCounters * event.port + event.index - static_cast<int>(Counter::kRxRed);
    const std::uint64_t first = first_counts_.empty() ? 0 : first_counts_[static_cast<std::size_t>(index)];
    return first + golden_.Count(event.port, event.index);
  }

  void Compare(const golden::GoldenRing::Outputs& outputs) {
    for (int p = 0; p < profile_.ports; ++p) {
      const auto at = static_cast<std::size_t>(p);
      const Names& names = names_[at];
      run_.Compare(names.used.c_str(), dut_.used(p), (outputs.used >> p & 1) != 0);
      run_.Compare(names.asks.c_str(), dut_.asks(p), outputs.asks[at]);
      run_.CompareStruct(names.request.c_str(), dut_.request(p), outputs.asks[at] ? outputs.requests[at] : Request{});
      run_.Compare(names.cell_valid.c_str(), dut_.cell_valid(p), outputs.cell_valid[at]);
      Cell cell = dut_.cell(p);
      std::fill(cell.data.begin() + outputs.cell_bytes[at], cell.data.end(), std::uint8_t{0});
      run_.CompareStruct(names.cell.c_str(), cell, outputs.cells[at]);
      run_.CompareStruct(names.report.c_str(), dut_.report(p), before_.reports[at]);
      run_.CompareStruct(names.observed.c_str(), dut_.observed(p), before_.observed.reds[at]);
      if (outputs.asks[at] || outputs.cell_valid[at] || before_.reports[at].ev != 0) run_.Busy();
    }
    run_.CompareStruct("cmd", dut_.command(), before_.command);
    run_.CompareStruct("cfu.obs", dut_.observed_cfu(), before_.observed.cfu);
    const auto [answers, data] = dut_.answer();
    run_.Compare("rdata_valid", answers, answer_.has_value());
    run_.Compare("rdata", data, answer_.value_or(0));
    // Words of the launch are on the ring until then (docs/blocks/reduction.md).
    if (last_launch_ && run_.cycle() <= *last_launch_ + profile_.red_home) {
      run_.Compare("cfu quiescent after a launch", dut_.cfu_quiescent(), false);
    }
    const golden::Cfu& cfu = golden_.reductions().cfu();
    if (idle_cycles_ < kSettled || cfu.active() || cfu.Next() <= first_ + run_.cycle() ||
        outputs.observed.cfu.launch_valid)
      return;
    for (int t = 0; t < profile_.tiles; ++t) run_.Compare("quiescent when idle", dut_.quiescent(t), true);
    run_.Compare("cfu quiescent when idle", dut_.cfu_quiescent(), true);
  }

  void Deliver(Cycle now, const golden::GoldenRing::Outputs& outputs) {
    const CfuObs& cfu = outputs.observed.cfu;
    if (cfu.launch_valid) {
      run_.Event("launch: number, index", {cfu.launch_number, cfu.launch_index});
      last_event_ = now;
      last_launch_ = now;
    }
    for (int p = 0; p < profile_.ports; ++p) {
      const auto at = static_cast<std::size_t>(p);
      if (!outputs.asks[at]) continue;
      grants_.Asked(p, outputs.requests[at].src, outputs.requests[at].cells);
      run_.Event("row R asks: port, input, cells", {p, outputs.requests[at].src, outputs.requests[at].cells});
    }
    links_.Deliver(now, [&](const RowLinks::Packet& packet) {
      grants_.Left(packet.port, golden::CellsOf(static_cast<int>(packet.frame.size())));
      const Red red = Red::UnpackBytes(packet.frame.data());
      run_.Event("packet leaves: port, what, group, code", {packet.port, red.what, red.group, red.code});
      last_event_ = now;
      if (bins_ != nullptr) bins_->Left(packet);
      peers_.Received(now, packet);
    });
    for (const RowLinks::Packet& packet : outputs.left) links_.Came(now, packet);
  }

  void CountIdle(const Stimuli& stimuli, const golden::GoldenRing::Inputs& inputs) {
    const bool told = stimuli.cfg.valid || !inputs.begins.empty() || !inputs.ends.empty() || !inputs.grants.empty();
    bool coming = false;
    for (const RedArrivals& port : arrivals_) coming |= !port.idle();
    idle_cycles_ =
        told || coming || !golden_.idle() || !links_.idle() || before_.observed.cfu.launch_valid ? 0 : idle_cycles_ + 1;
  }

  Comparison& run_;
  const Profile& profile_;
  RingPeers& peers_;
  RingBins* bins_;  ///< none: nullptr
  Cycle first_;  ///< number of the first cycle, for RTL and golden
  Cycle last_event_ = 0;
  std::optional<Cycle> last_launch_;
  RingModel<Tile, Cfu> dut_;
  golden::GoldenRing golden_;
  golden::GoldenRing::Outputs before_;  ///< of the last cycle: what RTL shows in flops
  std::vector<RedArrivals> arrivals_;
  RegisterRule rule_;
  RowGrants grants_;
  RowLinks links_;
  std::vector<std::optional<int>> granted_;  ///< input of row R, in the last cycle, by port
  std::vector<Names> names_;
  std::deque<Cfg> bus_;
  std::optional<std::uint64_t> answer_;
  std::vector<std::uint64_t> first_counts_;  ///< by port; none: 0
  std::array<std::uint32_t, golden::kRedGroups> first_fails_{};
  std::function<void(std::size_t slot)> begin_lock_;  ///< none: segments are numbered from 0 on
  std::array<bool, golden::kRedSlots> bound_{};       ///< slots, in the RTL, in the last cycle
  Cycle idle_cycles_ = 0;
  std::optional<cosim::LaunchStoryFinder> story_;  ///< when the waves are of this run
};

}  // namespace tilefly::bench
