// SPDX-License-Identifier: Apache-2.0
// What the parts of the arithmetic of reductions have in common. Manual: docs/blocks/arithmetic.md.

package tilefly_arith_pkg;

  /* verilator lint_off UNUSEDPARAM */  // no part needs all of them

  // Bits of the flags.
  localparam int FLAGS_W = 4;
  localparam int FLAG_INEXACT = 0;
  localparam int FLAG_OVERFLOW = 1;
  localparam int FLAG_INVALID = 2;
  localparam int FLAG_INT_OVERFLOW = 3;

  // How a floating sum is rounded.
  typedef struct packed {
    logic [1:0] rnd;  // red_rnd_e
    logic       ftz;  // subnormals are flushed
  } mode_t;

  // A partial reproducible sum without its bins.
  typedef struct packed {
    logic [2:0] low;
    logic [1:0] ovfl;
    logic [7:0] m;
  } repsum_head_t;
  localparam int REPSUM_HEAD_W = 13;
  localparam int REPSUM_W = REPSUM_HEAD_W + 256;

  /* verilator lint_on UNUSEDPARAM */

  function automatic logic is_float(input [2:0] kind);
    is_float = kind >= tilefly_pkg::RED_TYPE_FLOAT16;
  endfunction

  // The operation has values with an index.
  function automatic logic has_records(input [3:0] op);
    has_records = op == tilefly_pkg::RED_OP_MINLOC || op == tilefly_pkg::RED_OP_MAXLOC || op == tilefly_pkg::RED_OP_MINMAXLOC ||
                  op == tilefly_pkg::RED_OP_MINMAXNUMLOC;
  endfunction

  // A number comes before a NaN.
  function automatic logic number_first(input [3:0] op);
    number_first = op == tilefly_pkg::RED_OP_MINNUM || op == tilefly_pkg::RED_OP_MAXNUM || op == tilefly_pkg::RED_OP_MINMAXNUMLOC;
  endfunction

  // The greater value wins; odd: in an odd record.
  function automatic logic takes_greater(input [3:0] op, input logic odd);
    case (op)
      tilefly_pkg::RED_OP_MAX, tilefly_pkg::RED_OP_MAXLOC, tilefly_pkg::RED_OP_MAXNUM: takes_greater = 1'b1;
      tilefly_pkg::RED_OP_MINMAXLOC, tilefly_pkg::RED_OP_MINMAXNUMLOC: takes_greater = odd;
      default: takes_greater = 1'b0;
    endcase
  endfunction

  function automatic logic is_legal(input [3:0] op, input [2:0] kind);
    is_legal = kind <= tilefly_pkg::RED_TYPE_FLOAT64 && op <= tilefly_pkg::RED_OP_MINMAXNUMLOC;
    if (op == tilefly_pkg::RED_OP_AND || op == tilefly_pkg::RED_OP_OR || op == tilefly_pkg::RED_OP_XOR) begin
      is_legal = is_legal && !is_float(kind);
    end
    if (number_first(op)) is_legal = is_legal && is_float(kind);
  endfunction

  // Bytes of an operand lane, as a power of 2.
  function automatic [2:0] lane_scale(input [2:0] kind);
    case (kind)
      tilefly_pkg::RED_TYPE_INT32, tilefly_pkg::RED_TYPE_FLOAT32: lane_scale = 3'd2;
      tilefly_pkg::RED_TYPE_INT64, tilefly_pkg::RED_TYPE_FLOAT64: lane_scale = 3'd3;
      default: lane_scale = 3'd1;
    endcase
  endfunction

  // Bytes in use of a word that is cut into units of 2^scale bytes, of which only whole ones count.
  function automatic [5:0] bytes_used(input [4:0] last, input [2:0] scale);
    bytes_used = (({1'b0, last} + 6'd1) >> scale) << scale;
  endfunction

endpackage
