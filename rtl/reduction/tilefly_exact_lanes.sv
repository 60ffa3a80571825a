// SPDX-License-Identifier: Apache-2.0
// Operand lanes of one width, all of a word, of everything that is not a floating sum and not bit by bit: integer sums, the lesser and the
// greater value, records. Manual: docs/blocks/arithmetic.md. A record has its value in the lower lane of a pair, its index in the upper.
// Latency: 0. Throughput: a word a cycle. Handshake: valid only.
//
// What happens to a lane is a function that a simulator keeps as one, called for each lane.

module tilefly_exact_lanes #(
    /// bits of a lane
    parameter int Width = 16
) (
    /// operands of this width stand on the inputs
    input  logic                                  valid_i,
    /// operation, a legal one
    input  logic [                           3:0] op_i,
    /// the type is a floating one
    input  logic                                  float_i,
    /// infinity of the type; for integers the greatest value
    input  logic [                     Width-2:0] infinity_i,
    /// operands
    input  logic [                         255:0] a_i,
    input  logic [                         255:0] b_i,
    /// result; 0 when there are no operands
    output logic [                         255:0] y_o,
    /// flags of the result
    output logic [tilefly_arith_pkg::FLAGS_W-1:0] flags_o
);

  localparam int Lanes = 256 / Width;

  // The canonical NaN has the uppermost bit of the fraction set, which a signalling one has not.
  function automatic [Width-2:0] canonical(input [Width-2:0] infinity);
    canonical = infinity | infinity >> 1;
  endfunction

  function automatic logic is_nan(input [Width-2:0] x, input [Width-2:0] infinity);
    is_nan = x > infinity;
  endfunction

  function automatic logic is_signalling(input [Width-2:0] x, input [Width-2:0] infinity);
    is_signalling = is_nan(x, infinity) && (x & ~infinity & canonical(infinity)) == '0;
  endfunction

  // A number that grows with the value: the sign turned round, with a negative float all the other bits too.
  function automatic [Width-1:0] rank(input [Width-1:0] x, input logic as_float);
    rank = x ^ {1'b1, {Width - 1{as_float && x[Width-1]}}};
  endfunction

  // Which of two values is taken: {it is b, it is a NaN}. Of equal rank are the same bits, and any two NaNs: then the smaller index
  // counts.
  function automatic [1:0] chosen(input [Width-1:0] a, input [Width-1:0] b, input [Width-1:0] index_a, input [Width-1:0] index_b,
                                  input logic records, input logic greater, input logic number_first, input logic as_float,
                                  input [Width-2:0] infinity);
    /* verilator no_inline_task */
    reg nan_a, nan_b, b_first;
    nan_a = is_nan(a[Width-2:0], infinity);
    nan_b = is_nan(b[Width-2:0], infinity);
    if (nan_a != nan_b) b_first = nan_b != number_first;
    else if (nan_a || a == b) b_first = records && index_b < index_a;
    else b_first = (rank(b, as_float) < rank(a, as_float)) != greater;
    chosen = {b_first, b_first ? nan_b : nan_a};
  endfunction

  // {int_overflow, invalid} of a lane.
  function automatic [1:0] lane_flags(input [Width-1:0] a, input [Width-1:0] b, input logic sums, input [Width-2:0] infinity);
    /* verilator no_inline_task */
    reg [Width-1:0] sum;
    sum = a + b;
    lane_flags[1] = sums && a[Width-1] == b[Width-1] && a[Width-1] != sum[Width-1];
    lane_flags[0] = !sums && (is_signalling(a[Width-2:0], infinity) || is_signalling(b[Width-2:0], infinity));
  endfunction

  logic sums, records, number_first, b_first, nan;
  logic [1:0] flags, greater;  // greater: of even and of odd records
  logic [Width-1:0] a, b;

  always_comb begin
    y_o          = '0;
    flags        = '0;
    greater      = '0;
    sums         = 1'b0;
    records      = 1'b0;
    number_first = 1'b0;
    b_first      = 1'b0;
    nan          = 1'b0;
    a            = '0;
    b            = '0;
    if (valid_i) begin
      sums         = op_i == tilefly_pkg::RED_OP_SUM;
      records      = tilefly_arith_pkg::has_records(op_i);
      number_first = tilefly_arith_pkg::number_first(op_i);
      greater      = {tilefly_arith_pkg::takes_greater(op_i, 1'b1), tilefly_arith_pkg::takes_greater(op_i, 1'b0)};
      for (int l = 0; l < Lanes; l++) begin
        a = a_i[l*Width+:Width];
        b = b_i[l*Width+:Width];
        if (l % 2 == 0 || !records) begin
          flags = flags | lane_flags(a, b, sums, infinity_i);
          {b_first, nan} = chosen(a, b, a_i[(l|1)*Width+:Width], b_i[(l|1)*Width+:Width], records, greater[l/2%2], number_first,
                                  float_i, infinity_i);
        end else begin
          nan = 1'b0;
        end
        if (sums) y_o[l*Width+:Width] = a + b;
        else if (nan) y_o[l*Width+:Width] = {1'b0, canonical(infinity_i)};
        else y_o[l*Width+:Width] = b_first ? b : a;
      end
    end
  end

  always_comb begin
    flags_o = '0;
    flags_o[tilefly_arith_pkg::FLAG_INT_OVERFLOW] = flags[1];
    flags_o[tilefly_arith_pkg::FLAG_INVALID] = flags[0];
  end

endmodule
