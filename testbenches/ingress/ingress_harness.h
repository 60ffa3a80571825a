// SPDX-License-Identifier: Apache-2.0
// Drives tilefly_ingress_port with its tables and golden's InputPort with the same words, writes and grants, and compares
// all outputs in every cycle. What golden does in cycle t stands on the RTL's outputs, which are flops, in t + 1; what goes
// to the reduction port, which has no use for it, is there at once.
#pragma once

#include <array>
#include <deque>
#include <optional>

#include "golden/ports/input_port.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/edges.h"
#include "testbenches/bench/pause_time.h"
#include "testbenches/bench/port_bits.h"
#include "testbenches/bench/word_source.h"
#include "testbenches/ingress/grant_source.h"
#include "testbenches/ingress/ingress_packets.h"
#include "testbenches/ingress/route_writes.h"
#include "testbenches/ingress/taken_packets.h"

namespace tilefly::bench {

template <typename Model>
class IngressHarness {
 public:
  IngressHarness(Comparison* run, const Profile& profile, int port)
      : run_(*run),
        profile_(profile),
        port_(port),
        first_(FirstCycle(run->power_up())),
        loads_(profile, run->stimulus()),
        dut_(run),
        golden_(profile, port),
        taken_(run, &dut_, golden_) {
    Clear(&dut_->cfg_i);
    Clear(&dut_->loads_i);
    Clear(&dut_->word_i);
    Clear(&dut_->other_lk_req_i);
    Clear(&dut_->ack_i);
    dut_->home_i = 0;
    dut_->port_i = static_cast<CData>(port);
    dut_->cycle_i = 0;
    dut_->link_up_i = 1;
    dut_->gnt_valid_i = dut_->crd_valid_i = 0;
    dut_.Reset();
  }

  /// From the next cycle on so many of 256 grants take their packet back.
  void TakeBack(int of_256) { reroutes_ = of_256; }
  /// For a whole run: some ports are shown as down.
  void ShowDowns() { downs_ = true; }
  /// Whether the grant of the last cycle took its packet back.
  bool rerouted() const { return reroute_; }
  /// The RTL's count begins near an edge; golden's is as much less.
  void BeginCount(int index, QData* count) {
    *count = first_counts_[static_cast<std::size_t>(index)] = FirstCount(run_, static_cast<std::uint32_t>(index));
  }
  /// The count of packets that drew begins near an edge, in golden and the RTL.
  void BeginDraws(IData* drawn) {
    const std::uint64_t first = FirstCount(run_, 1000);
    golden_.BeginDraws(static_cast<std::uint32_t>(first));
    *drawn = static_cast<std::uint32_t>(first) & kDrawnModulo;
  }
  Model& dut() { return *dut_.operator->(); }

  using DropCounts = std::array<std::uint64_t, kDropValues.size()>;

  const golden::InputPort& golden() const { return golden_; }
  /// Loads as shown to both.
  const ShownLoads& loads() const { return loads_; }
  /// What golden did in the last cycle.
  const golden::InputPort::Outputs& outputs() const { return outputs_; }
  /// Cycles since anything was inside or came in.
  Cycle idle_cycles() const { return idle_cycles_; }
  /// Drops counted in the last cycle, one bit a reason.
  unsigned drops_counted() const { return drops_counted_; }
  int lanes() const { return golden_.registers().port(port_).serdes_lanes(); }
  /// How a packet for the reduction port ended in the last cycle.
  using TakenEnd = typename TakenPackets<Model>::End;
  TakenEnd taken_end() const { return taken_.end(); }

  /// The record that golden's events of the last cycle make.
  const Portobs& observed() const { return observed_; }
  /// Whether the port has flow channels, which keep it awake while they are in use.
  bool flows() const {
    const PortMode& mode = golden_.registers().port(port_).mode;
    return mode.acks && mode.flows;
  }
  /// Whether the port is an edge port of the ack network.
  bool edge() const { return golden_.registers().port(port_).mode.acks; }

  /// In every cycle: a run with a drain goes on until the port is empty.
  void DrainUntilEmpty() { run_.DrainUntil(idle_cycles_ > 0); }

  /// One cycle. `cfg` is on the register bus; the RTL's half of the tile sees it seven cycles later. `ack` comes home at an
  /// edge port.
  void Step(const Word& word, bool link_up, const Cfg& cfg, const std::optional<GrantSource::Queue>& grant,
            const std::optional<Ack>& ack = {}) {
    const Cycle now = run_.cycle();
    bus_.push_back(cfg);
    Cfg event;
    if (bus_.size() > golden::kWriteLatency) {
      event = bus_.front();
      bus_.pop_front();
    }
    reroute_ = grant && run_.stimulus().Chance(reroutes_, "reroute", now);
    Drive(now, word, link_up, event, grant);
    dut_->home_i = ack.has_value();
    if (ack) PutStruct(&dut_->ack_i, 0, *ack);
    dut_.Settle();
    const std::uint64_t pause = dut_->pause_o;  // decided in this cycle
    const bool red_used = taken_.Answer();
    CompareOutputs();
    CompareQuiescence(!word.valid && !event.valid && !grant);
    ReadCounter(event);

    const DropCounts drops_before = Drops();
    taken_.Before();
    golden::InputPort::Inputs inputs;
    inputs.word = word;
    inputs.link_up = link_up;
    inputs.cfg = cfg;
    if (grant) inputs.grant = inputs.request_credit = golden::InputPort::QueueName{grant->output, grant->vl};
    inputs.reroute = reroute_;
    inputs.down = DownAt(now + golden::LoadRing::kAhead);
    inputs.ack = ack;
    inputs.red_used = red_used;
    const auto loads = loads_.At(now + golden::LoadRing::kAhead);
    inputs.loads = loads.data();
    outputs_ = golden_.Step(first_ + now, inputs);
    taken_.Compare(word);
    ComparePause(pause);
    golden::Audit audit;
    golden_.Check(first_ + now, &audit);
    run_.Check(audit);
    ObserveGolden(now, grant, drops_before);
    const bool idle = !word.valid && golden_.packets() == 0 && !grant && !cfg.valid;
    idle_cycles_ = idle ? idle_cycles_ + 1 : 0;
    dut_.Edge();
  }

 private:
  static constexpr std::uint32_t kDrawnModulo = (1u << 31) - 1;

  void Drive(Cycle now, const Word& word, bool link_up, const Cfg& event,
             const std::optional<GrantSource::Queue>& grant) {
    dut_->cycle_i = static_cast<QData>(first_ + now);
    dut_->link_up_i = link_up;
    PutStruct(&dut_->word_i, 0, word);
    PutStruct(&dut_->cfg_i, 0, event);
    dut_->gnt_valid_i = dut_->crd_valid_i = grant.has_value();
    if (grant) {
      Grant gnt;
      gnt.src = static_cast<std::uint8_t>(grant->output);
      gnt.vl = static_cast<std::uint8_t>(grant->vl);
      gnt.reroute = reroute_;
      PutStruct(&dut_->gnt_i, 0, gnt);
      Credit crd;
      crd.src = gnt.src;
      crd.vl = gnt.vl;
      PutStruct(&dut_->crd_i, 0, crd);
      run_.Event("grant arrives: output, lane, reroute", {grant->output, grant->vl, reroute_});
    }
    const auto loads = loads_.At(now);
    for (int p = 0; p < profile_.ports; ++p) Put(&dut_->loads_i, 12 * p, 12, loads[static_cast<std::size_t>(p)]);
    const golden::PortMask down = DownAt(now);
    for (int p = 0; p < profile_.ports; p += 8) Put(&dut_->loads_i, 12 * profile_.ports + p, 8, down >> p & 255);
    // Look-ups of the tile's other port.
    constexpr int kLookUpBits = 102;
    for (int at = 0; at < kLookUpBits; at += 32) {
      Put(&dut_->other_lk_req_i, at, std::min(32, kLookUpBits - at),
          run_.stimulus().Bits("other look-up", now, static_cast<std::uint32_t>(at)));
    }
    if (word.sop) run_.Event("word: sop, eop, enh", {word.sop, word.eop, word.enh});
    if (event.valid) run_.Event("access: read, space, port, index", {event.read, event.space, event.port, event.index});
  }

  /// Ports that the load ring shows as down, a function of the cycle.
  golden::PortMask DownAt(Cycle cycle) const {
    if (!downs_ || cycle < golden::LoadRing::kAhead) return 0;
    const Stimulus& random = run_.stimulus();
    const std::uint64_t kind = random.Below(4, "downs: kind", cycle / 512);
    if (kind == 0) return 0;
    const Cycle stands = kind == 1 ? cycle / 32 : cycle;  // as the ring would show them, or in every cycle others
    const std::uint64_t all = profile_.ports == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << profile_.ports) - 1;
    const std::uint64_t some = random.Bits("downs", stands) & (kind == 3 ? ~std::uint64_t{0} : random.Bits("fewer downs", stands));
    return some & all;
  }

  void CompareOutputs() {
    const golden::InputPort::Outputs& golden = outputs_;
    if (golden.request || golden.cell || golden.credit) run_.Busy();
    if (run_.Compare("req_valid", dut_->req_valid_o, golden.request.has_value()) && golden.request) {
      run_.Compare("req_dst", dut_->req_dst_o, static_cast<std::uint64_t>(golden.request->destination));
      run_.CompareStruct("req", GetStruct<Request>(dut_->req_o), golden.request->request);
    }
    if (run_.Compare("dat_valid", dut_->dat_valid_o, golden.cell.has_value()) && golden.cell) CompareCell(*golden.cell);
    if (run_.Compare("ret_valid", dut_->ret_valid_o, golden.credit.has_value()) && golden.credit) {
      run_.Compare("ret_vl", dut_->ret_vl_o, golden.credit->vl);
      run_.Compare("ret_cells", dut_->ret_cells_o, golden.credit->cells);
    }
    run_.Compare("used", dut_->used_o, static_cast<std::uint64_t>(golden_.used()));
    for (int c = 0; c < golden::kMaxClasses; ++c) {
      run_.Compare("pause_until", Get(dut_->pause_until_o, 48 * c, 48),
                   static_cast<std::uint64_t>(pause_until_[static_cast<std::size_t>(c)]));
    }
    run_.Compare("rd_valid", dut_->rd_valid_o, read_.has_value());
    run_.Compare("rd_data", dut_->rd_data_o, read_.value_or(0));
    CompareObservation();
  }

  /// A pause of a flow is on wires of its cycle: {valid, class, destination, period, credit}.
  void ComparePause(std::uint64_t rtl) {
    std::uint64_t golden = 0;
    if (outputs_.flow_pause) {
      const golden::FlowPause& pause = *outputs_.flow_pause;
      golden = std::uint64_t{1} << 43 | std::uint64_t{pause.tc} << 40 | std::uint64_t{pause.destination} << 20 |
               std::uint64_t{pause.period} << 12 | pause.credit;
      run_.Event("pause of a flow: class, destination, period, credit", {pause.tc, pause.destination, pause.period, pause.credit});
    }
    run_.Compare("flow pause", rtl, golden);
  }

  /// What stands after the frame's end in its last cell does not count.
  void CompareCell(const golden::InputPort::Outputs::LeavingCell& golden) {
    run_.Compare("dat_dst", dut_->dat_dst_o, static_cast<std::uint64_t>(golden.destination));
    Cell rtl = GetStruct<Cell>(dut_->dat_o);
    if (golden.cell.sop) {
      cell_bytes_ = golden::HeaderBits(golden.cell.data.data()).length() + Header::kBytes;
      if (!picked_cells_.empty()) {
        run_.Compare("obs.pick_cells", picked_cells_.front(), golden.cell.cells);
        picked_cells_.pop_front();
      }
    }
    for (std::size_t i = static_cast<std::size_t>(std::clamp(cell_bytes_, 0, 48)); i < rtl.data.size(); ++i) rtl.data[i] = 0;
    cell_bytes_ -= 48;
    run_.CompareStruct("dat", rtl, golden.cell);
  }

  void CompareObservation() {
    Portobs rtl = GetStruct<Portobs>(dut_->obs_o);
    if (rtl.pick_valid) picked_cells_.push_back(rtl.pick_cells);  // golden says them with the first cell
    rtl.pick_cells = 0;
    run_.CompareStruct("obs", rtl, observed_);
  }

  /// Law 4: nothing changes in a quiescent port whose inputs are idle; and one that is long empty is quiescent.
  void CompareQuiescence(bool idle_inputs) {
    const bool quiescent = dut_->quiescent_o && dut_->tables_quiescent_o;
    if (stays_quiescent_) run_.Compare("quiescent after quiescent and idle", dut_->quiescent_o, true);
    if (idle_cycles_ > 64 && !flows()) run_.Compare("quiescent when empty", dut_->quiescent_o, true);
    if (dut_->quiescent_o && (dut_->req_valid_o || dut_->dat_valid_o || dut_->ret_valid_o)) run_.Fail("quiescent while it speaks");
    stays_quiescent_ = quiescent && idle_inputs;
  }

  /// A read answers in the next cycle with the count as committed.
  void ReadCounter(const Cfg& event) {
    read_.reset();
    const bool to_counter = event.valid && event.read && event.space == static_cast<int>(CfgSpace::kCounter);
    if (!to_counter || event.port != port_) return;
    const int index = event.index;
    const bool drop = index <= static_cast<int>(Drop::kRed) && index != static_cast<int>(Drop::kNoEthHeader);
    const bool counter = index == static_cast<int>(Counter::kRxPackets) || index == static_cast<int>(Counter::kRxStomped) ||
                         index == static_cast<int>(Counter::kRxDamaged) || index == static_cast<int>(Counter::kRxStray) ||
                         index == static_cast<int>(Counter::kRxPause) ||
                         index == static_cast<int>(Counter::kRoutedMin) || index == static_cast<int>(Counter::kRoutedNonmin) ||
                         OfFlows(index);
    if (drop || counter) read_ = first_counts_[static_cast<std::size_t>(index)] + golden_.Counter(index);
  }

  static bool OfFlows(int index) {
    return index >= static_cast<int>(Counter::kFlowHeld) && index <= static_cast<int>(Counter::kMarksIn) &&
           index != static_cast<int>(Counter::kMarksMade);
  }

  DropCounts Drops() const {
    DropCounts counts{};
    for (std::size_t reason = 0; reason < counts.size(); ++reason) counts[reason] = golden_.Counter(static_cast<int>(reason));
    return counts;
  }

  /// The observation record that golden's events of this cycle make.
  void ObserveGolden(Cycle now, const std::optional<GrantSource::Queue>& grant,
                     const DropCounts& drops_before) {
    observed_ = Portobs{};
    if (outputs_.request) {
      observed_.req_valid = true;
      observed_.req_dst = static_cast<std::uint8_t>(outputs_.request->destination);
      observed_.req_vl = outputs_.request->request.vl;
      observed_.req_cells = outputs_.request->request.cells;
      run_.Event("request: output, lane, cells", {observed_.req_dst, observed_.req_vl, observed_.req_cells});
    }
    if (grant) {
      observed_.gin_valid = observed_.crd_valid = true;
      observed_.gin_reroute = reroute_;
      observed_.gin_src = observed_.crd_src = static_cast<std::uint8_t>(grant->output);
      observed_.gin_vl = observed_.crd_vl = static_cast<std::uint8_t>(grant->vl);
    }
    if (outputs_.pick) {
      observed_.pick_valid = true;
      observed_.pick_dst = static_cast<std::uint8_t>(outputs_.pick->output);
      run_.Event("pick: output, lane", {outputs_.pick->output, outputs_.pick->vl});
    }
    if (outputs_.held) {
      observed_.hold_valid = true;
      observed_.hold_channel = static_cast<std::uint16_t>(*outputs_.held);
      run_.Event("packet held: channel", {*outputs_.held});
    }
    if (outputs_.released) {
      observed_.go_valid = true;
      observed_.go_channel = static_cast<std::uint16_t>(*outputs_.released);
      run_.Event("packet released: channel", {*outputs_.released});
    }
    drops_counted_ = 0;
    const DropCounts drops = Drops();
    for (std::size_t reason = 0; reason < drops.size(); ++reason) {
      if (drops[reason] == drops_before[reason]) continue;
      drops_counted_ |= 1u << reason;
      run_.Event("drop: reason", {static_cast<std::int64_t>(reason)});
    }
    if (outputs_.shown_drop) {
      observed_.drop_valid = true;
      observed_.drop_reason = static_cast<std::uint8_t>(*outputs_.shown_drop);
    }
    observed_.ibuf_cells = static_cast<std::uint16_t>(golden_.used());
    if (!outputs_.pause) return;
    for (std::size_t c = 0; c < golden::kMaxClasses; ++c) {
      if ((outputs_.pause->classes >> c) & 1) pause_until_[c] = first_ + now + PauseTime(outputs_.pause->quanta[c], lanes());
    }
  }

  Comparison& run_;
  const Profile& profile_;
  int port_;
  Cycle first_;  ///< number of the first cycle, for RTL and golden
  int reroutes_ = 0;      ///< of 256 grants
  bool downs_ = false;    ///< some ports are shown as down
  bool reroute_ = false;  ///< the grant of this cycle takes its packet back
  ShownLoads loads_;
  Dut<Model> dut_;
  golden::InputPort golden_;
  TakenPackets<Model> taken_;
  golden::InputPort::Outputs outputs_;
  std::deque<Cfg> bus_;
  Portobs observed_{};
  std::optional<std::uint64_t> read_;
  std::array<std::uint64_t, static_cast<std::size_t>(Counter::kMarksIn) + 1> first_counts_{};  ///< by index
  std::array<Cycle, golden::kMaxClasses> pause_until_{};
  std::deque<std::uint8_t> picked_cells_;
  int cell_bytes_ = 0;  ///< of the packet that leaves, still to come
  Cycle idle_cycles_ = 0;
  unsigned drops_counted_ = 0;
  bool stays_quiescent_ = false;
};

}  // namespace tilefly::bench
