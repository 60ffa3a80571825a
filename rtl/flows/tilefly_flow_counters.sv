// SPDX-License-Identifier: Apache-2.0
// Counters of a port's flow channels, and their answer to the register bus. Manual: docs/reference/counters.md.
// Latency: an event of cycle t is in the count from t + 1; the outputs (flops) answer a read request of cycle t in
// t + 1, with the count of cycle t. Throughput: one read a cycle. Handshake: valid only; zero when not addressed.

module tilefly_flow_counters (
    /// clock
    input  logic                       clk_i,
    /// synchronous reset, active low
    input  logic                       rst_ni,
    /// number of this port
    input  logic                [ 5:0] port_i,
    /// register bus, delayed so that its request is an event of this cycle
    input  tilefly_pkg::cfg_t          cfg_i,
    /* verilator lint_off UNUSEDSIGNAL */  // names of channels are not counted
    /// what the flow channels do in this cycle
    input  tilefly_flows_pkg::events_t events_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// a counter is answered
    output logic                       rd_valid_o,
    /// value of the counter
    output logic                [63:0] rd_data_o
);

  logic [63:0] held_q, full_q, throttled_q, lost_q, stray_q, pauses_q, marked_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q      <= '0;
      full_q      <= '0;
      throttled_q <= '0;
      lost_q      <= '0;
      stray_q     <= '0;
      pauses_q    <= '0;
      marked_q    <= '0;
    end else begin
      if (events_i.held) held_q <= held_q + 64'd1;
      if (events_i.full) full_q <= full_q + 64'd1;
      if (events_i.throttled) throttled_q <= throttled_q + 64'd1;
      if (events_i.lost != '0) lost_q <= lost_q + 64'(events_i.lost);
      if (events_i.stray) stray_q <= stray_q + 64'd1;
      if (events_i.pause) pauses_q <= pauses_q + 64'd1;
      if (events_i.marked) marked_q <= marked_q + 64'd1;
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
        11'(tilefly_pkg::COUNTER_FLOW_HELD): count = held_q;
        11'(tilefly_pkg::COUNTER_FLOW_FULL): count = full_q;
        11'(tilefly_pkg::COUNTER_FLOW_THROTTLED): count = throttled_q;
        11'(tilefly_pkg::COUNTER_FLOW_LOST): count = lost_q;
        11'(tilefly_pkg::COUNTER_FLOW_STRAY): count = stray_q;
        11'(tilefly_pkg::COUNTER_FLOW_PAUSES): count = pauses_q;
        11'(tilefly_pkg::COUNTER_MARKS_IN): count = marked_q;
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
