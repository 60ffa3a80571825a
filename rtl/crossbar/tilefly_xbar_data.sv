// SPDX-License-Identifier: Apache-2.0
// Turn tile's half of the data crossbar: takes the cells that go down this tile's column. There is nothing to arbitrate:
// every (row, output) channel has one owner at a time (law 3; egress page). Manual: docs/blocks/crossbar.md.
// Latency: a cell that is on `row_i` in cycle t is on `col_o` (flops) in t + 1. Throughput: one cell a cycle and output.
// Handshake: valid only.

module tilefly_xbar_data #(
    /// bits of a payload
    parameter int Width = tilefly_pkg::CELL_W,
    /// bits of a row-bus message: valid, destination port, payload
    parameter int MsgW = 7 + Width,
    /// bits of a column-channel message: valid, payload
    parameter int ChannelW = 1 + Width
) (
    /// clock
    input  logic                                     clk_i,
    /// synchronous reset, active low
    input  logic                                     rst_ni,
    /// row buses of the row, input s mod 2C of source port s
    input  logic [     tilefly_pkg::ROW_IN*MsgW-1:0] row_i,
    /// column of this tile
    input  logic [                              3:0] col_pos_i,
    /// column channels, output 2*row(d) + tile_port(d) towards port d
    output logic [tilefly_pkg::COL_OUT*ChannelW-1:0] col_o,
    /// what was taken in the previous cycle
    output tilefly_pkg::turnobs_t                    obs_o,
    /// no cell leaves
    output logic                                     quiescent_o
);

  localparam int Inputs = tilefly_pkg::ROW_IN;
  localparam int Outputs = tilefly_pkg::COL_OUT;
  localparam int Cols = tilefly_pkg::COLS;
  localparam int InputW = $clog2(Inputs);

  // Column of port d's tile, and the crossbar output towards d.
  function automatic [3:0] column_of(input [5:0] d);
    column_of = 4'((d >> 1) % 6'(Cols));
  endfunction
  function automatic [2:0] output_towards(input [5:0] d);
    output_towards = {2'(d / 6'(2 * Cols)), d[0]};
  endfunction

  logic [7:0] taken;      // outputs that take a cell
  logic [31:0] taken_by;  // from which input, 4 bits an output
  logic collision;

  always_comb begin
    taken     = '0;
    taken_by  = '0;
    collision = 1'b0;
    for (int i = 0; i < Inputs; i++) begin
      if (row_i[i*MsgW+MsgW-1] && column_of(row_i[i*MsgW+Width+:6]) == col_pos_i) begin
        collision = collision | taken[output_towards(row_i[i*MsgW+Width+:6])];
        taken[output_towards(row_i[i*MsgW+Width+:6])] = 1'b1;
        taken_by[{2'd0, output_towards(row_i[i*MsgW+Width+:6])}*5'd4+:4] = 4'(i);
      end
    end
  end

  logic [7:0] taken_q;
  logic [31:0] taken_by_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      taken_q    <= '0;
      taken_by_q <= '0;
    end else begin
      taken_q    <= taken;
      taken_by_q <= taken_by;
    end
  end

  generate
    for (genvar o = 0; o < Outputs; o++) begin : gen_output
      logic [Width-1:0] cell_q;
      always_ff @(posedge clk_i) begin
        if (taken[o]) cell_q <= row_i[taken_by[o*4+:InputW]*MsgW+:Width];
      end
      assign col_o[o*ChannelW+:ChannelW] = {taken_q[o], cell_q};
    end
  endgenerate

  assign obs_o       = {taken_q, taken_by_q};
  assign quiescent_o = taken_q == '0;

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) XBAR_1 : assert (!collision);
  end

endmodule
