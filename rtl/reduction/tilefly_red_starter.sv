// SPDX-License-Identifier: Apache-2.0
// Words of a launch as the CFU sends them on a collect lane. Manual: docs/blocks/reduction.md, "Collect lanes".
// Latency: word k of a launch of cycle t is on `word_o` (flops) in t + 1 + k. Throughput: a word a cycle. Handshake: none; the ring lane is
// the launch's for as long.

module tilefly_red_starter (
    /// clock
    input  logic                      clk_i,
    /// synchronous reset, active low
    input  logic                      rst_ni,
    /// a launch on this ring lane
    input  logic                      launch_i,
    /// of a short operation
    input  logic                      brief_i,
    /// slot, or {group, engine}
    input  logic [               5:0] index_i,
    /// ports that take part
    input  logic [              63:0] ports_i,
    /// word of the ring lane
    output tilefly_pkg::red_collect_t word_o,
    /// a word is on the output
    output logic                      busy_o
);

  localparam logic [7:0] Words = 8'(tilefly_pkg::RED_WORDS);
  localparam logic [7:0] ShortWords = 8'(tilefly_pkg::RED_SHORT_BYTES / 32);

  logic [7:0] left_q;  // words, this one among them
  logic first_q, brief_q;
  logic [5:0] index_q;
  logic [63:0] ports_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) left_q <= '0;
    else if (launch_i) left_q <= brief_i ? ShortWords : Words;
    else if (left_q != '0) left_q <= left_q - 8'd1;
    first_q <= launch_i;
    if (launch_i) begin
      brief_q <= brief_i;
      index_q <= index_i;
      ports_q <= ports_i;
    end
  end

  assign busy_o = left_q != '0;
  always_comb begin
    word_o = '0;
    if (busy_o) begin
      word_o.valid = 1'b1;
      word_o.first = first_q;
      word_o.brief = brief_q;
      word_o.index = index_q;
      if (first_q) word_o.ports = ports_q;
    end
  end

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) RED_3_words : assert (!launch_i || left_q <= 8'd1);
  end

endmodule
