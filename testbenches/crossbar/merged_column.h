// SPDX-License-Identifier: Apache-2.0
// One column of the RTL's arbitrated crossbar (merged_column.sv) and the golden crossbars, fed with the same messages and
// compared in every cycle.
#pragma once

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "golden/crossbar/arbitrated_crossbar.h"
#include "golden/crossbar/crossing_checker.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/port_bits.h"
#include "testbenches/crossbar/column_traffic.h"

namespace tilefly::bench {

template <typename Model>
class MergedColumn {
 public:
  // What the RTL is judged by: written apart from golden/common/stage_times.h.
  static constexpr Cycle kTurnToRequest = 6;  ///< from the turn's decision to a request's arrival
  static constexpr Cycle kTurnToFifo = 4;     ///< and to the receiving fifo

  MergedColumn(Comparison* run, const Profile& profile, int column)
      : run_(*run),
        profile_(profile),
        column_(column),
        traffic_(profile),
        dut_(run),
        turn_(profile, traffic_.geometry()),
        requests_(profile, traffic_.geometry()),
        merged_(profile, traffic_.geometry()),
        waiting_(static_cast<std::size_t>(profile.rows * profile.col_out)) {
    Clear(&dut_->row_i);
    dut_->col_pos_i = static_cast<CData>(column);
    dut_.Reset();
  }

  ColumnTraffic& traffic() { return traffic_; }
  /// Most messages that stood in one receiving fifo.
  int deepest_fifo() const { return deepest_fifo_; }
  /// Called with the message and the cycles since it left, for every arrival at a port of the column.
  void OnArrival(std::function<void(const Message&, Cycle)> visit) { on_arrival_ = std::move(visit); }

  /// A message leaves in this cycle.
  void Leave(int source, int destination) {
    const Message message = traffic_.Send(source, destination);
    run_.Event("leaves: source, destination, sequence", {source, destination, message.sequence});
    leaving_.push_back(message);
  }

  /// The rest of the cycle: compares, and takes both to the next one.
  void Step() {
    const Cycle now = run_.cycle();
    dut_.Settle();
    entered_.Drain(now - 1, [&](int channel) {
      deepest_fifo_ = std::max(deepest_fifo_, ++waiting_[static_cast<std::size_t>(channel)]);
    });
    inside_.Drain(now, [&](int) { ++messages_inside_; });
    run_.Compare("quiescent", dut_->quiescent_o, messages_inside_ == 0);
    CompareTurns(now);
    CompareRequests(now);
    CompareArrivals(now);
    LeaveGolden(now);
    run_.DrainUntil(left_.empty());
    dut_.Edge();
    Clear(&dut_->row_i);  // what leaves in T is on the row bus in T + 1
    for (const Message& message : leaving_) {
      Put(&dut_->row_i, message.source * kMsgW, kWidth, message.bits());
      Put(&dut_->row_i, message.source * kMsgW + kWidth, 7, 0x40u | static_cast<unsigned>(message.destination));
    }
    leaving_.clear();
  }

 private:
  static constexpr int kWidth = 32;            ///< of a message
  static constexpr int kMsgW = 7 + kWidth;     ///< on a row bus
  static constexpr int kChannelW = 1 + kWidth; ///< on a column channel
  static constexpr std::uint64_t kNothing = ~std::uint64_t{0};

  bool Here(const Message& message) const { return traffic_.geometry().col(message.destination) == column_; }
  /// Number of a port among those of the column, and of the crossbar output towards it.
  int Local(int destination) const { return traffic_.geometry().TurnOutput(destination); }
  int Channel(const Message& message) const {
    return traffic_.geometry().row[static_cast<std::size_t>(message.source)] * profile_.col_out + Local(message.destination);
  }

  /// Golden computes ahead: with what leaves now it knows the turn's decisions two cycles later.
  void LeaveGolden(Cycle now) {
    for (const Message& message : leaving_) {
      turn_.Leave(message.source, message.destination, message.bits());
      requests_.Leave(message.source, message.destination, message.bits());
      merged_.Leave(message.source, message.destination, message.bits());
      left_[message.bits()] = now;
      books_.Leave(now, message.source, message.destination, message.bits());
      if (Here(message)) inside_.Push(now + 2, 0);  // on the row bus it is not inside yet
    }
    turn_.Arbitrate([&](int, int, std::uint32_t bits) {
      if (Here(Message::Of(bits))) turned_.Push(now + golden::kLeaveToTurn + 1, bits);
    });
    requests_.Arbitrate(now);
    merged_.Arbitrate(now);
  }

  /// What was decided in the cycle before is on the column channels.
  void CompareTurns(Cycle now) {
    std::vector<std::uint64_t> expected(waiting_.size(), kNothing);
    turned_.Drain(now, [&](std::uint32_t bits) { expected[static_cast<std::size_t>(Channel(Message::Of(bits)))] = bits; });
    for (std::size_t channel = 0; channel < expected.size(); ++channel) {
      const int lsb = static_cast<int>(channel) * kChannelW;
      const bool valid = expected[channel] != kNothing;
      run_.Compare("col_o.valid", Get(dut_->col_o, lsb + kWidth, 1), valid);
      if (!valid) continue;
      run_.Busy();
      run_.Compare("col_o.data", Get(dut_->col_o, lsb, kWidth), expected[channel]);
      requested_.Push(now - 1 + kTurnToRequest, static_cast<std::uint32_t>(Get(dut_->col_o, lsb, kWidth)));
      entered_.Push(now - 1 + kTurnToFifo, static_cast<int>(channel));
    }
  }

  /// Requests have no second arbitration: the column brings them from the RTL's turn to their stores.
  void CompareRequests(Cycle now) {
    std::vector<std::uint32_t> golden, rtl;
    requests_.Deliver(now, [&](std::uint32_t bits) {
      if (Here(Message::Of(bits))) golden.push_back(bits);
    });
    requested_.Drain(now, [&](std::uint32_t bits) { rtl.push_back(bits); });
    std::sort(golden.begin(), golden.end());
    std::sort(rtl.begin(), rtl.end());
    run_.Compare("requests that arrive", rtl.size(), golden.size());
    run_.Compare("the requests that arrive are the same", rtl == golden, true);
  }

  void CompareArrivals(Cycle now) {
    std::vector<std::uint64_t> expected(static_cast<std::size_t>(2 * profile_.rows), kNothing);
    merged_.Deliver(now, [&](std::uint32_t bits) {
      const Message message = Message::Of(bits);
      if (Here(message)) {
        expected[static_cast<std::size_t>(Local(message.destination))] = bits;
      } else {
        traffic_.Arrive(message);
        left_.erase(bits);
        Keep(now, message);
      }
    });
    for (int port = 0; port < 2 * profile_.rows; ++port) {
      const std::uint64_t bits = expected[static_cast<std::size_t>(port)];
      run_.Compare("valid_o", Get(dut_->valid_o, port, 1), bits != kNothing);
      if (bits == kNothing) continue;
      run_.Busy();
      run_.Compare("data_o", Get(dut_->data_o, port * kWidth, kWidth), bits);
      Arrived(now, static_cast<std::uint32_t>(bits));
    }
  }

  void Arrived(Cycle now, std::uint32_t bits) {
    const Message message = Message::Of(bits);
    run_.Event("arrives: source, destination, sequence", {message.source, message.destination, message.sequence});
    traffic_.Arrive(message);
    Keep(now, message);
    const Cycle crossing = now - left_[bits];
    left_.erase(bits);
    --waiting_[static_cast<std::size_t>(Channel(message))];
    --messages_inside_;
    if (on_arrival_) on_arrival_(message, crossing);
  }

  /// XBAR-3 and XBAR-4.
  void Keep(Cycle now, const Message& message) {
    golden::Audit audit;
    books_.Arrive(now, message.source, message.destination, message.bits(), &audit);
    run_.Check(audit);
  }

  Comparison& run_;
  const Profile& profile_;
  int column_;
  ColumnTraffic traffic_;
  Dut<Model> dut_;
  golden::TurnStage turn_;
  golden::RequestCrossbar requests_;
  golden::MergedCrossbar merged_;
  golden::CrossingChecker books_;
  std::vector<Message> leaving_;
  golden::DelayLine<std::uint32_t> turned_;     ///< golden's winners, due on the column channels
  golden::DelayLine<std::uint32_t> requested_;  ///< the RTL's winners on their way to the request stores
  golden::DelayLine<int> entered_;              ///< and to the receiving fifos: their channels
  golden::DelayLine<int> inside_;
  std::vector<int> waiting_;                    ///< in the receiving fifos, by channel
  std::unordered_map<std::uint32_t, Cycle> left_;
  int messages_inside_ = 0;
  int deepest_fifo_ = 0;
  std::function<void(const Message&, Cycle)> on_arrival_;
};

}  // namespace tilefly::bench
