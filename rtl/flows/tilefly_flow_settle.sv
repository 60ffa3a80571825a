// SPDX-License-Identifier: Apache-2.0
// What becomes of the channels that the steps of a cycle had: who enters the fifos, and which entries are free: step 6 of a cycle.
// Manual: docs/blocks/flow_channel.md, "Rules of cycle t".
// Latency: states and free entries are combinational; who enters a fifo can be its head from the next cycle on. Throughput: `Steps`
// channels and a head of each fifo a cycle. Handshake: valid only; there is room for all channels.
// Several steps may have had one channel. The state that the latest of them left counts for all; in the place of the first of them
// the channel enters the fifos.

module tilefly_flow_settle #(
    /// steps of a cycle
    parameter int Steps    = 6,
    /// bits of an entry's number
    parameter int EntryW   = 10,
    /// class channels
    parameter int Classes  = 8,
    /// bits of a channel's number
    parameter int ChannelW = $clog2(2 ** EntryW + Classes)
) (
    /// clock
    input  logic                                          clk_i,
    /// synchronous reset, active low
    input  logic                                          rst_ni,
    /// the fifos are empty from the next cycle on
    input  logic                                          clear_i,
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
    /// the channel is an entry, and becomes free
    output logic                              [Steps-1:0] free_o,
    /// the head of the ready fifo leaves
    input  logic                                          ready_pop_i,
    /// head of the ready fifo: a channel that may release a packet
    output logic                           [ChannelW-1:0] ready_o,
    /// there is none
    output logic                                          ready_empty_o,
    /// the head of the tell fifo leaves
    input  logic                                          tell_pop_i,
    /// head of the tell fifo: an entry of which the NIC is to be told
    output logic                             [EntryW-1:0] tell_o,
    /// there is none
    output logic                                          tell_empty_o
);

  localparam int Entries = 2 ** EntryW;
  localparam int StateW = tilefly_flows_pkg::CHANNEL_W;
  localparam int CountW = tilefly_flows_pkg::COUNT_W;

  logic [Steps-1:0] push_ready, push_tell;
  logic [Steps*EntryW-1:0] entries;  // numbers of the channels, if they are entries
  tilefly_flows_pkg::channel_t state;
  logic first, asked, sends;
  logic [CountW:0] flight;
  logic [ChannelW-1:0] channel;

  always_comb begin
    state_o      = '0;
    push_ready = '0;
    push_tell    = '0;
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
        sends           = tilefly_flows_pkg::may_send(state.throttled || state.begins, flight, state.window);
        push_tell[s]  = first && asked && !state.tell;
        push_ready[s] = first && state.held != '0 && sends && !state.ready;
        state.tell      = state.tell || asked;
        state.ready     = state.ready || (state.held != '0 && sends);
        free_o[s]       = first && channel < ChannelW'(Entries) && flight == '0 && state.held == '0 && !state.throttled && !state.tell;
        state_o[s*StateW+:StateW] = state;
      end
    end
  end

  always_comb begin
    for (int s = 0; s < Steps; s++) entries[s*EntryW+:EntryW] = channel_i[s*ChannelW+:EntryW];
  end

  tilefly_flow_fifo #(
      .Depth (Entries + Classes),
      .Width (ChannelW),
      .Pushes(Steps)
  ) u_ready (
      .clk_i,
      .rst_ni,
      .clear_i,
      .push_i   (push_ready),
      .channel_i(channel_i),
      .pop_i    (ready_pop_i),
      .head_o   (ready_o),
      .empty_o  (ready_empty_o)
  );

  tilefly_flow_fifo #(
      .Depth (Entries),
      .Width (EntryW),
      .Pushes(Steps)
  ) u_tell (
      .clk_i,
      .rst_ni,
      .clear_i,
      .push_i   (push_tell),
      .channel_i(entries),
      .pop_i    (tell_pop_i),
      .head_o   (tell_o),
      .empty_o  (tell_empty_o)
  );

  // Assertions: a channel is at most once in each fifo, and its state says whether it is.
`ifndef SYNTHESIS
`ifndef FORMAL  // proofs look at the fifos themselves
  /* verilator tracing_off */
  logic [Entries+Classes-1:0] ready_q, tell_q;  // channels in the fifos
  /* verilator tracing_on */
  logic [ChannelW-1:0] pushed;
  /* verilator lint_off UNUSEDSIGNAL */  // of a state, its flags
  tilefly_flows_pkg::channel_t flags;
  /* verilator lint_on UNUSEDSIGNAL */
  /* verilator lint_off BLKSEQ */  // a push after a pop, and one after the other
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      ready_q = '0;
      tell_q  = '0;
    end else if (step_i != '0 || ready_pop_i || tell_pop_i) begin
      if (ready_pop_i) begin
        FLOW_6_ready_pop : assert (ready_q[ready_o]);
        ready_q[ready_o] = 1'b0;
      end
      if (tell_pop_i) begin
        FLOW_6_tell_pop : assert (tell_q[ChannelW'(tell_o)]);
        tell_q[ChannelW'(tell_o)] = 1'b0;
      end
      for (int s = 0; s < Steps; s++) begin
        pushed = channel_i[s*ChannelW+:ChannelW];
        FLOW_6_ready : assert (!push_ready[s] || !ready_q[pushed]);
        FLOW_6_tell : assert (!push_tell[s] || (!tell_q[pushed] && pushed < ChannelW'(Entries)));
        if (push_ready[s]) ready_q[pushed] = 1'b1;
        if (push_tell[s]) tell_q[pushed] = 1'b1;
      end
      for (int s = 0; s < Steps; s++) begin
        pushed = channel_i[s*ChannelW+:ChannelW];
        flags  = state_o[s*StateW+:StateW];
        FLOW_6_flags : assert (!step_i[s] || (flags.ready == ready_q[pushed] && flags.tell == tell_q[pushed]));
      end
    end
  end
  /* verilator lint_on BLKSEQ */
`endif
`endif

endmodule
