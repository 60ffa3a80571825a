// SPDX-License-Identifier: Apache-2.0
// Counters of a port's acks, and their answer to the register bus. Manual: docs/reference/counters.md.
// Latency: an event of cycle t is in the count from t + 1; a read request that is on `cfg_i` in cycle t is answered with the
// count of cycle t on the outputs (flops) in t + 1. Throughput: one read a cycle. Handshake: valid only; zero when not addressed.

module tilefly_ack_counters (
    /// clock
    input  logic                     clk_i,
    /// synchronous reset, active low
    input  logic                     rst_ni,
    /// number of this port
    input  logic              [ 5:0] port_i,
    /// register bus, delayed so that its request is an event of this cycle
    input  tilefly_pkg::cfg_t        cfg_i,
    /// an ack is made
    input  logic                     made_i,
    /// that ack is marked
    input  logic                     marked_i,
    /// an ack came back to its source's port
    input  logic                     in_i,
    /// acks without a way: one bit each
    input  logic              [ 1:0] bad_i,
    /// a counter is answered
    output logic                     rd_valid_o,
    /// value of the counter
    output logic              [63:0] rd_data_o
);

  logic [63:0] made_q, in_q, bad_q, marked_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      made_q   <= '0;
      in_q     <= '0;
      bad_q    <= '0;
      marked_q <= '0;
    end else begin
      if (made_i) made_q <= made_q + 64'd1;
      if (in_i) in_q <= in_q + 64'd1;
      if (marked_i) marked_q <= marked_q + 64'd1;
      if (bad_i != '0) bad_q <= bad_q + 64'(bad_i[0]) + 64'(bad_i[1]);
    end
  end

  logic asked, found;
  logic [63:0] count;

  always_comb begin
    found = 1'b0;
    count = '0;
    if (asked) begin
      found = 1'b1;
      case (cfg_i.index)
        11'(tilefly_pkg::COUNTER_ACKS_MADE): count = made_q;
        11'(tilefly_pkg::COUNTER_ACKS_IN): count = in_q;
        11'(tilefly_pkg::COUNTER_BAD_ACKS): count = bad_q;
        11'(tilefly_pkg::COUNTER_MARKS_MADE): count = marked_q;
        default: found = 1'b0;
      endcase
    end
  end

  tilefly_counter_answer u_answer (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .asked_o(asked),
      .found_i(found),
      .count_i(count),
      .rd_valid_o,
      .rd_data_o
  );

endmodule
