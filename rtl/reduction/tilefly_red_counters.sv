// SPDX-License-Identifier: Apache-2.0
// Counters of a reduction port. Manual: docs/reference/counters.md.
// Latency: an event of cycle t counts from t + 1 on; a read that is on `cfg_i` in cycle t is answered in t + 1 (flop). Throughput:
// every input in every cycle. Handshake: valid only.

module tilefly_red_counters (
    /// clock
    input  logic              clk_i,
    /// synchronous reset, active low
    input  logic              rst_ni,
    /// number of this port
    input  logic [       5:0] port_i,
    /// register bus: a read is an event of this cycle
    input  tilefly_pkg::cfg_t cfg_i,
    /// a packet is used
    input  logic              used_i,
    /// the packet is of another lock, or came before
    input  logic              stale_i,
    /// the packet is of no group of this port
    input  logic              refused_i,
    /// the packet ended badly
    input  logic              damaged_i,
    /// a counter was read
    output logic              rd_valid_o,
    /// value of the counter; zero when nothing was read
    output logic [      63:0] rd_data_o
);

  logic [63:0] used_q, stale_q, refused_q, damaged_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q    <= '0;
      stale_q   <= '0;
      refused_q <= '0;
      damaged_q <= '0;
    end else begin
      if (used_i) used_q <= used_q + 64'd1;
      if (stale_i) stale_q <= stale_q + 64'd1;
      if (refused_i) refused_q <= refused_q + 64'd1;
      if (damaged_i) damaged_q <= damaged_q + 64'd1;
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
        11'(tilefly_pkg::COUNTER_RX_RED): count = used_q;
        11'(tilefly_pkg::COUNTER_RED_STALE): count = stale_q;
        11'(tilefly_pkg::COUNTER_RED_REFUSED): count = refused_q;
        11'(tilefly_pkg::COUNTER_RED_DAMAGED): count = damaged_q;
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
