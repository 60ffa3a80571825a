// SPDX-License-Identifier: Apache-2.0
// Floating sum of one lane. Manual: docs/blocks/arithmetic.md, "Floating point".
// Latency: operands in cycle t, the sum (combinational on flops) in t + 5. Throughput: one a cycle. Handshake: none; who feeds it
// says which stages hold a word.
//
//   t        t + 1      t + 2   t + 3             t + 4              t + 5
//   swapped  aligned    added   leading zeros     shifted, rounded   special values
//
// Significands carry three more bits below: the last one is set when anything behind it is not zero. That is enough for any
// rounding, as a difference that cancels more than one bit comes from an alignment by at most one and is exact.

module tilefly_float_sum #(
    /// bits of the exponent
    parameter int ExpW = 5,
    /// bits of the fraction
    parameter int FracW = 10,
    /// bits of a lane
    parameter int Width = 1 + ExpW + FracW
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
    input  logic                     [                     Width-1:0] a_i,
    input  logic                     [                     Width-1:0] b_i,
    /// sum of the operands in stage 5; 0 when there are none
    output logic                     [                     Width-1:0] y_o,
    /// its flags
    output logic                     [tilefly_arith_pkg::FLAGS_W-1:0] flags_o
);

  localparam int MagW = ExpW + FracW;
  localparam int SigW = FracW + 1;
  localparam int AlignW = SigW + 3;
  localparam int SumW = AlignW + 1;
  localparam int LeadW = $clog2(SumW + 1);
  localparam int CompareW = LeadW > ExpW ? LeadW : ExpW;
  localparam logic [MagW-1:0] Infinity = {{ExpW{1'b1}}, {FracW{1'b0}}};
  localparam logic [MagW-1:0] Largest = Infinity - 1'b1;
  localparam logic [MagW-1:0] Nan = {{ExpW{1'b1}}, 1'b1, {FracW - 1{1'b0}}};

  // What goes along with a sum through all stages.
  typedef struct packed {
    logic nan;
    logic invalid;
    logic infinite;
    logic differ;    // the signs of the operands
    logic sign;      // of the operand with the greater magnitude
  } tag_t;
  localparam int TagW = 5;

  // Stage 1: the greater magnitude and the other, flushed, which does not change which is greater; what is special about them.
  function automatic [MagW-1:0] flushed(input [MagW-1:0] x, input logic ftz);
    flushed = ftz && x[MagW-1:FracW] == '0 ? '0 : x;
  endfunction

  function automatic logic is_signalling(input [MagW-1:0] x);
    is_signalling = x > Infinity && !x[FracW-1];
  endfunction

  function automatic [TagW-1:0] tag(input [Width-1:0] a, input [Width-1:0] b);
    reg a_upper, nan, invalid, infinite, differ, opposed;
    reg [MagW-1:0] upper, lower;
    a_upper  = a[MagW-1:0] >= b[MagW-1:0];
    upper    = a_upper ? a[MagW-1:0] : b[MagW-1:0];
    lower    = a_upper ? b[MagW-1:0] : a[MagW-1:0];
    differ   = a[Width-1] != b[Width-1];
    infinite = upper == Infinity;
    opposed  = infinite && lower == Infinity && differ;
    nan      = upper > Infinity || opposed;
    invalid  = is_signalling(upper) || is_signalling(lower) || opposed;
    tag      = {nan, invalid, infinite, differ, a_upper ? a[Width-1] : b[Width-1]};
  endfunction

  // Stage 2: both under the exponent of the greater. A subnormal has the exponent of the smallest normal number, and no bit
  // above its fraction.
  function automatic [ExpW-1:0] exponent(input [ExpW-1:0] field);
    exponent = field == '0 ? ExpW'(1) : field;
  endfunction

  function automatic [AlignW-1:0] aligned(input [SigW-1:0] sig, input [ExpW-1:0] shift);
    reg [AlignW-1:0] wide, kept;
    wide    = {sig, 3'b000};
    kept    = wide >> shift;
    aligned = {kept[AlignW-1:1], kept[0] || (wide & ~({AlignW{1'b1}} << shift)) != '0};
  endfunction

  // Stage 4: by how much the sum is shifted up, so far that the exponent of its uppermost bit does not fall below 1.
  function automatic [LeadW-1:0] shift_up(input [SumW-1:0] sum, input [ExpW-1:0] exp);
    reg [2**LeadW-1:0] rest;
    reg [LeadW-1:0] zeros;
    rest  = {sum, {2 ** LeadW - SumW{1'b0}}};
    zeros = '0;
    for (int step = LeadW - 1; step >= 0; step--) begin
      zeros[step] = rest >> (2 ** LeadW - 2 ** step) == '0;
      rest = zeros[step] ? rest << 2 ** step : rest;
    end
    shift_up = CompareW'(zeros) > CompareW'(exp) ? LeadW'(exp) : zeros;
  endfunction

  // Stage 5: the magnitude of the shifted sum. A carry out of the fraction raises the exponent; the greatest sum of two finite
  // numbers has room in it.
  function automatic [MagW-1:0] rounded(input [SumW-1:0] sum, input [ExpW-1:0] exp, input logic sign, input [1:0] rnd);
    reg up;
    case (rnd)
      tilefly_pkg::RED_RND_NEAREST: up = sum[3] && (sum[2:0] != '0 || sum[4]);
      tilefly_pkg::RED_RND_UP: up = sum[3:0] != '0 && !sign;
      tilefly_pkg::RED_RND_DOWN: up = sum[3:0] != '0 && sign;
      default: up = 1'b0;
    endcase
    rounded = {sum[SumW-1] ? exp : {ExpW{1'b0}}, sum[SumW-2:4]} + MagW'(up);
  endfunction

  tag_t tag1_q, tag2_q, tag3_q, tag4_q, tag5_q;
  logic [MagW-1:0] upper1_q, lower1_q, magnitude5_q;
  logic [ExpW-1:0] exp2_q, exp3_q, exp4_q;
  logic [SigW-1:0] upper2_q;
  logic [AlignW-1:0] lower2_q;
  logic [SumW-1:0] sum3_q, sum4_q;
  logic [LeadW-1:0] lead4_q;
  logic inexact5_q;

  always_ff @(posedge clk_i) begin
    if (enter_i) begin
      tag1_q   <= tag(a_i, b_i);
      upper1_q <= flushed(a_i[MagW-1:0] >= b_i[MagW-1:0] ? a_i[MagW-1:0] : b_i[MagW-1:0], enter_ftz_i);
      lower1_q <= flushed(a_i[MagW-1:0] >= b_i[MagW-1:0] ? b_i[MagW-1:0] : a_i[MagW-1:0], enter_ftz_i);
    end
    if (stages_i[1]) begin
      tag2_q   <= tag1_q;
      exp2_q   <= exponent(upper1_q[MagW-1:FracW]);
      upper2_q <= {upper1_q[MagW-1:FracW] != '0, upper1_q[FracW-1:0]};
      lower2_q <= aligned({lower1_q[MagW-1:FracW] != '0, lower1_q[FracW-1:0]},
                          exponent(upper1_q[MagW-1:FracW]) - exponent(lower1_q[MagW-1:FracW]));
    end
    if (stages_i[2]) begin
      tag3_q <= tag2_q;
      exp3_q <= exp2_q;
      sum3_q <= {1'b0, upper2_q, 3'b000} + ({SumW{tag2_q.differ}} ^ {1'b0, lower2_q}) + SumW'(tag2_q.differ);
    end
    if (stages_i[3]) begin
      tag4_q  <= tag3_q;
      exp4_q  <= exp3_q;
      sum4_q  <= sum3_q;
      lead4_q <= shift_up(sum3_q, exp3_q);
    end
    if (stages_i[4]) begin
      tag5_q       <= tag4_q;
      inexact5_q   <= 4'(sum4_q << lead4_q) != '0;
      magnitude5_q <= rounded(sum4_q << lead4_q, exp4_q + 1'b1 - ExpW'(lead4_q), tag4_q.sign, round_rnd_i);
    end
  end

  // Special values, and what is beyond the finite ones.
  logic sign, to_largest;

  always_comb begin
    y_o        = '0;
    flags_o    = '0;
    sign       = 1'b0;
    to_largest = 1'b0;
    if (stages_i[5]) begin
      flags_o[tilefly_arith_pkg::FLAG_INVALID] = tag5_q.invalid;
      sign = tag5_q.sign;
      if (tag5_q.nan) begin
        y_o = {1'b0, Nan};
      end else if (tag5_q.infinite) begin
        y_o = {sign, Infinity};
      end else if (magnitude5_q == '0) begin  // a sum that is not 0 is not rounded to it
        if (tag5_q.differ) sign = leave_mode_i.rnd == tilefly_pkg::RED_RND_DOWN;
        y_o = {sign, {MagW{1'b0}}};
      end else if (magnitude5_q[MagW-1:FracW] == '1) begin
        to_largest = leave_mode_i.rnd == (sign ? tilefly_pkg::RED_RND_UP : tilefly_pkg::RED_RND_DOWN) ||
                     leave_mode_i.rnd == tilefly_pkg::RED_RND_ZERO;
        y_o = {sign, to_largest ? Largest : Infinity};
        flags_o[tilefly_arith_pkg::FLAG_OVERFLOW] = 1'b1;
        flags_o[tilefly_arith_pkg::FLAG_INEXACT] = 1'b1;
      end else if (leave_mode_i.ftz && magnitude5_q[MagW-1:FracW] == '0) begin
        y_o = {sign, {MagW{1'b0}}};
        flags_o[tilefly_arith_pkg::FLAG_INEXACT] = 1'b1;
      end else begin
        y_o = {sign, magnitude5_q};
        flags_o[tilefly_arith_pkg::FLAG_INEXACT] = inexact5_q;
      end
    end
  end

  // Assertions.
`ifndef SYNTHESIS
  initial begin
    if (ExpW < 3 || FracW < 2 || Width != 1 + ExpW + FracW) begin
      $fatal(1, "tilefly_float_sum: ExpW %0d, FracW %0d, Width %0d; wanted: 3 or more, 2 or more, their sum and 1", ExpW, FracW, Width);
    end
  end
`endif

endmodule
