// SPDX-License-Identifier: Apache-2.0
// Merges what a part says of itself into a word of a collect lane. Manual: docs/blocks/reduction.md, "Collect lanes".
// Combinational. Operands (`rep`, `used`, `data`) and what names the launch stay as they are.

module tilefly_red_merge (
    /// the word
    input  tilefly_pkg::red_collect_t word_i,
    /// the part, in the form of a word; the part takes part iff the word has `meta_valid`
    /* verilator lint_off UNUSEDSIGNAL */  // its operands are combined elsewhere
    input  tilefly_pkg::red_collect_t other_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// the word with the part
    output tilefly_pkg::red_collect_t word_o,
    /// the sum of contributions does not fit
    output logic                      overflow_o
);

  localparam int Said = tilefly_red_pkg::OPERANDS_W + tilefly_red_pkg::REP_W;  // where what is merged begins
  localparam int SaidW = tilefly_red_pkg::SAID_W - tilefly_red_pkg::REP_W;
  localparam int ComparedW = tilefly_red_pkg::COMPARED_W;
  localparam int Compared = Said + SaidW - ComparedW;

  logic [20:0] contributions;

  always_comb begin
    word_o        = '0;
    contributions = '0;
    if (word_i.valid) word_o = word_i;
    if (word_i.valid && other_i.meta_valid) begin
      word_o.meta_valid = 1'b1;
      if (word_i.meta_valid) begin
        contributions        = 21'(word_i.contributions) + 21'(other_i.contributions);
        word_o.mismatch      = word_i.mismatch || other_i.mismatch ||
            word_i[Compared+:ComparedW] != other_i[Compared+:ComparedW];
        word_o.contributions = contributions[19:0];
        word_o.code          = word_i.code > other_i.code ? word_i.code : other_i.code;
        word_o.full          = word_i.full || other_i.full;
      end else begin
        word_o.mismatch     = other_i.mismatch;
        word_o[Said+:SaidW] = other_i[Said+:SaidW];
      end
    end
  end

  assign overflow_o = contributions[20];

  // Assertions.
`ifndef SYNTHESIS
`ifndef FORMAL  // yosys knows no $fatal
  initial begin
    if (tilefly_red_pkg::NAME_W + 2 + tilefly_red_pkg::SAID_W + tilefly_red_pkg::OPERANDS_W != tilefly_pkg::RED_COLLECT_W) begin
      $fatal(1, "tilefly_red_pkg: fields of %0d bits, wanted: %0d",
             tilefly_red_pkg::NAME_W + 2 + tilefly_red_pkg::SAID_W + tilefly_red_pkg::OPERANDS_W, tilefly_pkg::RED_COLLECT_W);
    end
  end
`endif
`endif

endmodule
