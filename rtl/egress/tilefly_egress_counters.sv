// SPDX-License-Identifier: Apache-2.0
// Counters of one port's egress, and their answer to the register bus. Manual: docs/reference/counters.md.
// Latency: an event of cycle t is in the count from t + 1; a read request that is on `cfg_i` in cycle t is answered with the
// count of cycle t on the outputs (flops) in t + 1. Throughput: one read a cycle. Handshake: valid only; zero when not addressed.

module tilefly_egress_counters (
    /// clock
    input  logic                     clk_i,
    /// synchronous reset, active low
    input  logic                     rst_ni,
    /// number of this port
    input  logic              [ 5:0] port_i,
    /// register bus, delayed so that its request is an event of this cycle
    input  tilefly_pkg::cfg_t        cfg_i,
    /// a packet is taken that is sent
    input  logic                     tx_packet_i,
    /// a packet is sent stomped
    input  logic                     tx_stomped_i,
    /// a PAUSE frame is taken
    input  logic                     tx_pause_i,
    /// a packet is taken that cannot be sent
    input  logic                     no_eth_header_i,
    /// a credit return is ignored
    input  logic                     bad_credit_i,
    /// a counter is answered
    output logic                     rd_valid_o,
    /// value of the counter
    output logic              [63:0] rd_data_o
);

  logic [63:0] tx_packets_q, tx_stomped_q, tx_pause_q, no_eth_header_q, bad_credit_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      tx_packets_q    <= '0;
      tx_stomped_q    <= '0;
      tx_pause_q      <= '0;
      no_eth_header_q <= '0;
      bad_credit_q    <= '0;
    end else begin
      if (tx_packet_i) tx_packets_q <= tx_packets_q + 1'b1;
      if (tx_stomped_i) tx_stomped_q <= tx_stomped_q + 1'b1;
      if (tx_pause_i) tx_pause_q <= tx_pause_q + 1'b1;
      if (no_eth_header_i) no_eth_header_q <= no_eth_header_q + 1'b1;
      if (bad_credit_i) bad_credit_q <= bad_credit_q + 1'b1;
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
        11'(tilefly_pkg::COUNTER_TX_PACKETS): count = tx_packets_q;
        11'(tilefly_pkg::COUNTER_TX_STOMPED): count = tx_stomped_q;
        11'(tilefly_pkg::COUNTER_TX_PAUSE): count = tx_pause_q;
        11'(tilefly_pkg::DROP_NO_ETH_HEADER): count = no_eth_header_q;
        11'(tilefly_pkg::COUNTER_BAD_CREDIT): count = bad_credit_q;
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
