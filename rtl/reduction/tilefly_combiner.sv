// SPDX-License-Identifier: Apache-2.0
// A tile's part of the reduction ring: its two ports' steps on the two collect lanes, and the return lanes' flops. Manual:
// docs/blocks/reduction.md, "Collect lanes", "Return lanes".
// Latency: a collect word that is on `ring_i` in cycle x meets tile port 0 in x, tile port 1 in x + 6, and is on `ring_o`
// in x + 12; a return word is on `ring_o` in x + 1. Throughput: a word a cycle and ring lane. Handshake: valid only.
//
//   ring_i  UP, DOWN --> step of port 0 --> step of port 1 --> ring_o
//           U, D, S  --> flop ------------------------------->

module tilefly_combiner #(
    /// bits of the ring: {S, D, U, DOWN, UP}
    parameter int RingW = 2 * tilefly_pkg::RED_COLLECT_W + 3 * tilefly_pkg::RED_RETURN_W
) (
    /// clock
    input  logic                                      clk_i,
    /// synchronous reset, active low
    input  logic                                      rst_ni,
    /// reduction ring, incoming
    input  logic [                         RingW-1:0] ring_i,
    /// reduction ring, outgoing
    output logic [                         RingW-1:0] ring_o,
    /// words that pass the steps: {port 1, port 0} x {DOWN, UP}
    output logic [    4*tilefly_pkg::RED_COLLECT_W-1:0] words_o,
    /// numbers of these words in their launches
    output logic [                            4*8-1:0] indices_o,
    /// parts that the ports add, in the same cycle
    input  logic [    4*tilefly_pkg::RED_COLLECT_W-1:0] parts_i,
    /// those of these parts that belong to a small-operand group
    input  logic [                              3:0] small_i,
    /// with idle inputs nothing here will change
    output logic                                      quiescent_o
);

  localparam int WordW = tilefly_pkg::RED_COLLECT_W;
  localparam int ReturnW = tilefly_pkg::RED_RETURN_W;
  localparam int Returns = 2 * WordW;  // where the return lanes begin

  logic [3:0] busy;

  generate
    for (genvar ring_lane = 0; ring_lane < 2; ring_lane++) begin : gen_ring_lane
      logic [WordW-1:0] between;
      assign words_o[ring_lane*WordW+:WordW] = ring_i[ring_lane*WordW+:WordW];
      assign words_o[(2+ring_lane)*WordW+:WordW] = between;

      tilefly_red_step #(
          .Combines(ring_lane == 0)
      ) u_port_0 (
          .clk_i,
          .rst_ni,
          .word_i (ring_i[ring_lane*WordW+:WordW]),
          .other_i(parts_i[ring_lane*WordW+:WordW]),
          .small_i(small_i[ring_lane]),
          .index_o(indices_o[ring_lane*8+:8]),
          .word_o (between),
          .busy_o (busy[ring_lane])
      );

      tilefly_red_step #(
          .Combines(ring_lane == 0)
      ) u_port_1 (
          .clk_i,
          .rst_ni,
          .word_i (between),
          .other_i(parts_i[(2+ring_lane)*WordW+:WordW]),
          .small_i(small_i[2+ring_lane]),
          .index_o(indices_o[(2+ring_lane)*8+:8]),
          .word_o (ring_o[ring_lane*WordW+:WordW]),
          .busy_o (busy[2+ring_lane])
      );
    end

    // Return lanes.
    for (genvar ring_lane = 0; ring_lane < 3; ring_lane++) begin : gen_return
      logic [ReturnW-1:0] word, word_q;  // the highest bit says whether there is one
      assign word = ring_i[Returns+ring_lane*ReturnW+:ReturnW];
      always_ff @(posedge clk_i) begin
        if (!rst_ni) word_q <= '0;
        else if (word[ReturnW-1]) word_q <= word;
        else if (word_q[ReturnW-1]) word_q <= '0;
      end
      assign ring_o[Returns+ring_lane*ReturnW+:ReturnW] = word_q;
    end
  endgenerate

  logic [2:0] returns;
  always_comb begin
    for (int ring_lane = 0; ring_lane < 3; ring_lane++) returns[ring_lane] = ring_o[Returns+(ring_lane+1)*ReturnW-1];
  end
  assign quiescent_o = busy == '0 && returns == '0;

endmodule
