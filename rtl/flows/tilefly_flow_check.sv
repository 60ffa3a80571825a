// SPDX-License-Identifier: Apache-2.0
// Assertions on the flow channels of a port, by books of their own; nothing of it is hardware. Manual: docs/blocks/flow_channel.md,
// "Invariants".
// The books have a count of cells for each bit of generation, and no order of the two; and packets held by number.

`ifndef SYNTHESIS
module tilefly_flow_check #(
    /// channels
    parameter int Channels  = 1032,
    /// bits of a channel's number
    parameter int ChannelW  = 11,
    /// packets that there may be at the port
    parameter int Packets   = 2560,
    /// bits of a packet's number
    parameter int PacketW   = 12
) (
    /// clock
    input logic                                             clk_i,
    /// synchronous reset, active low; or all channels are as after reset from the next cycle on
    input logic                                             rst_ni,
    /// the port has flow channels
    input logic                                             on_i,
    /// a packet enters the queue stage from the pipeline
    input logic                                             piped_i,
    /// a packet takes a free entry
    input logic                                             takes_i,
    /// the packet of the cycle is held
    input logic                                              held_i,
    /// its number
    input logic                                [PacketW-1:0] packet_i,
    /// its cells
    input logic                                        [6:0] cells_i,
    /// a channel stands in the ready fifo
    input logic                                              pending_i,
    /// a packet is released
    input logic                                              goes_i,
    /// its number
    input logic                                [PacketW-1:0] go_packet_i,
    /// its cells
    input logic                                        [6:0] go_cells_i,
    /// the ack acts
    input logic                                              acts_i,
    /* verilator lint_off UNUSEDSIGNAL */  // of an ack and of states, what the books speak of
    /// the ack
    input tilefly_pkg::ack_t                                 ack_i,
    /// generations lost of {class channel, entry}
    input logic                                        [1:0] lost_i,
    /// steps of the cycle that have a channel: packet, release, ack, sweep of an entry, of a class channel, tell
    input logic                                        [5:0] step_i,
    /// their channels
    input logic                             [6*ChannelW-1:0] channel_i,
    /// states of the channels before the steps
    input logic      [6*tilefly_flows_pkg::CHANNEL_W-1:0]    before_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// states of the channels at the end of the cycle
    input logic      [6*tilefly_flows_pkg::CHANNEL_W-1:0]    state_i
);

  localparam int StateW = tilefly_flows_pkg::CHANNEL_W;
  localparam int Most = 2 ** tilefly_flows_pkg::COUNT_W - 1;

  /* verilator tracing_off */
  int flight_q[2*Channels];  // cells in flight, of {channel, generation}
  int held_q[Channels];  // cells held
  int came_q[Channels], went_q[Channels];  // packets held and released so far
  int turn_q[Packets];  // of a packet held: how many of its channel came before
  logic [Packets-1:0] inside_q;  // packets held
  logic [Channels-1:0] throttled_q;
  logic [Channels-1:0] begins_q;  // no ack has acted since the channel's entry was taken, while its packets were in flight or held
  /* verilator tracing_on */

  function automatic int number(input [ChannelW-1:0] channel, input generation);
    number = 2 * int'(channel) + int'(generation);
  endfunction

  logic [ChannelW-1:0] sender, released, acked, swept, turned;
  /* verilator lint_off UNUSEDSIGNAL */  // of a state, what the books speak of
  tilefly_flows_pkg::channel_t packet_state, release_state, sweep_state, turn_state;
  /* verilator lint_on UNUSEDSIGNAL */
  assign {turned, swept, acked, released, sender} = channel_i[5*ChannelW-1:0];
  assign {release_state, packet_state} = before_i[2*StateW-1:0];
  assign {turn_state, sweep_state} = before_i[3*StateW+:2*StateW];

  // Books of this cycle: what the steps do, one after the other.
  /* verilator lint_off BLKSEQ */  // a step knows what the step before has done
  int flight, sum;
  logic [ChannelW-1:0] channel;
  /* verilator lint_off UNUSEDSIGNAL */  // of a state, what the books speak of
  tilefly_flows_pkg::channel_t state;
  /* verilator lint_on UNUSEDSIGNAL */
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int c = 0; c < 2 * Channels; c++) flight_q[c] = 0;
      for (int c = 0; c < Channels; c++) begin
        held_q[c] = 0;
        came_q[c] = 0;
        went_q[c] = 0;
      end
      inside_q    = '0;
      throttled_q = '0;
      begins_q    = '0;
    end else if (on_i) begin
      // 1. An entry that is taken begins anew.
      if (takes_i) begin
        flight_q[number(sender, 1'b0)] = 0;
        flight_q[number(sender, 1'b1)] = 0;
        throttled_q[sender] = 1'b0;
        begins_q[sender]    = 1'b1;
      end
      if (step_i[0]) begin
        flight = flight_q[number(sender, 1'b0)] + flight_q[number(sender, 1'b1)];
        FLOW_7 : assert (!held_i || held_q[sender] != 0 ||
                         ((throttled_q[sender] || packet_state.begins) && flight != 0 && flight >= int'(packet_state.window)));
        if (held_i) begin
          FLOW_2_inside : assert (!inside_q[packet_i]);
          inside_q[packet_i] = 1'b1;
          turn_q[packet_i] = came_q[sender];
          came_q[sender] = came_q[sender] + 1;
          held_q[sender] = held_q[sender] + int'(cells_i);
        end else begin
          FLOW_2_passes : assert (held_q[sender] == 0);
          FLOW_4 : assert (!(throttled_q[sender] || packet_state.begins) || flight == 0 || flight < int'(packet_state.window));
          sum = flight_q[number(sender, packet_state.gen)] + int'(cells_i);
          flight_q[number(sender, packet_state.gen)] = sum > Most ? Most : sum;
        end
      end
      // 2.
      FLOW_9 : assert (!(piped_i && goes_i));
      FLOW_9_waits : assert (!pending_i || step_i[1] || piped_i);
      if (step_i[1]) begin
        FLOW_3_pop : assert (held_q[released] != 0);
      end
      if (goes_i) begin
        flight = flight_q[number(released, 1'b0)] + flight_q[number(released, 1'b1)];
        FLOW_4_release : assert (!(throttled_q[released] || release_state.begins) || flight == 0 || flight < int'(release_state.window));
        FLOW_2_order : assert (inside_q[go_packet_i] && turn_q[go_packet_i] == went_q[released]);
        inside_q[go_packet_i] = 1'b0;
        went_q[released] = went_q[released] + 1;
        held_q[released] = held_q[released] - int'(go_cells_i);
        sum = flight_q[number(released, release_state.gen)] + int'(go_cells_i);
        flight_q[number(released, release_state.gen)] = sum > Most ? Most : sum;
      end
      // 3.
      if (acts_i) begin
        flight = flight_q[number(acked, 1'b0)] + flight_q[number(acked, 1'b1)];
        FLOW_8 : assert (flight != 0);
        sum = flight_q[number(acked, ack_i.gen)] - int'(ack_i.cells);
        flight_q[number(acked, ack_i.gen)] = sum < 0 ? 0 : sum;
        if (ack_i.mark) throttled_q[acked] = 1'b1;
        begins_q[acked] = 1'b0;
      end
      // 4.
      if (lost_i[0]) flight_q[number(swept, !sweep_state.gen)] = 0;
      if (lost_i[1]) flight_q[number(turned, !turn_state.gen)] = 0;
      // 6. What was written is what the books have.
      for (int s = 0; s < 6; s++) begin
        channel = channel_i[s*ChannelW+:ChannelW];
        state   = state_i[s*StateW+:StateW];
        if (step_i[s]) begin
          FLOW_1 : assert (int'(state.cells) == flight_q[number(channel, state.gen)] && int'(state.old) == flight_q[number(channel, !state.gen)]);
          FLOW_2 : assert (int'(state.held) == held_q[channel]);
          FLOW_3 : assert (state.held == '0 || state.ready || state.cells != '0 || state.old != '0);
          FLOW_8_only : assert (!state.throttled || throttled_q[channel]);
          FLOW_13 : assert (!state.begins || (begins_q[channel] && !state.throttled));
          throttled_q[channel] = state.throttled;
        end
      end
    end
  end

  /* verilator lint_on BLKSEQ */

  final begin
    if (rst_ni && on_i && $test$plusargs("tilefly_acked") != 0) begin
      for (int c = 0; c < 2 * Channels; c++) FLOW_1_drained : assert (flight_q[c] == 0);
    end
    if (rst_ni && on_i && $test$plusargs("tilefly_drained") != 0) FLOW_2_drained : assert (inside_q == '0);
  end

endmodule
`endif
