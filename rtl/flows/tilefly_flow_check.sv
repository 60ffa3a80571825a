// SPDX-License-Identifier: Apache-2.0
// Assertions on the flow channels of a port, by books of their own; nothing of it is hardware. Manual: docs/blocks/flow_channel.md,
// "Invariants".
// The books have a count of cells for each bit of generation, and no order of the two; and packets held by number.

`ifndef SYNTHESIS
module tilefly_flow_check #(
    /// entries
    parameter int Entries   = 1024,
    /// channels
    parameter int Channels  = 1032,
    /// bits of a channel's number
    parameter int ChannelW  = 11,
    /// bits in use of counts of cells in flight
    parameter int CountBits = 20,
    /// packets that there may be at the port
    parameter int Packets   = 2560,
    /// bits of a packet's number
    parameter int PacketW   = 12,
    /// steps of a cycle
    parameter int Steps     = 6
) (
    /// clock
    input logic                                             clk_i,
    /// synchronous reset, active low; or the port has no flow channels
    input logic                                             rst_ni,
    /// a packet enters the queue stage from the pipeline
    input logic                                             piped_i,
    /// a packet takes a free entry
    input logic                                             takes_i,
    /// a counted packet comes
    input logic                                             enters_i,
    /// it is held
    input logic                                             held_i,
    /// its number, cells and channel
    input logic                               [PacketW-1:0] packet_i,
    input logic                                       [6:0] cells_i,
    input logic                              [ChannelW-1:0] packet_channel_i,
    /* verilator lint_off UNUSEDSIGNAL */  // of a state, what the books speak of
    /// state of the channel before the packet
    input tilefly_flows_pkg::channel_t                      packet_state_i,
    /// a channel stands in the ready fifo
    input logic                                             pending_i,
    /// it is looked at
    input logic                                             pops_i,
    /// a packet is released
    input logic                                             goes_i,
    /// its number, cells and channel
    input logic                               [PacketW-1:0] go_packet_i,
    input logic                                       [6:0] go_cells_i,
    input logic                              [ChannelW-1:0] go_channel_i,
    /// state of the channel before the release
    input tilefly_flows_pkg::channel_t                      go_state_i,
    /// an ack acts
    input logic                                             acts_i,
    /// the ack and its channel
    input tilefly_pkg::ack_t                                ack_i,
    input logic                              [ChannelW-1:0] ack_channel_i,
    /// state of the channel before the ack
    input tilefly_flows_pkg::channel_t                      ack_state_i,
    /// the older generation of {the class channel, the entry} that is swept is lost
    input logic                                       [1:0] lost_i,
    /// channels that are swept, and their generations before
    input logic                              [ChannelW-1:0] sweep_channel_i,
    input logic                              [ChannelW-1:0] turn_channel_i,
    input logic                                             sweep_gen_i,
    input logic                                             turn_gen_i,
    /// the NIC is told of a channel
    input logic                                             tells_i,
    /// channels of the cycle's steps, and their states at the end of the cycle
    input logic                                 [Steps-1:0] step_i,
    input logic                        [Steps*ChannelW-1:0] channel_i,
    input logic   [Steps*tilefly_flows_pkg::CHANNEL_W-1:0]  state_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// channels that enter the fifos
    input logic                                 [Steps-1:0] push_ready_i,
    input logic                                 [Steps-1:0] push_tell_i
);

  localparam int StateW = tilefly_flows_pkg::CHANNEL_W;
  localparam int Most = 2 ** CountBits - 1;

  /* verilator tracing_off */
  int flight_q[2*Channels];  // cells in flight, of {channel, generation}
  int held_q[Channels];  // cells held
  int came_q[Channels], went_q[Channels];  // packets held and released so far
  int turn_q[Packets];  // of a packet held: how many of its channel came before
  logic [Packets-1:0] inside_q;  // packets held
  logic [Channels-1:0] ready_q, tell_q, throttled_q;  // in the fifos; throttled
  /* verilator tracing_on */

  function automatic int number(input [ChannelW-1:0] channel, input generation);
    number = 2 * int'(channel) + int'(generation);
  endfunction

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
      ready_q     = '0;
      tell_q      = '0;
      throttled_q = '0;
    end else begin
      // 1. An entry that is taken begins anew.
      if (takes_i) begin
        flight_q[number(packet_channel_i, 1'b0)] = 0;
        flight_q[number(packet_channel_i, 1'b1)] = 0;
        throttled_q[packet_channel_i] = 1'b0;
      end
      if (enters_i) begin
        flight = flight_q[number(packet_channel_i, 1'b0)] + flight_q[number(packet_channel_i, 1'b1)];
        FLOW_7 : assert (!held_i || held_q[packet_channel_i] != 0 ||
                         (throttled_q[packet_channel_i] && flight != 0 && flight >= int'(packet_state_i.window)));
        if (held_i) begin
          FLOW_2_inside : assert (!inside_q[packet_i]);
          inside_q[packet_i] = 1'b1;
          turn_q[packet_i] = came_q[packet_channel_i];
          came_q[packet_channel_i] = came_q[packet_channel_i] + 1;
          held_q[packet_channel_i] = held_q[packet_channel_i] + int'(cells_i);
        end else begin
          FLOW_2_passes : assert (held_q[packet_channel_i] == 0);
          FLOW_4 : assert (!throttled_q[packet_channel_i] || flight == 0 || flight < int'(packet_state_i.window));
          sum = flight_q[number(packet_channel_i, packet_state_i.gen)] + int'(cells_i);
          flight_q[number(packet_channel_i, packet_state_i.gen)] = sum > Most ? Most : sum;
        end
      end
      // 2.
      FLOW_9 : assert (!(piped_i && goes_i));
      FLOW_9_waits : assert (!pending_i || pops_i || piped_i);
      if (pops_i) begin
        FLOW_6_ready : assert (ready_q[go_channel_i] && held_q[go_channel_i] != 0);
        ready_q[go_channel_i] = 1'b0;
      end
      if (goes_i) begin
        flight = flight_q[number(go_channel_i, 1'b0)] + flight_q[number(go_channel_i, 1'b1)];
        FLOW_4_release : assert (!throttled_q[go_channel_i] || flight == 0 || flight < int'(go_state_i.window));
        FLOW_2_order : assert (inside_q[go_packet_i] && turn_q[go_packet_i] == went_q[go_channel_i]);
        inside_q[go_packet_i] = 1'b0;
        went_q[go_channel_i] = went_q[go_channel_i] + 1;
        held_q[go_channel_i] = held_q[go_channel_i] - int'(go_cells_i);
        sum = flight_q[number(go_channel_i, go_state_i.gen)] + int'(go_cells_i);
        flight_q[number(go_channel_i, go_state_i.gen)] = sum > Most ? Most : sum;
      end
      // 3.
      if (acts_i) begin
        flight = flight_q[number(ack_channel_i, 1'b0)] + flight_q[number(ack_channel_i, 1'b1)];
        FLOW_8 : assert (flight != 0);
        sum = flight_q[number(ack_channel_i, ack_i.gen)] - int'(ack_i.cells);
        flight_q[number(ack_channel_i, ack_i.gen)] = sum < 0 ? 0 : sum;
        if (ack_i.mark) throttled_q[ack_channel_i] = 1'b1;
      end
      // 4.
      if (lost_i[0]) flight_q[number(sweep_channel_i, !sweep_gen_i)] = 0;
      if (lost_i[1]) flight_q[number(turn_channel_i, !turn_gen_i)] = 0;
      // 5.
      if (tells_i) begin
        FLOW_6_tell : assert (tell_q[channel_i[(Steps-1)*ChannelW+:ChannelW]]);
        tell_q[channel_i[(Steps-1)*ChannelW+:ChannelW]] = 1'b0;
      end
      // 6. What was written is what the books have.
      for (int s = 0; s < Steps; s++) begin
        channel = channel_i[s*ChannelW+:ChannelW];
        state   = state_i[s*StateW+:StateW];
        if (step_i[s]) begin
          if (push_ready_i[s]) begin
            FLOW_6_ready_once : assert (!ready_q[channel]);
            ready_q[channel] = 1'b1;
          end
          if (push_tell_i[s]) begin
            FLOW_6_tell_once : assert (!tell_q[channel] && channel < ChannelW'(Entries));
            tell_q[channel] = 1'b1;
          end
        end
      end
      for (int s = 0; s < Steps; s++) begin
        channel = channel_i[s*ChannelW+:ChannelW];
        state   = state_i[s*StateW+:StateW];
        if (step_i[s]) begin
          FLOW_1 : assert (int'(state.cells) == flight_q[number(channel, state.gen)] && int'(state.old) == flight_q[number(channel, !state.gen)]);
          FLOW_2 : assert (int'(state.held) == held_q[channel]);
          FLOW_3 : assert (state.held == '0 || ready_q[channel] || state.cells != '0 || state.old != '0);
          FLOW_6_flags : assert (state.ready == ready_q[channel] && state.tell == tell_q[channel]);
          FLOW_8_only : assert (!state.throttled || throttled_q[channel]);
          throttled_q[channel] = state.throttled;
        end
      end
    end
  end

  /* verilator lint_on BLKSEQ */

  final begin
    if (rst_ni && $test$plusargs("tilefly_acked") != 0) begin
      for (int c = 0; c < 2 * Channels; c++) FLOW_1_drained : assert (flight_q[c] == 0);
    end
    if (rst_ni && $test$plusargs("tilefly_drained") != 0) FLOW_2_drained : assert (inside_q == '0);
  end

endmodule
`endif
