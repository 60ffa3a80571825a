// SPDX-License-Identifier: Apache-2.0
// One step of a collect lane: a port's part, or the other half's word, joins a word that passes. Manual:
// docs/blocks/reduction.md, "Collect lanes".
// Latency: a word that comes in cycle x is on `word_o` in x + 6 (functions of flops), whoever takes part. Throughput: a word a
// cycle. Handshake: valid only; nothing holds a word back. An idle word is all zero.
//
//   x                       x + 1 .. x + 5              x + 6
//   fields merged --------> (delayed) ----------------> code raised by the flags
//   operands -------------> combiner, or sum of bins --> data

module tilefly_red_step #(
    /// operands are combined; else those of the part replace what came
    parameter bit Combines = 1'b1
) (
    /// clock
    input  logic                      clk_i,
    /// synchronous reset, active low
    input  logic                      rst_ni,
    /// word of the ring lane
    input  tilefly_pkg::red_collect_t word_i,
    /// word that joins it, in the same cycle; it takes part iff it has `meta_valid`, and has operands iff `used`
    input  tilefly_pkg::red_collect_t other_i,
    /// the launch is of a small-operand group, whose return code the flags raise
    input  logic                      small_i,
    /// number of the word in its launch, in the same cycle
    output logic [               7:0] index_o,
    /// the word, six cycles later
    output tilefly_pkg::red_collect_t word_o,
    /// a word is inside or on the output
    output logic                      busy_o
);

  localparam int Cycles = tilefly_pkg::COMBINE_CYCLES;
  localparam int WordW = tilefly_pkg::RED_COLLECT_W;
  localparam int OperandW = 13 + 1 + 256;  // {rep, used, data}, the lowest fields of a word
  localparam int MetaW = WordW - OperandW;
  localparam logic [2:0] Repsum = 3'(tilefly_pkg::RED_ACTION_REPSUM);

  // Number of the word in its launch.
  logic [7:0] next_q;
  always_ff @(posedge clk_i) begin
    if (word_i.valid) next_q <= index_o + 8'd1;
  end
  assign index_o = word_i.first ? 8'd0 : next_q;

  /* verilator lint_off UNUSEDSIGNAL */  // its operands go another way
  tilefly_pkg::red_collect_t merged;
  /* verilator lint_on UNUSEDSIGNAL */
  logic overflow, repsum;

  tilefly_red_merge u_merge (
      .word_i,
      .other_i,
      .word_o    (merged),
      .overflow_o(overflow)
  );
  assign repsum = merged.action == Repsum;

  generate
    if (Combines) begin : gen_combine
      // How many bytes of the word count, and how a small operation's code is raised.
      logic [1:0] parts;
      logic [13:0] left;
      logic [4:0] last;
      logic raises;

      assign parts  = {other_i.used, word_i.used};
      assign left   = 14'(merged.bytes) - {1'b0, index_o, 5'd0};
      assign last   = left >= 14'd1 && left <= 14'd31 ? 5'(left[4:0] - 5'd1) : 5'd31;
      assign raises = small_i && parts == 2'd3 && merged.action == 3'(tilefly_pkg::RED_ACTION_REDUCE);

      logic sum_valid, bins_valid, meta_valid, raised, raised_overflow;
      logic [2:0] busy;
      logic [255:0] sum;
      logic [268:0] binned;
      logic [3:0] flags, flag_code;
      logic [MetaW-1:0] meta;
      logic used;

      tilefly_combine u_combine (
          .clk_i,
          .rst_ni,
          .valid_i(word_i.valid && !repsum),
          .op_i   (merged.op),
          .type_i (merged.dtype),
          .rnd_i  (merged.rnd),
          .ftz_i  (merged.ftz),
          .use_i  (parts),
          .last_i (last),
          .a_i    (word_i.data),
          .b_i    (other_i.data),
          .valid_o(sum_valid),
          .y_o    (sum),
          .flags_o(flags),
          .busy_o (busy[0])
      );

      tilefly_repsum u_repsum (
          .clk_i,
          .rst_ni,
          .valid_i(word_i.valid && repsum),
          .use_i  (parts),
          .a_i    ({word_i.rep, word_i.data}),
          .b_i    ({other_i.rep, other_i.data}),
          .valid_o(bins_valid),
          .y_o    (binned),
          .busy_o (busy[1])
      );

      tilefly_delay_line #(
          .Width(MetaW + 3),
          .Depth(Cycles)
      ) u_meta (
          .clk_i,
          .rst_ni,
          .valid_i(word_i.valid),
          .data_i ({raises, raises && overflow, merged.used || other_i.used, merged[WordW-1:OperandW]}),
          .valid_o(meta_valid),
          .data_o ({raised, raised_overflow, used, meta}),
          .busy_o (busy[2])
      );

      // Return codes of the published packet.
      always_comb begin
        flag_code = '0;
        if (raised) begin
          if (flags[tilefly_arith_pkg::FLAG_INEXACT]) flag_code = tilefly_pkg::RED_RC_INEXACT;
          if (flags[tilefly_arith_pkg::FLAG_OVERFLOW]) flag_code = tilefly_pkg::RED_RC_OVERFLOW;
          if (flags[tilefly_arith_pkg::FLAG_INVALID]) flag_code = tilefly_pkg::RED_RC_INVALID;
          if (flags[tilefly_arith_pkg::FLAG_INT_OVERFLOW]) flag_code = tilefly_pkg::RED_RC_INT_OVERFLOW;
          if (raised_overflow) flag_code = tilefly_pkg::RED_RC_TOO_MANY;
        end
      end

      always_comb begin
        word_o = '0;
        if (meta_valid) begin
          word_o[WordW-1:OperandW] = meta;
          word_o.used = used;
          if (sum_valid) word_o.data = sum;
          if (bins_valid) {word_o.rep, word_o.data} = binned;
          if (flag_code > word_o.code) word_o.code = flag_code;
        end
      end

      assign busy_o = busy != '0;
    end else begin : gen_replace
      logic kept_valid;
      logic [WordW-1:0] kept_word;
      logic [OperandW-1:0] operands;

      always_comb begin
        operands = word_i[OperandW-1:0];
        if (other_i.used) operands = {repsum ? other_i.rep : 13'd0, 1'b1, other_i.data};
      end

      logic unused;
      assign unused = small_i || overflow;

      tilefly_delay_line #(
          .Width(WordW),
          .Depth(Cycles)
      ) u_words (
          .clk_i,
          .rst_ni,
          .valid_i(word_i.valid),
          .data_i ({merged[WordW-1:OperandW], operands}),
          .valid_o(kept_valid),
          .data_o (kept_word),
          .busy_o
      );

      always_comb begin
        word_o = '0;
        if (kept_valid) word_o = kept_word;
      end
    end
  endgenerate

endmodule
