// SPDX-License-Identifier: Apache-2.0
// Pace of the words of a packet on a link: word k is due floor(4k/m) cycles after word 0, with the SerDes lanes m of the cycle
// of word 0, and the packet's time is over ceil(4n/m) cycles after it. Both ends of a link with retry count by it.
// Manual: docs/blocks/retry.md.
// Latency: a word in cycle t changes `due_o` (wire of the state) from t + 1. Throughput: one word a cycle.
// Handshake: valid only; words behind the first come when `due_o` is 1.
//
//   m = 3    cycle   0  1  2  3  4  5  6  7  8       behind the last word the gap is 2, whichever word it is:
//            word    0  1  2  .  3  4  5  .  6       ceil(4n/3) - floor(4(n-1)/3) = 2

module tilefly_retry_pace (
    /// clock
    input  logic       clk_i,
    /// synchronous reset, active low
    input  logic       rst_ni,
    /// forget the packet
    input  logic       clear_i,
    /// SerDes lanes in use, 1 to 4; other values work as 4
    input  logic [2:0] lanes_i,
    /// a word is sent or accepted in this cycle
    input  logic       word_i,
    /// it is the first of its packet
    input  logic       first_i,
    /// it is the last of its packet
    input  logic       last_i,
    /// the next word is due; behind the last word: the packet's time is over
    output logic       due_o
);

  logic [2:0] lanes_q, lanes;
  logic [1:0] phase_q, phase;  // number of the word modulo 3
  logic [1:0] wait_q, gap;  // cycles until the next word, less one in the word's own cycle

  always_comb begin
    lanes = '0;
    phase = '0;
    gap   = '0;
    if (word_i) begin
      lanes = first_i ? lanes_i : lanes_q;
      phase = first_i ? 2'd0 : phase_q;
      case (lanes)
        3'd1: gap = 2'd3;
        3'd2: gap = 2'd1;
        3'd3: gap = last_i || phase == 2'd2 ? 2'd1 : 2'd0;
        default: gap = 2'd0;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      lanes_q <= '0;
      phase_q <= '0;
      wait_q  <= '0;
    end else if (word_i) begin
      lanes_q <= lanes;
      phase_q <= phase == 2'd2 ? 2'd0 : phase + 2'd1;
      wait_q  <= gap;
    end else if (wait_q != '0) begin
      wait_q <= wait_q - 2'd1;
    end
  end

  assign due_o = wait_q == '0;

endmodule
