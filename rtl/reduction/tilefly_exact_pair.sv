// SPDX-License-Identifier: Apache-2.0
// Two lanes of everything that is not a floating sum and not bit by bit: integer sums, the lesser and the greater value, records.
// Manual: docs/blocks/arithmetic.md. A record has its value in the lower lane, its index in the upper.
// Latency: 0. Throughput: one a cycle. Handshake: valid only.

module tilefly_exact_pair #(
    /// bits of a lane
    parameter int Width = 16,
    /// the records of these lanes are odd ones
    parameter bit Odd   = 1'b0
) (
    /// operands of this width stand on the inputs
    input  logic                                  valid_i,
    /// operation, a legal one
    input  logic [                           3:0] op_i,
    /// the type is a floating one
    input  logic                                  float_i,
    /// its infinity; integers: the greatest one
    input  logic [                     Width-2:0] infinity_i,
    /// operands
    input  logic [                   2*Width-1:0] a_i,
    input  logic [                   2*Width-1:0] b_i,
    /// result; 0 when there are no operands
    output logic [                   2*Width-1:0] y_o,
    /// its flags
    output logic [tilefly_arith_pkg::FLAGS_W-1:0] flags_o
);

  // The canonical NaN has the uppermost bit of the fraction set, which a signalling one has not.
  logic [Width-2:0] canonical;
  assign canonical = infinity_i | infinity_i >> 1;

  function automatic logic is_nan(input [Width-2:0] x, input [Width-2:0] infinity);
    is_nan = x > infinity;
  endfunction

  function automatic logic is_signalling(input [Width-2:0] x, input [Width-2:0] infinity, input [Width-2:0] quiet);
    is_signalling = is_nan(x, infinity) && (x & ~infinity & quiet) == '0;
  endfunction

  // A number that grows with the value: the sign turned round, with a negative float all the other bits too.
  function automatic [Width-1:0] rank(input [Width-1:0] x, input logic as_float);
    rank = x ^ {1'b1, {Width - 1{as_float && x[Width-1]}}};
  endfunction

  // {a and b are of equal rank, b is before a}
  function automatic [1:0] compared(input [Width-1:0] a, input [Width-1:0] b, input logic nan_a, input logic nan_b,
                                    input logic as_float, input logic greater, input logic number_first);
    if (nan_a || nan_b) compared = {nan_a && nan_b, nan_a != nan_b && nan_b != number_first};
    else if (greater) compared = {a == b, rank(b, as_float) > rank(a, as_float)};
    else compared = {a == b, rank(b, as_float) < rank(a, as_float)};
  endfunction

  function automatic [Width:0] summed(input [Width-1:0] a, input [Width-1:0] b);
    reg [Width-1:0] sum;
    sum = a + b;
    summed = {a[Width-1] == b[Width-1] && a[Width-1] != sum[Width-1], sum};
  endfunction

  // Lanes: 0 the lower one.
  logic [Width-1:0] a, b, y;
  logic records, greater, number_first, nan_a, nan_b, equal, b_first, overflow;

  always_comb begin
    y_o          = '0;
    flags_o      = '0;
    a            = '0;
    b            = '0;
    y            = '0;
    records      = 1'b0;
    greater      = 1'b0;
    number_first = 1'b0;
    nan_a        = 1'b0;
    nan_b        = 1'b0;
    equal        = 1'b0;
    b_first      = 1'b0;
    overflow     = 1'b0;
    if (valid_i && op_i == tilefly_pkg::RED_OP_SUM) begin
      for (int l = 0; l < 2; l++) begin
        {overflow, y_o[l*Width+:Width]} = summed(a_i[l*Width+:Width], b_i[l*Width+:Width]);
        if (overflow) flags_o[tilefly_arith_pkg::FLAG_INT_OVERFLOW] = 1'b1;
      end
    end else if (valid_i) begin
      records      = tilefly_arith_pkg::has_records(op_i);
      number_first = tilefly_arith_pkg::number_first(op_i);
      greater      = tilefly_arith_pkg::takes_greater(op_i, Odd);
      for (int l = 0; l < 2; l++) begin
        a = a_i[l*Width+:Width];
        b = b_i[l*Width+:Width];
        if (l == 1 && records) begin
          y = b_first ? b : a;
        end else begin
          nan_a = is_nan(a[Width-2:0], infinity_i);
          nan_b = is_nan(b[Width-2:0], infinity_i);
          {equal, b_first} = compared(a, b, nan_a, nan_b, float_i, greater, number_first);
          if (equal && records) b_first = b_i[2*Width-1:Width] < a_i[2*Width-1:Width];
          y = b_first ? b : a;
          if (b_first ? nan_b : nan_a) y = {1'b0, canonical};
          if (is_signalling(a[Width-2:0], infinity_i, canonical) || is_signalling(b[Width-2:0], infinity_i, canonical)) begin
            flags_o[tilefly_arith_pkg::FLAG_INVALID] = 1'b1;
          end
        end
        y_o[l*Width+:Width] = y;
      end
    end
  end

endmodule
