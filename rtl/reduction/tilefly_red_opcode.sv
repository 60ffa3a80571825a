// SPDX-License-Identifier: Apache-2.0
// What a small operation's published header says, as the part of a collect word. Manual: docs/blocks/reduction-trees.md,
// "Small-operand engine". Combinational; all zero unless asked.

module tilefly_red_opcode (
    /// a header is read
    input  logic                      valid_i,
    /// the published header
    /* verilator lint_off UNUSEDSIGNAL */  // of the sum's head the fields lie together
    input  logic [              95:0] header_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// the part, without bytes and operands
    output tilefly_pkg::red_collect_t part_o
);

  localparam logic [3:0] Differs = 4'd8;  // return code: operations differ, or nobody knows this one

  logic [5:0] opcode;
  logic [3:0] op;
  logic [2:0] dtype;
  logic known;
  assign opcode = header_i[16:11];

  always_comb begin
    known = 1'b1;
    op    = tilefly_pkg::RED_OP_SUM;
    dtype = opcode[5] ? tilefly_pkg::RED_TYPE_FLOAT64 : tilefly_pkg::RED_TYPE_INT64;
    case (opcode)
      6'h01: op = tilefly_pkg::RED_OP_AND;
      6'h02: op = tilefly_pkg::RED_OP_OR;
      6'h03: op = tilefly_pkg::RED_OP_XOR;
      6'h10, 6'h20: op = tilefly_pkg::RED_OP_MIN;
      6'h11, 6'h21: op = tilefly_pkg::RED_OP_MAX;
      6'h12, 6'h22: op = tilefly_pkg::RED_OP_MINMAXLOC;
      6'h24: op = tilefly_pkg::RED_OP_MINNUM;
      6'h25: op = tilefly_pkg::RED_OP_MAXNUM;
      6'h26: op = tilefly_pkg::RED_OP_MINMAXNUMLOC;
      6'h14, 6'h28, 6'h29, 6'h2a, 6'h2b, 6'h2c, 6'h2d, 6'h2e, 6'h2f, 6'h30: op = tilefly_pkg::RED_OP_SUM;
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
        if (opcode[5:3] == 3'b101) {part_o.ftz, part_o.rnd} = opcode[2:0];
        if (opcode == 6'h30) part_o.action = 3'(tilefly_pkg::RED_ACTION_REPSUM);
      end else if (opcode != 6'h00) part_o.code = Differs;
    end
  end

endmodule
