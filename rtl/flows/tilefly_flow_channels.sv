// SPDX-License-Identifier: Apache-2.0
// Flow channels of an edge port: cells in flight by destination and class, and the packets that wait while a channel is throttled.
// Manual: docs/blocks/flow_channel.md.
// Latency: a packet's verdict is combinational in its cycle; a held packet is released in the cycle after the ack that lets it go, at
// the earliest. Throughput: a packet, a release, an ack, a sweep and a pause a cycle, of one channel too. Handshake: valid only.
//
//   cycle t, on the state of t - 1, each step on what the steps before it have left:
//   1 packet -> 2 release -> 3 ack -> 4 sweep: entry, class channel -> 5 tell -> 6 settle -> state of t
//
// Channels have numbers: entries first, class channels behind them.

module tilefly_flow_channels #(
    /// bits of a set's number
    parameter int SetBits   = 6,
    /// entries of a set, a power of two
    parameter int Ways      = 16,
    /// a sweep looks at each entry once in 2^SweepBits cycles
    parameter int SweepBits = 10,
    /// class channels, a power of two; fewer for small proofs
    parameter int Classes   = tilefly_pkg::CLASSES,
    /// packets that there may be at the port
    parameter int Packets   = tilefly_pkg::CELLS,
    /// bits of a packet's number
    parameter int PacketW   = $clog2(Packets)
) (
    /// clock
    input  logic                 clk_i,
    /// synchronous reset, active low
    input  logic                 rst_ni,
    /* verilator lint_off UNUSEDSIGNAL */  // a sweep needs its lowest bits
    /// number of the current cycle
    input  logic          [47:0] cycle_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// number of this port
    input  logic          [ 5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t    cfg_i,
    /// MODE.acks and MODE.flows; else all is as after reset
    input  logic                 on_i,
    /// the port is enabled, has credits, and its link is up
    input  logic                 live_i,
    /// a packet is at the end of the pipeline, and not dropped by look-up
    input  logic                 valid_i,
    /// its class has room, too
    input  logic                 enters_i,
    /// it was taken back, and has been counted before
    input  logic                 again_i,
    /* verilator lint_off UNUSEDSIGNAL */  // one header for all
    /// its header; via as routed
    input  tilefly_pkg::header_t header_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// its number
    input  logic   [PacketW-1:0] packet_i,
    /// its cells
    input  logic          [ 6:0] cells_i,
    /// it chose its path here
    input  logic                 decides_i,
    /// its output, as routed
    input  logic          [ 5:0] port_to_i,
    /// ports that were down in its cycle a + 16: no path leads there
    input  logic [tilefly_pkg::PORTS-1:0] down_i,
    /// its output if it may not choose
    input  logic          [ 5:0] pair_port_i,
    /// its via as it came
    input  logic          [13:0] came_via_i,
    /// output that it has with the path of `instead_o`
    input  logic          [ 5:0] out_port_i,
    /// lane that it has there
    input  logic          [ 3:0] out_lane_i,
    /// it takes another path than it was given, whether it enters or not
    output logic                 instead_o,
    /// output of that path
    output logic          [ 5:0] path_port_o,
    /// via of that path is still to be reached
    output logic                 path_via_valid_o,
    /// via of that path
    output logic          [13:0] path_via_o,
    /// it is counted and sent
    output logic                 sent_o,
    /// it is counted and held
    output logic                 held_o,
    /// of a counted packet that is sent: generation of its channel
    output logic                 gen_o,
    /// of a counted packet that is sent: it is counted in the channel of its class
    output logic                 by_class_o,
    /// a packet that was held is released
    output logic                 go_valid_o,
    /// its number
    output logic   [PacketW-1:0] go_packet_o,
    /// its cells
    output logic          [ 6:0] go_cells_o,
    /// its output
    output logic          [ 5:0] go_port_o,
    /// its lane
    output logic          [ 3:0] go_lane_o,
    /// generation of its channel
    output logic                 go_gen_o,
    /// it is counted in the channel of its class
    output logic                 go_by_class_o,
    /// an ack arrives
    input  logic                 home_i,
    /* verilator lint_off UNUSEDSIGNAL */  // the channel needs no way and no load
    /// the ack
    input  tilefly_pkg::ack_t    ack_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// a pause is decided
    output logic                 pause_valid_o,
    /// {tc, dst, period, credit} of the pause
    output logic          [42:0] pause_o,
    /// a packet is counted in the channel of its class
    output logic                 full_o,
    /// a channel becomes throttled
    output logic                 throttled_o,
    /// generations lost
    output logic          [ 1:0] lost_o,
    /// an ack for no cells in flight
    output logic                 stray_o,
    /// a channel takes a marked ack
    output logic                 marked_o,
    /// channel of the packet that is held
    output logic          [10:0] channel_o,
    /// channel of the packet that is released
    output logic          [10:0] go_channel_o,
    /// no channel is in use, and none is to be released or told of
    output logic                 quiescent_o
);

  localparam int EntryW = SetBits + $clog2(Ways);
  localparam int Entries = 2 ** EntryW;
  localparam int ClassW = $clog2(Classes);
  localparam int Channels = Entries + Classes;
  localparam int ChannelW = $clog2(Channels);
  localparam int StateW = tilefly_flows_pkg::CHANNEL_W;
  localparam int KeyW = tilefly_flows_pkg::KEY_W;
  localparam int CountW = tilefly_flows_pkg::COUNT_W;
  localparam int WindowW = tilefly_flows_pkg::WINDOW_W;
  localparam int NoteW = 17;  // {cells, port, lane}
  localparam int Steps = 6;  // packet, release, ack, sweep of an entry, of a class channel, tell
  localparam logic [19:0] Replicated = 20'hfffff;

  // What names a channel: source and destination of its packets, and their class.
  function automatic [KeyW-1:0] key_of(input [2:0] tc, input [19:0] dst);
    key_of = {tc, dst};
  endfunction

  // Number of the channel of a class.
  function automatic [ChannelW-1:0] channel_of(input [2:0] tc);
    channel_of = ChannelW'(Entries) + ChannelW'(tc[ClassW-1:0]);
  endfunction

  // Cells in flight with those of one more packet.
  function automatic [CountW-1:0] plus(input [CountW-1:0] cells, input [6:0] more);
    plus = (CountW + 8)'(cells) + (CountW + 8)'(more) > (CountW + 8)'(2 ** CountW - 1) ? '1 : cells + CountW'(more);
  endfunction

  // A channel has so many cells in flight, and may send.
  function automatic [CountW:0] in_flight(input [CountW-1:0] cells, input [CountW-1:0] old);
    in_flight = {1'b0, cells} + {1'b0, old};
  endfunction

  /* verilator lint_off UNUSEDSIGNAL */  // FULL is what matters here
  tilefly_pkg::flow_mark_t mark_reg;
  /* verilator lint_on UNUSEDSIGNAL */
  tilefly_pkg::flow_channel_t channel_reg;

  tilefly_flow_regs u_regs (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .mark_o   (mark_reg),
      .channel_o(channel_reg)
  );

  logic was_on_q, clear;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) was_on_q <= 1'b0;
    else was_on_q <= on_i;
  end
  assign clear = was_on_q && !on_i;

  // By step, the packet's lowest: it has a channel; the channel, its states as committed, before and after the step, and at the end of
  // the cycle; the NIC is to be told of it; it enters the fifos, and becomes free.
  logic [Steps-1:0] reads, steps, asks, frees;
  logic [Steps*ChannelW-1:0] channels;
  logic [Steps*StateW-1:0] committed, prior, after, settled;
  logic [4*StateW-1:0] upkeep_prior, upkeep_after;  // of the steps 3 to 5
  // Step 1: the packet. Its channel is the entry with its key, else a free one, else the one of its class.
  logic counted, enters, found, room, takes, in_class, sent, may_send;
  logic [ChannelW-1:0] packet_channel;
  logic [Classes-1:0] class_used, class_holds;
  tilefly_flows_pkg::channel_t packet_before, packet_after;
  logic [EntryW-1:0] entry;
  logic [KeyW-1:0] key;
  assign counted = on_i && valid_i && header_i.hop == '0 && header_i.dst != Replicated && header_i.kind != tilefly_pkg::KIND_RED;
  assign enters = counted && enters_i && !again_i;
  assign key = key_of(header_i.tc, header_i.dst);
  assign in_class = counted && !found && !(room && !class_holds[header_i.tc[ClassW-1:0]]);
  assign takes = enters && !found && !in_class;
  assign packet_channel = in_class ? channel_of(header_i.tc) : ChannelW'(entry);
  always_comb begin
    packet_before = '0;
    if (found || in_class) begin
      packet_before = committed[StateW-1:0];
    end else if (takes) begin
      packet_before.begins = channel_reg.first != '0;
      packet_before.window = WindowW'(channel_reg.first);
    end
  end

  tilefly_flows_pkg::path_t keeps;
  logic kept_down;
  assign kept_down = counted && down_i[packet_before.path.port[$clog2(tilefly_pkg::PORTS)-1:0]];

  tilefly_flow_path u_path (
      .valid_i     (counted),
      .ordered_i   (header_i.ordered && decides_i),
      .in_class_i  (in_class),
      .busy_i      (packet_before.cells != '0 || packet_before.old != '0 || packet_before.held != '0),
      .class_used_i(class_used[header_i.tc[ClassW-1:0]]),
      .kept_i      (packet_before.path),
      .down_i      (kept_down),
      .port_i      (port_to_i),
      .via_valid_i (header_i.via_valid),
      .via_i       (header_i.via),
      .pair_port_i,
      .came_via_i,
      .instead_o,
      .port_o      (path_port_o),
      .via_valid_o (path_via_valid_o),
      .via_o       (path_via_o),
      .keeps_o     (keeps)
  );

  assign may_send = tilefly_flows_pkg::may_send(packet_before.throttled || packet_before.begins,
                                                 in_flight(packet_before.cells, packet_before.old), packet_before.window);
  assign sent = enters && packet_before.held == '0 && may_send;
  assign sent_o = sent;
  assign held_o = enters && !sent;
  assign gen_o = sent && packet_before.gen;
  assign by_class_o = sent && in_class;
  assign full_o = enters && in_class;
  assign channel_o = held_o ? 11'(packet_channel) : '0;

  always_comb begin
    packet_after = '0;
    if (enters) begin
      packet_after      = packet_before;
      packet_after.idle = '0;
      packet_after.path = keeps;
      if (sent) packet_after.cells = plus(packet_before.cells, cells_i);
      else packet_after.held = packet_before.held + WindowW'(cells_i);
    end
  end

  // Step 2: the release, in a cycle in which the pipeline leaves the queue stage's entry free.
  logic ready_empty, pops, goes, release_may;
  logic [ChannelW-1:0] release_channel;
  tilefly_flows_pkg::channel_t release_before, release_after;
  logic [NoteW-1:0] note;
  logic [PacketW-1:0] first_held;
  assign pops = on_i && !ready_empty && !(valid_i && enters_i && !held_o);

  tilefly_flow_latest #(
      .Steps   (1),
      .ChannelW(ChannelW)
  ) u_release (
      .valid_i       (pops),
      .channel_i     (release_channel),
      .committed_i   (committed[StateW+:StateW]),
      .step_i        (enters),
      .step_channel_i(packet_channel),
      .step_state_i  (packet_after),
      .state_o       (release_before)
  );

  assign release_may = tilefly_flows_pkg::may_send(release_before.throttled || release_before.begins,
                                                   in_flight(release_before.cells, release_before.old),
                                                   release_before.window);
  assign goes = pops && release_before.held != '0 && release_may;

  tilefly_flow_holds #(
      .Channels(Channels),
      .Packets (Packets),
      .NoteW   (NoteW)
  ) u_holds (
      .clk_i,
      .push_i        (held_o),
      .push_channel_i(packet_channel),
      .push_first_i  (packet_before.held == '0),
      .push_packet_i (packet_i),
      .push_note_i   ({cells_i, out_port_i, out_lane_i}),
      .look_i        (goes),
      .look_channel_i(release_channel),
      .packet_o      (first_held),
      .note_o        (note),
      .pop_i         (goes)
  );

  assign go_valid_o = goes;
  assign go_packet_o = first_held;
  assign {go_cells_o, go_port_o, go_lane_o} = note;
  assign go_gen_o = goes && release_before.gen;
  assign go_by_class_o = goes && release_channel >= ChannelW'(Entries);
  assign go_channel_o = goes ? 11'(release_channel) : '0;

  always_comb begin
    release_after = '0;
    if (pops) begin
      release_after       = release_before;
      release_after.ready = 1'b0;
    end
    if (goes) begin
      release_after.cells = plus(release_before.cells, go_cells_o);
      release_after.held  = release_before.held - WindowW'(go_cells_o);
      release_after.idle  = '0;
    end
  end

  // Steps 3 to 5: the ack, the sweep, and what the NIC is told.
  logic home, ack_in_class, ack_found, acts, used;
  logic [EntryW-1:0] ack_entry, tell_entry;
  logic [1:0] lost;
  logic [SweepBits-1:0] place;
  logic [KeyW-1:0] tell_key;
  assign home = on_i && home_i;
  assign ack_in_class = ack_i.by_class;  // the packet was counted there, whoever has its key now
  assign place = cycle_i[SweepBits-1:0];

  tilefly_flow_upkeep #(
      .EntryW (EntryW),
      .Classes(Classes)
  ) u_upkeep (
      .on_i,
      .live_i,
      .full_i      (mark_reg.full),
      .channel_i   (channel_reg),
      .step_i      ({pops, enters}),
      .step_channel_i({release_channel, packet_channel}),
      .step_state_i({release_after, packet_after}),
      .home_i      (home),
      .ack_i,
      .ack_in_class_i(ack_in_class),
      .ack_found_i (ack_found),
      .ack_entry_i (ack_entry),
      .place_i     (place),
      .used_i      (on_i && used),
      .tell_i      (on_i && !tell_empty),
      .tell_entry_i(tell_entry),
      .tell_key_i  (tell_key),
      .read_o      (reads[5:2]),
      .channel_o   (channels[2*ChannelW+:4*ChannelW]),
      .committed_i (committed[2*StateW+:4*StateW]),
      .step_o      (steps[5:2]),
      .before_o    (upkeep_prior),
      .after_o     (upkeep_after),
      .tell_o      (asks[5:2]),
      .acts_o      (acts),
      .stray_o,
      .throttled_o,
      .lost_o      (lost),
      .pause_valid_o,
      .pause_o
  );
  assign marked_o = acts && ack_i.mark;
  assign lost_o = {1'b0, lost[0]} + {1'b0, lost[1]};

  // Step 6: the fifos, and entries that become free.
  logic tell_empty, table_empty;
  logic [Steps*EntryW-1:0] entries;  // numbers of the channels, if they are entries
  assign reads[1:0] = {on_i && !ready_empty, counted};
  assign steps[1:0] = {pops, enters};
  assign channels[2*ChannelW-1:0] = {release_channel, packet_channel};
  assign asks[1:0] = {goes && release_channel < ChannelW'(Entries), held_o && packet_before.held == '0 && !in_class};
  always_comb begin
    prior   = '0;
    after   = '0;
    entries = '0;
    if (steps != '0) begin  // a cycle without a step costs little
      prior = {upkeep_prior, release_before, packet_before};
      after = {upkeep_after, release_after, packet_after};
      for (int s = 0; s < Steps; s++) entries[s*EntryW+:EntryW] = channels[s*ChannelW+:EntryW];
    end
  end

  tilefly_flow_settle #(
      .Steps  (Steps),
      .EntryW (EntryW),
      .Classes(Classes)
  ) u_settle (
      .clk_i,
      .rst_ni,
      .clear_i      (clear),
      .step_i       (steps),
      .channel_i    (channels),
      .state_i      (after),
      .tell_i       (asks),
      .state_o      (settled),
      .free_o       (frees),
      .ready_pop_i  (pops),
      .ready_o      (release_channel),
      .ready_empty_o(ready_empty),
      .tell_pop_i   (on_i && !tell_empty),
      .tell_o       (tell_entry),
      .tell_empty_o (tell_empty)
  );

  tilefly_flow_table #(
      .SetBits(SetBits),
      .Ways   (Ways),
      .Frees  (Steps)
  ) u_table (
      .clk_i,
      .rst_ni,
      .clear_i      (clear),
      .find_i       (counted),
      .find_key_i   (key),
      .found_o      (found),
      .room_o       (room),
      .entry_o      (entry),
      .take_i       (takes),
      .ack_i        (home && !ack_in_class),
      .ack_key_i    (key_of(ack_i.tc, ack_i.dst)),
      .ack_found_o  (ack_found),
      .ack_entry_o  (ack_entry),
      .sweep_entry_i(place),
      .sweep_used_o (used),
      .tell_i       (on_i && !tell_empty),
      .tell_entry_i (tell_entry),
      .tell_key_o   (tell_key),
      .free_i       (frees),
      .free_entry_i (entries),
      .empty_o      (table_empty)
  );

  tilefly_flow_states #(
      .Entries (Entries),
      .Classes (Classes),
      .Accesses(Steps)
  ) u_states (
      .clk_i,
      .rst_ni,
      .clear_i      (clear),
      .read_i       (reads),
      .channel_i    (channels),
      .state_o      (committed),
      .write_i      (steps),
      .state_i      (settled),
      .class_used_o (class_used),
      .class_holds_o(class_holds)
  );

  assign quiescent_o = (!on_i && !was_on_q) || (table_empty && class_used == '0 && ready_empty && tell_empty);

`ifndef SYNTHESIS
`ifndef FORMAL  // proofs keep their own books; and yosys knows no $fatal
  tilefly_flow_check #(
      .Channels (Channels),
      .ChannelW (ChannelW),
      .Packets  (Packets),
      .PacketW  (PacketW)
  ) u_check (
      .clk_i,
      .rst_ni     (rst_ni && !clear),
      .on_i,
      .piped_i    (valid_i && enters_i && !held_o),
      .takes_i    (takes),
      .held_i     (held_o),
      .packet_i,
      .cells_i,
      .pending_i  (!ready_empty),
      .goes_i     (goes),
      .go_packet_i(first_held),
      .go_cells_i (go_cells_o),
      .acts_i     (acts),
      .ack_i,
      .lost_i     (lost),
      .step_i     (steps),
      .channel_i  (channels),
      .before_i   (prior),
      .state_i    (settled)
  );
  initial begin
    if (SweepBits != EntryW) $fatal(1, "tilefly_flow_channels: SweepBits %0d; wanted: %0d, a cycle an entry", SweepBits, EntryW);
    if (2 ** ClassW != Classes || Classes > Entries) $fatal(1, "tilefly_flow_channels: Classes %0d; wanted: a power of two, at most one an entry", Classes);
  end
`endif
`endif

endmodule
