// SPDX-License-Identifier: Apache-2.0
// A tile's reduction ports and combiner, wired as in tilefly_tile, without what stands between them and the links: words of taken packets
// come as the ingress gives them, grants as the output's scheduler does.
// Latency: that of the parts. All outputs but used_o are flops or functions of flops.

module red_tile #(
    /// bits of an input's number of row R
    parameter int InputW = $clog2(tilefly_pkg::ROW_IN),
    /// bits of the reduction ring
    parameter int RingW = 2 * tilefly_pkg::RED_COLLECT_W + 3 * tilefly_pkg::RED_RETURN_W
) (
    /// clock
    input  logic                                        clk_i,
    /// synchronous reset, active low
    input  logic                                        rst_ni,
    /// number of the tile
    input  logic [                                 4:0] tile_i,
    /// register bus (cfg_t)
    input  logic [              tilefly_pkg::CFG_W-1:0] cfg_i,
    /// the link of tile port 0, tile port 1 works
    input  logic [                                 1:0] link_up_i,
    /// a word of a taken packet arrives
    input  logic [                                 1:0] word_i,
    /// what it is, and the packet's end (rx_t)
    input  logic [   2*tilefly_ingress_pkg::RX_W-1:0] rx_i,
    /// the words
    input  logic [                               511:0] data_i,
    /// reduction ring, incoming: return lanes S, D, U, collect lanes DOWN, UP
    input  logic [                           RingW-1:0] ring_i,
    /// what the CFU says (red_cmd_t)
    input  logic [          tilefly_pkg::RED_CMD_W-1:0] cmd_i,
    /// an input of row R is granted
    input  logic [                                 1:0] grant_i,
    /// the inputs
    input  logic [                        2*InputW-1:0] grant_input_i,
    /// reduction ring, outgoing
    output logic [                           RingW-1:0] ring_o,
    /// what the ports report (red_report_t)
    output logic [     2*tilefly_pkg::RED_REPORT_W-1:0] report_o,
    /// the packet that ends is used
    output logic [                                 1:0] used_o,
    /// requests of row R
    output logic [                                 1:0] req_valid_o,
    /// what is asked for (request_t)
    output logic [        2*tilefly_pkg::REQUEST_W-1:0] req_o,
    /// cells of row R
    output logic [                                 1:0] cell_valid_o,
    /// the cells (cell_t)
    output logic [           2*tilefly_pkg::CELL_W-1:0] cell_o,
    /// observation (red_obs_t)
    output logic [        2*tilefly_pkg::RED_OBS_W-1:0] obs_o,
    /// answer to a register read (read_answer_t)
    output logic [      tilefly_pkg::READ_ANSWER_W-1:0] rdata_o,
    /// with idle inputs nothing here will change
    output logic                                        quiescent_o
);

  localparam int RxW = tilefly_ingress_pkg::RX_W;
  localparam int CollectW = tilefly_pkg::RED_COLLECT_W;
  localparam int AnswerW = tilefly_pkg::READ_ANSWER_W;
  localparam int ReportW = tilefly_pkg::RED_REPORT_W;
  localparam int RequestW = tilefly_pkg::REQUEST_W;
  localparam int CellW = tilefly_pkg::CELL_W;
  localparam int ObsW = tilefly_pkg::RED_OBS_W;

  tilefly_pkg::cfg_t cfg;
  logic cfg_busy;

  tilefly_cfg_line u_cfg (
      .clk_i,
      .rst_ni,
      .cfg_i,
      .cfg_o (cfg),
      .busy_o(cfg_busy)
  );

  logic [4*CollectW-1:0] words, parts;
  logic [31:0] indices;
  logic [3:0] small_parts;
  logic [2*AnswerW-1:0] rdata;
  logic [1:0] port_quiescent;
  logic combiner_quiescent;

  generate
    for (genvar l = 0; l < 2; l++) begin : gen_port
      tilefly_red_port u_port (
          .clk_i,
          .rst_ni,
          .port_i       ({tile_i, 1'(l)}),
          .cfg_i        (cfg),
          .link_up_i    (link_up_i[l]),
          .cmd_i,
          .word_i       (word_i[l]),
          .rx_i         (rx_i[l*RxW+:RxW]),
          .data_i       (data_i[l*256+:256]),
          .used_o       (used_o[l]),
          .report_o     (report_o[l*ReportW+:ReportW]),
          .words_i      (words[2*l*CollectW+:2*CollectW]),
          .indices_i    (indices[16*l+:16]),
          .parts_o      (parts[2*l*CollectW+:2*CollectW]),
          .small_o      (small_parts[2*l+:2]),
          .returns_i    (ring_i[RingW-1:2*CollectW]),
          .req_valid_o  (req_valid_o[l]),
          .req_o        (req_o[l*RequestW+:RequestW]),
          .grant_i      (grant_i[l]),
          .grant_input_i(grant_input_i[l*InputW+:InputW]),
          .cell_valid_o (cell_valid_o[l]),
          .cell_o       (cell_o[l*CellW+:CellW]),
          .obs_o        (obs_o[l*ObsW+:ObsW]),
          .rd_valid_o   (rdata[(l+1)*AnswerW-1]),
          .rd_data_o    (rdata[l*AnswerW+:AnswerW-1]),
          .quiescent_o  (port_quiescent[l])
      );
    end
  endgenerate

  tilefly_combiner u_combiner (
      .clk_i,
      .rst_ni,
      .ring_i,
      .ring_o,
      .words_o    (words),
      .indices_o  (indices),
      .parts_i    (parts),
      .small_i    (small_parts),
      .quiescent_o(combiner_quiescent)
  );

  assign rdata_o     = rdata[AnswerW-1:0] | rdata[2*AnswerW-1:AnswerW];
  assign quiescent_o = port_quiescent == '1 && combiner_quiescent && !cfg_busy;

endmodule
