// SPDX-License-Identifier: Apache-2.0
// Fifos of several depths side by side, for the conformance test: fifo f's signals are bit or slice f of each port.

module fifos #(
    /// fifos
    parameter int Count = 6,
    /// bits of an entry
    parameter int Width = 32
) (
    /// clock
    input  logic                   clk_i,
    /// synchronous reset, active low
    input  logic                   rst_ni,
    /// append
    input  logic [      Count-1:0] push_i,
    /// entry to append
    input  logic [Count*Width-1:0] data_i,
    /// remove the head
    input  logic [      Count-1:0] pop_i,
    /// oldest entry
    output logic [Count*Width-1:0] head_o,
    /// no entry
    output logic [      Count-1:0] empty_o,
    /// full
    output logic [      Count-1:0] full_o
);

  // 1, 2, 3, 5, 16 and 37 entries: the same as in fifo_rtl_test.cc.
  function automatic integer depth_of(input integer f);
    case (f)
      0: depth_of = 1;
      1: depth_of = 2;
      2: depth_of = 3;
      3: depth_of = 5;
      4: depth_of = 16;
      default: depth_of = 37;
    endcase
  endfunction

  generate
    for (genvar f = 0; f < Count; f++) begin : gen_fifo
      tilefly_fifo #(
          .Width(Width),
          .Depth(depth_of(f))
      ) u_fifo (
          .clk_i,
          .rst_ni,
          .push_i (push_i[f]),
          .data_i (data_i[f*Width+:Width]),
          .pop_i  (pop_i[f]),
          .head_o (head_o[f*Width+:Width]),
          .empty_o(empty_o[f]),
          .full_o (full_o[f])
      );
    end
  endgenerate

endmodule
