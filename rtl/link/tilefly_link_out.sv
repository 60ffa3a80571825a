// SPDX-License-Identifier: Apache-2.0
// Last stages of a port before the wire: the retry block, and the control slot of credit returns, acks, reports and stamps.
// Manual: docs/blocks/link.md, docs/blocks/retry.md; the place in the port: docs/blocks/link_retry.md.
// Latency: without retry a word is on `link_o` 2 cycles after it was on `word_i`; a credit return that is on `ret_*` in d + 1 is
// there in d + 6, an ack in t + 1, a report in t + 1, a stamp in its own cycle. Throughput: one word, one slot a cycle.
// Handshake: valid only; a packet may be taken when `ready_o` is 1. On the wire an idle word or control slot is all zeros.

module tilefly_link_out (
    /// clock
    input  logic                            clk_i,
    /// synchronous reset, active low
    input  logic                            rst_ni,
    /// the link works in this cycle
    input  logic                            link_up_i,
    /// how the port retries
    input  tilefly_retry_pkg::settings_t    retry_i,
    /// SerDes lanes in use
    input  logic                      [2:0] lanes_i,
    /// a packet is taken whose words are sent
    input  logic                            take_i,
    /// words of the packet
    input  logic                      [7:0] words_i,
    /// word of the MAC
    input  tilefly_pkg::word_t              word_i,
    /// report of the slot on `link_i` in this cycle
    input  tilefly_retry_pkg::report_t      heard_i,
    /// report for the control slot of the next cycle
    input  tilefly_retry_pkg::report_t      report_i,
    /// stamp of the control slot in this cycle
    input  tilefly_retry_pkg::stamp_t       stamp_i,
    /// a credit return for the control slot
    input  logic                            ret_valid_i,
    /// virtual lane of the credit return
    input  logic                      [3:0] ret_vl_i,
    /// cells freed on the virtual lane since reset
    input  logic                     [15:0] ret_cells_i,
    /// an ack for the control slot of the next cycle
    input  logic                            ack_valid_i,
    /// the ack
    input  tilefly_pkg::ack_t               ack_i,
    /// a packet may be taken
    output logic                            ready_o,
    /// the link
    output tilefly_pkg::link_t              link_o,
    /// a packet started on the link, where the port retries
    output tilefly_retry_pkg::start_t       start_o,
    /// packets in the replay buffer
    output logic                      [9:0] held_o,
    /// counted
    output tilefly_retry_pkg::sent_events_t events_o,
    /// nothing is on its way to the wire
    output logic                            quiescent_o
);

  // Written apart from golden/common/stage_times.h, on purpose: each is judged by the other.
  localparam int RetCycles = 4;
  localparam int RetW = 4 + 16;

  tilefly_pkg::word_t given, word;
  tilefly_pkg::retry_tag_t tag;
  logic retry_quiescent;
  assign given = word_i.valid ? word_i : '0;

  tilefly_retry_out u_retry (
      .clk_i,
      .rst_ni,
      .enable_i          (retry_i.on),
      .link_up_i,
      .lanes_i,
      .replay_timer_max_i(retry_i.timer),
      .replay_ct_max_i   (retry_i.limit),
      .retry_threshold_i (retry_i.threshold),
      .take_i            (retry_i.on && take_i),
      .take_words_i      (words_i),
      .word_i            (given),
      .report_valid_i    (heard_i.valid),
      .report_nack_i     (heard_i.nack),
      .report_seq_i      (heard_i.seq),
      .ready_o,
      .word_o            (word),
      .tag_o             (tag),
      .start_o           (start_o.valid),
      .again_o           (start_o.again),
      .start_vl_o        (start_o.vl),
      .start_len_o       (start_o.len),
      /* verilator lint_off PINCONNECTEMPTY */  // a port does not give its link up yet
      .link_failed_o     (),
      .over_threshold_o  (),
      /* verilator lint_on PINCONNECTEMPTY */
      .replay_o          (events_o.replay),
      .timeout_o         (events_o.timeout),
      .bad_report_o      (events_o.bad_report),
      .repeated_o        (events_o.repeated),
      .held_o,
      .quiescent_o       (retry_quiescent)
  );

  // The pace of a packet's start s is beside its words, from s + 2 on.
  logic [1:0] pace_q, shown_pace_q;
  always_ff @(posedge clk_i) begin
    if (retry_i.on) begin
      pace_q <= lanes_i >= 3'd1 && lanes_i <= 3'd4 ? 2'(lanes_i - 3'd1) : 2'd3;
      if (start_o.valid) shown_pace_q <= pace_q;
    end
  end

  // The control slot.
  logic ret_valid, ret_busy, slot;
  logic [RetW-1:0] ret;
  tilefly_retry_pkg::report_t report_q;
  logic credit_valid_q, ack_valid_q;
  logic [RetW-1:0] credit_q;
  tilefly_pkg::ack_t ack_q;

  tilefly_delay_line #(
      .Width(RetW),
      .Depth(RetCycles)
  ) u_ret (
      .clk_i,
      .rst_ni,
      .valid_i(ret_valid_i),
      .data_i ({ret_vl_i, ret_cells_i}),
      .valid_o(ret_valid),
      .data_o (ret),
      .busy_o (ret_busy)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      report_q       <= '0;
      credit_valid_q <= 1'b0;
      ack_valid_q    <= 1'b0;
    end else begin
      if (report_i.valid || report_q.valid) report_q <= report_i.valid ? report_i : '0;
      credit_valid_q <= ret_valid;
      ack_valid_q    <= ack_valid_i;
    end
    if (ret_valid) credit_q <= ret;
    if (ack_valid_i) ack_q <= ack_i;
  end

  assign slot = credit_valid_q || ack_valid_q || report_q.valid || stamp_i.valid;

  always_comb begin
    link_o = '0;
    if (word.valid) begin
      link_o.word = word;
      link_o.tag  = tag;
      if (retry_i.on) link_o.tag.pace = shown_pace_q;
    end
    if (slot) begin
      {link_o.ctrl.wired_valid, link_o.ctrl.wired_vl, link_o.ctrl.wired_cells} = stamp_i;
      {link_o.ctrl.retry_valid, link_o.ctrl.retry_nack, link_o.ctrl.retry_seq} = report_q;
      if (credit_valid_q) {link_o.ctrl.credit_valid, link_o.ctrl.credit_vl, link_o.ctrl.credit_cells} = {1'b1, credit_q};
      if (ack_valid_q) begin
        link_o.ctrl.ack_valid    = 1'b1;
        link_o.ctrl.ack_share    = ack_q.share;
        link_o.ctrl.ack_by_class = ack_q.by_class;
        link_o.ctrl.ack_gen      = ack_q.gen;
        link_o.ctrl.ack_tc       = ack_q.tc;
        link_o.ctrl.ack_dst      = ack_q.dst;
        link_o.ctrl.ack_mark     = ack_q.mark;
        link_o.ctrl.ack_load     = ack_q.load;
        link_o.ctrl.ack_flow     = ack_q.flow;
        link_o.ctrl.ack_cells    = ack_q.cells;
        link_o.ctrl.ack_hops     = ack_q.hops;
        link_o.ctrl.ack_port     = ack_q.port;
        link_o.ctrl.ack_path     = ack_q.path;
      end
    end
  end

  assign quiescent_o = retry_quiescent && !ret_busy && !slot;

endmodule
