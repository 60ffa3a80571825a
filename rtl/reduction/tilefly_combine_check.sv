// SPDX-License-Identifier: Apache-2.0
// Assertions on the results of `tilefly_combine`, from what is known of a word when it enters; nothing of it is hardware.
// Manual: docs/blocks/arithmetic.md, "Invariants".

module tilefly_combine_check (
    /// clock
    input logic         clk_i,
    /// synchronous reset, active low
    input logic         rst_ni,
    /// a word enters
    input logic         valid_i,
    /// operation
    input logic [  3:0] op_i,
    /// type
    input logic [  2:0] type_i,
    /// operands that count
    input logic [  1:0] use_i,
    /// last byte in use
    input logic [  4:0] last_i,
    /// a result stands on the outputs
    input logic         result_i,
    /// the result
    input logic [255:0] y_i,
    /// a word is inside or on the outputs
    input logic         busy_i
);

  logic due, computes, computed, going;
  logic [3:0] op;
  logic [2:0] kind;
  logic [5:0] unit, filled, used;  // bytes: of a lane or a record; in use when the word enters, when its result is due

  always_comb begin
    case (type_i)
      tilefly_pkg::RED_TYPE_INT32, tilefly_pkg::RED_TYPE_FLOAT32: unit = 6'd4;
      tilefly_pkg::RED_TYPE_INT64, tilefly_pkg::RED_TYPE_FLOAT64: unit = 6'd8;
      default: unit = 6'd2;
    endcase
    if (tilefly_arith_pkg::has_records(op_i)) unit = unit + unit;
    computes = use_i == 2'b11 && tilefly_arith_pkg::is_legal(op_i, type_i);
    case (use_i)
      2'b11: filled = computes ? (6'(last_i) + 6'd1) & ~(unit - 6'd1) : '0;
      2'b00: filled = '0;
      default: filled = 6'(last_i) + 6'd1;
    endcase
  end

  tilefly_delay_line #(
      .Width(14),
      .Depth(tilefly_pkg::COMBINE_CYCLES)
  ) u_words (
      .clk_i,
      .rst_ni,
      .valid_i,
      .data_i ({computes, op_i, type_i, filled}),
      .valid_o(due),
      .data_o ({computed, op, kind, used}),
      .busy_o (going)
  );

  // Lanes that are a NaN, but not the canonical one.
  logic [15:0] strange16;
  logic [7:0] strange32;
  logic [3:0] strange64;
  logic [14:0] infinity16;
  logic [255:0] behind;
  logic strange;

  always_comb begin
    strange16  = '0;
    strange32  = '0;
    strange64  = '0;
    behind     = '0;
    strange    = 1'b0;
    infinity16 = kind == tilefly_pkg::RED_TYPE_FLOAT16 ? 15'h7c00 : 15'h7f80;
    if (due) begin
      behind = y_i & {256{1'b1}} << {used, 3'b000};
      for (int l = 0; l < 16; l++) begin
        strange16[l] = y_i[l*16+:15] > infinity16 && y_i[l*16+:16] != {1'b0, infinity16 | infinity16 >> 1};
      end
      for (int l = 0; l < 8; l++) strange32[l] = y_i[l*32+:31] > 31'h7f80_0000 && y_i[l*32+:32] != 32'h7fc0_0000;
      for (int l = 0; l < 4; l++) begin
        strange64[l] = y_i[l*64+:63] > 63'h7ff0_0000_0000_0000 && y_i[l*64+:64] != 64'h7ff8_0000_0000_0000;
      end
      // An index may look like any NaN.
      if (tilefly_arith_pkg::has_records(op)) begin
        strange16 = strange16 & 16'h5555;
        strange32 = strange32 & 8'h55;
        strange64 = strange64 & 4'h5;
      end
      if (computed) begin
        case (kind)
          tilefly_pkg::RED_TYPE_FLOAT16, tilefly_pkg::RED_TYPE_BFLOAT16: strange = strange16 != '0;
          tilefly_pkg::RED_TYPE_FLOAT32: strange = strange32 != '0;
          tilefly_pkg::RED_TYPE_FLOAT64: strange = strange64 != '0;
          default: strange = 1'b0;
        endcase
      end
    end
  end

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ARITH_1 : assert (result_i == due);
      ARITH_1_busy : assert (busy_i == going);
      ARITH_2 : assert (behind == '0);
      ARITH_3 : assert (!strange);
    end
  end

endmodule
