// SPDX-License-Identifier: Apache-2.0
// Sender and receiver of the retry block side by side, for the conformance test. Nothing connects them: the channel is
// the test's.

module retry_ends #(
    /// words of the replay buffer
    parameter int Depth    = 1536,
    /// words of the longest packet
    parameter int MaxWords = 133,
    /// bits of a packet's number
    parameter int SeqW     = 11,
    /// least distance of two acks, cycles
    parameter int AckGap   = 8
) (
    /// clock
    input  logic                    clk_i,
    /// synchronous reset, active low
    input  logic                    rst_ni,
    /// ports of tilefly_retry_out
    input  logic                    out_enable_i,
    input  logic                    out_link_up_i,
    input  logic [ 2:0]             out_lanes_i,
    input  logic [15:0]             replay_timer_max_i,
    input  logic [ 7:0]             replay_ct_max_i,
    input  logic [ 7:0]             retry_threshold_i,
    input  logic                    take_i,
    input  logic [ 7:0]             take_words_i,
    input  tilefly_pkg::word_t      out_word_i,
    input  logic                    report_valid_i,
    input  logic                    report_nack_i,
    input  logic [10:0]             report_seq_i,
    output logic                    ready_o,
    output tilefly_pkg::word_t      out_word_o,
    output logic             [ 9:0] out_held_o,
    output tilefly_pkg::retry_tag_t out_tag_o,
    output logic                    start_o,
    output logic                    again_o,
    output logic [ 3:0]             start_vl_o,
    output logic [12:0]             start_len_o,
    output logic                    link_failed_o,
    output logic                    over_threshold_o,
    output logic                    replay_o,
    output logic                    timeout_o,
    output logic                    bad_report_o,
    output logic                    repeated_o,
    output logic                    out_quiescent_o,
    /// ports of tilefly_retry_in
    input  logic                    in_enable_i,
    input  logic                    in_link_up_i,
    input  logic [ 2:0]             in_lanes_i,
    input  tilefly_pkg::word_t      in_word_i,
    input  tilefly_pkg::retry_tag_t in_tag_i,
    output tilefly_pkg::word_t      in_word_o,
    output logic                    report_valid_o,
    output logic                    report_nack_o,
    output logic [10:0]             report_seq_o,
    output logic                    accepted_o,
    output logic                    bad_o,
    output logic                    missing_o,
    output logic                    duplicate_o,
    output logic                    replayed_o,
    output logic                    in_quiescent_o
);

  tilefly_retry_out #(
      .Depth   (Depth),
      .MaxWords(MaxWords),
      .SeqW    (SeqW)
  ) u_out (
      .clk_i,
      .rst_ni,
      .enable_i   (out_enable_i),
      .link_up_i  (out_link_up_i),
      .lanes_i    (out_lanes_i),
      .replay_timer_max_i,
      .replay_ct_max_i,
      .retry_threshold_i,
      .take_i,
      .take_words_i,
      .word_i     (out_word_i),
      .report_valid_i,
      .report_nack_i,
      .report_seq_i,
      .ready_o,
      .word_o     (out_word_o),
      .tag_o      (out_tag_o),
      .start_o,
      .again_o,
      .start_vl_o,
      .start_len_o,
      .link_failed_o,
      .over_threshold_o,
      .replay_o,
      .timeout_o,
      .bad_report_o,
      .repeated_o,
      .held_o     (out_held_o),
      .quiescent_o(out_quiescent_o)
  );

  tilefly_retry_in #(
      .AckGap(AckGap),
      .SeqW  (SeqW)
  ) u_in (
      .clk_i,
      .rst_ni,
      .enable_i   (in_enable_i),
      .link_up_i  (in_link_up_i),
      .lanes_i    (in_lanes_i),
      .word_i     (in_word_i),
      .tag_i      (in_tag_i),
      /* verilator lint_off PINCONNECTEMPTY */  // the word says it
      .passes_o   (),
      /* verilator lint_on PINCONNECTEMPTY */
      .word_o     (in_word_o),
      .report_valid_o,
      .report_nack_o,
      .report_seq_o,
      .accepted_o,
      .bad_o,
      .missing_o,
      .duplicate_o,
      .replayed_o,
      .quiescent_o(in_quiescent_o)
  );

endmodule
