// SPDX-License-Identifier: Apache-2.0
// A word of everything that is not a floating sum. Manual: docs/blocks/arithmetic.md, "Types and operations".
// Latency: 0. Throughput: a word a cycle. Handshake: valid only.

module tilefly_exact (
    /// operands stand on the inputs
    input  logic                                  valid_i,
    /// operation, a legal one
    input  logic [                           3:0] op_i,
    /// type
    input  logic [                           2:0] type_i,
    /// operands
    input  logic [                         255:0] a_i,
    input  logic [                         255:0] b_i,
    /// result; 0 when there are no operands
    output logic [                         255:0] y_o,
    /// flags of the result
    output logic [tilefly_arith_pkg::FLAGS_W-1:0] flags_o
);

  localparam int FlagsW = tilefly_arith_pkg::FLAGS_W;

  logic as_float;
  logic [3:1] valid;  // by the lanes' bytes, a power of 2
  logic [255:0] bits;
  logic [14:0] infinity16;

  always_comb begin
    valid = '0;
    bits  = '0;
    if (valid_i) begin
      case (op_i)
        tilefly_pkg::RED_OP_AND: bits = a_i & b_i;
        tilefly_pkg::RED_OP_OR: bits = a_i | b_i;
        tilefly_pkg::RED_OP_XOR: bits = a_i ^ b_i;
        default: valid[tilefly_arith_pkg::lane_scale(type_i)] = 1'b1;
      endcase
    end
    case (type_i)
      tilefly_pkg::RED_TYPE_FLOAT16: infinity16 = 15'h7c00;
      tilefly_pkg::RED_TYPE_BFLOAT16: infinity16 = 15'h7f80;
      default: infinity16 = 15'h7fff;
    endcase
  end
  assign as_float = tilefly_arith_pkg::is_float(type_i);

  logic [255:0] y16, y32, y64;
  logic [FlagsW-1:0] flags16, flags32, flags64;

  tilefly_exact_lanes #(
      .Width(16)
  ) u_lanes16 (
      .valid_i   (valid[1]),
      .op_i,
      .float_i   (as_float),
      .infinity_i(infinity16),
      .a_i,
      .b_i,
      .y_o       (y16),
      .flags_o   (flags16)
  );

  tilefly_exact_lanes #(
      .Width(32)
  ) u_lanes32 (
      .valid_i   (valid[2]),
      .op_i,
      .float_i   (as_float),
      .infinity_i(as_float ? 31'h7f80_0000 : '1),
      .a_i,
      .b_i,
      .y_o       (y32),
      .flags_o   (flags32)
  );

  tilefly_exact_lanes #(
      .Width(64)
  ) u_lanes64 (
      .valid_i   (valid[3]),
      .op_i,
      .float_i   (as_float),
      .infinity_i(as_float ? 63'h7ff0_0000_0000_0000 : '1),
      .a_i,
      .b_i,
      .y_o       (y64),
      .flags_o   (flags64)
  );

  assign y_o     = bits | y16 | y32 | y64;
  assign flags_o = flags16 | flags32 | flags64;

endmodule
