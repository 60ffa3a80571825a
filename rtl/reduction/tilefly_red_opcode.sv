// SPDX-License-Identifier: Apache-2.0
// What a small operation's published header says, as the part of a collect word. Manual: docs/blocks/reduction-trees.md,
// "Small-operand engine". Combinational; all zero unless asked.

module tilefly_red_opcode (
    /// a header is read
    input  logic                      valid_i,
    /// the published header
    input  logic [              95:0] header_i,
    /// the part, without bytes and operands
    output tilefly_pkg::red_collect_t part_o
);

  logic [5:0] opcode;
  logic [3:0] op;
  logic [2:0] dtype;
  logic [1:0] rnd;
  logic ftz, known;
  assign opcode = header_i[16:11];

  always_comb begin
    known = 1'b1;
    ftz   = 1'b0;
    rnd   = tilefly_pkg::RED_RND_NEAREST;
    op    = tilefly_pkg::RED_OP_SUM;
    dtype = opcode[5] ? tilefly_pkg::RED_TYPE_FLOAT64 : tilefly_pkg::RED_TYPE_INT64;
    case (opcode)
      tilefly_pkg::RED_OPCODE_BIT_AND: op = tilefly_pkg::RED_OP_AND;
      tilefly_pkg::RED_OPCODE_BIT_OR: op = tilefly_pkg::RED_OP_OR;
      tilefly_pkg::RED_OPCODE_BIT_XOR: op = tilefly_pkg::RED_OP_XOR;
      tilefly_pkg::RED_OPCODE_INT_MIN, tilefly_pkg::RED_OPCODE_FLT_MIN: op = tilefly_pkg::RED_OP_MIN;
      tilefly_pkg::RED_OPCODE_INT_MAX, tilefly_pkg::RED_OPCODE_FLT_MAX: op = tilefly_pkg::RED_OP_MAX;
      tilefly_pkg::RED_OPCODE_INT_MINMAXLOC, tilefly_pkg::RED_OPCODE_FLT_MINMAXLOC: op = tilefly_pkg::RED_OP_MINMAXLOC;
      tilefly_pkg::RED_OPCODE_FLT_MINNUM: op = tilefly_pkg::RED_OP_MINNUM;
      tilefly_pkg::RED_OPCODE_FLT_MAXNUM: op = tilefly_pkg::RED_OP_MAXNUM;
      tilefly_pkg::RED_OPCODE_FLT_MINMAXNUMLOC: op = tilefly_pkg::RED_OP_MINMAXNUMLOC;
      tilefly_pkg::RED_OPCODE_INT_SUM, tilefly_pkg::RED_OPCODE_FLT_REPSUM: op = tilefly_pkg::RED_OP_SUM;
      tilefly_pkg::RED_OPCODE_FLT_SUM_NEAREST, tilefly_pkg::RED_OPCODE_FLT_SUM_UP, tilefly_pkg::RED_OPCODE_FLT_SUM_DOWN,
      tilefly_pkg::RED_OPCODE_FLT_SUM_ZERO, tilefly_pkg::RED_OPCODE_FLT_SUM_FTZ_NEAREST, tilefly_pkg::RED_OPCODE_FLT_SUM_FTZ_UP,
      tilefly_pkg::RED_OPCODE_FLT_SUM_FTZ_DOWN, tilefly_pkg::RED_OPCODE_FLT_SUM_FTZ_ZERO: begin
        op = tilefly_pkg::RED_OP_SUM;
        {ftz, rnd} = opcode[2:0];
      end
      default: known = 1'b0;  // a barrier among them: no operands
    endcase
  end

  always_comb begin
    part_o = '0;
    if (valid_i) begin
      part_o.cookie        = header_i[95:64];
      part_o.rep           = header_i[63:51];
      part_o.code          = header_i[50:47];
      part_o.resno         = header_i[46:37];
      part_o.contributions = header_i[36:17];
      part_o.count         = {10'd0, opcode};
      part_o.arm           = header_i[10];
      part_o.seq           = {6'd0, header_i[9:0]};
      part_o.full          = known;
      if (known) begin
        part_o.op    = op;
        part_o.dtype = dtype;
        part_o.ftz   = ftz;
        part_o.rnd   = rnd;
        if (opcode == tilefly_pkg::RED_OPCODE_FLT_REPSUM) part_o.action = 3'(tilefly_pkg::RED_ACTION_REPSUM);
      end else if (opcode != tilefly_pkg::RED_OPCODE_BARRIER) part_o.code = tilefly_pkg::RED_RC_DIFFERS;
    end
  end

endmodule
