// SPDX-License-Identifier: Apache-2.0
// The switch: R x C tiles, wired as on the tile page, with the load ring, the reduction ring closed and the register bus
// broadcast.
// Manual: docs/blocks/switch.md, docs/blocks/tile.md.
// Latency: docs/timing.md. Throughput: one word a cycle and port. Handshake: links by credits or PAUSE. Outputs are flops or functions of
// flops. Element i of a flat vector with elements of W bits is bits [i*W +: W].

module tilefly_switch (
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
    /// answer to a register read: {valid, counter}
    output logic [                                                             64:0] rdata_o,
    /// observation: turnobs_t of every tile above portobs_t of every port
    output logic [tilefly_pkg::TILES*tilefly_pkg::TURNOBS_W+tilefly_pkg::PORTS*tilefly_pkg::PORTOBS_W-1:0] obs_o,
    /// with idle inputs nothing in the switch will change
    output logic                                                                     quiescent_o
);

  localparam int Rows = tilefly_pkg::ROWS;
  localparam int Cols = tilefly_pkg::COLS;
  localparam int Tiles = tilefly_pkg::TILES;
  localparam int Ports = tilefly_pkg::PORTS;
  localparam int LinkW = tilefly_pkg::LINK_W;
  localparam int PortObsW = tilefly_pkg::PORTOBS_W;
  localparam int TurnObsW = tilefly_pkg::TURNOBS_W;
  localparam int LoadW = tilefly_pkg::LOADREPORT_W;
  localparam int RedW = 2 * tilefly_pkg::REDUCTION_W;
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
  logic [12*Ports-1:0] shown_loads;
  logic [Tiles*RedW-1:0] red_ring;
  logic [Tiles*65-1:0] rdata;
  logic [Tiles-1:0] quiescent;
  logic ring_quiescent;

  generate
    for (genvar t = 0; t < Tiles; t++) begin : gen_tile
      localparam int Row = t / Cols;
      localparam int Col = t % Cols;
      localparam int Before = (t + Tiles - 1) % Tiles;  // in the ring

      logic [2*PortObsW+TurnObsW-1:0] obs;
      /* verilator lint_off UNUSEDSIGNAL */  // all tiles are evaluated
      logic [47:0] wake_at;
      /* verilator lint_on UNUSEDSIGNAL */

      tilefly_tile u_tile (
          .clk_i,
          .rst_ni,
          .cycle_i,
          .row_i      (3'(Row)),
          .col_i      (4'(Col)),
          .cfg_i,
          .link_i     (link_i[2*t*LinkW+:2*LinkW]),
          .link_o     (link_o[2*t*LinkW+:2*LinkW]),
          .link_up_i  (link_up_i[2*t+:2]),
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
          .red_ring_i (red_ring[Before*RedW+:RedW]),
          .red_ring_o (red_ring[t*RedW+:RedW]),
          .rdata_o    (rdata[t*65+:65]),
          .obs_o      (obs),
          .quiescent_o(quiescent[t]),
          .wake_at_o  (wake_at)
      );

      assign obs_o[2*t*PortObsW+:2*PortObsW] = obs[2*PortObsW-1:0];
      assign obs_o[Ports*PortObsW+t*TurnObsW+:TurnObsW] = obs[2*PortObsW+:TurnObsW];

      // Channel (lane l, source row r) of tile (Row, Col) is output 2*Row + l of the turn tile (r, Col).
      for (genvar l = 0; l < 2; l++) begin : gen_lane
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

  always_comb begin
    rdata_o = '0;
    for (int t = 0; t < Tiles; t++) rdata_o = rdata_o | rdata[t*65+:65];
  end
  assign quiescent_o = quiescent == '1 && ring_quiescent;

endmodule
