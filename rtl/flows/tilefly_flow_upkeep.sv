// SPDX-License-Identifier: Apache-2.0
// What befalls flow channels in a cycle after its packets: the ack, the sweep, and what the NIC is told: steps 3 to 5 of a cycle.
// Manual: docs/blocks/flow_channel.md, "Rules of cycle t". Combinational.
// Of vectors the lowest part is the ack's, then those of the entry and the class channel that are swept, and of the entry of which the
// NIC is told.

module tilefly_flow_upkeep #(
    /// bits of an entry's number
    parameter int EntryW   = 10,
    /// class channels, a power of two
    parameter int Classes  = 8,
    /// bits of a channel's number
    parameter int ChannelW = $clog2(2 ** EntryW + Classes)
) (
    /// the port has flow channels
    input  logic                                        on_i,
    /// the port is enabled, has credits, and its link is up
    input  logic                                        live_i,
    /// FULL, in cells
    input  logic                                 [11:0] full_i,
    /* verilator lint_off UNUSEDSIGNAL */  // the first window of new entries is for the packet
    /// PORT.FLOW_CHANNEL
    input  tilefly_pkg::flow_channel_t                  channel_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// {release, packet} has a channel
    input  logic                                  [1:0] step_i,
    /// their channels
    input  logic                       [2*ChannelW-1:0] step_channel_i,
    /// states that they have left
    input  logic [2*tilefly_flows_pkg::CHANNEL_W-1:0]   step_state_i,
    /// an ack arrives
    input  logic                                        home_i,
    /// the ack
    input  tilefly_pkg::ack_t                           ack_i,
    /// its packet was counted in the channel of its class
    input  logic                                        ack_in_class_i,
    /// an entry has its key
    input  logic                                        ack_found_i,
    /// the entry
    input  logic                           [EntryW-1:0] ack_entry_i,
    /// place of the sweep: number of the entry
    input  logic                           [EntryW-1:0] place_i,
    /// the entry is in use
    input  logic                                        used_i,
    /// the NIC is to be told of an entry
    input  logic                                        tell_i,
    /// the entry
    input  logic                           [EntryW-1:0] tell_entry_i,
    /// its key
    input  logic     [tilefly_flows_pkg::KEY_W-1:0]     tell_key_i,
    /// channels are looked at
    output logic                                  [3:0] read_o,
    /// the channels
    output logic                       [4*ChannelW-1:0] channel_o,
    /// their states as committed
    input  logic [4*tilefly_flows_pkg::CHANNEL_W-1:0]   committed_i,
    /// channels that the steps have
    output logic                                  [3:0] step_o,
    /// their states before the steps
    output logic [4*tilefly_flows_pkg::CHANNEL_W-1:0]   before_o,
    /// their states after them
    output logic [4*tilefly_flows_pkg::CHANNEL_W-1:0]   after_o,
    /// the NIC is to be told of the channel
    output logic                                  [3:0] tell_o,
    /// the ack acts
    output logic                                        acts_o,
    /// it is for no cells in flight
    output logic                                        stray_o,
    /// a channel becomes throttled
    output logic                                        throttled_o,
    /// generations lost of {class channel, entry}
    output logic                                  [1:0] lost_o,
    /// a pause is decided
    output logic                                        pause_valid_o,
    /// {tc, dst, period, credit} of the pause
    output logic                                 [42:0] pause_o
);

  localparam int Entries = 2 ** EntryW;
  localparam int ClassW = $clog2(Classes);

  logic ack_known, turn_due, turns, sweep_tells;
  logic [ChannelW-1:0] ack_channel, sweep_channel, turn_channel, tell_channel;
  tilefly_flows_pkg::channel_t ack_before, sweep_before, turn_before, tell_before;
  tilefly_flows_pkg::channel_t ack_after, sweep_after, turn_after, tell_after;
  tilefly_flows_pkg::channel_t ack_committed, sweep_committed, turn_committed, tell_committed;

  // A port without flow channels works nothing out, so that it costs little time of a simulation.
  always_comb begin
    ack_channel   = '0;
    sweep_channel = '0;
    turn_channel  = '0;
    tell_channel  = '0;
    ack_known     = 1'b0;
    turn_due      = 1'b0;
    if (on_i) begin
      ack_channel   = ack_in_class_i ? ChannelW'(Entries) + ChannelW'(ack_i.tc[ClassW-1:0]) : ChannelW'(ack_entry_i);
      sweep_channel = ChannelW'(place_i);
      turn_channel  = ChannelW'(Entries) + ChannelW'(place_i[ClassW-1:0]);
      tell_channel  = ChannelW'(tell_entry_i);
      ack_known     = home_i && (ack_in_class_i || ack_found_i);
      turn_due      = (place_i >> ClassW) == '0;
    end
  end
  assign channel_o = {tell_channel, turn_channel, sweep_channel, ack_channel};
  assign read_o = {tell_i, turn_due, used_i, ack_known};
  assign step_o = {tell_i, turns, used_i, ack_known};
  always_comb begin
    {tell_committed, turn_committed, sweep_committed, ack_committed} = '0;
    if (read_o != '0) {tell_committed, turn_committed, sweep_committed, ack_committed} = committed_i;
  end
  always_comb begin
    before_o = '0;
    after_o  = '0;
    if (step_o != '0) begin
      before_o = {tell_before, turn_before, sweep_before, ack_before};
      after_o  = {tell_after, turn_after, sweep_after, ack_after};
    end
  end
  assign tell_o = {2'b00, sweep_tells, 1'b0};

  // Step 3: the ack.
  tilefly_flow_latest #(
      .Steps   (2),
      .ChannelW(ChannelW)
  ) u_ack_before (
      .valid_i       (ack_known),
      .channel_i     (ack_channel),
      .committed_i   (ack_committed),
      .step_i        (step_i),
      .step_channel_i(step_channel_i),
      .step_state_i  (step_state_i),
      .state_o       (ack_before)
  );

  tilefly_flow_ack u_ack (
      .valid_i    (home_i),
      .known_i    (ack_known),
      .state_i    (ack_before),
      .ack_i,
      .full_i     (full_i),
      .grow_i     (channel_i.grow),
      .state_o    (ack_after),
      .acts_o,
      .stray_o,
      .throttles_o(throttled_o)
  );

  // Step 4: the sweep of an entry, and of a class channel in the first cycles of a sweep.
  tilefly_flow_latest #(
      .Steps   (3),
      .ChannelW(ChannelW)
  ) u_sweep_before (
      .valid_i       (used_i),
      .channel_i     (sweep_channel),
      .committed_i   (sweep_committed),
      .step_i        ({ack_known, step_i}),
      .step_channel_i({ack_channel, step_channel_i}),
      .step_state_i  ({ack_after, step_state_i}),
      .state_o       (sweep_before)
  );

  tilefly_flow_sweep u_sweep (
      .valid_i   (used_i),
      .entry_i   (1'b1),
      .state_i   (sweep_before),
      .deadline_i(channel_i.deadline),
      .idle_i    (channel_i.idle),
      .state_o   (sweep_after),
      .lost_o    (lost_o[0]),
      .tell_o    (sweep_tells)
  );

  tilefly_flow_latest #(
      .Steps   (3),
      .ChannelW(ChannelW)
  ) u_turn_before (
      .valid_i       (turn_due),
      .channel_i     (turn_channel),
      .committed_i   (turn_committed),
      .step_i        ({ack_known, step_i}),
      .step_channel_i({ack_channel, step_channel_i}),
      .step_state_i  ({ack_after, step_state_i}),
      .state_o       (turn_before)
  );
  assign turns = turn_due && tilefly_flows_pkg::in_use(turn_before.throttled, turn_before.cells, turn_before.old, turn_before.held);

  tilefly_flow_sweep u_turn (
      .valid_i   (turns),
      .entry_i   (1'b0),
      .state_i   (turn_before),
      .deadline_i(channel_i.deadline),
      .idle_i    (channel_i.idle),
      .state_o   (turn_after),
      .lost_o    (lost_o[1]),
      /* verilator lint_off PINCONNECTEMPTY */  // the NIC is not told of class channels
      .tell_o    ()
      /* verilator lint_on PINCONNECTEMPTY */
  );

  // Step 5: the NIC is told.
  logic [11:0] credit;
  assign pause_valid_o = tell_i && live_i;
  always_comb begin
    credit  = '0;
    pause_o = '0;
    if (pause_valid_o) begin
      if (channel_i.hold > 12'(tell_committed.held)) credit = channel_i.hold - 12'(tell_committed.held);
      pause_o = {tell_key_i, tell_committed.held != '0 ? {channel_i.period, credit} : 20'd0};
    end
  end

  tilefly_flow_latest #(
      .Steps   (4),
      .ChannelW(ChannelW)
  ) u_tell_before (
      .valid_i       (tell_i),
      .channel_i     (tell_channel),
      .committed_i   (tell_committed),
      .step_i        ({used_i, ack_known, step_i}),
      .step_channel_i({sweep_channel, ack_channel, step_channel_i}),
      .step_state_i  ({sweep_after, ack_after, step_state_i}),
      .state_o       (tell_before)
  );
  always_comb begin
    tell_after = '0;
    if (tell_i) begin
      tell_after      = tell_before;
      tell_after.tell = 1'b0;
    end
  end

endmodule
