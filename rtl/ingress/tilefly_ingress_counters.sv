// SPDX-License-Identifier: Apache-2.0
// Counters of a port's input side. Manual: docs/reference/counters.md.
// Latency: an event of cycle t counts from t + 1 on; a read that is on `cfg_i` in cycle t is answered in t + 1 (flop).
// Throughput: every input in every cycle. Handshake: valid only.

module tilefly_ingress_counters (
    /// clock
    input  logic              clk_i,
    /// synchronous reset, active low
    input  logic              rst_ni,
    /// number of this port
    input  logic [       5:0] port_i,
    /// register bus: a read is an event of this cycle
    input  tilefly_pkg::cfg_t cfg_i,
    /// a packet is refused or finds no room
    input  logic              refuse_i,
    /// drop_e
    input  logic [       3:0] refuse_reason_i,
    /// a packet is dropped later; never for one of the reasons of a refusal
    input  logic              drop_i,
    /// drop_e
    input  logic [       3:0] drop_reason_i,
    /// a packet is dropped that had to be waited for; likewise
    input  logic              late_drop_i,
    /// drop_e
    input  logic [       3:0] late_reason_i,
    /// a packet is queued
    input  logic              packet_i,
    /// a packet chose here between minimal and non-minimal paths, and took a minimal one
    input  logic              minimal_i,
    /// a packet chose here between minimal and non-minimal paths, and took a non-minimal one
    input  logic              nonminimal_i,
    /// a packet arrived stomped at a cut-through port
    input  logic              stomped_i,
    /// a packet was first seen damaged at a cut-through port
    input  logic              damaged_i,
    /// a word outside any packet
    input  logic              stray_i,
    /// a PAUSE or PFC frame is obeyed
    input  logic              pause_i,
    /// a counter of this side was read
    output logic              rd_valid_o,
    /// value of the counter; zero when nothing was read
    output logic [      63:0] rd_data_o
);

  localparam int Packets = 32'(tilefly_pkg::COUNTER_RX_PACKETS);
  localparam int Stomped = 32'(tilefly_pkg::COUNTER_RX_STOMPED);
  localparam int Damaged = 32'(tilefly_pkg::COUNTER_RX_DAMAGED);
  localparam int Stray = 32'(tilefly_pkg::COUNTER_RX_STRAY);
  localparam int Pause = 32'(tilefly_pkg::COUNTER_RX_PAUSE);
  localparam int Minimal = 32'(tilefly_pkg::COUNTER_ROUTED_MIN);
  localparam int Nonminimal = 32'(tilefly_pkg::COUNTER_ROUTED_NONMIN);

  logic [63:0] drop_count_mem[16];  // by drop_e
  logic [15:0] drops_known_q;  // of those not counted since reset the value is zero
  logic [63:0] packets_q, stomped_q, damaged_q, stray_q, pause_q, minimal_q, nonminimal_q;

  function automatic [63:0] drops_of(input [3:0] drop_reason);
    drops_of = drops_known_q[drop_reason] ? drop_count_mem[drop_reason] : '0;
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      drops_known_q <= '0;
      packets_q     <= '0;
      stomped_q     <= '0;
      damaged_q     <= '0;
      stray_q       <= '0;
      pause_q       <= '0;
      minimal_q     <= '0;
      nonminimal_q  <= '0;
    end else begin
      if (refuse_i) drops_known_q[refuse_reason_i] <= 1'b1;
      if (drop_i) drops_known_q[drop_reason_i] <= 1'b1;
      if (late_drop_i) drops_known_q[late_reason_i] <= 1'b1;
      if (packet_i) packets_q <= packets_q + 64'd1;
      if (stomped_i) stomped_q <= stomped_q + 64'd1;
      if (damaged_i) damaged_q <= damaged_q + 64'd1;
      if (stray_i) stray_q <= stray_q + 64'd1;
      if (pause_i) pause_q <= pause_q + 64'd1;
      if (minimal_i) minimal_q <= minimal_q + 64'd1;
      if (nonminimal_i) nonminimal_q <= nonminimal_q + 64'd1;
    end
    if (refuse_i) begin
      drop_count_mem[refuse_reason_i] <= drops_of(refuse_reason_i) + 64'd1;
    end
    if (drop_i) begin
      drop_count_mem[drop_reason_i] <= drops_of(drop_reason_i) + 64'd1;
    end
    // After the other: both may have one reason.
    if (late_drop_i) begin
      drop_count_mem[late_reason_i] <= drops_of(late_reason_i) + (drop_i && drop_reason_i == late_reason_i ? 64'd2 : 64'd1);
    end
  end

  logic asked, found;
  logic [3:0] reason;
  logic [63:0] count;
  assign reason = 4'(cfg_i.index);

  always_comb begin
    found = 1'b0;
    count = '0;
    if (asked) begin
      found = 1'b1;
      case (32'(cfg_i.index))
        Packets: count = packets_q;
        Stomped: count = stomped_q;
        Damaged: count = damaged_q;
        Stray: count = stray_q;
        Pause: count = pause_q;
        Minimal: count = minimal_q;
        Nonminimal: count = nonminimal_q;
        default: begin
          // The output side drops for one reason, which it counts itself.
          found = cfg_i.index <= 11'(tilefly_pkg::DROP_RED) && cfg_i.index != 11'(tilefly_pkg::DROP_NO_ETH_HEADER);
          if (found) count = drops_of(reason);
        end
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
