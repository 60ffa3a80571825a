// SPDX-License-Identifier: Apache-2.0
// tilefly_axis_check at all widths side by side, for its test: checker n has slice n of each port, 512 bits of tdata, 64 of
// tkeep, 4 of tuser, tdest and tid whatever its width.

module axis_checks #(
    /// checkers
    parameter int Count = 7,
    /// bytes of the shortest frame
    parameter int MinBytes = 3,
    /// bytes of the longest frame
    parameter int MaxBytes = 300
) (
    /// clock
    input  logic                 clk_i,
    /// synchronous reset, active low
    input  logic                 rst_ni,
    /// a beat is shown
    input  logic [    Count-1:0] tvalid_i,
    /// it is taken
    input  logic [    Count-1:0] tready_i,
    /// its bytes
    input  logic [512*Count-1:0] tdata_i,
    /// bytes in use
    input  logic [ 64*Count-1:0] tkeep_i,
    /// last beat of a frame
    input  logic [    Count-1:0] tlast_i,
    /// the frame is bad
    input  logic [  4*Count-1:0] tuser_i,
    /// destination
    input  logic [  4*Count-1:0] tdest_i,
    /// stream
    input  logic [  4*Count-1:0] tid_i
);

  // 8, 16, 32, 64, 128, 256 and 512 bits: the same as in beats.h.
  function automatic integer width_of(input integer n);
    width_of = 8 << n;
  endfunction

  generate
    for (genvar n = 0; n < Count; n++) begin : gen_check
      localparam int DataW = width_of(n);

      tilefly_axis_check #(
          .DataW   (DataW),
          .UserW   (4),
          .DestW   (4),
          .IdW     (4),
          .MinBytes(MinBytes),
          .MaxBytes(MaxBytes)
      ) u_check (
          .clk_i,
          .rst_ni,
          .tvalid_i(tvalid_i[n]),
          .tready_i(tready_i[n]),
          .tdata_i (tdata_i[512*n+:DataW]),
          .tkeep_i (tkeep_i[64*n+:DataW/8]),
          .tlast_i (tlast_i[n]),
          .tuser_i (tuser_i[4*n+:4]),
          .tdest_i (tdest_i[4*n+:4]),
          .tid_i   (tid_i[4*n+:4])
      );
    end
  endgenerate

endmodule
