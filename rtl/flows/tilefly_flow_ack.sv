// SPDX-License-Identifier: Apache-2.0
// What an ack does to its flow channel: step 3 of a cycle. Manual: docs/blocks/flow_channel.md, "Rules of cycle t". Combinational.

module tilefly_flow_ack (
    /// an ack comes
    input  logic                        valid_i,
    /// a channel has its key, or it names the one of its class
    input  logic                        known_i,
    /// state of the channel
    input  tilefly_flows_pkg::channel_t state_i,
    /* verilator lint_off UNUSEDSIGNAL */  // the rest of an ack has named the channel
    /// the ack
    input  tilefly_pkg::ack_t           ack_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// FULL, in cells
    input  logic                 [11:0] full_i,
    /// FLOW_CHANNEL.grow
    input  logic                 [ 2:0] grow_i,
    /// state after the step; 0 unless the channel is known
    output tilefly_flows_pkg::channel_t state_o,
    /// the ack acts
    output logic                        acts_o,
    /// it is for no cells in flight
    output logic                        stray_o,
    /// the channel becomes throttled
    output logic                        throttles_o
);

  localparam int CountW = tilefly_flows_pkg::COUNT_W;
  localparam int WindowW = tilefly_flows_pkg::WINDOW_W;

  logic present;
  logic [CountW-1:0] paid_from, left;
  logic [6:0] growth;
  logic [11:0] base;
  logic [12:0] grown;

  assign stray_o = valid_i && !acts_o;

  always_comb begin
    state_o     = '0;
    acts_o      = 1'b0;
    throttles_o = 1'b0;
    present     = 1'b0;
    paid_from   = '0;
    left        = '0;
    growth      = '0;
    base        = '0;
    grown       = '0;
    if (valid_i && known_i) begin
      state_o = state_i;
      acts_o  = state_i.cells != '0 || state_i.old != '0;
    end
    if (acts_o) begin
      present   = ack_i.gen == state_i.gen;
      paid_from = present ? state_i.cells : state_i.old;
      if ((CountW + 7)'(paid_from) > (CountW + 7)'(ack_i.cells)) left = paid_from - CountW'(ack_i.cells);
      growth = ack_i.cells >> grow_i;
      if (growth == '0) growth = 7'd1;
      base  = 12'(state_i.window) > ack_i.share ? 12'(state_i.window) : ack_i.share;
      grown = 13'(base) + 13'(growth);
      throttles_o = ack_i.mark && !state_i.throttled;

      state_o.idle = '0;
      if (present) state_o.cells = left;
      else state_o.old = left;
      if (!present && left != paid_from) state_o.age = '0;
      state_o.begins = 1'b0;
      if (state_i.begins) state_o.window = '0;
      if (ack_i.mark) begin
        state_o.throttled = 1'b1;
        state_o.window    = WindowW'(ack_i.share < full_i ? ack_i.share : full_i);
      end else if (state_i.throttled && ack_i.share >= full_i) begin
        state_o.throttled = 1'b0;
        state_o.window    = '0;
      end else if (state_i.throttled) begin
        state_o.window = WindowW'(grown < 13'(full_i) ? grown[11:0] : full_i);
      end
    end
  end

endmodule
