// SPDX-License-Identifier: Apache-2.0
// Floating sums of all operand lanes of a word, of one type. Manual: docs/blocks/arithmetic.md, "Floating point".
// Latency: operands in cycle t, the sums (combinational on flops) in t + 5. Throughput: a word a cycle. Handshake: none; who feeds
// it says which stages hold a word.
//
//   t        t + 1      t + 2   t + 3             t + 4              t + 5
//   swapped  aligned    added   leading zeros     shifted, rounded   special values
//
// Significands carry three more bits below: the last one is set when anything behind it is not zero. That is enough for any
// rounding, as a difference that cancels more than one bit comes from an alignment by at most one and is exact.
//
// What a stage does with the lanes of a quarter of the word is a function that a simulator keeps as one, called for each quarter.

module tilefly_float_sum #(
    /// bits of the exponent
    parameter int ExpW = 5,
    /// bits of the fraction
    parameter int FracW = 10
) (
    /// clock
    input  logic                                                      clk_i,
    /// operands stand on the inputs
    input  logic                                                      enter_i,
    /// operands of s cycles ago are in stage s
    input  logic                     [                           5:1] stages_i,
    /// subnormal operands on the inputs are flushed
    input  logic                                                      enter_ftz_i,
    /// rounding of the operands in stage 4
    input  logic                     [                           1:0] round_rnd_i,
    /// rounding of the operands in stage 5
    input  tilefly_arith_pkg::mode_t                                  leave_mode_i,
    /// operands
    input  logic                     [                         255:0] a_i,
    input  logic                     [                         255:0] b_i,
    /// sums of the operands in stage 5; 0 when there are none
    output logic                     [                         255:0] y_o,
    /// flags of all lanes
    output logic                     [tilefly_arith_pkg::FLAGS_W-1:0] flags_o
);

  localparam int Width = 1 + ExpW + FracW;
  localparam int Quarters = 4;
  localparam int Lanes = 64 / Width;  // of a quarter
  localparam int FlagsW = tilefly_arith_pkg::FLAGS_W;
  localparam int MagW = ExpW + FracW;
  localparam int SigW = FracW + 1;
  localparam int AlignW = SigW + 3;
  localparam int SumW = AlignW + 1;
  localparam int LeadW = $clog2(SumW + 1);
  localparam int CompareW = LeadW > ExpW ? LeadW : ExpW;
  localparam logic [MagW-1:0] Infinity = {{ExpW{1'b1}}, {FracW{1'b0}}};
  localparam logic [MagW-1:0] Largest = Infinity - 1'b1;
  localparam logic [MagW-1:0] Nan = {{ExpW{1'b1}}, 1'b1, {FracW - 1{1'b0}}};

  // Of a quarter: what a lane's operands become is in bits [l * Width +: Width], places to shift by in [l * 8 +: 8], and in
  // [l * 16 +: 16] what goes along: the sum is a NaN, an invalid one, an infinity; the operands' signs differ; sign and exponent of
  // the greater one.
  localparam int LeadsW = 8 * Lanes;
  localparam int SidesW = 16 * Lanes;
  localparam int IsNan = 15, Invalid = 14, Infinite = 13, Differ = 12, Sign = 11;

  // Stage 1: the operand with the greater magnitude and the other, flushed, which does not change which is greater.
  function automatic [Width-1:0] flushed(input [Width-1:0] x, input logic ftz);
    flushed = ftz && x[MagW-1:FracW] == '0 ? {x[Width-1], {MagW{1'b0}}} : x;
  endfunction

  function automatic [63:0] swapped(input [63:0] a, input [63:0] b, input logic upper, input logic ftz);
    /* verilator no_inline_task */
    reg a_first;
    swapped = '0;
    for (int l = 0; l < Lanes; l++) begin
      a_first = (a[l*Width+:MagW] >= b[l*Width+:MagW]) == upper;
      swapped = swapped | 64'(flushed(a_first ? a[l*Width+:Width] : b[l*Width+:Width], ftz)) << (l * Width);
    end
  endfunction

  // Stage 2: what is special about them, and both under the exponent of the greater. A subnormal has the exponent of the smallest
  // normal number, and no bit above its fraction.
  function automatic logic is_signalling(input [MagW-1:0] x);
    is_signalling = x > Infinity && !x[FracW-1];
  endfunction

  function automatic [ExpW-1:0] exponent(input [ExpW-1:0] field);
    exponent = field == '0 ? ExpW'(1) : field;
  endfunction

  function automatic [15:0] side(input [Width-1:0] upper, input [Width-1:0] lower);
    /* verilator no_inline_task */
    reg nan, invalid, infinite, differ, opposed;
    differ   = upper[Width-1] != lower[Width-1];
    infinite = upper[MagW-1:0] == Infinity;
    opposed  = infinite && lower[MagW-1:0] == Infinity && differ;
    nan      = upper[MagW-1:0] > Infinity || opposed;
    invalid  = is_signalling(upper[MagW-1:0]) || is_signalling(lower[MagW-1:0]) || opposed;
    side     = {nan, invalid, infinite, differ, upper[Width-1], 11'(exponent(upper[MagW-1:FracW]))};
  endfunction

  function automatic [SidesW-1:0] sides(input [63:0] upper, input [63:0] lower);
    /* verilator no_inline_task */
    sides = '0;
    for (int l = 0; l < Lanes; l++) sides = sides | SidesW'(side(upper[l*Width+:Width], lower[l*Width+:Width])) << (16 * l);
  endfunction

  function automatic [SigW-1:0] significand(input [MagW-1:0] x);
    significand = {x[MagW-1:FracW] != '0, x[FracW-1:0]};
  endfunction

  function automatic [AlignW-1:0] shifted_down(input [SigW-1:0] sig, input [ExpW-1:0] shift);
    /* verilator no_inline_task */
    reg [AlignW-1:0] wide, kept;
    wide         = {sig, 3'b000};
    kept         = wide >> shift;
    shifted_down = {kept[AlignW-1:1], kept[0] || (wide & ~({AlignW{1'b1}} << shift)) != '0};
  endfunction

  function automatic [63:0] aligned(input [63:0] upper, input [63:0] lower);
    /* verilator no_inline_task */
    reg [ExpW-1:0] shift;
    aligned = '0;
    for (int l = 0; l < Lanes; l++) begin
      shift   = exponent(upper[l*Width+FracW+:ExpW]) - exponent(lower[l*Width+FracW+:ExpW]);
      aligned = aligned | 64'(shifted_down(significand(lower[l*Width+:MagW]), shift)) << (l * Width);
    end
  endfunction

  // Stage 3.
  function automatic [63:0] added(input [63:0] upper, input [63:0] lower, input [SidesW-1:0] with_sides);
    /* verilator no_inline_task */
    reg differ;
    reg [SumW-1:0] sum;
    added = '0;
    for (int l = 0; l < Lanes; l++) begin
      differ = with_sides[16*l+Differ];
      sum    = {1'b0, significand(upper[l*Width+:MagW]), 3'b000} + ({SumW{differ}} ^ {1'b0, lower[l*Width+:AlignW]}) + SumW'(differ);
      added  = added | 64'(sum) << (l * Width);
    end
  endfunction

  // Stage 4: by how much the sum is shifted up, so far that the exponent of its uppermost bit does not fall below 1.
  function automatic [LeadW-1:0] shift_up(input [SumW-1:0] sum, input [ExpW-1:0] exp);
    /* verilator no_inline_task */
    reg [2**LeadW-1:0] rest;
    reg [LeadW-1:0] zeros;
    rest  = {sum, {2 ** LeadW - SumW{1'b0}}};
    zeros = '0;
    for (int step = LeadW - 1; step >= 0; step--) begin
      if (rest >> (2 ** LeadW - 2 ** step) == '0) begin
        zeros = zeros | LeadW'(1) << step;
        rest  = rest << 2 ** step;
      end
    end
    shift_up = CompareW'(zeros) > CompareW'(exp) ? LeadW'(exp) : zeros;
  endfunction

  function automatic [LeadsW-1:0] shifts_up(input [63:0] sums, input [SidesW-1:0] with_sides);
    /* verilator no_inline_task */
    shifts_up = '0;
    for (int l = 0; l < Lanes; l++) begin
      shifts_up = shifts_up | LeadsW'(shift_up(sums[l*Width+:SumW], with_sides[16*l+:ExpW])) << (8 * l);
    end
  endfunction

  // Stage 5: {inexact, magnitude of the shifted sum}. A carry out of the fraction raises the exponent; the greatest sum of two
  // finite numbers has room in it.
  function automatic [MagW:0] rounded(input [SumW-1:0] sum, input [ExpW-1:0] exp, input logic sign, input [1:0] rnd);
    /* verilator no_inline_task */
    reg up;
    case (rnd)
      tilefly_pkg::RED_RND_NEAREST: up = sum[3] && (sum[2:0] != '0 || sum[4]);
      tilefly_pkg::RED_RND_UP: up = sum[3:0] != '0 && !sign;
      tilefly_pkg::RED_RND_DOWN: up = sum[3:0] != '0 && sign;
      default: up = 1'b0;
    endcase
    rounded = {sum[3:0] != '0, {sum[SumW-1] ? exp : {ExpW{1'b0}}, sum[SumW-2:4]} + MagW'(up)};
  endfunction

  function automatic [63:0] all_rounded(input [63:0] sums, input [LeadsW-1:0] leads, input [SidesW-1:0] with_sides,
                                        input [1:0] rnd);
    /* verilator no_inline_task */
    reg [LeadW-1:0] lead;
    all_rounded = '0;
    for (int l = 0; l < Lanes; l++) begin
      lead = leads[8*l+:LeadW];
      all_rounded = all_rounded | 64'(rounded(sums[l*Width+:SumW] << lead, with_sides[16*l+:ExpW] + 1'b1 - ExpW'(lead),
                                              with_sides[16*l+Sign], rnd)) << (l * Width);
    end
  endfunction

  // Special values, and what is beyond the finite ones.
  function automatic [Width-1:0] value(input [MagW-1:0] magnitude, input [15:Sign] with_side, input [1:0] rnd, input logic ftz);
    /* verilator no_inline_task */
    reg sign, to_largest;
    sign       = with_side[Sign];
    to_largest = rnd == (sign ? tilefly_pkg::RED_RND_UP : tilefly_pkg::RED_RND_DOWN) || rnd == tilefly_pkg::RED_RND_ZERO;
    if (with_side[IsNan]) value = {1'b0, Nan};
    else if (with_side[Infinite]) value = {sign, Infinity};
    else if (magnitude == '0) value = {with_side[Differ] ? rnd == tilefly_pkg::RED_RND_DOWN : sign, {MagW{1'b0}}};
    else if (magnitude[MagW-1:FracW] == '1) value = {sign, to_largest ? Largest : Infinity};
    else value = flushed({sign, magnitude}, ftz);
  endfunction

  function automatic [63:0] values(input [63:0] magnitudes, input [SidesW-1:0] with_sides, input [1:0] rnd, input logic ftz);
    /* verilator no_inline_task */
    values = '0;
    for (int l = 0; l < Lanes; l++) begin
      values = values | 64'(value(magnitudes[l*Width+:MagW], with_sides[16*l+Sign+:16-Sign], rnd, ftz)) << (l * Width);
    end
  endfunction

  // A sum that is not 0 is not rounded to it.
  function automatic [FlagsW-1:0] flags(input [63:0] magnitudes, input [SidesW-1:0] with_sides, input logic ftz);
    /* verilator no_inline_task */
    reg [Width-1:0] x;
    reg finite, beyond, tiny;
    flags = '0;
    for (int l = 0; l < Lanes; l++) begin
      x        = magnitudes[l*Width+:Width];
      finite   = !with_sides[16*l+IsNan] && !with_sides[16*l+Infinite] && x[MagW-1:0] != '0;
      beyond   = x[MagW-1:FracW] == '1;
      tiny     = ftz && x[MagW-1:FracW] == '0;
      flags = flags | FlagsW'(with_sides[16*l+Invalid]) << tilefly_arith_pkg::FLAG_INVALID;
      flags = flags | FlagsW'(finite && beyond) << tilefly_arith_pkg::FLAG_OVERFLOW;
      flags = flags | FlagsW'(finite && (beyond || tiny || x[MagW])) << tilefly_arith_pkg::FLAG_INEXACT;
    end
  endfunction

  // Quarters.
  logic [Quarters*FlagsW-1:0] quarter_flags;

  generate
    for (genvar q = 0; q < Quarters; q++) begin : gen_quarter
      logic [63:0] upper1_q, lower1_q, upper2_q, lower2_q, sums3_q, sums4_q, rounded5_q;
      logic [SidesW-1:0] sides2_q, sides3_q, sides4_q, sides5_q;
      logic [LeadsW-1:0] leads4_q;

      // Apart, so that a simulator can take the last stage first.
      always_ff @(posedge clk_i) begin
        if (enter_i) begin
          upper1_q <= swapped(a_i[q*64+:64], b_i[q*64+:64], 1'b1, enter_ftz_i);
          lower1_q <= swapped(a_i[q*64+:64], b_i[q*64+:64], 1'b0, enter_ftz_i);
        end
      end
      always_ff @(posedge clk_i) begin
        if (stages_i[1]) begin
          sides2_q <= sides(upper1_q, lower1_q);
          upper2_q <= upper1_q;
          lower2_q <= aligned(upper1_q, lower1_q);
        end
      end
      always_ff @(posedge clk_i) begin
        if (stages_i[2]) begin
          sides3_q <= sides2_q;
          sums3_q  <= added(upper2_q, lower2_q, sides2_q);
        end
      end
      always_ff @(posedge clk_i) begin
        if (stages_i[3]) begin
          sides4_q <= sides3_q;
          sums4_q  <= sums3_q;
          leads4_q <= shifts_up(sums3_q, sides3_q);
        end
      end
      always_ff @(posedge clk_i) begin
        if (stages_i[4]) begin
          sides5_q   <= sides4_q;
          rounded5_q <= all_rounded(sums4_q, leads4_q, sides4_q, round_rnd_i);
        end
      end

      always_comb begin
        y_o[q*64+:64] = '0;
        quarter_flags[q*FlagsW+:FlagsW] = '0;
        if (stages_i[5]) begin
          y_o[q*64+:64] = values(rounded5_q, sides5_q, leave_mode_i.rnd, leave_mode_i.ftz);
          quarter_flags[q*FlagsW+:FlagsW] = flags(rounded5_q, sides5_q, leave_mode_i.ftz);
        end
      end
    end
  endgenerate

  always_comb begin
    flags_o = '0;
    for (int q = 0; q < Quarters; q++) flags_o = flags_o | quarter_flags[q*FlagsW+:FlagsW];
  end

  // Assertions.
`ifndef SYNTHESIS
`ifndef FORMAL  // yosys knows no $fatal
  initial begin
    if (ExpW < 3 || ExpW > Sign || FracW < 2 || Lanes * Width != 64) begin
      $fatal(1, "tilefly_float_sum: ExpW %0d, FracW %0d; wanted: 3 to 11, 2 or more, lanes that fill a quarter", ExpW, FracW);
    end
  end
`endif
`endif

endmodule
