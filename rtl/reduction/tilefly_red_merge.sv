// SPDX-License-Identifier: Apache-2.0
// Merges what a part says of itself into a word of a collect lane. Manual: docs/blocks/reduction.md, "Collect lanes".
// Combinational. Operands (`rep`, `used`, `data`) and what names the launch stay as they are.

module tilefly_red_merge (
    /// the word
    input  tilefly_pkg::red_collect_t word_i,
    /// the part, a word of its own; it takes part iff it has `meta_valid`
    /* verilator lint_off UNUSEDSIGNAL */  // its operands are combined elsewhere
    input  tilefly_pkg::red_collect_t other_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// the word with the part
    output tilefly_pkg::red_collect_t word_o,
    /// the sum of contributions does not fit
    output logic                      overflow_o
);

  logic differs;
  logic [20:0] contributions;

  always_comb begin
    word_o        = word_i;
    differs       = 1'b0;
    contributions = '0;
    if (word_i.valid && other_i.meta_valid) begin
      word_o.meta_valid = 1'b1;
      if (word_i.meta_valid) begin
        differs = {word_i.action, word_i.ftz, word_i.rnd, word_i.ends, word_i.bytes, word_i.dtype, word_i.op, word_i.seq,
                   word_i.count} != {other_i.action, other_i.ftz, other_i.rnd, other_i.ends, other_i.bytes, other_i.dtype,
                   other_i.op, other_i.seq, other_i.count};
        contributions        = 21'(word_i.contributions) + 21'(other_i.contributions);
        word_o.mismatch      = word_i.mismatch || other_i.mismatch || differs;
        word_o.contributions = contributions[19:0];
        word_o.code          = word_i.code > other_i.code ? word_i.code : other_i.code;
        word_o.full          = word_i.full || other_i.full;
      end else begin
        word_o.mismatch      = other_i.mismatch;
        word_o.action        = other_i.action;
        word_o.ftz           = other_i.ftz;
        word_o.rnd           = other_i.rnd;
        word_o.ends          = other_i.ends;
        word_o.bytes         = other_i.bytes;
        word_o.dtype         = other_i.dtype;
        word_o.op            = other_i.op;
        word_o.seq           = other_i.seq;
        word_o.count         = other_i.count;
        word_o.contributions = other_i.contributions;
        word_o.code          = other_i.code;
        word_o.full          = other_i.full;
        word_o.cookie        = other_i.cookie;
        word_o.resno         = other_i.resno;
        word_o.arm           = other_i.arm;
        word_o.tag           = other_i.tag;
      end
    end
  end

  assign overflow_o = contributions[20];

endmodule
