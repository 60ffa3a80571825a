// SPDX-License-Identifier: Apache-2.0
// tilefly_link_out, the last stages of a port before the wire, at one end of a link with retry whose wires fail: it equals
// golden's blocks in every cycle (docs/blocks/link_retry.md, Sender, SerDes lanes, Link down).
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <optional>
#include <string>

#include "Vrtl_link_out.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/edges.h"
#include "testbenches/bench/port_bits.h"
#include "testbenches/link/link_ends.h"

namespace tilefly::bench {
namespace {

using Events = std::map<Counter, int>;

/// Credit returns, acks, pauses of flows and stamps, which are put into the slots beside what retry says.
struct OtherSlots {
  std::optional<Ctrl> credit, ack, pause;  ///< that are given in the cycle
  bool stamp = false;
  std::uint8_t stamp_vl = 0;
  std::uint16_t stamp_cells = 0;
};

class LinkOutTest {
 public:
  LinkOutTest(Comparison* run, int lanes, int delay)
      : run_(*run), lanes_(lanes), first_(FirstCycle(run->power_up())), dut_(run),
        ends_(kTile8, run->stimulus(), lanes, delay, kWords, {0.005, 0.005, 0.005, 0.005, 1}) {
    Drive(0, {}, {});
    dut_.Reset();
  }

  void Compare() {
    const Bin replays = run_.AddBin("replay", 5), failed = run_.AddBin("link failed", 1), lanes = run_.AddBin("lanes fewer", 50),
              own = run_.AddBin("a mask that takes a lane away", 3), plain = run_.AddBin("word of a plain port", 20),
              falls = run_.AddBin("link down amid a packet", 1);
    while (run_.Next()) {
      const Cycle now = run_.cycle();
      const LinkCycle cycle = DrawLink(now);
      ends_.Begin(first_ + now, cycle);
      const OtherSlots others = DrawOthers(now);
      credits_.push_back(others.credit);
      acks_.push_back(others.ack);
      pauses_.push_back(others.pause);
      Drive(now, cycle, others);
      dut_.Settle();
      CompareState(others);
      Events events;
      const LinkEnd& end = ends_.end(0);
      golden::Audit audit;
      ends_.End(first_ + now, cycle, &audit);
      run_.Check(audit);
      ends_.end(0).ends.CountEvents([&](Counter counter, int times) { events[counter] += times; });
      CompareEvents(events);
      if (end.shown.word.valid || end.shown.ctrl.retry_valid) run_.Busy();
      run_.Hit(replays, events[Counter::kTxReplayEvent]);
      run_.Hit(failed, end.start.link_failed && !failed_before_);
      failed_before_ = end.start.link_failed;
      run_.Hit(lanes, end.m < lanes_);
      run_.Hit(own, end.in.ctrl.lanes_valid && !end.in.ctrl.err && end.in.ctrl.lanes_bad != 0);
      run_.Hit(plain, !cycle.enable && end.shown.word.valid);
      run_.Hit(falls, was_up_ && !cycle.up && !end.mac.empty(first_ + now));
      was_up_ = cycle.up;
      dut_.Edge();
    }
  }

 private:
  static constexpr Cycle kLeastDown = 620;  ///< no word is to come from the MAC, and none is on the wire

  /// Up for some thousand cycles, then down. In each third link down the port becomes plain, until the next one.
  LinkCycle DrawLink(Cycle now) {
    const Stimulus& random = run_.stimulus();
    LinkCycle cycle;
    const bool falls = up_ && (ends_.end(0).start.link_failed || random.Below(3000, "down", now) == 0);
    if (falls) {
      up_ = false;
      down_since_ = now;
      ++downs_;
      ends_.end(0).words_out.Set(kWords);
    } else if (!up_ && now >= down_since_ + kLeastDown && random.Chance(16, "up", now)) {
      up_ = true;
    } else if (up_ && downs_ % 2 == 0 && random.Below(400, "all words are lost", now) == 0) {
      ends_.end(0).words_out.Set({1, 0, 0, 0, 1});
    }
    // Two cycles behind the first one of a link down the port becomes plain; MODE is written when the MAC is empty.
    if (!up_ && downs_ % 3 == 0 && now == down_since_ + 2) enable_ = false;
    if (!up_ && downs_ % 3 != 0 && now == down_since_ + 560) enable_ = true;
    cycle.up = up_;
    cycle.enable = enable_;
    cycle.written = random.Below(2000, "LANES is written", now) == 0;
    return cycle;
  }

  OtherSlots DrawOthers(Cycle now) const {
    const Stimulus& random = run_.stimulus();
    OtherSlots others;
    const std::uint64_t bits = random.Bits("slot", now);
    if (random.Spell("credit", now)) {
      others.credit.emplace();
      others.credit->credit_valid = true;
      others.credit->credit_vl = static_cast<std::uint8_t>(bits & 15);
      others.credit->credit_cells = static_cast<std::uint16_t>(bits >> 4);
    }
    if (random.Chance(20, "ack", now)) {
      others.ack.emplace();
      others.ack->ack_valid = true;
      others.ack->ack_flow = static_cast<std::uint16_t>(bits >> 20 & 1023);
      others.ack->ack_cells = static_cast<std::uint8_t>(bits >> 30 & 127);
      others.ack->ack_port = static_cast<std::uint8_t>(bits >> 37 & 63);
    }
    if (random.Spell("pause", now)) {
      const std::uint64_t any = random.Bits("pause of a flow", now);
      others.pause.emplace();
      others.pause->pause_valid = true;
      others.pause->pause_tc = static_cast<std::uint8_t>(any & 7);
      others.pause->pause_dst = static_cast<std::uint32_t>(any >> 3 & 0xf'ffff);
      others.pause->pause_period = static_cast<std::uint8_t>(any >> 23);
      others.pause->pause_credit = static_cast<std::uint16_t>(any >> 31 & 0xfff);
    }
    others.stamp = random.Chance(4, "stamp", now);
    others.stamp_vl = static_cast<std::uint8_t>(bits >> 43 & 15);
    others.stamp_cells = static_cast<std::uint16_t>(bits >> 47);
    return others;
  }

  void Drive(Cycle now, const LinkCycle& cycle, const OtherSlots& others) {
    const LinkEnd& end = ends_.end(0);
    const golden::RetryEnds::Settings& settings = ends_.settings();
    dut_->cycle_i = static_cast<QData>(first_ + now);
    dut_->link_up_i = cycle.up;
    dut_->retry_i = QData{1} << 50 | QData{cycle.enable} << 49 | QData{settings.retry.timer} << 16 | QData{settings.retry.limit} << 8 |
                    QData{settings.retry.threshold};
    dut_->lanes_i = static_cast<CData>(lanes_);
    dut_->serdes_i = IData{cycle.written} << 20 | static_cast<IData>(settings.serdes.off) << 16 |
                     static_cast<IData>(settings.serdes.back) << 8 | settings.serdes.fail;
    dut_->take_i = end.take > 0;
    dut_->words_i = static_cast<CData>(end.take);
    PutStruct(&dut_->word_i, 0, end.word);
    const Ctrl& slot = end.in.ctrl;
    const bool heard = cycle.up && cycle.enable && !slot.err;
    const IData report = heard && slot.retry_valid ? 1u << 12 | IData{slot.retry_nack} << 11 | slot.retry_seq : 0;
    const IData mask = heard && slot.lanes_valid ? 1u << 4 | slot.lanes_bad : 0;
    dut_->heard_i = report << 9 | mask << 4 | end.in.phy.lane_err;
    dut_->report_i = static_cast<SData>(end.report.valid ? 1u << 12 | IData{end.report.nack} << 11 | end.report.seq : 0);
    dut_->stamp_i = others.stamp ? 1u << 20 | static_cast<IData>(others.stamp_vl) << 16 | others.stamp_cells : 0;
    dut_->ret_valid_i = others.credit.has_value();
    dut_->ret_vl_i = others.credit ? others.credit->credit_vl : 0;
    dut_->ret_cells_i = others.credit ? others.credit->credit_cells : 0;
    dut_->ack_valid_i = others.ack.has_value();
    Ack ack{};
    if (others.ack) {
      ack.flow = others.ack->ack_flow;
      ack.cells = others.ack->ack_cells;
      ack.port = others.ack->ack_port;
    }
    PutStruct(&dut_->ack_i, 0, ack);
    const Ctrl pause = others.pause.value_or(Ctrl());
    dut_->pause_i = QData{pause.pause_valid} << 43 | QData{pause.pause_tc} << 40 | QData{pause.pause_dst} << 20 |
                    QData{pause.pause_period} << 12 | pause.pause_credit;
  }

  void CompareState(const OtherSlots& others) {
    const LinkEnd& end = ends_.end(0);
    run_.Compare("ready", dut_->ready_o, end.ready);
    run_.Compare("lanes", dut_->lanes_o, static_cast<std::uint64_t>(end.m));
    run_.Compare("held", dut_->held_o, static_cast<std::uint64_t>(end.held));
    run_.Compare("failed", dut_->failed_o, end.start.link_failed);
    const std::uint64_t start = end.start.start ? std::uint64_t{1} << 18 | std::uint64_t{end.start.again} << 17 |
                                                      std::uint64_t{end.start.start_vl} << 13 | end.start.start_len
                                                : 0;
    run_.Compare("start", dut_->start_o, start);
    Link link = end.shown;
    if (!link.word.valid) link.word = Word();
    Take(&credits_, kCreditCycles, [&](const Ctrl& credit) {
      link.ctrl.credit_valid = true;
      link.ctrl.credit_vl = credit.credit_vl;
      link.ctrl.credit_cells = credit.credit_cells;
    });
    Take(&acks_, 1, [&](const Ctrl& ack) {
      link.ctrl.ack_valid = true;
      link.ctrl.ack_flow = ack.ack_flow;
      link.ctrl.ack_cells = ack.ack_cells;
      link.ctrl.ack_port = ack.ack_port;
    });
    Take(&pauses_, kPauseCycles, [&](const Ctrl& pause) {
      link.ctrl.pause_valid = true;
      link.ctrl.pause_tc = pause.pause_tc;
      link.ctrl.pause_dst = pause.pause_dst;
      link.ctrl.pause_period = pause.pause_period;
      link.ctrl.pause_credit = pause.pause_credit;
    });
    if (others.stamp) {
      link.ctrl.wired_valid = true;
      link.ctrl.wired_vl = others.stamp_vl;
      link.ctrl.wired_cells = others.stamp_cells;
    }
    run_.CompareStruct("word", GetStruct<Word>(dut_->link_o, 0), link.word);
    run_.CompareStruct("ctrl", GetStruct<Ctrl>(dut_->link_o, Word::kWidth), link.ctrl);
    run_.CompareStruct("tag", GetStruct<RetryTag>(dut_->link_o, Word::kWidth + Ctrl::kWidth), link.tag);
  }
  /// What was given `cycles` ago.
  template <typename Use>
  static void Take(std::deque<std::optional<Ctrl>>* given, std::size_t cycles, Use&& use) {
    if (given->size() <= cycles) return;
    if (given->front()) use(*given->front());
    given->pop_front();
  }

  void CompareEvents(const Events& events) {
    const auto times = [&](Counter counter) {
      const auto found = events.find(counter);
      return static_cast<unsigned>(found == events.end() ? 0 : found->second);
    };
    const unsigned expected = times(Counter::kRxAckNackSeqErr) << 3 | times(Counter::kTxReplayTimeout) << 2 |
                              times(Counter::kTxOkRpt) << 1 | times(Counter::kTxReplayEvent);
    run_.Compare("events", dut_->events_o, expected);
    run_.Compare("lanes failed", static_cast<unsigned>(__builtin_popcount(dut_->lane_events_o >> 4)), times(Counter::kLanesFailed));
    run_.Compare("lanes back", static_cast<unsigned>(__builtin_popcount(dut_->lane_events_o & 15)), times(Counter::kLanesBack));
  }

  static constexpr std::size_t kCreditCycles = 5;  ///< from `ret_*` to `link_o`
  static constexpr std::size_t kPauseCycles = 6;   ///< from the decision of a pause to `link_o`

  static constexpr RetryFaults kWords{0.002, 0.002, 0.001, 0.001, 1};
  Comparison& run_;
  int lanes_;
  Cycle first_;
  Dut<Vrtl_link_out> dut_;
  LinkEnds ends_;
  std::deque<std::optional<Ctrl>> credits_, acks_, pauses_;
  bool up_ = false, enable_ = true, was_up_ = false, failed_before_ = false;
  Cycle down_since_ = 0;
  int downs_ = 1;
};

void CompareEnds(PowerUp power_up, double of_tier, int lanes, int delay) {
  SCOPED_TRACE(std::to_string(lanes) + " lanes");
  Comparison run(of_tier, power_up);
  LinkOutTest(&run, lanes, delay).Compare();
}

TEST(LinkOut, EqualsGoldenOnFourLanes) { CompareEnds(kZeros, 2, 4, 9); }
TEST(LinkOut, EqualsGoldenOnThreeLanes) { CompareEnds(kZeros, 2, 3, 30); }
TEST(LinkOut, EqualsGoldenOnTwoLanes) { CompareEnds(kZeros, 2, 2, 2); }

TEST(LinkOut, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareEnds(power_up, 0.1, 4, 5); });
}
TEST(LinkOut, EqualsGoldenFromTheEdgesOfLongLivedState) {
  FromEdges([](PowerUp power_up) { CompareEnds(power_up, 0.1, 4, 5); });
}

}  // namespace
}  // namespace tilefly::bench
