// SPDX-License-Identifier: Apache-2.0
// Last stages of a port before the wire: the retry block, the SerDes lanes in use, and the control slot of credit
// returns, acks, pauses of flows, reports, masks of lanes and stamps.
// Manual: docs/blocks/link.md, docs/blocks/retry.md; the place in the port: docs/blocks/link_retry.md.
// Latency to `link_o`: a word of `word_i` 2 cycles, without retry; a credit return of `ret_*` of d + 1 in d + 6,
// a pause of t in t + 6, an ack or report of t in t + 1, a stamp in its own cycle. Throughput: a word, a slot a cycle.
// Handshake: valid only; a packet may be taken when `ready_o` is 1. On the wire an idle word or control slot is all zeros.

module tilefly_link_out (
    /// clock
    input  logic                            clk_i,
    /// synchronous reset, active low
    input  logic                            rst_ni,
    /// number of the current cycle
    input  logic                     [47:0] cycle_i,
    /// the link works in this cycle
    input  logic                            link_up_i,
    /* verilator lint_off UNUSEDSIGNAL */  // what a link that is down does is for others
    /// how the port retries
    input  tilefly_retry_pkg::settings_t    retry_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// MODE.lanes: SerDes lanes that the cable has
    input  logic                      [2:0] lanes_i,
    /// which of them are in use
    input  tilefly_retry_pkg::lanes_t       serdes_i,
    /// a packet is taken whose words are sent
    input  logic                            take_i,
    /// words of the packet
    input  logic                      [7:0] words_i,
    /// word of the MAC
    input  tilefly_pkg::word_t              word_i,
    /// what is heard on `link_i` in this cycle
    input  tilefly_retry_pkg::heard_t       heard_i,
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
    /// a pause of a flow for the control slot, decided in this cycle
    input  tilefly_flows_pkg::pause_t       pause_i,
    /// a packet may be taken that is sent
    output logic                            ready_o,
    /// SerDes lanes in use, outgoing direction
    output logic                      [2:0] lanes_o,
    /// the link
    output tilefly_pkg::link_t              link_o,
    /// a packet started on the link, where the port retries
    output tilefly_retry_pkg::start_t       start_o,
    /// packets in the replay buffer
    output logic                      [9:0] held_o,
    /// the replay limit is reached
    output logic                            failed_o,
    /// counted: of the retry block
    output tilefly_retry_pkg::sent_events_t events_o,
    /// counted: of the SerDes lanes
    output tilefly_retry_pkg::lane_events_t lane_events_o,
    /// nothing is on its way to the wire
    output logic                            quiescent_o
);

  // Written apart from golden/common/stage_times.h, on purpose: each is judged by the other.
  localparam int RetCycles = 4;
  localparam int RetW = 4 + 16;
  localparam int PauseCycles = 6;

  localparam int TakeToWord = 6;

  // Cycles from a packet's first word to its last.
  function automatic [9:0] last_word_after(input [7:0] words, input [2:0] serdes_lanes);
    logic [9:0] quarters;
    quarters = {words - 8'd1, 2'b0};
    case (serdes_lanes)
      3'd1: last_word_after = quarters;
      3'd2: last_word_after = quarters >> 1;
      3'd3: last_word_after = quarters / 10'd3;
      default: last_word_after = quarters >> 2;
    endcase
  endfunction

  // The MAC has no word to come from the cycle behind the last word of the packet that was taken last; a packet that is discarded
  // has none.
  logic [47:0] empty_at_q;
  logic mac_empty;
  assign mac_empty = cycle_i >= empty_at_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) empty_at_q <= '0;
    else if (retry_i.on && take_i) empty_at_q <= cycle_i + 48'(TakeToWord) + 48'd1 + 48'(last_word_after(words_i, lanes_o));
  end

  // A port that came up without its retry blocks has all lanes: for the lanes its link is down.
  tilefly_retry_pkg::report_t report;
  logic retry_ready, lanes_ready, lanes_valid, nack, lanes_quiescent;
  logic [3:0] lanes_bad;
  logic [10:0] nack_seq;

  tilefly_serdes_lanes u_lanes (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .retry_i         (retry_i.on),
      .link_up_i       (link_up_i && retry_i.enable),
      .lanes_i,
      .fail_i          (serdes_i.fail),
      .back_i          (serdes_i.back),
      .off_i           (serdes_i.off),
      .written_i       (serdes_i.written),
      .lane_err_i      (heard_i.lane_err),
      .report_o_valid_i(report_i.valid),
      .lanes_valid_o   (lanes_valid),
      .lanes_bad_o     (lanes_bad),
      .avoid_valid_i   (heard_i.lanes_valid),
      .avoid_i         (heard_i.lanes_bad),
      .report_valid_i  (heard_i.report.valid),
      .report_seq_i    (heard_i.report.seq),
      .mac_empty_i     (mac_empty),
      .m_o             (lanes_o),
      .take_ok_o       (lanes_ready),
      .nack_o          (nack),
      .nack_seq_o      (nack_seq),
      .failed_o        (lane_events_o.failed),
      .back_o          (lane_events_o.back),
      .quiescent_o     (lanes_quiescent)
  );

  assign report  = nack ? {1'b1, 1'b1, nack_seq} : heard_i.report;
  assign ready_o = retry_ready && lanes_ready;

  tilefly_pkg::word_t word;
  tilefly_pkg::retry_tag_t tag;
  logic retry_quiescent;

  tilefly_retry_out u_retry (
      .clk_i,
      .rst_ni,
      .enable_i          (retry_i.enable),
      .link_up_i,
      .lanes_i           (lanes_o),
      .replay_timer_max_i(retry_i.timer),
      .replay_ct_max_i   (retry_i.limit),
      .retry_threshold_i (retry_i.threshold),
      .take_i            (retry_i.enable && take_i),
      .take_words_i      (words_i),
      .word_i,
      .report_valid_i    (report.valid),
      .report_nack_i     (report.nack),
      .report_seq_i      (report.seq),
      .ready_o           (retry_ready),
      .word_o            (word),
      .tag_o             (tag),
      .start_o           (start_o.valid),
      .again_o           (start_o.again),
      .start_vl_o        (start_o.vl),
      .start_len_o       (start_o.len),
      .link_failed_o     (failed_o),
      /* verilator lint_off PINCONNECTEMPTY */  // software reads no state of the port yet
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
    if (retry_i.enable) begin
      pace_q <= 2'(lanes_o - 3'd1);
      if (start_o.valid) shown_pace_q <= pace_q;
    end
  end

  // The control slot.
  logic ret_valid, ret_busy, slot;
  logic [RetW-1:0] ret;
  tilefly_retry_pkg::report_t report_q;
  logic credit_valid_q, ack_valid_q, mask_valid_q;
  logic [3:0] mask_q;
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

  logic pause_valid, pause_busy;
  tilefly_flows_pkg::pause_t pause;

  tilefly_delay_line #(
      .Width(tilefly_flows_pkg::PAUSE_W),
      .Depth(PauseCycles)
  ) u_pause (
      .clk_i,
      .rst_ni,
      .valid_i(pause_i.valid),
      .data_i (pause_i),
      .valid_o(pause_valid),
      .data_o (pause),
      .busy_o (pause_busy)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      report_q       <= '0;
      credit_valid_q <= 1'b0;
      ack_valid_q    <= 1'b0;
      mask_valid_q   <= 1'b0;
    end else begin
      if (report_i.valid || report_q.valid) report_q <= report_i.valid ? report_i : '0;
      credit_valid_q <= ret_valid;
      ack_valid_q    <= ack_valid_i;
      mask_valid_q   <= lanes_valid;
    end
    if (lanes_valid) mask_q <= lanes_bad;
    if (ret_valid) credit_q <= ret;
    if (ack_valid_i) ack_q <= ack_i;
  end

  assign slot = credit_valid_q || ack_valid_q || pause_valid || report_q.valid || mask_valid_q || stamp_i.valid;

  always_comb begin
    link_o = '0;
    if (word.valid) begin
      link_o.word = word;
      link_o.tag  = tag;
      if (retry_i.enable) link_o.tag.pace = shown_pace_q;
    end
    if (slot) begin
      {link_o.ctrl.wired_valid, link_o.ctrl.wired_vl, link_o.ctrl.wired_cells} = stamp_i;
      if (mask_valid_q) {link_o.ctrl.lanes_valid, link_o.ctrl.lanes_bad} = {1'b1, mask_q};
      {link_o.ctrl.retry_valid, link_o.ctrl.retry_nack, link_o.ctrl.retry_seq} = report_q;
      if (pause_valid) begin
        {link_o.ctrl.pause_valid, link_o.ctrl.pause_tc, link_o.ctrl.pause_dst, link_o.ctrl.pause_period, link_o.ctrl.pause_credit} = pause;
      end
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

  assign quiescent_o = retry_quiescent && lanes_quiescent && !ret_busy && !pause_busy && !slot;

endmodule
