// SPDX-License-Identifier: Apache-2.0
// A small tilefly_flow_channels for proofs, with all that is inside: 2 sets of 2 ways and 2 class channels, sweeps of 4 cycles, 4 packets
// held at most; the widths are the proof's constants. Packets of one cell for one of four destinations in one of two classes; acks of
// up to three cells.

module flow_small (
    input  logic clk_i,
    input  logic rst_ni,
    /// a packet comes; `other_i`: one that is not counted
    input  logic valid_i,
    input  logic other_i,
    /// {tc, dst} of the packet
    input  logic [2:0] key_i,
    /// an ack arrives
    input  logic home_i,
    input  logic mark_i,
    input  logic [2:0] share_i,
    input  logic by_class_i,
    input  logic gen_i,
    input  logic [2:0] ack_key_i,
    input  logic [1:0] ack_cells_i,
    /// a number of a packet is left for one more
    output logic room_o,
    /// the counted packet is sent, is held
    output logic sent_o,
    output logic held_o,
    output logic gen_o,
    output logic by_class_o,
    /// a packet is released
    output logic go_o,
    output logic go_gen_o,
    output logic stray_o,
    output logic [1:0] lost_o,
    /// place of the sweep
    output logic [1:0] place_o,
    // Inside, by entry, channel or slot.
    output logic [91:0] keys_o,
    output logic [3:0] used_o,
    output logic [23:0] flags_o,
    output logic [17:0] cells_o,
    output logic [17:0] old_o,
    output logic [11:0] age_o,
    output logic [17:0] window_o,
    output logic [17:0] held_cells_o,
    output logic [17:0] ready_o,
    output logic [7:0] tell_o,
    output logic [2:0] ready_read_o,
    output logic [2:0] ready_write_o,
    output logic [2:0] ready_count_o,
    output logic [1:0] tell_read_o,
    output logic [1:0] tell_write_o,
    output logic [2:0] tell_count_o,
    output logic [2:0] channel_o,
    output logic [2:0] go_channel_o,
    /// an entry is taken by the packet
    output logic takes_o
);

  function automatic [19:0] address(input [1:0] name);
    address = 20'(name);
  endfunction

  logic [1:0] place_q;
  logic [3:0] inside_q;  // numbers of packets held
  logic [1:0] packet, go_packet;
  tilefly_pkg::header_t header;
  tilefly_pkg::ack_t ack;
  tilefly_pkg::cfg_t cfg;
  assign cfg    = '0;
  assign room_o = inside_q != '1;
  assign packet = !inside_q[0] ? 2'd0 : !inside_q[1] ? 2'd1 : !inside_q[2] ? 2'd2 : 2'd3;

  always_comb begin
    header     = '0;
    header.tc  = 3'(key_i[2]);
    header.dst = address(key_i[1:0]);
    header.hop = 4'(other_i);
  end
  always_comb begin
    ack          = '0;
    ack.mark     = mark_i;
    ack.share    = 12'(share_i);
    ack.by_class = by_class_i;
    ack.gen      = gen_i;
    ack.tc       = 3'(ack_key_i[2]);
    ack.dst      = address(ack_key_i[1:0]);
    ack.cells    = 7'(ack_cells_i);
  end

  tilefly_flow_channels #(
      .SetBits  (1),
      .Ways     (2),
      .SweepBits(2),
      .Classes  (2),
      .Packets  (4)
  ) u_channels (
      .clk_i,
      .rst_ni,
      .cycle_i    (48'(place_q)),
      .port_i     (6'd0),
      .cfg_i      (cfg),
      .on_i       (1'b1),
      .live_i     (1'b1),
      .valid_i,
      .enters_i   (valid_i),
      .header_i   (header),
      .packet_i   (packet),
      .cells_i    (7'd1),
      .decides_i  (1'b0),
      .port_to_i  (6'd0),
      .pair_port_i(6'd0),
      .came_via_i (14'd0),
      .out_port_i (6'd0),
      .out_lane_i (4'd0),
      .held_o,
      .gen_o,
      .by_class_o,
      .go_valid_o (go_o),
      .go_packet_o(go_packet),
      .go_gen_o,
      .home_i,
      .ack_i      (ack),
      .lost_o,
      .stray_o
  );

  (* hierconn *) wire [22:0] \u_channels.u_table.key_mem[0] ;
  (* hierconn *) wire [22:0] \u_channels.u_table.key_mem[1] ;
  (* hierconn *) wire [22:0] \u_channels.u_table.key_mem[2] ;
  (* hierconn *) wire [22:0] \u_channels.u_table.key_mem[3] ;
  (* hierconn *) wire [1:0] \u_channels.u_table.used_mem[0] ;
  (* hierconn *) wire [1:0] \u_channels.u_table.used_mem[1] ;
  (* hierconn *) wire [3:0] \u_channels.u_states.flags_mem[0] ;
  (* hierconn *) wire [3:0] \u_channels.u_states.flags_mem[1] ;
  (* hierconn *) wire [3:0] \u_channels.u_states.flags_mem[2] ;
  (* hierconn *) wire [3:0] \u_channels.u_states.flags_mem[3] ;
  (* hierconn *) wire [3:0] \u_channels.u_states.flags_mem[4] ;
  (* hierconn *) wire [3:0] \u_channels.u_states.flags_mem[5] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.cells_mem[0] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.cells_mem[1] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.cells_mem[2] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.cells_mem[3] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.cells_mem[4] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.cells_mem[5] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.old_mem[0] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.old_mem[1] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.old_mem[2] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.old_mem[3] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.old_mem[4] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.old_mem[5] ;
  (* hierconn *) wire [1:0] \u_channels.u_states.age_mem[0] ;
  (* hierconn *) wire [1:0] \u_channels.u_states.age_mem[1] ;
  (* hierconn *) wire [1:0] \u_channels.u_states.age_mem[2] ;
  (* hierconn *) wire [1:0] \u_channels.u_states.age_mem[3] ;
  (* hierconn *) wire [1:0] \u_channels.u_states.age_mem[4] ;
  (* hierconn *) wire [1:0] \u_channels.u_states.age_mem[5] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.window_mem[0] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.window_mem[1] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.window_mem[2] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.window_mem[3] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.window_mem[4] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.window_mem[5] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.held_mem[0] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.held_mem[1] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.held_mem[2] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.held_mem[3] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.held_mem[4] ;
  (* hierconn *) wire [2:0] \u_channels.u_states.held_mem[5] ;
  (* hierconn *) wire [2:0] \u_channels.u_settle.u_ready.mem[0] ;
  (* hierconn *) wire [2:0] \u_channels.u_settle.u_ready.mem[1] ;
  (* hierconn *) wire [2:0] \u_channels.u_settle.u_ready.mem[2] ;
  (* hierconn *) wire [2:0] \u_channels.u_settle.u_ready.mem[3] ;
  (* hierconn *) wire [2:0] \u_channels.u_settle.u_ready.mem[4] ;
  (* hierconn *) wire [2:0] \u_channels.u_settle.u_ready.mem[5] ;
  (* hierconn *) wire [1:0] \u_channels.u_settle.u_tell.mem[0] ;
  (* hierconn *) wire [1:0] \u_channels.u_settle.u_tell.mem[1] ;
  (* hierconn *) wire [1:0] \u_channels.u_settle.u_tell.mem[2] ;
  (* hierconn *) wire [1:0] \u_channels.u_settle.u_tell.mem[3] ;
  (* hierconn *) wire [2:0] \u_channels.u_settle.u_ready.read_q ;
  (* hierconn *) wire [2:0] \u_channels.u_settle.u_ready.write_q ;
  (* hierconn *) wire [2:0] \u_channels.u_settle.u_ready.count_q ;
  (* hierconn *) wire [1:0] \u_channels.u_settle.u_tell.read_q ;
  (* hierconn *) wire [1:0] \u_channels.u_settle.u_tell.write_q ;
  (* hierconn *) wire [2:0] \u_channels.u_settle.u_tell.count_q ;
  (* hierconn *) wire [2:0] \u_channels.packet_channel ;
  (* hierconn *) wire [2:0] \u_channels.release_channel ;
  (* hierconn *) wire \u_channels.takes ;
  assign keys_o = {\u_channels.u_table.key_mem[3] , \u_channels.u_table.key_mem[2] , \u_channels.u_table.key_mem[1] , \u_channels.u_table.key_mem[0] };
  assign used_o = {\u_channels.u_table.used_mem[1] , \u_channels.u_table.used_mem[0] };
  assign flags_o = {\u_channels.u_states.flags_mem[5] , \u_channels.u_states.flags_mem[4] , \u_channels.u_states.flags_mem[3] , \u_channels.u_states.flags_mem[2] , \u_channels.u_states.flags_mem[1] , \u_channels.u_states.flags_mem[0] };
  assign cells_o = {\u_channels.u_states.cells_mem[5] , \u_channels.u_states.cells_mem[4] , \u_channels.u_states.cells_mem[3] , \u_channels.u_states.cells_mem[2] , \u_channels.u_states.cells_mem[1] , \u_channels.u_states.cells_mem[0] };
  assign old_o = {\u_channels.u_states.old_mem[5] , \u_channels.u_states.old_mem[4] , \u_channels.u_states.old_mem[3] , \u_channels.u_states.old_mem[2] , \u_channels.u_states.old_mem[1] , \u_channels.u_states.old_mem[0] };
  assign age_o = {\u_channels.u_states.age_mem[5] , \u_channels.u_states.age_mem[4] , \u_channels.u_states.age_mem[3] , \u_channels.u_states.age_mem[2] , \u_channels.u_states.age_mem[1] , \u_channels.u_states.age_mem[0] };
  assign window_o = {\u_channels.u_states.window_mem[5] , \u_channels.u_states.window_mem[4] , \u_channels.u_states.window_mem[3] , \u_channels.u_states.window_mem[2] , \u_channels.u_states.window_mem[1] , \u_channels.u_states.window_mem[0] };
  assign held_cells_o = {\u_channels.u_states.held_mem[5] , \u_channels.u_states.held_mem[4] , \u_channels.u_states.held_mem[3] , \u_channels.u_states.held_mem[2] , \u_channels.u_states.held_mem[1] , \u_channels.u_states.held_mem[0] };
  assign ready_o = {\u_channels.u_settle.u_ready.mem[5] , \u_channels.u_settle.u_ready.mem[4] , \u_channels.u_settle.u_ready.mem[3] , \u_channels.u_settle.u_ready.mem[2] , \u_channels.u_settle.u_ready.mem[1] , \u_channels.u_settle.u_ready.mem[0] };
  assign tell_o = {\u_channels.u_settle.u_tell.mem[3] , \u_channels.u_settle.u_tell.mem[2] , \u_channels.u_settle.u_tell.mem[1] , \u_channels.u_settle.u_tell.mem[0] };
  assign ready_read_o = \u_channels.u_settle.u_ready.read_q ;
  assign ready_write_o = \u_channels.u_settle.u_ready.write_q ;
  assign ready_count_o = \u_channels.u_settle.u_ready.count_q ;
  assign tell_read_o = \u_channels.u_settle.u_tell.read_q ;
  assign tell_write_o = \u_channels.u_settle.u_tell.write_q ;
  assign tell_count_o = \u_channels.u_settle.u_tell.count_q ;
  assign channel_o = \u_channels.packet_channel ;
  assign go_channel_o = \u_channels.release_channel ;
  assign takes_o = \u_channels.takes ;
  assign sent_o  = valid_i && !other_i && !held_o;
  assign place_o = place_q;

  always @(posedge clk_i) begin
    place_q <= rst_ni ? place_q + 2'd1 : '0;
    if (held_o) inside_q[packet] <= 1'b1;
    if (go_o) inside_q[go_packet] <= 1'b0;
    if (!rst_ni) inside_q <= '0;
  end

endmodule
