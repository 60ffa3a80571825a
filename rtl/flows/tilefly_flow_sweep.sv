// SPDX-License-Identifier: Apache-2.0
// What a sweep does to a flow channel: step 4 of a cycle. Manual: docs/blocks/flow_channel.md, "Rules of cycle t". Combinational.

module tilefly_flow_sweep (
    /// the channel is swept
    input  logic                        valid_i,
    /// it is an entry
    input  logic                        entry_i,
    /// its state
    input  tilefly_flows_pkg::channel_t state_i,
    /// FLOW_CHANNEL.deadline
    input  logic                 [ 7:0] deadline_i,
    /// FLOW_CHANNEL.idle
    input  logic                 [ 7:0] idle_i,
    /// state after the step; 0 unless the channel is swept
    output tilefly_flows_pkg::channel_t state_o,
    /// a generation is lost
    output logic                        lost_o,
    /// the NIC is to be told
    output logic                        tell_o
);

  localparam int TimeW = tilefly_flows_pkg::TIME_W;

  logic [TimeW-1:0] age, idle;
  logic turns;
  always_comb begin
    state_o = '0;
    lost_o  = 1'b0;
    tell_o  = 1'b0;
    age     = '0;
    idle    = '0;
    turns   = 1'b0;
    if (valid_i) begin
      age    = state_i.age == '1 ? state_i.age : state_i.age + 1'b1;
      idle   = state_i.idle == '1 ? state_i.idle : state_i.idle + 1'b1;
      lost_o = state_i.old != '0 && age >= tilefly_flows_pkg::at_least_one(TimeW'(deadline_i));
      turns  = state_i.old == '0 || lost_o;
      tell_o = entry_i && state_i.held != '0;

      state_o      = state_i;
      state_o.idle = idle;
      state_o.age  = age;
      if (lost_o) state_o.old = '0;
      if (turns) begin
        state_o.gen   = !state_i.gen;
        state_o.age   = '0;
        state_o.old   = state_i.cells;
        state_o.cells = '0;
      end
      // Nothing is in flight after a turn either: what was in `cells` is in `old`.
      if (turns && state_i.throttled && state_i.cells == '0 && state_i.held == '0 &&
          idle >= tilefly_flows_pkg::at_least_one(TimeW'(idle_i))) begin
        state_o.throttled = 1'b0;
        state_o.window    = '0;
      end
    end
  end

endmodule
