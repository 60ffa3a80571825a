// SPDX-License-Identifier: Apache-2.0
// The congestion meter of an output: its inputs drawn, golden with its checkers, and a second reading of the page
// (docs/blocks/flow_channel.md, "Meter at the output").
#pragma once

#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "golden/common/register_write.h"
#include "golden/flows/meter_checker.h"
#include "testbenches/bench/comparison.h"
#include "testbenches/flows/flow_ports.h"

namespace tilefly::bench {

struct MeterRequest {
  int lane, cells;
};

/// What is driven in a cycle.
struct MeterInputs {
  bool on = true;
  std::vector<std::optional<MeterRequest>> requests;  ///< by row
  std::optional<MeterRequest> grant;
  std::uint16_t deep = 0;
  std::array<std::uint8_t, golden::kMaxLanes> vl_class{};
  bool made = false;
  int lane = 0;
  std::uint32_t source = 0;
  Cfg write;
};

/// Requests that are granted later, acks of few or many sources, and registers that are rewritten.
class MeterTraffic {
 public:
  static constexpr Cycle kPhase = 3000;
  static constexpr int kMostOfALane = 68 * 12 * 89;  ///< cells that all inputs may request

  /// Phases of `phase` cycles, each with levels and registers of its own; at most `most_of_a_lane` cells wait on a lane.
  MeterTraffic(int rows, int port, const Stimulus& random, Cycle phase = kPhase, int most_of_a_lane = kMostOfALane)
      : rows_(rows), port_(port), random_(random), phase_(phase), most_of_a_lane_(most_of_a_lane) {}

  MeterInputs Draw(Cycle now) {
    if (now % phase_ == 0) DrawPhase(now);
    MeterInputs in;
    in.on = on_;
    in.vl_class = vl_class_;
    in.requests.resize(static_cast<std::size_t>(rows_));
    const bool drains = waiting_.size() > most_waiting_;
    if (!waiting_.empty() && (drains || random_.Chance(grants_, "grants", now))) {
      const auto at = static_cast<std::size_t>(random_.Below(std::min<std::size_t>(16, waiting_.size()), "which", now));
      in.grant = waiting_[at];
      waiting_[at] = waiting_.front();
      waiting_.pop_front();
      cells_[static_cast<std::size_t>(in.grant->lane)] -= in.grant->cells;
    }
    for (int row = 0; row < rows_; ++row) {
      const auto index = static_cast<std::uint32_t>(row);
      if (drains || !random_.Chance(requests_, "request", now, index)) continue;
      const MeterRequest request{random_.Between(0, lanes_ - 1, "lane", now, index),
                                 random_.Between(1, 89, "cells", now, index)};
      std::int64_t& cells = cells_[static_cast<std::size_t>(request.lane)];
      if (cells + request.cells > most_of_a_lane_) continue;
      cells += request.cells;
      waiting_.push_back(request);
      in.requests[static_cast<std::size_t>(row)] = request;
    }
    in.deep = random_.Chance(40, "deep", now / 16) ? static_cast<std::uint16_t>(random_.Bits("lanes deep", now)) : 0;
    in.made = random_.Chance(acks_, "ack", now);
    in.lane = static_cast<int>(random_.Below(16, "ack's lane", now));
    in.source = static_cast<std::uint32_t>(random_.Below(static_cast<std::uint64_t>(sources_), "source", now)) * 0x1041u;
    in.source = (in.source + static_cast<std::uint32_t>(random_.Bits("base", now / phase_))) & 0xf'ffff;
    in.write = DrawWrite(now);
    return in;
  }

 private:
  template <std::size_t N>
  int One(const std::array<int, N>& of, Purpose purpose, Cycle now) const {
    return of[random_.Below(N, purpose, now)];
  }
  void DrawPhase(Cycle now) {
    requests_ = One(std::array{2, 40, 128, 200}, "requests", now);
    grants_ = One(std::array{0, 60, 256, 256}, "grant level", now);
    acks_ = One(std::array{0, 1, 40, 256, 256}, "acks", now);
    most_waiting_ = static_cast<std::size_t>(One(std::array{8, 60, 300, 1'000'000}, "most waiting", now));
    lanes_ = One(std::array{1, 3, 16}, "lanes", now);
    sources_ = One(std::array{1, 2, 5, 63, 70, 3000, 3000}, "sources", now);
    on_ = !random_.Chance(24, "off", now);
    for (std::size_t lane = 0; lane < vl_class_.size(); ++lane) {
      const bool same = random_.Chance(128, "default", now);
      const auto tc = random_.Below(8, "class", now, static_cast<std::uint32_t>(lane));
      vl_class_[lane] = static_cast<std::uint8_t>(same ? lane & 7 : tc);
    }
    write_ = true;
  }
  Cfg DrawWrite(Cycle now) {
    if (!write_ && !random_.Chance(1, "rewrites", now)) return {};
    write_ = false;
    FlowMark mark;
    mark.on = static_cast<std::uint16_t>(One(std::array{0, 1, 178, 712, 4095}, "on", now));
    mark.hard = static_cast<std::uint16_t>(One(std::array{0, 100, 712, 3000, 4095}, "hard", now));
    mark.full = static_cast<std::uint16_t>(One(std::array{0, 1, 100, 1280, 4095}, "full", now));
    const int port = random_.Chance(200, "own", now) ? port_ : (port_ + 1) % golden::kMaxPorts;
    return golden::WriteRegister(random_.Chance(64, "all", now) ? golden::kAllPorts : port, CfgSpace::kPort,
                                 static_cast<int>(PortReg::kFlowMark), mark.ToBits());
  }

  int rows_, port_;
  Stimulus random_;
  Cycle phase_;
  int most_of_a_lane_;
  std::size_t most_waiting_ = 0;  ///< requests; when there are more, none comes and one is granted a cycle
  int requests_ = 0, grants_ = 0, acks_ = 0, lanes_ = 16, sources_ = 1;
  bool on_ = true, write_ = false;
  std::array<std::uint8_t, golden::kMaxLanes> vl_class_{};
  std::deque<MeterRequest> waiting_;
  std::array<std::int64_t, golden::kMaxLanes> cells_{};
};

/// A second reading: sources by epoch and class, whole and as they come.
class NaiveMeter {
 public:
  explicit NaiveMeter(int port) : port_(port) {}

  golden::FlowAdvice Step(Cycle now, const MeterInputs& in) {
    golden::FlowAdvice advice;
    if (in.made && in.on) {
      const int tc = in.vl_class[static_cast<std::size_t>(in.lane)];
      std::int64_t depth = 0;
      bool deep = false;
      for (int lane = 0; lane < golden::kMaxLanes; ++lane) {
        if (in.vl_class[static_cast<std::size_t>(lane)] != tc) continue;
        depth += waiting_[lane];
        deep = deep || (in.deep >> lane & 1) != 0;
      }
      depth = std::min<std::int64_t>(4095, depth);
      // The epochs that an ack was made in; what is between is empty.
      const Cycle epoch = now / kTile8.flow_epoch_cycles;
      const auto count = [&](Cycle e) { return bits_[{e, tc}].size(); };
      const std::size_t n = std::max({std::size_t{1}, epoch > 0 ? count(epoch - 1) : std::size_t{0}, count(epoch)});
      sources = static_cast<int>(n);
      std::uint32_t bit = 0;
      for (int b = 0; b < 20; ++b) bit ^= (in.source >> b & 1) << (b % 6);
      bits_[{epoch, tc}].insert(bit);
      advice.mark = depth >= registers_.mark.on || deep;
      advice.share = static_cast<std::uint16_t>(
          depth >= registers_.mark.hard ? 0 : std::floor(registers_.mark.full / static_cast<double>(n)));
      depth_seen = static_cast<int>(depth);
    }
    for (const auto& request : in.requests) {
      if (request) waiting_[request->lane] += request->cells;
    }
    if (in.grant) waiting_[in.grant->lane] -= in.grant->cells;
    registers_ = Written(registers_, in.write, port_);
    return advice;
  }
  int sources = 0;     ///< n_c of the latest ack
  int depth_seen = 0;  ///< depth of the latest ack
  const golden::FlowRegisters& registers() const { return registers_; }

 private:
  int port_;
  golden::FlowRegisters registers_;
  std::map<int, std::int64_t> waiting_;                               ///< by lane
  std::map<std::pair<Cycle, int>, std::set<std::uint32_t>> bits_;     ///< by epoch and class
};

/// Golden and the second reading side by side, with the checkers and the bins.
class MeterPair {
 public:
  MeterPair(Comparison* run, int port, bool demands)
      : run_(run), port_(port), golden_(kTile8.flow_epoch_cycles), checker_(kTile8.flow_epoch_cycles), naive_(port) {
    const auto add = [&](const char* name, int least = 20) { return run->AddBin(name, demands ? least : 0); };
    by_depth_ = add("1, 5 marked by the depth");
    by_deep_ = add("1, 5 marked by a deep fifo alone");
    unmarked_ = add("5 not marked");
    hard_ = add("5 share 0 by MARK_HARD");
    capped_ = add("1 depth of 4095");
    next_ = add("2 the next epoch");
    gap_ = add("2 an epoch without acks before", 1);
    one_ = add("3 one source");
    by_last_ = add("3 the epoch before has more sources");
    all_ = add("3 64 sources");
  }
  /// What golden answers.
  golden::FlowAdvice Step(Cycle now, const MeterInputs& in) {
    golden::FlowAdvice advice;
    const FlowMark mark = registers_.mark;
    if (in.made && in.on) {
      const int tc = in.vl_class[static_cast<std::size_t>(in.lane)];
      std::uint16_t lanes = 0;
      for (int lane = 0; lane < golden::kMaxLanes; ++lane) {
        if (in.vl_class[static_cast<std::size_t>(lane)] == tc) lanes = static_cast<std::uint16_t>(lanes | 1u << lane);
      }
      const bool capped = golden_.DepthOf(lanes) == 4095;
      advice = golden_.Make(now, tc, lanes, in.deep, in.source, mark);
      checker_.Made(now, tc, in.source, advice, mark.full, port_, &audit);
      run_->Hit(capped_, capped);
      run_->Busy();
      run_->Event("ack: class, source, mark, share", {tc, in.source, advice.mark, advice.share});
    }
    for (const auto& request : in.requests) {
      if (!request) continue;
      golden_.Request(request->lane, request->cells);
      load_ += request->cells;
    }
    if (in.grant) {
      golden_.Grant(in.grant->lane, in.grant->cells);
      load_ -= in.grant->cells;
    }
    registers_ = Written(registers_, in.write, port_);
    golden_.Check(load_, port_, &audit);
    const golden::FlowAdvice naive = naive_.Step(now, in);
    run_->Compare("mark of the second reading", naive.mark, advice.mark);
    run_->Compare("share of the second reading", naive.share, advice.share);
    if (!audit.broken().empty()) run_->Fail(audit.Message());
    if (in.made && in.on) Count(now, advice, mark);
    return advice;
  }

  golden::Audit audit;

 private:
  void Count(Cycle now, const golden::FlowAdvice& advice, const FlowMark& mark) {
    const Cycle epoch = now / kTile8.flow_epoch_cycles;
    run_->Hit(by_depth_, advice.mark && naive_.depth_seen >= mark.on);
    run_->Hit(by_deep_, advice.mark && naive_.depth_seen < mark.on);
    run_->Hit(unmarked_, !advice.mark);
    run_->Hit(hard_, naive_.depth_seen >= mark.hard && mark.full > 0);
    run_->Hit(next_, epoch == epoch_ + 1);
    run_->Hit(gap_, epoch > epoch_ + 1);
    run_->Hit(one_, naive_.sources == 1);
    run_->Hit(by_last_, epoch == epoch_ + 1 && naive_.sources > 1);
    run_->Hit(all_, naive_.sources == 64);
    epoch_ = epoch;
  }

  Comparison* run_;
  int port_;
  golden::CongestionMeter golden_;
  golden::MeterChecker checker_;
  golden::FlowRegisters registers_;
  NaiveMeter naive_;
  std::int64_t load_ = 0;
  Cycle epoch_ = 0;
  Bin by_depth_, by_deep_, unmarked_, hard_, capped_, next_, gap_, one_, by_last_, all_;
};

}  // namespace tilefly::bench
