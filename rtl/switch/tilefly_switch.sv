// SPDX-License-Identifier: Apache-2.0
// The switch as one model: R x C tiles, wired as on the tile page, with the load ring, the reduction ring closed and the
// register bus broadcast. Device `rtl-flat` and lint use it; device `rtl` wires the same tiles in C++
// (cosim/verilated/verilated_array.cc), which the suite lockstep holds equal to this.
// Manual: docs/blocks/switch.md, docs/blocks/tile.md.
// Latency: docs/timing.md. Throughput: one word a cycle and port. Handshake: links by credits or PAUSE. Outputs are flops or functions of
// flops. Element i of a flat vector with elements of W bits is bits [i*W +: W].

module tilefly_switch #(
    /// bits of the observation
    parameter int ObsW = tilefly_pkg::CFU_OBS_W + tilefly_pkg::PORTS * (tilefly_pkg::RED_OBS_W + tilefly_pkg::PORTOBS_W) + tilefly_pkg::TILES * tilefly_pkg::TURNOBS_W
) (
    /// clock
    input  logic                                                                     clk_i,
    /// synchronous reset, active low
    input  logic                                                                     rst_ni,
    /// number of the current cycle
    input  logic [                                                             47:0] cycle_i,
    /// register bus (cfg_t)
    input  logic [                                           tilefly_pkg::CFG_W-1:0] cfg_i,
    /// incoming links (link_t), one per port
    input  logic [                       tilefly_pkg::PORTS*tilefly_pkg::LINK_W-1:0] link_i,
    /// the link of port p works
    input  logic [                                           tilefly_pkg::PORTS-1:0] link_up_i,
    /// outgoing links
    output logic [                       tilefly_pkg::PORTS*tilefly_pkg::LINK_W-1:0] link_o,
    /// the port asks for its link to go down (flops)
    output logic [                                           tilefly_pkg::PORTS-1:0] link_fail_o,
    /// answer to a register read (read_answer_t)
    output logic [                                   tilefly_pkg::READ_ANSWER_W-1:0] rdata_o,
    /// observation: cfu_obs_t, red_obs_t of every port, turnobs_t of every tile, portobs_t of every port
    output logic [ObsW-1:0]                                                          obs_o,
    /// with idle inputs nothing in the switch will change
    output logic                                                                     quiescent_o
);

  localparam int AnswerW = tilefly_pkg::READ_ANSWER_W;
  localparam int Rows = tilefly_pkg::ROWS;
  localparam int Cols = tilefly_pkg::COLS;
  localparam int Tiles = tilefly_pkg::TILES;
  localparam int Half = Tiles / 2;  // tiles of a half ring
  localparam int Ports = tilefly_pkg::PORTS;
  localparam int LinkW = tilefly_pkg::LINK_W;
  localparam int PortObsW = tilefly_pkg::PORTOBS_W;
  localparam int TurnObsW = tilefly_pkg::TURNOBS_W;
  localparam int LoadW = tilefly_pkg::LOADREPORT_W;
  localparam int CollectW = tilefly_pkg::RED_COLLECT_W;
  localparam int ReturnW = tilefly_pkg::RED_RETURN_W;
  localparam int RedW = 2 * CollectW + 3 * ReturnW;
  localparam int RedReportW = tilefly_pkg::RED_REPORT_W;
  localparam int RedObsW = tilefly_pkg::RED_OBS_W;
  localparam int TurnObs = Ports * PortObsW;  // where these records begin
  localparam int RedObs = TurnObs + Tiles * TurnObsW;
  // Column-channel messages {valid, payload}; row buses have six bits more, {valid, dst, payload}.
  localparam int ReqW = tilefly_pkg::REQUEST_W + 1;
  localparam int GntW = tilefly_pkg::GRANT_W + 1;
  localparam int DatW = tilefly_pkg::CELL_W + 1;
  localparam int CrdW = tilefly_pkg::CREDIT_W + 1;
  localparam int AckW = tilefly_pkg::ACK_W + 1;

  // Row buses by source port; column channels as the turn tiles drive them and as the receiving tiles see them.
  logic [Ports*(ReqW+6)-1:0] req_row;
  logic [Ports*(GntW+6)-1:0] gnt_row;
  logic [Ports*(DatW+6)-1:0] dat_row;
  logic [Ports*(CrdW+6)-1:0] crd_row;
  logic [Ports*(AckW+6)-1:0] ack_row;
  logic [Tiles*2*Rows*ReqW-1:0] req_turn, req_col;
  logic [Tiles*2*Rows*GntW-1:0] gnt_turn, gnt_col;
  logic [Tiles*2*Rows*DatW-1:0] dat_turn, dat_col;
  logic [Tiles*2*Rows*CrdW-1:0] crd_turn, crd_col;
  logic [Tiles*2*Rows*AckW-1:0] ack_turn, ack_col;
  logic [Tiles*LoadW-1:0] load_reports;
  logic [13*Ports-1:0] shown_loads;
  /* verilator lint_off UNUSEDSIGNAL */  // nobody reads results behind the last tile
  logic [(Tiles+1)*RedW-1:0] red_ring;  // what tile t is shown at t, what the last one shows at Tiles
  /* verilator lint_on UNUSEDSIGNAL */
  logic [2*CollectW-1:0] starts, half_0;
  logic [3*ReturnW-1:0] results;
  logic [tilefly_pkg::RED_CMD_W-1:0] red_cmd;
  logic [Ports*RedReportW-1:0] red_reports;
  logic [AnswerW-1:0] cfu_rdata;
  logic cfu_quiescent;
  logic [Tiles*AnswerW-1:0] rdata;
  logic [Tiles-1:0] quiescent;
  logic ring_quiescent;

  generate
    for (genvar t = 0; t < Tiles; t++) begin : gen_tile
      localparam int Row = t / Cols;
      localparam int Col = t % Cols;

      logic [2*PortObsW+TurnObsW+2*RedObsW-1:0] obs;
      logic [RedW-1:0] red_in, red_out;
      /* verilator lint_off UNUSEDSIGNAL */  // all tiles are evaluated
      logic red_quiescent;
      logic [47:0] wake_at;
      /* verilator lint_on UNUSEDSIGNAL */

      tilefly_tile u_tile (
          .clk_i,
          .clk_red_i  (clk_i),
          .rst_ni,
          .cycle_i,
          .row_i      (3'(Row)),
          .col_i      (4'(Col)),
          .cfg_i,
          .link_i     (link_i[2*t*LinkW+:2*LinkW]),
          .link_o     (link_o[2*t*LinkW+:2*LinkW]),
          .link_up_i  (link_up_i[2*t+:2]),
          .link_fail_o(link_fail_o[2*t+:2]),
          .req_row_o  (req_row[2*t*(ReqW+6)+:2*(ReqW+6)]),
          .gnt_row_o  (gnt_row[2*t*(GntW+6)+:2*(GntW+6)]),
          .dat_row_o  (dat_row[2*t*(DatW+6)+:2*(DatW+6)]),
          .crd_row_o  (crd_row[2*t*(CrdW+6)+:2*(CrdW+6)]),
          .ack_row_o  (ack_row[2*t*(AckW+6)+:2*(AckW+6)]),
          // The tiles of a row are next to each other, and so are their row buses.
          .req_row_i  (req_row[Row*2*Cols*(ReqW+6)+:2*Cols*(ReqW+6)]),
          .gnt_row_i  (gnt_row[Row*2*Cols*(GntW+6)+:2*Cols*(GntW+6)]),
          .dat_row_i  (dat_row[Row*2*Cols*(DatW+6)+:2*Cols*(DatW+6)]),
          .crd_row_i  (crd_row[Row*2*Cols*(CrdW+6)+:2*Cols*(CrdW+6)]),
          .ack_row_i  (ack_row[Row*2*Cols*(AckW+6)+:2*Cols*(AckW+6)]),
          .req_col_o  (req_turn[t*2*Rows*ReqW+:2*Rows*ReqW]),
          .gnt_col_o  (gnt_turn[t*2*Rows*GntW+:2*Rows*GntW]),
          .dat_col_o  (dat_turn[t*2*Rows*DatW+:2*Rows*DatW]),
          .crd_col_o  (crd_turn[t*2*Rows*CrdW+:2*Rows*CrdW]),
          .ack_col_o  (ack_turn[t*2*Rows*AckW+:2*Rows*AckW]),
          .req_col_i  (req_col[t*2*Rows*ReqW+:2*Rows*ReqW]),
          .gnt_col_i  (gnt_col[t*2*Rows*GntW+:2*Rows*GntW]),
          .dat_col_i  (dat_col[t*2*Rows*DatW+:2*Rows*DatW]),
          .crd_col_i  (crd_col[t*2*Rows*CrdW+:2*Rows*CrdW]),
          .ack_col_i  (ack_col[t*2*Rows*AckW+:2*Rows*AckW]),
          .load_o     (load_reports[t*LoadW+:LoadW]),
          .loads_i    (shown_loads),
          .red_ring_i (red_in),
          .red_cmd_i  (red_cmd),
          .red_ring_o (red_out),
          .red_report_o(red_reports[2*t*RedReportW+:2*RedReportW]),
          .rdata_o    (rdata[t*AnswerW+:AnswerW]),
          .obs_o      (obs),
          .red_quiescent_o(red_quiescent),
          .quiescent_o(quiescent[t]),
          .wake_at_o  (wake_at)
      );

      assign obs_o[2*t*PortObsW+:2*PortObsW] = obs[2*PortObsW-1:0];
      assign obs_o[TurnObs+t*TurnObsW+:TurnObsW] = obs[2*PortObsW+:TurnObsW];
      assign obs_o[RedObs+2*t*RedObsW+:2*RedObsW] = obs[2*PortObsW+TurnObsW+:2*RedObsW];

      // Both half rings begin with what the CFU sends, the return lanes at the first tile.
      assign red_in = red_ring[t*RedW+:RedW];
      assign red_ring[(t+1)*RedW+:2*CollectW] = t + 1 == Half ? starts : red_out[2*CollectW-1:0];
      assign red_ring[(t+1)*RedW+2*CollectW+:3*ReturnW] = red_out[RedW-1:2*CollectW];
      if (t + 1 == Half) begin : gen_half
        assign half_0 = red_out[2*CollectW-1:0];
      end

      // Channel (tile port l, source row r) of tile (Row, Col) is output 2*Row + l of the turn tile (r, Col).
      for (genvar l = 0; l < 2; l++) begin : gen_tile_port
        for (genvar r = 0; r < Rows; r++) begin : gen_row
          localparam int To = t * 2 * Rows + l * Rows + r;
          localparam int From = (r * Cols + Col) * 2 * Rows + 2 * Row + l;
          assign req_col[To*ReqW+:ReqW] = req_turn[From*ReqW+:ReqW];
          assign gnt_col[To*GntW+:GntW] = gnt_turn[From*GntW+:GntW];
          assign dat_col[To*DatW+:DatW] = dat_turn[From*DatW+:DatW];
          assign crd_col[To*CrdW+:CrdW] = crd_turn[From*CrdW+:CrdW];
          assign ack_col[To*AckW+:AckW] = ack_turn[From*AckW+:AckW];
        end
      end
    end
  endgenerate

  tilefly_load_ring u_load_ring (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .reports_i  (load_reports),
      .loads_o    (shown_loads),
      .quiescent_o(ring_quiescent)
  );

  assign red_ring[RedW-1:0] = {results, starts};

  generate
    if (tilefly_pkg::RED_PRESENT != 0) begin : gen_cfu
      /* verilator lint_off UNUSEDSIGNAL */  // it is evaluated in every cycle
      logic [47:0] cfu_wake_at;
      /* verilator lint_on UNUSEDSIGNAL */
      tilefly_cfu u_cfu (
          .clk_i,
          .rst_ni,
          .cycle_i,
          .cfg_i,
          .reports_i  (red_reports),
          .collect_i  ({red_ring[Tiles*RedW+:2*CollectW], half_0}),
          .collect_o  (starts),
          .return_o   (results),
          .cmd_o      (red_cmd),
          .rdata_o    (cfu_rdata),
          .obs_o      (obs_o[ObsW-1-:tilefly_pkg::CFU_OBS_W]),
          .quiescent_o(cfu_quiescent),
          .wake_at_o  (cfu_wake_at)
      );
    end else begin : gen_no_cfu
      assign starts        = '0;
      assign results       = '0;
      assign red_cmd       = '0;
      assign cfu_rdata     = '0;
      assign cfu_quiescent = 1'b1;
      assign obs_o[ObsW-1-:tilefly_pkg::CFU_OBS_W] = '0;
      logic unused;
      assign unused = ^{half_0, red_reports};
    end
  endgenerate

  always_comb begin
    rdata_o = cfu_rdata;
    for (int t = 0; t < Tiles; t++) rdata_o = rdata_o | rdata[t*AnswerW+:AnswerW];
  end
  assign quiescent_o = quiescent == '1 && ring_quiescent && cfu_quiescent;

endmodule
