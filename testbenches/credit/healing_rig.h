// SPDX-License-Identifier: Apache-2.0
// The Verilated credit halves of a retry port beside golden's: the same inputs, every output compared. An input that is not
// valid holds anything.
#pragma once

#include <optional>
#include <tuple>

#include "Vrtl_credit_return.h"
#include "Vrtl_credit_sender.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/port_bits.h"
#include "testbenches/credit/healing_receiver.h"
#include "testbenches/credit/healing_sender.h"

namespace tilefly::bench {

class HealingSenderRig {
 public:
  explicit HealingSenderRig(Comparison* run) : run_(run), dut_(run) {
    dut_->port_i = 0;
    dut_->enable_i = 1;
    Clear(&dut_->cfg_i);
    Drive(0, true, {});
    dut_.Reset();
  }

  /// Cycle `now`, in which golden made these moves. `state`: as it found it.
  void Step(Cycle now, bool retry, const SenderMoves& moves, bool over, bool home) {
    Drive(now, retry, moves);
    dut_.Settle();
    run_->Compare("lane_ok", dut_->lane_ok_o, moves.lane_ok);
    run_->Compare("bad_return", dut_->bad_return_o, moves.bad_return);
    run_->Compare("returned", dut_->returned_o, moves.returned);
    run_->Compare("stamp.valid", dut_->stamp_valid_o, shown_.has_value());
    run_->Compare("stamp.vl", dut_->stamp_vl_o, shown_ ? shown_->vl : 0);
    run_->Compare("stamp.cells", dut_->stamp_cells_o, shown_ ? shown_->cells : 0);
    run_->Compare("over", dut_->over_o, over);
    run_->Compare("quiescent", dut_->quiescent_o, !shown_ && (!retry || home));
    if (moves.credit || moves.grant.valid || moves.start.valid || shown_) run_->Busy();
    dut_.Edge();
    shown_ = moves.stamp;
  }

 private:
  void Drive(Cycle now, bool retry, const SenderMoves& moves) {
    dut_->cycle_i = static_cast<std::uint64_t>(now);
    dut_->retry_i = retry;
    dut_->link_up_i = moves.link_up;
    dut_->want_i = moves.want;
    dut_->grant_valid_i = moves.grant.valid;
    dut_->grant_vl_i = static_cast<CData>(moves.grant.vl);
    dut_->grant_cells_i = static_cast<CData>(moves.grant.cells);
    dut_->take_valid_i = moves.take.valid;
    dut_->take_vl_i = Lane(moves.take.valid, moves.take.vl, "idle take");
    dut_->take_cells_i = moves.take.valid ? static_cast<CData>(moves.take.cells) : Below(128, "idle take cells");
    dut_->take_lost_i = moves.take.valid ? moves.discard : Below(2, "idle take lost");
    dut_->start_valid_i = moves.start.valid;
    dut_->start_again_i = moves.start.valid ? moves.again : Below(2, "idle start again");
    dut_->start_vl_i = Lane(moves.start.valid, moves.start.vl, "idle start");
    dut_->start_len_i = static_cast<SData>(moves.start.valid ? moves.start_len : Below(4096, "idle start length"));
    dut_->ret_valid_i = moves.credit.has_value();
    dut_->ret_vl_i = Lane(moves.credit.has_value(), moves.credit ? moves.credit->vl : 0, "idle return");
    dut_->ret_cells_i = static_cast<SData>(moves.credit ? moves.credit->cells : Below(65536, "idle return cells"));
  }
  std::uint16_t Below(int n, Purpose purpose) const {
    return static_cast<std::uint16_t>(run_->stimulus().Below(static_cast<std::uint64_t>(n), purpose, run_->cycle()));
  }
  CData Lane(bool valid, int lane, Purpose purpose) const {
    return static_cast<CData>(valid ? lane : Below(kTile8.vls, purpose));
  }

  Comparison* run_;
  Dut<Vrtl_credit_sender> dut_;
  std::optional<golden::CreditStamp> shown_;  ///< decided in the cycle before
};

class HealingReturnRig {
 public:
  explicit HealingReturnRig(Comparison* run) : run_(run), dut_(run) {
    Drive(true, {});
    dut_->link_up_i = 1;
    dut_.Reset();
  }

  /// A cycle in which golden made these moves. `waiting`: a lane was pending or asked, or the link was down before.
  void Step(bool retry, const ReceiverMoves& moves, bool waiting) {
    Drive(retry, moves);
    dut_.Settle();
    run_->Compare("ret.valid", dut_->ret_valid_o, shown_.has_value());
    if (shown_) {
      run_->Compare("ret.vl", dut_->ret_vl_o, shown_->vl);
      run_->Compare("ret.cells", dut_->ret_cells_o, shown_->cells);
    }
    run_->Compare("healed_cells", dut_->healed_cells_o, static_cast<std::uint64_t>(moves.judgement.healed));
    run_->Compare("old_stamp", dut_->old_stamp_o, moves.judgement.old);
    run_->Compare("quiescent", dut_->quiescent_o, !waiting && !shown_);
    if (shown_ || moves.taken.valid || moves.stamp) run_->Busy();
    dut_.Edge();
    shown_ = moves.credit;
  }

 private:
  void Drive(bool retry, const ReceiverMoves& moves) {
    dut_->retry_i = retry;
    dut_->link_up_i = moves.link_up;
    const auto idle = [&](Purpose purpose, int s = 0) {
      return run_->stimulus().Bits(purpose, run_->cycle(), static_cast<std::uint32_t>(s));
    };
    const auto& [taken, stamp] = std::tie(moves.taken, moves.stamp);
    dut_->taken_valid_i = taken.valid;
    dut_->taken_vl_i = static_cast<CData>(taken.valid ? taken.vl : idle("idle taken") & 15);
    dut_->taken_cells_i = static_cast<CData>(taken.valid ? taken.cells : idle("idle taken cells") & 127);
    dut_->stamp_valid_i = stamp.has_value();
    dut_->stamp_vl_i = static_cast<CData>(stamp ? stamp->vl : idle("idle stamp") & 15);
    dut_->stamp_cells_i = static_cast<SData>(stamp ? stamp->cells : idle("idle stamp cells") & 65535);
    dut_->free_valid_i = 0;
    for (int s = 0; s < static_cast<int>(moves.freed.size()); ++s) {
      const auto& freed = moves.freed[static_cast<std::size_t>(s)];
      const std::uint64_t any = idle("idle free", s);
      Put(&dut_->free_valid_i, s, 1, freed.valid);
      Put(&dut_->free_vl_i, 4 * s, 4, freed.valid ? static_cast<std::uint64_t>(freed.vl) : any & 15);
      Put(&dut_->free_cells_i, 7 * s, 7, freed.valid ? static_cast<std::uint64_t>(freed.cells) : any >> 4 & 127);
    }
  }

  Comparison* run_;
  Dut<Vrtl_credit_return> dut_;
  std::optional<golden::CreditReturner::Message> shown_;  ///< decided in the cycle before
};

}  // namespace tilefly::bench
