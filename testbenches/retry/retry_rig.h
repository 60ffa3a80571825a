// SPDX-License-Identifier: Apache-2.0
// The Verilated ends of a link (retry_ends.sv) beside the golden ones: the same inputs, every output compared.
#pragma once

#include "golden/retry/retry_in.h"
#include "golden/retry/retry_out.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/port_bits.h"

namespace tilefly::bench {

template <typename Model>
void Drive(Model& rtl, const golden::RetryOut::Inputs& in) {
  rtl.out_enable_i = in.enable;
  rtl.out_link_up_i = in.link_up;
  rtl.out_lanes_i = static_cast<std::uint8_t>(in.lanes);
  rtl.replay_timer_max_i = static_cast<std::uint16_t>(in.replay_timer_max);
  rtl.replay_ct_max_i = static_cast<std::uint8_t>(in.replay_ct_max);
  rtl.retry_threshold_i = static_cast<std::uint8_t>(in.retry_threshold);
  rtl.take_i = in.take;
  rtl.take_words_i = static_cast<std::uint8_t>(in.take_words);
  PutStruct(&rtl.out_word_i, 0, in.word);
  rtl.report_valid_i = in.report.valid;
  rtl.report_nack_i = in.report.nack;
  rtl.report_seq_i = in.report.seq;
}

template <typename Model>
void Drive(Model& rtl, const golden::RetryIn::Inputs& in) {
  rtl.in_enable_i = in.enable;
  rtl.in_link_up_i = in.link_up;
  rtl.in_lanes_i = static_cast<std::uint8_t>(in.lanes);
  PutStruct(&rtl.in_word_i, 0, in.word);
  PutStruct(&rtl.in_tag_i, 0, in.tag);
}

template <typename Model>
void CompareOutputs(Comparison* run, const Model& rtl, const golden::RetryOut::Outputs& out) {
  run->CompareStruct("out.word", GetStruct<Word>(rtl.out_word_o), out.word);
  run->CompareStruct("out.tag", GetStruct<RetryTag>(rtl.out_tag_o), out.tag);
  run->Compare("ready", rtl.ready_o, out.ready);
  run->Compare("start", rtl.start_o, out.start);
  run->Compare("again", rtl.again_o, out.again);
  run->Compare("start_vl", rtl.start_vl_o, out.start_vl);
  run->Compare("start_len", rtl.start_len_o, out.start_len);
  run->Compare("link_failed", rtl.link_failed_o, out.link_failed);
  run->Compare("over_threshold", rtl.over_threshold_o, out.over_threshold);
  run->Compare("replay", rtl.replay_o, out.replay);
  run->Compare("timeout", rtl.timeout_o, out.timeout);
  run->Compare("bad_report", rtl.bad_report_o, out.bad_report);
  run->Compare("repeated", rtl.repeated_o, out.repeated);
  run->Compare("out.quiescent", rtl.out_quiescent_o, out.quiescent);
}

template <typename Model>
void CompareOutputs(Comparison* run, const Model& rtl, const golden::RetryIn::Outputs& out) {
  run->CompareStruct("in.word", GetStruct<Word>(rtl.in_word_o), out.word);
  run->Compare("report.valid", rtl.report_valid_o, out.report.valid);
  run->Compare("report.nack", rtl.report_nack_o, out.report.nack);
  run->Compare("report.seq", rtl.report_seq_o, out.report.seq);
  run->Compare("accepted", rtl.accepted_o, out.accepted);
  run->Compare("bad", rtl.bad_o, out.bad);
  run->Compare("missing", rtl.missing_o, out.missing);
  run->Compare("duplicate", rtl.duplicate_o, out.duplicate);
  run->Compare("replayed", rtl.replayed_o, out.replayed);
  run->Compare("in.quiescent", rtl.in_quiescent_o, out.quiescent);
}

/// The Verilated ends of a comparison.
template <typename Model>
class RetryRig {
 public:
  explicit RetryRig(Comparison* run) : run_(run), dut_(run) {
    Drive(*dut_.operator->(), golden::RetryOut::Inputs());
    Drive(*dut_.operator->(), golden::RetryIn::Inputs());
    dut_.Reset();
  }
  /// A cycle with reset.
  void Reset() {
    dut_->rst_ni = 0;
    dut_.Tick();
    dut_->rst_ni = 1;
  }
  /// A cycle in which golden did this.
  void Step(const golden::RetryOut::Inputs& to_sender, const golden::RetryOut::Outputs& from_sender,
            const golden::RetryIn::Inputs& to_receiver, const golden::RetryIn::Outputs& from_receiver) {
    Drive(*dut_.operator->(), to_sender);
    Drive(*dut_.operator->(), to_receiver);
    dut_.Settle();
    CompareOutputs(run_, *dut_.operator->(), from_sender);
    CompareOutputs(run_, *dut_.operator->(), from_receiver);
    if (from_sender.word.valid || from_receiver.word.valid || to_sender.report.valid) run_->Busy();
    dut_.Edge();
  }

 private:
  Comparison* run_;
  Dut<Model> dut_;
};

}  // namespace tilefly::bench
