// SPDX-License-Identifier: Apache-2.0
// What becomes of the channels that the steps of a cycle had: who enters the fifos, and which entries are free: step 6 of a cycle.
// Manual: docs/blocks/flow_channel.md, "Rules of cycle t". Combinational.
// Several steps may have had one channel. The state that the latest of them left counts for all; in the place of the first of them
// the channel enters the fifos.

module tilefly_flow_settle #(
    /// steps of a cycle
    parameter int Steps    = 6,
    /// entries
    parameter int Entries  = 1024,
    /// bits of a channel's number
    parameter int ChannelW = 11
) (
    /// steps that had a channel, the first one lowest
    input  logic                              [Steps-1:0] step_i,
    /// their channels
    input  logic                     [Steps*ChannelW-1:0] channel_i,
    /// states that they have left
    input  logic [Steps*tilefly_flows_pkg::CHANNEL_W-1:0] state_i,
    /// steps that asked to tell the NIC
    input  logic                              [Steps-1:0] tell_i,
    /// states at the end of the cycle
    output logic [Steps*tilefly_flows_pkg::CHANNEL_W-1:0] state_o,
    /// the channel enters the ready fifo
    output logic                              [Steps-1:0] push_ready_o,
    /// the channel enters the tell fifo
    output logic                              [Steps-1:0] push_tell_o,
    /// the channel is an entry, and becomes free
    output logic                              [Steps-1:0] free_o
);

  localparam int StateW = tilefly_flows_pkg::CHANNEL_W;
  localparam int CountW = tilefly_flows_pkg::COUNT_W;

  tilefly_flows_pkg::channel_t state;
  logic first, asked, sends;
  logic [CountW:0] flight;
  logic [ChannelW-1:0] channel;

  always_comb begin
    state_o      = '0;
    push_ready_o = '0;
    push_tell_o  = '0;
    free_o       = '0;
    state        = '0;
    first        = 1'b0;
    asked        = 1'b0;
    sends        = 1'b0;
    flight       = '0;
    channel      = '0;
    for (int s = 0; s < Steps; s++) begin
      if (step_i[s]) begin
        channel = channel_i[s*ChannelW+:ChannelW];
        first   = 1'b1;
        asked   = 1'b0;
        for (int o = 0; o < Steps; o++) begin
          if (step_i[o] && channel_i[o*ChannelW+:ChannelW] == channel) begin
            if (o < s) first = 1'b0;
            asked = asked || tell_i[o];
            state = state_i[o*StateW+:StateW];
          end
        end
        flight          = {1'b0, state.cells} + {1'b0, state.old};
        sends           = tilefly_flows_pkg::may_send(state.throttled, flight, state.window);
        push_tell_o[s]  = first && asked && !state.tell;
        push_ready_o[s] = first && state.held != '0 && sends && !state.ready;
        state.tell      = state.tell || asked;
        state.ready     = state.ready || (state.held != '0 && sends);
        free_o[s]       = first && channel < ChannelW'(Entries) && flight == '0 && state.held == '0 && !state.throttled && !state.tell;
        state_o[s*StateW+:StateW] = state;
      end
    end
  end

endmodule
