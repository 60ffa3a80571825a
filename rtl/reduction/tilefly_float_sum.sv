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
    input  logic                                                           clk_i,
    /// bit 0: operands stand on the inputs; bit s: those of s cycles ago are in stage s
    input  logic                                                     [5:0] stages_i,
    /// subnormal operands on the inputs are flushed
    input  logic                                                           enter_ftz_i,
    /// rounding of those in stage 4
    input  logic                                                     [1:0] round_rnd_i,
    /// of those in stage 5
    input  tilefly_arith_pkg::mode_t                                       leave_mode_i,
    /// operands
    input  logic                                               [Width-1:0] a_i,
    input  logic                                               [Width-1:0] b_i,
    /// sum of the operands in stage 5; 0 when there are none
    output logic                                               [Width-1:0] y_o,
    /// its flags
    output logic                          [tilefly_arith_pkg::FLAGS_W-1:0] flags_o
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

  function automatic [Width-1:0] flushed(input [Width-1:0] x, input logic ftz);
    flushed = ftz && x[MagW-1:FracW] == '0 ? {x[Width-1], {MagW{1'b0}}} : x;
  endfunction

  function automatic logic is_nan(input [MagW-1:0] x);
    is_nan = x > Infinity;
  endfunction

  // A subnormal has the exponent of the smallest normal number, and no bit above its fraction.
  function automatic [ExpW+SigW-1:0] unpacked(input [MagW-1:0] x);
    unpacked = x[MagW-1:FracW] == '0 ? {ExpW'(1), 1'b0, x[FracW-1:0]} : {x[MagW-1:FracW], 1'b1, x[FracW-1:0]};
  endfunction

  // Stage 1: {tag, the greater magnitude's exponent and significand, the other's significand, by how much it is shifted}.
  localparam int SwappedW = TagW + ExpW + 2 * SigW + ExpW;
  function automatic [SwappedW-1:0] swapped(input [Width-1:0] a, input [Width-1:0] b);
    reg upper_sign;
    reg [MagW-1:0] upper, lower;
    reg [ExpW-1:0] upper_exp, lower_exp;
    reg [SigW-1:0] upper_sig, lower_sig;
    reg nan, infinite, differ, invalid;
    if (a[MagW-1:0] >= b[MagW-1:0]) {upper_sign, upper, lower} = {a, b[MagW-1:0]};
    else {upper_sign, upper, lower} = {b, a[MagW-1:0]};
    {upper_exp, upper_sig} = unpacked(upper);
    {lower_exp, lower_sig} = unpacked(lower);
    differ   = a[Width-1] != b[Width-1];
    infinite = upper == Infinity;
    nan      = is_nan(upper);
    invalid  = (is_nan(a[MagW-1:0]) && !a[FracW-1]) || (is_nan(b[MagW-1:0]) && !b[FracW-1]);
    if (infinite && lower == Infinity && differ) begin
      nan     = 1'b1;
      invalid = 1'b1;
    end
    swapped = {nan, invalid, infinite, differ, upper_sign, upper_exp, upper_sig, lower_sig, upper_exp - lower_exp};
  endfunction

  // Stage 2: the smaller significand under the greater one's exponent.
  function automatic [AlignW-1:0] aligned(input [SigW-1:0] sig, input [ExpW-1:0] shift);
    reg [AlignW-1:0] wide, kept;
    wide    = {sig, 3'b000};
    kept    = wide >> shift;
    aligned = {kept[AlignW-1:1], kept[0] || (wide & ~({AlignW{1'b1}} << shift)) != '0};
  endfunction

  // Stage 4: {by how much the sum is shifted up, the exponent of its uppermost bit then}. The exponent does not fall below 1.
  function automatic [LeadW-1:0] leading_zeros(input [SumW-1:0] sum);
    reg [2**LeadW-1:0] rest;
    rest = {sum, {2 ** LeadW - SumW{1'b0}}};
    leading_zeros = '0;
    for (int step = LeadW - 1; step >= 0; step--) begin
      if (rest >> (2 ** LeadW - 2 ** step) == '0) begin
        rest = rest << 2 ** step;
        leading_zeros[step] = 1'b1;
      end
    end
  endfunction

  function automatic [LeadW+ExpW-1:0] placed(input [SumW-1:0] sum, input [ExpW-1:0] exp);
    reg [LeadW-1:0] lead;
    lead = leading_zeros(sum);
    if (CompareW'(lead) > CompareW'(exp)) lead = LeadW'(exp);
    placed = {lead, exp + 1'b1 - ExpW'(lead)};
  endfunction

  // Stage 5: {the shifted sum is 0, it is not exact, magnitude}. A carry out of the fraction raises the exponent; the greatest
  // sum of two finite numbers has room in it.
  function automatic [MagW+1:0] rounded(input [SumW-1:0] sum, input [ExpW-1:0] exp, input logic sign, input [1:0] rnd);
    reg [3:0] rest;
    reg [MagW-1:0] magnitude;
    reg up;
    rest      = sum[3:0];
    magnitude = {sum[SumW-1] ? exp : {ExpW{1'b0}}, sum[SumW-2:4]};
    case (rnd)
      tilefly_pkg::RED_RND_NEAREST: up = rest[3] && (rest[2:0] != '0 || sum[4]);
      tilefly_pkg::RED_RND_UP: up = rest != '0 && !sign;
      tilefly_pkg::RED_RND_DOWN: up = rest != '0 && sign;
      default: up = 1'b0;
    endcase
    rounded = {sum == '0, rest != '0, magnitude + MagW'(up)};
  endfunction

  tag_t tag1_q, tag2_q, tag3_q, tag4_q, tag5_q;
  logic [ExpW-1:0] exp1_q, exp2_q, exp3_q, exp4_q, shift1_q;
  logic [SigW-1:0] upper1_q, upper2_q, lower1_q;
  logic [AlignW-1:0] lower2_q;
  logic [SumW-1:0] sum3_q, sum4_q;
  logic [LeadW-1:0] lead4_q;
  logic zero5_q, inexact5_q;
  logic [MagW-1:0] magnitude5_q;

  always_ff @(posedge clk_i) begin
    if (stages_i[0]) begin
      {tag1_q, exp1_q, upper1_q, lower1_q, shift1_q} <= swapped(flushed(a_i, enter_ftz_i), flushed(b_i, enter_ftz_i));
    end
    if (stages_i[1]) begin
      {tag2_q, exp2_q, upper2_q} <= {tag1_q, exp1_q, upper1_q};
      lower2_q <= aligned(lower1_q, shift1_q);
    end
    if (stages_i[2]) begin
      {tag3_q, exp3_q} <= {tag2_q, exp2_q};
      if (tag2_q.differ) sum3_q <= {1'b0, upper2_q, 3'b000} - {1'b0, lower2_q};
      else sum3_q <= {1'b0, upper2_q, 3'b000} + {1'b0, lower2_q};
    end
    if (stages_i[3]) begin
      {tag4_q, sum4_q}  <= {tag3_q, sum3_q};
      {lead4_q, exp4_q} <= placed(sum3_q, exp3_q);
    end
    if (stages_i[4]) begin
      tag5_q <= tag4_q;
      {zero5_q, inexact5_q, magnitude5_q} <= rounded(sum4_q << lead4_q, exp4_q, tag4_q.sign, round_rnd_i);
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
      end else if (zero5_q) begin
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
