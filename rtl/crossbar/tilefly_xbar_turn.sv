// SPDX-License-Identifier: Apache-2.0
// Turn tile's half of an arbitrated crossbar (requests, grants, credits, acks): takes from the row buses what goes down
// this tile's column and arbitrates 2C:1 for each column channel. Manual: docs/blocks/crossbar.md.
// Latency: a message that is on `row_i` in cycle T+1 enters its fifo there, is decided in u >= T+2 and is on `col_o` (flops)
// in u+1. Throughput: one message a cycle and output. Handshake: valid only, nothing is refused.

module tilefly_xbar_turn #(
    /// bits of a payload
    parameter int Width = 8,
    /// messages that an input may have waiting for one output
    parameter int Depth = tilefly_pkg::REQUEST_CREDITS * tilefly_pkg::VLS,
    /// a message that finds no room is lost
    parameter int Lossy = 0,
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
    /// nothing waits or leaves
    output logic                                     quiescent_o
);

  localparam int Inputs = tilefly_pkg::ROW_IN;
  localparam int Outputs = tilefly_pkg::COL_OUT;
  localparam int Cols = tilefly_pkg::COLS;
  localparam int OutputW = $clog2(Outputs);

  // Column of port d's tile, and the crossbar output towards d.
  function automatic [3:0] column_of(input [5:0] d);
    column_of = 4'((d >> 1) % 6'(Cols));
  endfunction
  function automatic [OutputW-1:0] output_towards(input [5:0] d);
    output_towards = OutputW'({d / 6'(2 * Cols), d[0]});
  endfunction

  logic [Inputs-1:0] push;
  logic [Inputs*OutputW-1:0] towards;

  always_comb begin
    push    = '0;
    towards = '0;
    for (int i = 0; i < Inputs; i++) begin
      if (row_i[i*MsgW+MsgW-1] && column_of(row_i[i*MsgW+Width+:6]) == col_pos_i) begin
        push[i] = 1'b1;
        towards[i*OutputW+:OutputW] = output_towards(row_i[i*MsgW+Width+:6]);
      end
    end
  end

  tilefly_xbar_queue #(
      .Inputs (Inputs),
      .Outputs(Outputs),
      .Width  (Width),
      .Stride (MsgW),
      .Depth  (Depth),
      .Lossy  (Lossy)
  ) u_queue (
      .clk_i,
      .rst_ni,
      .push_i   (push),
      .output_i (towards),
      .data_i   (row_i),
      .channel_o(col_o),
      .quiescent_o
  );

endmodule
