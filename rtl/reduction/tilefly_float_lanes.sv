// SPDX-License-Identifier: Apache-2.0
// Floating sums of all lanes of a word, of one type. Manual: docs/blocks/arithmetic.md, "Floating point".
// Latency: operands in cycle t, the sums (combinational on flops) in t + 5. Throughput: a word a cycle. Handshake: none; who feeds
// it says which stages hold a word.

module tilefly_float_lanes #(
    /// bits of the exponent
    parameter int ExpW = 5,
    /// bits of the fraction
    parameter int FracW = 10
) (
    /// clock
    input  logic                                                      clk_i,
    /// operands stand on the inputs
    input  logic                                                      enter_i,
    /// those of s cycles ago are in stage s
    input  logic                     [                           5:1] stages_i,
    /// subnormal operands on the inputs are flushed
    input  logic                                                      enter_ftz_i,
    /// rounding of those in stage 4
    input  logic                     [                           1:0] round_rnd_i,
    /// of those in stage 5
    input  tilefly_arith_pkg::mode_t                                  leave_mode_i,
    /// operands
    input  logic                     [                         255:0] a_i,
    input  logic                     [                         255:0] b_i,
    /// sums of the operands in stage 5; 0 when there are none
    output logic                     [                         255:0] y_o,
    /// flags of all lanes
    output logic                     [tilefly_arith_pkg::FLAGS_W-1:0] flags_o
);

  localparam int FlagsW = tilefly_arith_pkg::FLAGS_W;
  localparam int Width = 1 + ExpW + FracW;
  localparam int Lanes = 256 / Width;

  logic [Lanes*FlagsW-1:0] flags;

  generate
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      tilefly_float_sum #(
          .ExpW (ExpW),
          .FracW(FracW)
      ) u_sum (
          .clk_i,
          .enter_i,
          .stages_i,
          .enter_ftz_i,
          .round_rnd_i,
          .leave_mode_i,
          .a_i    (a_i[l*Width+:Width]),
          .b_i    (b_i[l*Width+:Width]),
          .y_o    (y_o[l*Width+:Width]),
          .flags_o(flags[l*FlagsW+:FlagsW])
      );
    end
  endgenerate

  always_comb begin
    flags_o = '0;
    for (int l = 0; l < Lanes; l++) flags_o = flags_o | flags[l*FlagsW+:FlagsW];
  end

endmodule
