// SPDX-License-Identifier: Apache-2.0
// Observation record of the egress of one port: events of the previous cycle, zero unless they happened, and levels.
// Manual: docs/blocks/tile.md. Latency: 1 for events, 0 for levels.

module tilefly_egress_observer #(
    /// rows of tiles
    parameter int Rows = tilefly_pkg::OUT_ROWS,
    /// bits of a row's number
    parameter int RowW = $clog2(Rows)
) (
    /// clock
    input  logic                               clk_i,
    /// synchronous reset, active low
    input  logic                               rst_ni,
    /// a request is granted, or taken back
    input  logic                               grant_i,
    /// it is taken back
    input  logic                               reroute_i,
    /// port of the request's input; for a request of row R the input
    input  logic                  [       5:0] grant_port_i,
    /// the request is of row R
    input  logic                               grant_red_i,
    /// lane of the request
    input  logic                  [       3:0] grant_vl_i,
    /// cells of the request
    input  logic                  [       6:0] grant_cells_i,
    /// rows that bring a first cell
    input  logic                  [  Rows-1:0] first_i,
    /// the link takes a packet
    input  logic                               take_i,
    /// the packet is discarded
    input  logic                               take_lost_i,
    /// row from which the link takes the packet
    input  logic                  [  RowW-1:0] take_row_i,
    /// channels with grants outstanding
    input  logic                  [  Rows-1:0] outstanding_i,
    /// owners of the channels, row r in bits [r*4 +: 4]
    input  logic                  [Rows*4-1:0] owner_i,
    /// output buffer, cells free
    input  logic                  [       8:0] room_i,
    /// cells requested and not yet granted
    input  logic                  [      11:0] load_i,
    /// a packet started on the link in the cycle before
    input  logic                               start_i,
    /// it was sent before
    input  logic                               again_i,
    /// a replay begins
    input  logic                               replay_i,
    /// packets in the replay buffer
    input  logic                  [       9:0] held_i,
    /// SerDes lanes in use, less 1; 0 where the port does not retry
    input  logic                  [       1:0] pace_i,
    /// the record; the ingress's fields are zero
    output tilefly_pkg::portobs_t              obs_o
);

  logic dec_valid_q, dec_reroute_q, dec_red_q, take_valid_q, take_lost_q, replay_q;
  logic [5:0] dec_src_q;
  logic [3:0] dec_vl_q;
  logic [6:0] dec_cells_q;
  logic [Rows-1:0] first_q;
  logic [RowW-1:0] take_row_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      dec_valid_q  <= 1'b0;
      dec_reroute_q <= 1'b0;
      dec_src_q    <= '0;
      dec_vl_q     <= '0;
      dec_cells_q  <= '0;
      dec_red_q    <= 1'b0;
      first_q      <= '0;
      take_valid_q <= 1'b0;
      take_lost_q  <= 1'b0;
      take_row_q   <= '0;
      replay_q     <= 1'b0;
    end else begin
      dec_valid_q  <= grant_i;
      dec_reroute_q <= reroute_i;
      dec_src_q    <= grant_i ? grant_port_i : '0;
      dec_vl_q     <= grant_i ? grant_vl_i : '0;
      dec_cells_q  <= grant_i ? grant_cells_i : '0;
      dec_red_q    <= grant_i && grant_red_i;
      first_q      <= first_i;
      take_valid_q <= take_i;
      take_lost_q  <= take_lost_i;
      take_row_q   <= take_i ? take_row_i : '0;
      replay_q     <= replay_i;
    end
  end

  always_comb begin
    obs_o = '0;
    obs_o.start_valid = start_i;
    obs_o.start_again = again_i;
    obs_o.replay      = replay_q;
    obs_o.take_lost   = take_lost_q;
    obs_o.held        = held_i;
    obs_o.pace        = pace_i;
    obs_o.dec_valid   = dec_valid_q;
    obs_o.dec_reroute = dec_reroute_q;
    obs_o.dec_src     = dec_src_q;
    obs_o.dec_vl      = dec_vl_q;
    obs_o.dec_cells   = dec_cells_q;
    obs_o.dec_red     = dec_red_q;
    obs_o.arr_rows    = 5'(first_q);
    obs_o.take_valid  = take_valid_q;
    obs_o.take_row    = 3'(take_row_q);
    obs_o.owner_valid = 5'(outstanding_i);
    obs_o.owners      = 20'(owner_i);
    obs_o.obuf_room   = room_i;
    obs_o.load        = load_i;
  end

endmodule
