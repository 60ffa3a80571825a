// SPDX-License-Identifier: Apache-2.0
// Drives tilefly_egress_port and golden's OutputPort with the same requests, cells, credits and writes, and compares all
// outputs in every cycle. A decision of cycle t shows in the RTL's observation in t + 1 and on its row buses in t + 4.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "golden/ports/output_port.h"
#include "testbenches/bench/cell_source.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/edges.h"
#include "testbenches/bench/pause_time.h"
#include "testbenches/bench/port_bits.h"
#include "testbenches/egress/deep_lanes.h"
#include "testbenches/egress/red_row.h"
#include "testbenches/egress/request_source.h"

namespace tilefly::bench {

template <typename Model>
class EgressHarness {
 public:
  using Message = golden::CreditReturner::Message;
  /// What the test chooses in a cycle.
  struct Stimuli {
    bool requests = true;            ///< new ones
    int most = 0;                    ///< not 0: as many as can wait, of so many cells
    bool one_row = false;            ///< new ones of the first row only
    bool cells = true;               ///< of what was granted
    bool slow = true;                ///< inputs are busy with other outputs now and then
    bool link_up = true;
    int used = 0;                    ///< of the input buffer
    Cfg cfg;                         ///< on the register bus
    std::optional<Message> credit;   ///< on the control slot
    std::optional<Message> credit_to_return;
    std::optional<golden::PauseRequest> pause;
  };

  EgressHarness(Comparison* run, const Profile& profile, int port)
      : run_(*run),
        profile_(profile),
        port_(port),
        first_(FirstCycle(run->power_up())),
        dut_(run),
        golden_(profile, port),
        requests_(profile, run->stimulus()),
        red_row_(profile, run->stimulus()),
        deep_(profile) {
    for (int row = 0; row < profile.out_rows; ++row) cells_.emplace_back(profile, run->stimulus(), row, IsRed(row));
    Clear(&dut_->cfg_i);
    Clear(&dut_->ctrl_i);
    Clear(&dut_->req_i);
    Clear(&dut_->cell_i);
    Clear(&dut_->pause_until_i);
    Clear(&dut_->ack_i);
    dut_->ack_valid_i = 0;
    dut_->pause_i = 0;
    dut_->port_i = static_cast<CData>(port);
    dut_->cycle_i = 0;
    dut_->link_up_i = 1;
    dut_->retry_i = 0;
    dut_->report_i = dut_->serdes_i = dut_->lane_err_i = 0;
    dut_->req_valid_i = dut_->cell_valid_i = dut_->ret_valid_i = 0;
    dut_->used_i = 0;
    dut_->red_req_valid_i = dut_->red_cell_valid_i = 0;
    Clear(&dut_->red_req_i);
    Clear(&dut_->red_cell_i);
    dut_.Reset();
    observed_.obuf_room = static_cast<std::uint16_t>(profile.obuf_cells);
  }

  /// The counts of the RTL, in the order of kCounters, begin near an edge; golden's are as many less.
  void BeginCounts(const std::array<QData*, 5>& counts) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      *counts[i] = first_counts_[i] = FirstCount(run_, static_cast<std::uint32_t>(i));
    }
  }
  Model& dut() { return *dut_.operator->(); }
  golden::OutputPort& golden() { return golden_; }
  const golden::OutputPort::Outputs& outputs() const { return outputs_; }
  /// Cycles since anything was inside or came in.
  Cycle idle_cycles() const { return idle_cycles_; }
  /// Lanes that have a deep fifo of requests.
  std::uint16_t deep_lanes() const { return deep_.Lanes(); }
  /// Rows whose first cells arrived in the last cycle, one bit each; row R is the last.
  unsigned first_rows() const { return observed_.arr_rows; }

  /// In every cycle: a run with a drain goes on until the port is empty. Then all room and all credits are home, in
  /// golden and in the RTL.
  void DrainUntilEmpty() {
    run_.DrainUntil(idle_cycles_ > kSettles);
    if (!run_.drained()) return;
    golden::Audit audit;
    golden_.CheckDrained(&audit);
    run_.Check(audit);
  }

  void Step(const Stimuli& stimuli) {
    const Cycle now = run_.cycle();
    golden::OutputPort::Inputs inputs;
    inputs.credit = stimuli.credit;
    inputs.credit_to_return = stimuli.credit_to_return;
    inputs.pause = stimuli.pause;
    inputs.link_up = stimuli.link_up;
    inputs.cfg = stimuli.cfg;
    inputs.used = stimuli.used;
    const Cfg event = Drive(now, stimuli);
    DriveArrivals(now, stimuli, &inputs);
    dut_.Settle();

    const std::array<std::uint64_t, 5> counts = Counts();
    outputs_ = golden_.Step(first_ + now, inputs);
    golden::Audit audit;
    golden_.Check(first_ + now, &audit);
    run_.Check(audit);
    CompareOutputs(now);
    CompareForMeter(inputs);
    ReadCounter(event, counts);
    Note(now, inputs, event);
    dut_.Edge();
  }

 private:
  /// What the RTL is judged by, written apart from golden/common/stage_times.h.
  static constexpr Cycle kDecisionToRowBus = 4;
  static constexpr Cycle kSettles = 40;  // after the last event
  static constexpr std::array<int, 5> kCounters = {static_cast<int>(Counter::kTxPackets), static_cast<int>(Counter::kTxStomped),
                                                   static_cast<int>(Counter::kTxPause), static_cast<int>(Drop::kNoEthHeader),
                                                   static_cast<int>(Counter::kBadCredit)};

  bool IsRed(int row) const { return row == profile_.rows; }
  /// Whether it is an input of row R; they are numbered behind the ports.
  bool IsRedInput(int input) const { return input >= profile_.ports; }

  /// Everything but requests and cells. Returns the access that is an event of this cycle.
  Cfg Drive(Cycle now, const Stimuli& stimuli) {
    bus_.push_back(stimuli.cfg);
    Cfg event;
    if (bus_.size() > golden::kWriteLatency) {
      event = bus_.front();
      bus_.pop_front();
    }
    if (event.valid) run_.Event("access: read, space, port, index", {event.read, event.space, event.port, event.index});
    PutStruct(&dut_->cfg_i, 0, event);
    dut_->cycle_i = static_cast<QData>(first_ + now);
    dut_->link_up_i = stimuli.link_up;
    // A retry port is plain here: its words and slots are those of other ports.
    constexpr int kOn = 50, kDiscards = 48;
    const golden::PortRegisters& registers = golden_.registers().port(port_);
    dut_->retry_i = std::uint64_t{registers.retries()} << kOn | std::uint64_t{registers.discards()} << kDiscards;
    dut_->used_i = static_cast<SData>(stimuli.used);
    Ctrl ctrl;
    ctrl.credit_valid = stimuli.credit.has_value();
    if (stimuli.credit) {
      ctrl.credit_vl = stimuli.credit->vl;
      ctrl.credit_cells = stimuli.credit->cells;
    }
    ctrl.retry_valid = run_.stimulus().Chance(16, "retry", now);  // seams: ignored
    ctrl.ack_valid = run_.stimulus().Chance(16, "ack", now);
    PutStruct(&dut_->ctrl_i, 0, ctrl);
    // What the input side decided in the cycle before stands on its flops.
    dut_->ret_valid_i = returning_.has_value();
    if (returning_) {
      dut_->ret_vl_i = returning_->vl;
      dut_->ret_cells_i = returning_->cells;
    }
    returning_ = stimuli.credit_to_return;
    for (int c = 0; c < golden::kMaxClasses; ++c) {
      Put(&dut_->pause_until_i, 48 * c, 48, static_cast<std::uint64_t>(pause_until_[static_cast<std::size_t>(c)]));
    }
    return event;
  }

  void DriveArrivals(Cycle now, const Stimuli& stimuli, golden::OutputPort::Inputs* inputs) {
    requests_.Return(now);
    dut_->req_valid_i = dut_->cell_valid_i = dut_->red_req_valid_i = dut_->red_cell_valid_i = 0;
    arrived_ = 0;
    for (int row = 0; row < profile_.out_rows; ++row) {
      if (stimuli.requests && (row == 0 || !stimuli.one_row)) {
        const auto arrival = IsRed(row)     ? red_row_.Next(now)
                             : stimuli.most ? requests_.NextOfMost(row, stimuli.most)
                                            : requests_.Next(now, row);
        if (arrival) {
          PutRequest(row, arrival->request);
          inputs->requests.push_back({arrival->input, arrival->request.vl, arrival->request.cells, arrival->request.more});
          run_.Event("request arrives: input, lane, cells", {arrival->input, arrival->request.vl, arrival->request.cells});
          ++arrived_;
        }
      }
      if (!stimuli.cells) continue;
      const auto arrival = cells_[static_cast<std::size_t>(row)].Next(now, stimuli.slow);
      if (!arrival) continue;
      ++arrived_;
      PutCell(row, arrival->cell);
      if (arrival->starts == nullptr) continue;
      const CellSource::Packet& packet = *arrival->starts;
      const golden::Index frame = golden_.frames().Allocate();
      golden_.frames()[frame].bytes = packet.frame;
      golden_.frames()[frame].bad = packet.bad;
      inputs->first_cells.push_back({packet.input, golden::HeaderBits(packet.header), frame});
      first_rows_ |= 1u << row;
      run_.Event("first cell: input, lane, bytes, kind", {packet.input, packet.header.vl, packet.header.len, packet.header.kind});
    }
  }

  void PutRequest(int row, const Request& request) {
    if (IsRed(row)) {
      dut_->red_req_valid_i = 1;
      PutStruct(&dut_->red_req_i, 0, request);
    } else {
      Put(&dut_->req_valid_i, row, 1, 1);
      PutStruct(&dut_->req_i, row * Request::kWidth, request);
    }
  }

  void PutCell(int row, Cell cell) {
    if (IsRed(row)) {
      cell.src = static_cast<std::uint8_t>(port_);
      dut_->red_cell_valid_i = 1;
      PutStruct(&dut_->red_cell_i, 0, cell);
    } else {
      Put(&dut_->cell_valid_i, row, 1, 1);
      PutStruct(&dut_->cell_i, row * Cell::kWidth, cell);
    }
  }

  /// The reduction port is told of a grant in its cycle; no crossbar carries it.
  void CompareRedGrant() {
    const bool red = outputs_.grant && IsRedInput(outputs_.grant->input);
    if (run_.Compare("red_grant", dut_->red_grant_o, red) && red) {
      run_.Compare("red_input", dut_->red_input_o, static_cast<std::uint64_t>(outputs_.grant->input - profile_.ports));
    }
  }

  /// What the congestion meter is told of, without a flop in between.
  void CompareForMeter(const golden::OutputPort::Inputs& inputs) {
    run_.Compare("deep", dut_->deep_o, deep_.Lanes());
    const auto& grant = outputs_.grant;
    if (run_.Compare("grant", dut_->grant_o, grant.has_value()) && grant) {
      run_.Compare("grant_vl", dut_->grant_vl_o, grant->grant.vl);
      run_.Compare("grant_cells", dut_->grant_cells_o, static_cast<std::uint64_t>(grant->cells));
      deep_.Grant(grant->input, grant->grant.vl);
    }
    for (const auto& request : inputs.requests) deep_.Arrive(request.input, request.vl, request.more);
  }

  void CompareOutputs(Cycle now) {
    CompareRedGrant();
    run_.CompareStruct("link_o.word", GetStruct<Word>(dut_->link_o), outputs_.link.word);
    run_.CompareStruct("link_o.ctrl", GetStruct<Ctrl>(dut_->link_o, Word::kWidth), outputs_.link.ctrl);
    const bool leaves = !leaving_.empty() && leaving_.front().first == now;
    run_.Compare("gnt_valid", dut_->gnt_valid_o, leaves);
    run_.Compare("crd_valid", dut_->crd_valid_o, leaves);
    if (leaves) {
      const golden::OutputPort::Outputs::Decision& decision = leaving_.front().second;
      run_.Compare("gnt_dst", dut_->gnt_dst_o, static_cast<std::uint64_t>(decision.input));
      run_.CompareStruct("gnt", GetStruct<Grant>(dut_->gnt_o), decision.grant);
      run_.Compare("crd_dst", dut_->crd_dst_o, static_cast<std::uint64_t>(decision.input));
      run_.Compare("crd.src", GetStruct<Credit>(dut_->crd_o).src, decision.grant.src);
      run_.Compare("crd.vl", GetStruct<Credit>(dut_->crd_o).vl, decision.grant.vl);
      leaving_.pop_front();
    }
    Portobs rtl = GetStruct<Portobs>(dut_->obs_o);
    rtl.take_row = 0;  // golden does not say it; the words that leave do
    run_.CompareStruct("obs", rtl, observed_);
    run_.Compare("rd_valid", dut_->rd_valid_o, read_.has_value());
    run_.Compare("rd_data", dut_->rd_data_o, read_.value_or(0));
    if (idle_cycles_ > 64) run_.Compare("quiescent when empty", dut_->quiescent_o, true);
    if (dut_->quiescent_o && (dut_->gnt_valid_o || dut_->red_grant_o || outputs_.link.word.valid)) run_.Fail("quiescent while it speaks");
  }

  /// Takes note of golden's events, for what shows later.
  void Note(Cycle now, const golden::OutputPort::Inputs& inputs, const Cfg& event) {
    if (outputs_.grant || outputs_.taken || outputs_.link.word.valid || outputs_.link.ctrl.credit_valid) run_.Busy();
    observed_ = Portobs{};
    if (outputs_.grant) {
      const auto& decision = *outputs_.grant;
      run_.Event("grant: input, lane, cells, reroute", {decision.input, decision.grant.vl, decision.cells, decision.grant.reroute});
      const bool red = IsRedInput(decision.input);
      if (red) {
        red_row_.Granted(decision.input - profile_.ports);
      } else {
        leaving_.push_back({now + kDecisionToRowBus, decision});
        requests_.Granted(now, decision.input, decision.grant.vl);
      }
      if (!decision.grant.reroute) {
        cells_[static_cast<std::size_t>(decision.input / profile_.row_in)].Granted(now, decision.input, decision.grant.vl, decision.cells);
      }
      observed_.dec_valid = true;
      observed_.dec_reroute = decision.grant.reroute;
      observed_.dec_red = red;
      observed_.dec_src = static_cast<std::uint8_t>(red ? decision.input - profile_.ports : decision.input);
      observed_.dec_vl = decision.grant.vl;
      observed_.dec_cells = static_cast<std::uint8_t>(decision.cells);
    }
    const bool retries = golden_.registers().port(port_).retries();
    observed_.pace = retries ? 3 : 0;
    observed_.arr_rows = static_cast<std::uint8_t>(first_rows_);
    first_rows_ = 0;
    observed_.take_valid = outputs_.taken;
    observed_.owner_valid = static_cast<std::uint8_t>(golden_.owner_valid());
    for (int row = 0; row < profile_.out_rows; ++row) {
      observed_.owners |= static_cast<std::uint32_t>(golden_.owner(row)) << 4 * row;
    }
    observed_.obuf_room = static_cast<std::uint16_t>(golden_.room());
    observed_.load = static_cast<std::uint16_t>(std::min(golden_.load(), 4095));
    if (inputs.pause) {
      for (std::size_t c = 0; c < golden::kMaxClasses; ++c) {
        if (((inputs.pause->classes >> c) & 1) == 0) continue;
        pause_until_[c] = first_ + now + PauseTime(inputs.pause->quanta[c], lanes_);
      }
      run_.Event("pause: classes, quanta of class 0", {inputs.pause->classes, inputs.pause->quanta[0]});
    }
    if (event.valid && !event.read && event.space == static_cast<int>(CfgSpace::kPort) &&
        event.index == static_cast<int>(PortReg::kMode) && golden::Addresses(event, port_)) {
      const int lanes = PortMode::FromBits(event.data).lanes;
      lanes_ = lanes >= 1 && lanes <= 4 ? lanes : 4;
    }
    bool inside = retries || golden_.load() != 0 || golden_.room() != profile_.obuf_cells || outputs_.link.word.valid || arrived_ != 0;
    for (const CellSource& source : cells_) inside |= !source.idle();
    const bool told = inputs.cfg.valid || inputs.credit || inputs.credit_to_return || inputs.used != 0;
    idle_cycles_ = inside || told || outputs_.link.ctrl.credit_valid ? 0 : idle_cycles_ + 1;
  }

  std::array<std::uint64_t, 5> Counts() const {
    std::array<std::uint64_t, 5> counts{};
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = first_counts_[i] + golden_.Counter(kCounters[i]);
    return counts;
  }

  /// A read answers in the next cycle with the count as committed.
  void ReadCounter(const Cfg& event, const std::array<std::uint64_t, 5>& counts) {
    read_.reset();
    if (!event.valid || !event.read || event.space != static_cast<int>(CfgSpace::kCounter) || event.port != port_) return;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (event.index == kCounters[i]) read_ = counts[i];
    }
  }

  Comparison& run_;
  const Profile& profile_;
  int port_;
  Cycle first_;  ///< number of the first cycle, for RTL and golden
  Dut<Model> dut_;
  golden::OutputPort golden_;
  golden::OutputPort::Outputs outputs_;
  RequestSource requests_;
  RedRow red_row_;
  DeepLanes deep_;
  std::vector<CellSource> cells_;
  std::deque<Cfg> bus_;
  std::optional<Message> returning_;
  std::deque<std::pair<Cycle, golden::OutputPort::Outputs::Decision>> leaving_;
  Portobs observed_{};
  std::optional<std::uint64_t> read_;
  std::array<std::uint64_t, 5> first_counts_{};
  std::array<Cycle, golden::kMaxClasses> pause_until_{};
  unsigned first_rows_ = 0;
  int arrived_ = 0;
  int lanes_ = 4;  ///< of the link, as written
  Cycle idle_cycles_ = 0;
};

}  // namespace tilefly::bench
