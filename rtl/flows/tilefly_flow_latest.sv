// SPDX-License-Identifier: Apache-2.0
// State of a channel as the steps of this cycle before have left it. Manual: docs/blocks/flow_channel.md, "Rules of cycle t".
// Combinational. The latest of the steps that had the same channel counts, else the state as committed.

module tilefly_flow_latest #(
    /// steps before
    parameter int Steps    = 1,
    /// bits of a channel's number
    parameter int ChannelW = 11
) (
    /// the channel is asked for; else 0 is the answer
    input  logic                                             valid_i,
    /// the channel
    input  logic                              [ChannelW-1:0] channel_i,
    /// its state as committed
    input  tilefly_flows_pkg::channel_t                      committed_i,
    /// steps that had a channel, the first one lowest
    input  logic                                 [Steps-1:0] step_i,
    /// their channels
    input  logic                        [Steps*ChannelW-1:0] step_channel_i,
    /// states that they have left
    input  logic [Steps*tilefly_flows_pkg::CHANNEL_W-1:0]    step_state_i,
    /// the state
    output tilefly_flows_pkg::channel_t                      state_o
);

  localparam int StateW = tilefly_flows_pkg::CHANNEL_W;

  always_comb begin
    state_o = '0;
    if (valid_i) begin
      state_o = committed_i;
      for (int s = 0; s < Steps; s++) begin
        if (step_i[s] && step_channel_i[s*ChannelW+:ChannelW] == channel_i) state_o = step_state_i[s*StateW+:StateW];
      end
    end
  end

endmodule
