// SPDX-License-Identifier: Apache-2.0
// Receiving port's half of an arbitrated crossbar (grants, credits, acks): the last stages of the column channels, a fifo
// per source row and the R:1 arbitration. Manual: docs/blocks/crossbar.md.
// Latency: a message decided at the turn tile in cycle u is on `col_i` in u+1 and enters its fifo in u+4; decided here in
// v >= u+5 it is on the outputs (flops) in v+1. Throughput: one message a cycle. Handshake: valid only, nothing is refused.

module tilefly_xbar_merge #(
    /// bits of a payload
    parameter int Width = 8,
    /// messages that a row may have waiting
    parameter int Depth = tilefly_pkg::CELLS + tilefly_pkg::COPY_ENTRIES,
    /// a message that finds no room is lost
    parameter int Lossy = 0,
    /// bits of a column-channel message: valid, payload
    parameter int ChannelW = 1 + Width
) (
    /// clock
    input  logic                                  clk_i,
    /// synchronous reset, active low
    input  logic                                  rst_ni,
    /// column channels of this port, one per source row
    input  logic [tilefly_pkg::ROWS*ChannelW-1:0] col_i,
    /// a message arrives in this cycle
    output logic                                  valid_o,
    /// that message
    output logic [                     Width-1:0] data_o,
    /// nothing waits, comes or leaves
    output logic                                  quiescent_o
);

  localparam int Rows = tilefly_pkg::ROWS;
  // Written apart from golden/common/stage_times.h, on purpose: each is judged by the other.
  localparam int ChannelCycles = 3;

  logic [Rows-1:0] col_valid, push;
  logic [Rows*Width-1:0] col_data, data;
  logic busy, queue_quiescent;

  generate
    for (genvar r = 0; r < Rows; r++) begin : gen_row
      assign col_valid[r] = col_i[r*ChannelW+Width];
      assign col_data[r*Width+:Width] = col_i[r*ChannelW+:Width];
    end
  endgenerate

  tilefly_delay_line #(
      .Width   (Width),
      .Depth   (ChannelCycles),
      .Payloads(Rows)
  ) u_channel (
      .clk_i,
      .rst_ni,
      .valid_i(col_valid),
      .data_i (col_data),
      .valid_o(push),
      .data_o (data),
      .busy_o (busy)
  );

  tilefly_xbar_queue #(
      .Inputs(Rows),
      .Width (Width),
      .Depth (Depth),
      .Lossy (Lossy)
  ) u_queue (
      .clk_i,
      .rst_ni,
      .push_i     (push),
      .output_i   ('0),
      .data_i     (data),
      .channel_o  ({valid_o, data_o}),
      .quiescent_o(queue_quiescent)
  );

  assign quiescent_o = queue_quiescent && !busy;

endmodule
