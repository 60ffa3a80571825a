// SPDX-License-Identifier: Apache-2.0
// One tile: two ports and, for each of the five crossbars, a 2C:2R crosspoint. Manual: docs/blocks/tile.md.
// Latency and throughput: docs/timing.md. Handshake: valid only; nothing is refused across a tile's boundary.
// All outputs are flops or functions of flops, so tiles can be evaluated in any order. Position is a strap, so one
// model serves all tiles. Element i of a flat vector with elements of W bits is bits [i*W +: W].

module tilefly_tile #(
    /// bits of a column-channel message {valid, payload} of requests; row buses have six more, {valid, dst, payload}
    parameter int ReqW = tilefly_pkg::REQUEST_W + 1,
    /// the same of grants
    parameter int GntW = tilefly_pkg::GRANT_W + 1,
    /// the same of data
    parameter int DatW = tilefly_pkg::CELL_W + 1,
    /// the same of request credits
    parameter int CrdW = tilefly_pkg::CREDIT_W + 1,
    /// the same of end-to-end acks
    parameter int AckW = tilefly_pkg::ACK_W + 1,
    /// bits of the reduction ring
    parameter int RingW = 2 * tilefly_pkg::RED_COLLECT_W + 3 * tilefly_pkg::RED_RETURN_W
) (
    /// clock
    input  logic                                            clk_i,
    /// clock of the reduction ports and the combiner: rises with `clk_i` and falls in between, or stands high (TILE-4)
    input  logic                                            clk_red_i,
    /// synchronous reset, active low
    input  logic                                            rst_ni,
    /// number of the current cycle, the same in all tiles
    input  logic [                                    47:0] cycle_i,
    /// row of this tile
    input  logic [                                     2:0] row_i,
    /// column of this tile
    input  logic [                                     3:0] col_i,
    /// register bus (cfg_t), the same in all tiles
    input  logic [                  tilefly_pkg::CFG_W-1:0] cfg_i,
    /// incoming links (link_t) of tile port 0, tile port 1
    input  logic [               2*tilefly_pkg::LINK_W-1:0] link_i,
    /// outgoing links
    output logic [               2*tilefly_pkg::LINK_W-1:0] link_o,
    /// the link works
    input  logic [                                     1:0] link_up_i,
    /// the port asks for its link to go down (flops)
    output logic [                                     1:0] link_fail_o,
    /// row buses {valid, dst, payload} of tile port 0, tile port 1: requests
    output logic [                            2*(ReqW+6)-1:0] req_row_o,
    /// row buses of tile port 0, tile port 1: grants
    output logic [                            2*(GntW+6)-1:0] gnt_row_o,
    /// row buses of tile port 0, tile port 1: data
    output logic [                            2*(DatW+6)-1:0] dat_row_o,
    /// row buses of tile port 0, tile port 1: request credits
    output logic [                            2*(CrdW+6)-1:0] crd_row_o,
    /// row buses of tile port 0, tile port 1: end-to-end acks
    output logic [                            2*(AckW+6)-1:0] ack_row_o,
    /// row buses of the row, input s mod 2C of source port s: requests
    input  logic [            tilefly_pkg::ROW_IN*(ReqW+6)-1:0] req_row_i,
    /// row buses of the row: grants
    input  logic [            tilefly_pkg::ROW_IN*(GntW+6)-1:0] gnt_row_i,
    /// row buses of the row: data
    input  logic [            tilefly_pkg::ROW_IN*(DatW+6)-1:0] dat_row_i,
    /// row buses of the row: request credits
    input  logic [            tilefly_pkg::ROW_IN*(CrdW+6)-1:0] crd_row_i,
    /// row buses of the row: end-to-end acks
    input  logic [            tilefly_pkg::ROW_IN*(AckW+6)-1:0] ack_row_i,
    /// column channels {valid, payload}, output 2*row(d) + tile_port(d) towards port d: requests
    output logic [               tilefly_pkg::COL_OUT*ReqW-1:0] req_col_o,
    /// column channels outgoing: grants
    output logic [               tilefly_pkg::COL_OUT*GntW-1:0] gnt_col_o,
    /// column channels outgoing: data
    output logic [               tilefly_pkg::COL_OUT*DatW-1:0] dat_col_o,
    /// column channels outgoing: request credits
    output logic [               tilefly_pkg::COL_OUT*CrdW-1:0] crd_col_o,
    /// column channels outgoing: end-to-end acks
    output logic [               tilefly_pkg::COL_OUT*AckW-1:0] ack_col_o,
    /// column channels of this tile's ports, index tile_port*R + source row: requests
    input  logic [               tilefly_pkg::COL_OUT*ReqW-1:0] req_col_i,
    /// column channels of this tile's ports: grants
    input  logic [               tilefly_pkg::COL_OUT*GntW-1:0] gnt_col_i,
    /// column channels of this tile's ports: data
    input  logic [               tilefly_pkg::COL_OUT*DatW-1:0] dat_col_i,
    /// column channels of this tile's ports: request credits
    input  logic [               tilefly_pkg::COL_OUT*CrdW-1:0] crd_col_i,
    /// column channels of this tile's ports: end-to-end acks
    input  logic [               tilefly_pkg::COL_OUT*AckW-1:0] ack_col_i,
    /// what the load ring shows, which wakes nobody: the load of port p in bits [12*p +: 12], and in bit 12*PORTS + p that it is down
    input  logic [             13*tilefly_pkg::PORTS-1:0] loads_i,
    /// reduction ring, incoming: return lanes S, D, U (red_return_t), collect lanes DOWN, UP (red_collect_t)
    input  logic [                               RingW-1:0] red_ring_i,
    /// what the CFU says to all tiles (red_cmd_t)
    input  logic [              tilefly_pkg::RED_CMD_W-1:0] red_cmd_i,
    /// loads of this tile's two ports, what acks brought of their neighbours', and whether they are down (loadreport_t, flop)
    output logic [           tilefly_pkg::LOADREPORT_W-1:0] load_o,
    /// reduction ring, outgoing
    output logic [                               RingW-1:0] red_ring_o,
    /// what the reduction ports of tile port 1, tile port 0 say to the CFU (red_report_t, flops)
    output logic [         2*tilefly_pkg::RED_REPORT_W-1:0] red_report_o,
    /// answer to a register read (read_answer_t)
    output logic [          tilefly_pkg::READ_ANSWER_W-1:0] rdata_o,
    /// observation {red_obs_t of tile port 1, of tile port 0, turnobs_t, portobs_t of tile port 1, of tile port 0}
    output logic [2*tilefly_pkg::PORTOBS_W+tilefly_pkg::TURNOBS_W+2*tilefly_pkg::RED_OBS_W-1:0] obs_o,
    /// with idle inputs nothing in the reduction ports and the combiner will change
    output logic                                            red_quiescent_o,
    /// with idle inputs nothing in the tile will change
    output logic                                            quiescent_o,
    /// cycle at which a quiescent tile wants to be evaluated again; all ones: never
    output logic [                                    47:0] wake_at_o
);

  localparam int AnswerW = tilefly_pkg::READ_ANSWER_W;
  localparam int Rows = tilefly_pkg::ROWS;
  localparam int LinkW = tilefly_pkg::LINK_W;
  localparam int ObsW = tilefly_pkg::PORTOBS_W;
  localparam int LkReqW = tilefly_ingress_pkg::LK_REQ_W;
  localparam int LkRspW = tilefly_ingress_pkg::LK_RSP_W;

  // Number of the current cycle. A quiescent tile keeps the old one, which is right again in the cycle after the first one in
  // which it is not quiescent: before that nothing is compared with any deadline (TILE-3).
  logic [47:0] cycle_q;
  always_ff @(posedge clk_i) begin
    if (!quiescent_o) cycle_q <= cycle_i + 48'd1;
  end

  tilefly_pkg::cfg_t cfg;
  logic cfg_busy;

  tilefly_cfg_line u_cfg (
      .clk_i,
      .rst_ni,
      .cfg_i,
      .cfg_o (cfg),
      .busy_o(cfg_busy)
  );

  // Ports, and the tables they share.
  logic [2*LkReqW-1:0] lk_req;
  logic [2*LkRspW-1:0] lk_rsp;
  logic [2*AnswerW-1:0] rdata;
  localparam int ReportW = tilefly_pkg::LOADREPORT_W / 2;
  logic [2*ReportW-1:0] reports;
  logic [1:0] port_quiescent, port_red_quiescent;
  logic tables_quiescent;
  logic [4:0] tile;

  assign tile = 5'(row_i) * 5'(tilefly_pkg::COLS) + 5'(col_i);

  tilefly_tables u_tables (
      .clk_i,
      .rst_ni,
      .cfg_i      (cfg),
      .lk_req_i   (lk_req),
      .lk_rsp_o   (lk_rsp),
      .quiescent_o(tables_quiescent)
  );

  // Reductions: words that pass the ports, {port 1, port 0} x {DOWN, UP}, and what the ports add.
  localparam int CollectW = tilefly_pkg::RED_COLLECT_W;
  localparam int ReturnW = tilefly_pkg::RED_RETURN_W;
  localparam int RedReportW = tilefly_pkg::RED_REPORT_W;
  localparam int RedObsW = tilefly_pkg::RED_OBS_W;
  localparam int RedObs = 2 * ObsW + tilefly_pkg::TURNOBS_W;  // where these records begin
  logic [4*CollectW-1:0] red_words, red_parts;
  logic [31:0] red_indices;
  logic [3:0] red_small;
  logic combiner_quiescent;

  // They take what comes in the middle of the cycle: while their clock stands, nothing of theirs follows an input.
  logic [RingW-1:0] red_ring;
  tilefly_pkg::red_cmd_t red_cmd;
  always_ff @(negedge clk_red_i) begin
    red_ring <= red_ring_i;
    red_cmd  <= red_cmd_i;
  end
  logic red_taken;  // something was taken, and has to go before the clock stands
  assign red_taken = red_ring[CollectW-1] || red_ring[2*CollectW-1] || red_ring[2*CollectW+ReturnW-1] ||
      red_ring[2*CollectW+2*ReturnW-1] || red_ring[RingW-1] || red_cmd.launch || red_cmd.change || red_cmd.clear;

  generate
    for (genvar l = 0; l < 2; l++) begin : gen_port
      tilefly_port u_port (
          .clk_i,
          .clk_red_i,
          .rst_ni,
          .cycle_i    (cycle_q),
          .port_i     ({tile, 1'(l)}),
          .cfg_i      (cfg),
          .link_i     (link_i[l*LinkW+:LinkW]),
          .link_up_i  (link_up_i[l]),
          .lk_req_o   (lk_req[l*LkReqW+:LkReqW]),
          .lk_rsp_i   (lk_rsp[l*LkRspW+:LkRspW]),
          .loads_i,
          .req_row_o  (req_row_o[l*(ReqW+6)+:ReqW+6]),
          .gnt_row_o  (gnt_row_o[l*(GntW+6)+:GntW+6]),
          .dat_row_o  (dat_row_o[l*(DatW+6)+:DatW+6]),
          .crd_row_o  (crd_row_o[l*(CrdW+6)+:CrdW+6]),
          .ack_row_o  (ack_row_o[l*(AckW+6)+:AckW+6]),
          .req_col_i  (req_col_i[l*Rows*ReqW+:Rows*ReqW]),
          .gnt_col_i  (gnt_col_i[l*Rows*GntW+:Rows*GntW]),
          .dat_col_i  (dat_col_i[l*Rows*DatW+:Rows*DatW]),
          .crd_col_i  (crd_col_i[l*Rows*CrdW+:Rows*CrdW]),
          .ack_col_i  (ack_col_i[l*Rows*AckW+:Rows*AckW]),
          .red_cmd_i    (red_cmd),
          .red_words_i  (red_words[2*l*CollectW+:2*CollectW]),
          .red_indices_i(red_indices[16*l+:16]),
          .red_parts_o  (red_parts[2*l*CollectW+:2*CollectW]),
          .red_small_o  (red_small[2*l+:2]),
          .red_returns_i(red_ring[RingW-1:2*CollectW]),
          .red_report_o (red_report_o[l*RedReportW+:RedReportW]),
          .red_obs_o    (obs_o[RedObs+l*RedObsW+:RedObsW]),
          .link_o     (link_o[l*LinkW+:LinkW]),
          .link_fail_o(link_fail_o[l]),
          .load_o     (reports[l*ReportW+:12]),
          .neighbour_o(reports[l*ReportW+12+:12]),
          .acks_o     (reports[l*ReportW+24+:9]),
          .down_o     (reports[l*ReportW+33]),
          .obs_o      (obs_o[l*ObsW+:ObsW]),
          .rdata_o    (rdata[l*AnswerW+:AnswerW]),
          .red_quiescent_o(port_red_quiescent[l]),
          .quiescent_o(port_quiescent[l])
      );
    end
  endgenerate

  assign rdata_o = rdata[AnswerW-1:0] | rdata[2*AnswerW-1:AnswerW];

  generate
    if (tilefly_pkg::RED_PRESENT != 0) begin : gen_combiner
      tilefly_combiner u_combiner (
          .clk_i      (clk_red_i),
          .rst_ni,
          .ring_i     (red_ring),
          .ring_o     (red_ring_o),
          .words_o    (red_words),
          .indices_o  (red_indices),
          .parts_i    (red_parts),
          .small_i    (red_small),
          .quiescent_o(combiner_quiescent)
      );
    end else begin : gen_no_combiner
      assign red_ring_o         = '0;
      assign red_words          = '0;
      assign red_indices        = '0;
      assign combiner_quiescent = 1'b1;
      logic unused;
      assign unused = ^{red_ring, red_parts, red_small};
    end
  endgenerate

  // Turn halves of the crossbars.
  logic [4:0] turn_quiescent;

  tilefly_xbar_turn #(
      .Width(ReqW - 1)
  ) u_turn_req (
      .clk_i,
      .rst_ni,
      .row_i      (req_row_i),
      .col_pos_i  (col_i),
      .col_o      (req_col_o),
      .quiescent_o(turn_quiescent[0])
  );

  tilefly_xbar_turn #(
      .Width(GntW - 1)
  ) u_turn_gnt (
      .clk_i,
      .rst_ni,
      .row_i      (gnt_row_i),
      .col_pos_i  (col_i),
      .col_o      (gnt_col_o),
      .quiescent_o(turn_quiescent[1])
  );

  tilefly_xbar_turn #(
      .Width(CrdW - 1)
  ) u_turn_crd (
      .clk_i,
      .rst_ni,
      .row_i      (crd_row_i),
      .col_pos_i  (col_i),
      .col_o      (crd_col_o),
      .quiescent_o(turn_quiescent[2])
  );

  tilefly_xbar_turn #(
      .Width(AckW - 1),
      .Lossy(1)
  ) u_turn_ack (
      .clk_i,
      .rst_ni,
      .row_i      (ack_row_i),
      .col_pos_i  (col_i),
      .col_o      (ack_col_o),
      .quiescent_o(turn_quiescent[3])
  );

  tilefly_xbar_data u_turn_dat (
      .clk_i,
      .rst_ni,
      .row_i      (dat_row_i),
      .col_pos_i  (col_i),
      .col_o      (dat_col_o),
      .obs_o      (obs_o[2*ObsW+:tilefly_pkg::TURNOBS_W]),
      .quiescent_o(turn_quiescent[4])
  );

  // Loads go out.
  tilefly_pkg::loadreport_t load_report_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) load_report_q <= '0;
    else load_report_q <= reports;
  end
  assign load_o = load_report_q;

  assign red_quiescent_o = port_red_quiescent == '1 && combiner_quiescent && !red_taken;
  assign quiescent_o = port_quiescent == '1 && turn_quiescent == '1 && tables_quiescent && !cfg_busy && red_quiescent_o &&
      load_report_q == reports;
  assign wake_at_o   = '1;

  // Assertions. Nothing is in a buffer or a store, where a deadline decides, before the tile's cycle number is right, and
  // what shows as decided was decided a cycle before.
  logic right, right_q;  // the tile's cycle number, in this cycle and the one before
  /* verilator lint_off UNUSEDSIGNAL */  // the other fields
  tilefly_pkg::portobs_t seen_0, seen_1;
  /* verilator lint_on UNUSEDSIGNAL */
  logic decided, held;

  assign {seen_1, seen_0} = obs_o[2*ObsW-1:0];
  assign decided = seen_0.dec_valid || seen_0.pick_valid || seen_0.take_valid || seen_0.arr_rows != '0 ||
      seen_1.dec_valid || seen_1.pick_valid || seen_1.take_valid || seen_1.arr_rows != '0;
  assign held = seen_0.ibuf_cells != '0 || seen_0.load != '0 || seen_1.ibuf_cells != '0 || seen_1.load != '0;

  assign right = cycle_q == cycle_i;

  always_ff @(posedge clk_i) begin
    right_q <= rst_ni && right;
    if (rst_ni) TILE_3 : assert ((right || !held) && (right && right_q || !decided));
  end

endmodule
