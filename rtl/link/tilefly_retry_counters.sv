// SPDX-License-Identifier: Apache-2.0
// Counters of a port's link: retry, slots that the FEC could not correct, credits that healed, link downs, SerDes lanes.
// Manual: docs/blocks/link_retry.md, docs/reference/counters.md.
// Latency: an event of cycle t counts from t + 1 on; a read that is on `cfg_i` in cycle t is answered in t + 1 (flop).
// Throughput: every input in every cycle. Handshake: valid only.

module tilefly_retry_counters #(
    /// counters, from TX_REPLAY_EVENT on
    parameter int Counters = 24
) (
    /// clock
    input  logic                           clk_i,
    /// synchronous reset, active low
    input  logic                           rst_ni,
    /// number of this port
    input  logic              [       5:0] port_i,
    /// register bus: a read is an event of this cycle
    input  tilefly_pkg::cfg_t              cfg_i,
    /// counters that count in this cycle: bit k is that of TX_REPLAY_EVENT + k
    input  logic              [Counters-1:0] events_i,
    /// what CREDITS_HEALED counts then
    input  logic              [      15:0] healed_cells_i,
    /// what REPLAY_LOST counts then
    input  logic              [      10:0] replay_lost_i,
    /// what LANES_BACK counts then; all other counters count one
    input  logic              [       2:0] lanes_back_i,
    /// a counter of these was read
    output logic                           rd_valid_o,
    /// value of the counter; zero when nothing was read
    output logic              [      63:0] rd_data_o
);

  localparam logic [10:0] First = 11'(tilefly_pkg::COUNTER_TX_REPLAY_EVENT);
  localparam int Healed = 32'(tilefly_pkg::COUNTER_CREDITS_HEALED) - 32'(tilefly_pkg::COUNTER_TX_REPLAY_EVENT);
  localparam int Lost = 32'(tilefly_pkg::COUNTER_REPLAY_LOST) - 32'(tilefly_pkg::COUNTER_TX_REPLAY_EVENT);
  localparam int Back = 32'(tilefly_pkg::COUNTER_LANES_BACK) - 32'(tilefly_pkg::COUNTER_TX_REPLAY_EVENT);

  logic [63:0] count_q[Counters];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || events_i != '0) begin
      for (int k = 0; k < Counters; k++) begin
        count_q[k] <= !rst_ni ? '0 : count_q[k] + (!events_i[k] ? 64'd0 : k == Healed ? 64'(healed_cells_i) :
                                                   k == Lost ? 64'(replay_lost_i) : k == Back ? 64'(lanes_back_i) : 64'd1);
      end
    end
  end

  logic asked, found;
  logic [10:0] place;
  logic [63:0] count;
  assign place = cfg_i.index - First;
  assign found = asked && place < 11'(Counters);
  assign count = found ? count_q[place[$clog2(Counters)-1:0]] : '0;

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
