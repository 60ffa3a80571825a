// SPDX-License-Identifier: Apache-2.0
// Drives tilefly_ack_port with packets, acks, requests and modes, and compares its outputs in every cycle with what the
// pages say of them (docs/blocks/acks.md, "Made", "Passed on", "Crossing and leaving"; docs/blocks/flow_channel.md, "Meter
// at the output").
#pragma once

#include <array>
#include <deque>
#include <optional>

#include "generated/registers.h"
#include "golden/acks/ack_route.h"
#include "testbenches/acks/delivered_packet.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/edges.h"
#include "testbenches/bench/port_bits.h"
#include "testbenches/flows/meter_bench.h"

namespace tilefly::bench {

// The bench judges: these are written apart from golden/common/stage_times.h.
inline constexpr Cycle kMadeToRow = 2;  // event e, shown on the row bus in T + 1 = e + 2
inline constexpr Cycle kWireToEvent = 4;
inline constexpr Cycle kArrivalToSlot = 5;  // the MAC has a flop more

struct Leaving {
  Cycle cycle;
  int port;
  Ack ack;
};

template <typename Model>
class AckPortBench {
 public:
  AckPortBench(Comparison* run, const Profile& profile, int port)
      : run_(*run),
        profile_(profile),
        port_(port),
        first_(FirstCycle(run->power_up())),
        requests_(profile.out_rows, port, run->stimulus(), kRequestPhase, kMostOfALane),
        meter_(port),
        dut_(run),
        made_(run->AddBin("an ack is made", 200)),
        passed_(run->AddBin("an ack is passed on", 200)),
        onward_(run->AddBin("an ack goes on to the link", 100)),
        home_(run->AddBin("an ack comes home", 100)),
        bad_(run->AddBin("BAD_ACKS", 100)),
        both_bad_(run->AddBin("two BAD_ACKS in a cycle", 2)),
        tight_(run->AddBin("a packet is taken before the last word of the one before is read", 50)),
        marked_(run->AddBin("an ack is marked", 50)),
        by_deep_(run->AddBin("an ack is marked for a deep fifo alone", 3)),
        unmarked_(run->AddBin("an ack with a share is not marked", 5)),
        hard_(run->AddBin("an ack has share 0 for a long queue", 5)),
        several_(run->AddBin("several sources share", 5)),
        off_(run->AddBin("an ack is not marked, with a long queue, because the port has no flow channels", 5)) {
    for (std::size_t lane = 0; lane < classes_.size(); ++lane) classes_[lane] = lane & 7;
    Clear(&dut_->req_i);
    dut_->cycle_i = 0;
    dut_->req_valid_i = dut_->grant_i = dut_->grant_vl_i = dut_->grant_cells_i = 0;
    dut_->deep_i = 0;
    Clear(&dut_->cfg_i);
    Clear(&dut_->ctrl_i);
    Clear(&dut_->header_i);
    Clear(&dut_->arrived_i);
    dut_->port_i = static_cast<CData>(port);
    dut_->link_up_i = 1;
    dut_->load_i = 0;
    dut_->take_i = dut_->release_i = dut_->sent_i = dut_->bad_i = dut_->arrives_i = 0;
    dut_->cells_i = 0;
    dut_.Reset();
  }

  /// The RTL's counts ACKS_MADE, ACKS_IN, BAD_ACKS and MARKS_MADE, and that of the acks that came, begin near an edge,
  /// the page's too.
  void BeginCounts(const std::array<QData*, 4>& counts, SData* acks) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      *counts[i] = counts_[i] = counts_next_[i] = FirstCount(run_, static_cast<std::uint32_t>(i));
    }
    acks_ = 511;
    *acks = 511;
  }
  Model& dut() { return *dut_.operator->(); }

  void Step() {
    const Cycle now = run_.cycle();
    const bool changes = now % kSegment == 0;
    const bool quiet = now % kSegment < kQuiet || now % kSegment >= kSegment - kQuiet;
    const Stimulus& random = run_.stimulus();
    const bool up = quiet || !random.Chance(24, "down", now / 32);
    const int load = random.Between(0, 4095, "load", now);
    dut_->link_up_i = up;
    dut_->load_i = static_cast<SData>(load);
    MeterInputs inputs = requests_.Draw(now);
    DriveBus(now, changes, &inputs);
    DriveRequests(now, inputs);
    DrivePackets(now, quiet, load, &inputs);
    Mark(now, inputs);
    DriveLink(now, quiet, up);
    Arrive(now, quiet);
    dut_.Settle();
    Compare(now);
    PassOn(now, load);
    Count(now);
    if (changes) mode_ = next_mode_;
    if (lane_class_) classes_[lane_class_->first] = lane_class_->second;
    up_before_ = up;
    dut_.Edge();
  }

 private:
  static constexpr Cycle kRequestPhase = 250;
  static constexpr int kMostOfALane = 400;  ///< so that queues are around the thresholds
  static constexpr Cycle kSegment = 1000;
  static constexpr Cycle kQuiet = 300;  // a packet that was taken is through

  static constexpr std::array<Counter, 4> kCounters = {Counter::kAcksMade, Counter::kAcksIn, Counter::kBadAcks,
                                                       Counter::kMarksMade};

  /// MODE at the begin of a segment; else FLOW_MARK, or a class of a lane, or a counter is read now and then. Of `inputs`
  /// the write, and the classes.
  void DriveBus(Cycle now, bool changes, MeterInputs* inputs) {
    const Stimulus& random = run_.stimulus();
    Cfg cfg;
    cfg.port = static_cast<std::uint8_t>(port_);
    read_now_.reset();
    lane_class_.reset();
    inputs->vl_class = classes_;
    const Cfg flow_mark = inputs->write;
    inputs->write = {};
    if (changes) {
      next_mode_ = PortMode{};
      next_mode_.enable = random.Chance(230, "enable", now);
      next_mode_.credits = random.Chance(200, "credits", now);
      next_mode_.acks = random.Chance(128, "acks", now);
      next_mode_.flows = random.Chance(170, "flows", now);
      cfg.valid = true;
      cfg.space = static_cast<std::uint8_t>(CfgSpace::kPort);
      cfg.index = static_cast<std::uint16_t>(PortReg::kMode);
      cfg.data = next_mode_.ToBits();
    } else if (flow_mark.valid) {
      cfg = inputs->write = flow_mark;
    } else if (random.Chance(16, "read", now)) {
      const auto which = random.Below(kCounters.size(), "which", now);
      cfg.valid = cfg.read = true;
      cfg.space = static_cast<std::uint8_t>(CfgSpace::kCounter);
      cfg.index = static_cast<std::uint16_t>(kCounters[which]);
      read_now_ = which;
    } else if (random.Chance(2, "class of a lane", now)) {
      const auto lane = static_cast<std::size_t>(random.Below(golden::kMaxLanes, "lane", now));
      lane_class_ = {lane, static_cast<std::uint8_t>(random.Below(8, "its class", now))};
      cfg = golden::WriteRegister(golden::kAllPorts, CfgSpace::kVlClass, static_cast<int>(lane), lane_class_->second);
    }
    PutStruct(&dut_->cfg_i, 0, cfg);
  }

  void DriveRequests(Cycle now, const MeterInputs& inputs) {
    dut_->cycle_i = static_cast<QData>(first_ + now);
    dut_->req_valid_i = 0;
    for (std::size_t row = 0; row < inputs.requests.size(); ++row) {
      if (!inputs.requests[row]) continue;
      const auto at = static_cast<int>(row);
      Request request = Request::FromBits(run_.stimulus().Bits("request", now, static_cast<std::uint32_t>(row)));
      request.vl = static_cast<std::uint8_t>(inputs.requests[row]->lane);
      request.cells = static_cast<std::uint8_t>(inputs.requests[row]->cells);
      Put(&dut_->req_valid_i, at, 1, 1);
      PutStruct(&dut_->req_i, at * Request::kWidth, request);
    }
    dut_->grant_i = inputs.grant.has_value();
    if (inputs.grant) {
      dut_->grant_vl_i = static_cast<CData>(inputs.grant->lane);
      dut_->grant_cells_i = static_cast<CData>(inputs.grant->cells);
    }
    dut_->deep_i = inputs.deep;
  }

  /// The meter's part of the ack that is made, if one is; whatever else the meter sees of the cycle.
  void Mark(Cycle now, MeterInputs inputs) {
    inputs.on = mode_.acks && mode_.flows;
    const FlowMark limits = meter_.registers().mark;
    const golden::FlowAdvice advice = meter_.Step(first_ + now, inputs);
    if (!inputs.made) return;
    Ack& ack = row_.back().ack;
    ack.mark = advice.mark;
    ack.share = advice.share;
    counts_next_[3] += advice.mark;
    run_.Hit(marked_, advice.mark);
    run_.Hit(by_deep_, advice.mark && meter_.depth_seen < limits.on);
    run_.Hit(unmarked_, !advice.mark && advice.share > 0);
    run_.Hit(hard_, inputs.on && advice.share == 0 && limits.full > 64 && meter_.depth_seen > 0);
    run_.Hit(several_, inputs.on && meter_.sources > 1 && advice.share > 0);
    run_.Hit(off_, !inputs.on && inputs.deep != 0);
  }

  /// Takes and last words, as far apart as the link page lets them be. The event of an ack that is made.
  void DrivePackets(Cycle now, bool quiet, int load, MeterInputs* inputs) {
    inputs->made = false;
    const Stimulus& random = run_.stimulus();
    dut_->release_i = 0;
    if (!sending_.empty() && sending_.front().end == now) {
      const Sending packet = sending_.front();
      sending_.pop_front();
      dut_->release_i = 1;
      dut_->cells_i = static_cast<CData>(packet.cells);
      dut_->sent_i = packet.sent;
      dut_->bad_i = packet.bad;
      Make(now, packet, load, inputs);
    }
    dut_->take_i = 0;
    if (quiet || now < next_take_ || !random.Spell("take", now)) return;
    Sending packet = DrawPacket(random, profile_, now);
    const int words = (packet.header.len + 16 + 31) / 32;
    packet.end = now + 2 + words - 1;
    next_take_ = now + words;
    run_.Hit(tight_, !sending_.empty());
    sending_.push_back(packet);
    dut_->take_i = 1;
    PutStruct(&dut_->header_i, 0, packet.header);
  }

  void Make(Cycle now, const Sending& packet, int load, MeterInputs* inputs) {
    if (!mode_.acks || !packet.sent || packet.bad || packet.header.dst == kReplicatedAddress) return;
    if (packet.header.kind == static_cast<std::uint8_t>(Kind::kRed)) return;
    const int hops = packet.header.hop - 1;
    Ack ack;
    ack.load = static_cast<std::uint16_t>(load);
    ack.flow = packet.header.flow;
    ack.cells = static_cast<std::uint8_t>(packet.cells);
    ack.hops = static_cast<std::uint8_t>(hops);
    ack.port = static_cast<std::uint8_t>(packet.header.src & 63);
    ack.path = packet.header.path;
    if (mode_.flows) {
      ack.by_class = packet.header.an;
      ack.gen = packet.header.gen;
      ack.tc = packet.header.tc;
      ack.dst = packet.header.dst;
    }
    const int to = hops > golden::kMostAckHops ? profile_.ports : golden::PortOfAck(hops, ack.port, ack.path);
    if (to >= profile_.ports) {
      ++bad_now_;
      return;
    }
    row_.push_back({now + kMadeToRow, to, ack});
    inputs->made = true;
    inputs->lane = packet.header.vl;
    inputs->source = packet.header.src;
    ++counts_next_[0];
    run_.Hit(made_);
    run_.Event("made: to port, hops, cells, load", {to, hops, packet.cells, load});
  }

  void DriveLink(Cycle now, bool quiet, bool up) {
    const Stimulus& random = run_.stimulus();
    Ctrl ctrl;
    ctrl.credit_valid = random.Chance(64, "credit", now);  // none of its business
    if (!quiet && random.Spell("ack on the wire", now)) {
      ctrl.ack_valid = true;
      ctrl.ack_mark = random.Chance(128, "mark", now);
      ctrl.ack_load = static_cast<std::uint16_t>(random.Below(4096, "ack's load", now));
      ctrl.ack_flow = static_cast<std::uint16_t>(random.Below(1024, "ack's flow", now));
      ctrl.ack_cells = static_cast<std::uint8_t>(random.Below(128, "ack's cells", now));
      ctrl.ack_hops =
          static_cast<std::uint8_t>(random.Below(random.Chance(30, "far ack", now) ? 8 : 6, "ack's hops", now));
      ctrl.ack_port = static_cast<std::uint8_t>(random.Below(64, "ack's port", now));
      ctrl.ack_path = static_cast<std::uint32_t>(random.Bits("ack's path", now) & 0x3fff'ffff);
      ctrl.ack_share = static_cast<std::uint16_t>(random.Below(4096, "ack's share", now));
      ctrl.ack_by_class = random.Chance(128, "ack by class", now);
      ctrl.ack_gen = random.Chance(128, "ack's generation", now);
      ctrl.ack_tc = static_cast<std::uint8_t>(random.Below(8, "ack's class", now));
      ctrl.ack_dst = static_cast<std::uint32_t>(random.Bits("ack's destination", now) & 0xfffff);
      if (random.Chance(200, "well-formed", now)) {
        ctrl.ack_port %= static_cast<std::uint8_t>(profile_.ports);
        std::uint32_t path = 0;
        for (int h = 0; h < 5; ++h)
          path |= (ctrl.ack_path >> 6 * h & 63) % static_cast<std::uint32_t>(profile_.ports) << 6 * h;
        ctrl.ack_path = path;
      }
      if (up && mode_.enable) wire_.push_back({now + kWireToEvent, 0, golden::AckOf(ctrl)});
    }
    PutStruct(&dut_->ctrl_i, 0, ctrl);
  }

  void PassOn(Cycle now, int load) {
    if (wire_.empty() || wire_.front().cycle != now) return;
    Ack ack = wire_.front().ack;
    wire_.pop_front();
    const int to = ack.hops > golden::kMostAckHops ? profile_.ports : golden::PortOfAck(ack.hops, ack.port, ack.path);
    if (mode_.acks || to >= profile_.ports) {
      ++bad_now_;
      return;
    }
    neighbour_ = ack.load;
    ++acks_;
    ack.load = static_cast<std::uint16_t>(load);
    row_.push_back({now + kMadeToRow, to, ack});
    run_.Hit(passed_);
    run_.Event("passed on: to port, hops", {to, ack.hops});
  }

  /// From the crossbar.
  void Arrive(Cycle now, bool quiet) {
    const Stimulus& random = run_.stimulus();
    dut_->arrives_i = !quiet && random.Spell("arrives", now);
    home_now_ = dut_->arrives_i && mode_.acks;
    if (!dut_->arrives_i) return;
    Ack ack;
    ack.hops = static_cast<std::uint8_t>(random.Below(6, "arrived: hops", now));
    ack.flow = static_cast<std::uint16_t>(random.Below(1024, "arrived: flow", now));
    ack.cells = static_cast<std::uint8_t>(random.Below(128, "arrived: cells", now));
    ack.load = static_cast<std::uint16_t>(random.Below(4096, "arrived: load", now));
    ack.path = static_cast<std::uint32_t>(random.Bits("arrived: path", now) & 0x3fff'ffff);
    ack.port = static_cast<std::uint8_t>(random.Below(64, "arrived: port", now));
    ack.mark = random.Chance(128, "arrived: mark", now);
    ack.share = static_cast<std::uint16_t>(random.Below(4096, "arrived: share", now));
    ack.by_class = random.Chance(128, "arrived: by class", now);
    ack.gen = random.Chance(128, "arrived: generation", now);
    ack.tc = static_cast<std::uint8_t>(random.Below(8, "arrived: class", now));
    ack.dst = static_cast<std::uint32_t>(random.Bits("arrived: destination", now) & 0xfffff);
    PutStruct(&dut_->arrived_i, 0, ack);
    counts_next_[1] += home_now_;
    run_.Hit(home_, home_now_);
    if (!mode_.enable || !mode_.credits || !up_before_) return;
    if (ack.hops > 0) --ack.hops;
    slot_.push_back({now + kArrivalToSlot, 0, ack});
    run_.Hit(onward_);
  }

  void Compare(Cycle now) {
    const bool leaves = !row_.empty() && row_.front().cycle == now;
    run_.Compare("row_valid", dut_->row_valid_o, leaves);
    if (leaves) {
      run_.Busy();
      run_.Compare("row_dst", dut_->row_dst_o, static_cast<std::uint64_t>(row_.front().port));
      run_.CompareStruct("row", GetStruct<Ack>(dut_->row_o), row_.front().ack);
      row_.pop_front();
    }
    const bool to_link = !slot_.empty() && slot_.front().cycle == now;
    run_.Compare("ctrl_valid", dut_->ctrl_valid_o, to_link);
    if (to_link) {
      run_.Busy();
      run_.CompareStruct("ctrl", GetStruct<Ack>(dut_->ctrl_o), slot_.front().ack);
      slot_.pop_front();
    }
    run_.Compare("home", dut_->home_o, home_now_);
    run_.Compare("neighbour", dut_->neighbour_o, static_cast<std::uint64_t>(neighbour_));
    run_.Compare("acks", dut_->acks_o, static_cast<std::uint64_t>(acks_ & 511));
    run_.Compare("rd_valid", dut_->rd_valid_o, answer_.has_value());
    run_.Compare("rd_data", dut_->rd_data_o, answer_.value_or(0));
    const bool inside = !row_.empty() || !wire_.empty() || !slot_.empty() || leaves || to_link;
    if (dut_->quiescent_o && inside) WatchQuiescence(now);
  }

  /// Nothing may be inside a quiescent port but what came in in this very cycle.
  void WatchQuiescence(Cycle now) {
    for (const Leaving& l : row_) {
      if (l.cycle < now + kMadeToRow) run_.Fail("quiescent with an ack for the row bus");
    }
    for (const Leaving& l : wire_) {
      if (l.cycle < now + kWireToEvent) run_.Fail("quiescent with an ack from the link");
    }
    for (const Leaving& l : slot_) {
      if (l.cycle < now + kArrivalToSlot) run_.Fail("quiescent with an ack for the link");
    }
  }

  /// Counters as committed answer in the next cycle.
  void Count(Cycle) {
    run_.Hit(bad_, bad_now_ > 0);
    run_.Hit(both_bad_, bad_now_ > 1);
    answer_.reset();
    if (read_now_) answer_ = counts_[*read_now_];
    counts_next_[2] += static_cast<std::uint64_t>(bad_now_);
    bad_now_ = 0;
    counts_ = counts_next_;
  }

  Comparison& run_;
  const Profile& profile_;
  const int port_;
  const Cycle first_;  ///< number of the first cycle
  MeterTraffic requests_;
  NaiveMeter meter_;
  Dut<Model> dut_;
  PortMode mode_, next_mode_;
  std::deque<Sending> sending_;
  std::deque<Leaving> row_, wire_, slot_;
  Cycle next_take_ = 0;
  std::array<std::uint64_t, 4> counts_{}, counts_next_{};  ///< by kCounters: as committed, and with this cycle's
  std::array<std::uint8_t, golden::kMaxLanes> classes_{};  ///< VL_CLASS as committed
  std::optional<std::pair<std::size_t, std::uint8_t>> lane_class_;  ///< that is written in this cycle
  std::optional<std::uint64_t> read_now_, answer_;
  int neighbour_ = 0;
  int acks_ = 0;
  int bad_now_ = 0;
  bool home_now_ = false;
  bool up_before_ = false;
  Bin made_, passed_, onward_, home_, bad_, both_bad_, tight_, marked_, by_deep_, unmarked_, hard_, several_, off_;
};

}  // namespace tilefly::bench
