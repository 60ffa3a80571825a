// SPDX-License-Identifier: Apache-2.0
// The flow channels of a port for proofs: the shipped tilefly_flow_channels with all its parts, made small. It has two
// sets of two ways, two class channels, four packets and sweeps of four cycles. Of a key eight bits vary: the class,
// and five bits of the destination.
// In every state that is reached, fifos, table and flags agree, as asserted below: FLOW-3, FLOW-5, FLOW-6. For this the
// cells of held packets must fit their counter, which the harness assumes.
// Channels 0 to 3 are entries, 4 and 5 are class channels.

module flow_port (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    /// place of the sweep
    input  logic              [1:0] place_i,
    input  tilefly_pkg::cfg_t       cfg_i,
    input  logic                    on_i,
    input  logic                    live_i,
    input  logic                    valid_i,
    input  logic                    enters_i,
    input  logic                    again_i,
    input  tilefly_pkg::header_t    header_i,
    input  logic              [1:0] packet_i,
    input  logic              [6:0] cells_i,
    input  logic                    decides_i,
    input  logic             [13:0] came_via_i,
    input  logic                    home_i,
    input  tilefly_pkg::ack_t       ack_i,
    output logic                    held_o,
    output logic                    full_o,
    /// channel of the packet that is held, or of the packet that is released
    output logic              [2:0] channel_o,
    output logic              [2:0] go_channel_o,
    output logic                    go_valid_o,
    /// the head of the ready fifo is popped
    output logic                    pops_o,
    /// key of the packet, and of the ack
    output logic [tilefly_flows_pkg::KEY_W-1:0] key_o,
    output logic [tilefly_flows_pkg::KEY_W-1:0] ack_key_o,
    /// by entry
    output logic [4*tilefly_flows_pkg::KEY_W-1:0] keys_o,
    /// by channel; a class channel is always in use
    output logic                              [5:0] used_o,
    output logic                              [5:0] gen_o,
    /// throttled, or without its first ack
    output logic                              [5:0] limited_o,
    output logic                              [5:0] ready_o,
    output logic   [6*tilefly_flows_pkg::COUNT_W-1:0] cells_o,
    output logic   [6*tilefly_flows_pkg::COUNT_W-1:0] old_o,
    output logic    [6*tilefly_flows_pkg::TIME_W-1:0] age_o,
    output logic  [6*tilefly_flows_pkg::WINDOW_W-1:0] window_o,
    output logic  [6*tilefly_flows_pkg::WINDOW_W-1:0] holds_o,
    /// places of the ready fifo that count, their channels, and the place of its head
    output logic                              [5:0] pending_o,
    output logic                             [17:0] line_o,
    output logic                              [2:0] first_o,
    /// FLOW_CHANNEL
    output tilefly_pkg::flow_channel_t              register_o
);

  localparam int KeyW = tilefly_flows_pkg::KEY_W;
  localparam int CountW = tilefly_flows_pkg::COUNT_W;
  localparam int TimeW = tilefly_flows_pkg::TIME_W;
  localparam int WindowW = tilefly_flows_pkg::WINDOW_W;
  localparam int StateW = tilefly_flows_pkg::CHANNEL_W;

  tilefly_pkg::header_t header;
  tilefly_pkg::ack_t ack;
  logic [10:0] channel, go_channel;
  always_comb begin
    header     = header_i;
    header.dst = 20'(header_i.dst[4:0]);
    ack        = ack_i;
    ack.dst    = 20'(ack_i.dst[4:0]);
  end
  assign key_o        = {header.tc, header.dst};
  assign ack_key_o    = {ack.tc, ack.dst};
  assign channel_o    = channel[2:0];
  assign go_channel_o = go_channel[2:0];

  tilefly_flow_channels #(
      .SetBits  (1),
      .Ways     (2),
      .SweepBits(2),
      .Classes  (2),
      .Packets  (4)
  ) u_channels (
      .clk_i,
      .rst_ni,
      .cycle_i     (48'(place_i)),
      .port_i      (6'd0),
      .cfg_i,
      .on_i,
      .live_i,
      .valid_i,
      .enters_i,
      .again_i,
      .header_i    (header),
      .packet_i,
      .cells_i,
      .decides_i,
      .port_to_i   (6'd0),
      .down_i      ('0),
      .pair_port_i (6'd0),
      .came_via_i,
      .out_port_i  (6'd0),
      .out_lane_i  (4'd0),
      .held_o,
      .full_o,
      .channel_o   (channel),
      .go_valid_o,
      .go_channel_o(go_channel),
      .home_i,
      .ack_i       (ack)
  );

  // Registers of the table, of its states, and of the fifos.
  (* hierconn *) wire [KeyW-1:0] \u_channels.u_table.key_mem[0] , \u_channels.u_table.key_mem[1] ;
  (* hierconn *) wire [KeyW-1:0] \u_channels.u_table.key_mem[2] , \u_channels.u_table.key_mem[3] ;
  (* hierconn *) wire [1:0] \u_channels.u_table.used_mem[0] , \u_channels.u_table.used_mem[1] ;
  (* hierconn *) wire [2:0] \u_channels.u_table.count_q ;
  (* hierconn *) wire [1:0] \u_channels.u_table.known_q ;
  (* hierconn *) wire [StateW-1:0] \u_channels.u_states.state_mem[0] , \u_channels.u_states.state_mem[1] ;
  (* hierconn *) wire [StateW-1:0] \u_channels.u_states.state_mem[2] , \u_channels.u_states.state_mem[3] ;
  (* hierconn *) wire [StateW-1:0] \u_channels.u_states.state_mem[4] , \u_channels.u_states.state_mem[5] ;
  (* hierconn *) wire [1:0] \u_channels.u_states.class_known_q ;
  (* hierconn *) wire [2:0] \u_channels.u_settle.u_ready.mem[0] , \u_channels.u_settle.u_ready.mem[1] ;
  (* hierconn *) wire [2:0] \u_channels.u_settle.u_ready.mem[2] , \u_channels.u_settle.u_ready.mem[3] ;
  (* hierconn *) wire [2:0] \u_channels.u_settle.u_ready.mem[4] , \u_channels.u_settle.u_ready.mem[5] ;
  (* hierconn *) wire [2:0] \u_channels.u_settle.u_ready.read_q , \u_channels.u_settle.u_ready.write_q ;
  (* hierconn *) wire [2:0] \u_channels.u_settle.u_ready.count_q ;
  (* hierconn *) wire [1:0] \u_channels.u_settle.u_tell.mem[0] , \u_channels.u_settle.u_tell.mem[1] ;
  (* hierconn *) wire [1:0] \u_channels.u_settle.u_tell.mem[2] , \u_channels.u_settle.u_tell.mem[3] ;
  (* hierconn *) wire [1:0] \u_channels.u_settle.u_tell.read_q , \u_channels.u_settle.u_tell.write_q ;
  (* hierconn *) wire [2:0] \u_channels.u_settle.u_tell.count_q ;
  (* hierconn *) wire \u_channels.pops ;
  (* hierconn *) wire [tilefly_pkg::FLOW_CHANNEL_W-1:0] \u_channels.u_regs.channel_q ;

  logic [6*StateW-1:0] states;
  logic [7:0] tell_mem;
  assign keys_o = {
    \u_channels.u_table.key_mem[3] , \u_channels.u_table.key_mem[2] ,
    \u_channels.u_table.key_mem[1] , \u_channels.u_table.key_mem[0]
  };
  assign used_o = {
    2'b11, \u_channels.u_table.known_q [1] ? \u_channels.u_table.used_mem[1] : 2'b00,
    \u_channels.u_table.known_q [0] ? \u_channels.u_table.used_mem[0] : 2'b00
  };
  assign states = {
    \u_channels.u_states.class_known_q [1] ? \u_channels.u_states.state_mem[5] : {StateW{1'b0}},
    \u_channels.u_states.class_known_q [0] ? \u_channels.u_states.state_mem[4] : {StateW{1'b0}},
    \u_channels.u_states.state_mem[3] , \u_channels.u_states.state_mem[2] ,
    \u_channels.u_states.state_mem[1] , \u_channels.u_states.state_mem[0]
  };
  assign line_o = {
    \u_channels.u_settle.u_ready.mem[5] , \u_channels.u_settle.u_ready.mem[4] , \u_channels.u_settle.u_ready.mem[3] ,
    \u_channels.u_settle.u_ready.mem[2] , \u_channels.u_settle.u_ready.mem[1] , \u_channels.u_settle.u_ready.mem[0]
  };
  assign tell_mem = {
    \u_channels.u_settle.u_tell.mem[3] , \u_channels.u_settle.u_tell.mem[2] ,
    \u_channels.u_settle.u_tell.mem[1] , \u_channels.u_settle.u_tell.mem[0]
  };
  assign first_o = \u_channels.u_settle.u_ready.read_q ;
  assign pops_o  = \u_channels.pops ;
  assign register_o = \u_channels.u_regs.channel_q ;

  // Flags of channels in use, and places of the fifos that count: as many as there are, from the head on.
  tilefly_flows_pkg::channel_t state;
  logic [5:0] told;
  logic [3:0] telling;
  always_comb begin
    for (int c = 0; c < 6; c++) begin
      state        = states[StateW*c+:StateW];
      gen_o[c]     = state.gen;
      limited_o[c] = state.throttled || state.begins;
      ready_o[c]   = used_o[c] && state.ready;
      told[c]      = used_o[c] && state.tell;
      cells_o[CountW*c+:CountW]    = state.cells;
      old_o[CountW*c+:CountW]      = state.old;
      age_o[TimeW*c+:TimeW]        = state.age;
      window_o[WindowW*c+:WindowW] = state.window;
      holds_o[WindowW*c+:WindowW]  = state.held;
    end
    for (int s = 0; s < 6; s++) begin
      pending_o[s] = 4'(s) + (s < 32'(first_o) ? 4'd6 : 4'd0) < 4'(first_o) + 4'(\u_channels.u_settle.u_ready.count_q );
    end
    for (int s = 0; s < 4; s++) begin
      telling[s] = 4'(s) + (s < 32'(\u_channels.u_settle.u_tell.read_q ) ? 4'd4 : 4'd0) <
          4'(\u_channels.u_settle.u_tell.read_q ) + 4'(\u_channels.u_settle.u_tell.count_q );
    end
  end

  // What agrees with what.
  logic ready_once, ready_flags, ready_lists, tell_once, tell_flags, tell_lists, moves, waits, known, listed;
  logic [2:0] readies, tells, entries;
  logic [CountW:0] flight;
  logic [3:0] ahead;
  assign ahead = 4'(first_o) + 4'(\u_channels.u_settle.u_ready.count_q );
  always_comb begin
    {ready_once, ready_flags, ready_lists, tell_once, tell_flags, tell_lists, moves, waits} = 8'hff;
    readies = '0;
    tells   = '0;
    entries = '0;
    known   = 1'b0;
    listed  = 1'b0;
    flight  = '0;
    for (int i = 0; i < 6; i++) begin
      known = 1'b0;
      for (int c = 0; c < 6; c++) known = known || (32'(line_o[3*i+:3]) == c && ready_o[c]);
      if (pending_o[i] && !known) ready_flags = 1'b0;
      for (int o = 0; o < i; o++) begin
        if (pending_o[i] && pending_o[o] && line_o[3*i+:3] == line_o[3*o+:3]) ready_once = 1'b0;
      end
    end
    for (int i = 0; i < 4; i++) begin
      known = 1'b0;
      for (int c = 0; c < 4; c++) known = known || (32'(tell_mem[2*i+:2]) == c && told[c]);
      if (telling[i] && !known) tell_flags = 1'b0;
      for (int o = 0; o < i; o++) begin
        if (telling[i] && telling[o] && tell_mem[2*i+:2] == tell_mem[2*o+:2]) tell_once = 1'b0;
      end
    end
    for (int c = 0; c < 6; c++) begin
      listed = 1'b0;
      for (int i = 0; i < 6; i++) listed = listed || (pending_o[i] && 32'(line_o[3*i+:3]) == c);
      if (ready_o[c] && !listed) ready_lists = 1'b0;
      listed = 1'b0;
      for (int i = 0; i < 4; i++) listed = listed || (telling[i] && 32'(tell_mem[2*i+:2]) == c);
      if (told[c] && !listed) tell_lists = 1'b0;
      flight = {1'b0, cells_o[CountW*c+:CountW]} + {1'b0, old_o[CountW*c+:CountW]};
      if (used_o[c] && holds_o[WindowW*c+:WindowW] != '0 && !ready_o[c] &&
          (!limited_o[c] || flight == '0 || flight < (CountW + 1)'(window_o[WindowW*c+:WindowW]))) begin
        moves = 1'b0;
      end
      if (ready_o[c] && holds_o[WindowW*c+:WindowW] == '0) waits = 1'b0;
      readies = readies + 3'(ready_o[c]);
      tells   = tells + 3'(told[c]);
      if (c < 4) entries = entries + 3'(used_o[c]);
    end
  end

  always_comb begin
    if (rst_ni) begin
      // FLOW-3: who does not move has cells in flight, and fills its window.
      who_holds_and_may_send_is_ready : assert (moves);
      who_is_ready_holds : assert (waits);
      // FLOW-6.
      once_in_ready : assert (ready_once);
      ready_has_flags : assert (ready_flags);
      flags_are_in_ready : assert (ready_lists);
      once_in_tell : assert (tell_once);
      tell_has_flags : assert (tell_flags);
      flags_are_in_tell : assert (tell_lists);
      ready_counts : assert (\u_channels.u_settle.u_ready.count_q == readies);
      tell_counts : assert (\u_channels.u_settle.u_tell.count_q == tells);
      ready_places_are : assert (first_o < 3'd6 && \u_channels.u_settle.u_ready.write_q < 3'd6);
      ready_place_is : assert (4'(\u_channels.u_settle.u_ready.write_q ) == ahead ||
                               4'(\u_channels.u_settle.u_ready.write_q ) + 4'd6 == ahead);
      tell_place_is : assert (\u_channels.u_settle.u_tell.write_q ==
                              2'(3'(\u_channels.u_settle.u_tell.read_q ) + \u_channels.u_settle.u_tell.count_q ));
      // FLOW-5, and what a sweep and a packet ask the table for.
      keys_differ : assert (!(used_o[0] && used_o[1] && keys_o[0+:KeyW] == keys_o[KeyW+:KeyW]) &&
                            !(used_o[2] && used_o[3] && keys_o[2*KeyW+:KeyW] == keys_o[3*KeyW+:KeyW]));
      entries_count : assert (\u_channels.u_table.count_q == entries);
    end
  end

endmodule
