// SPDX-License-Identifier: Apache-2.0
// FLOW-7 for a victim: tilefly_flow_channels with any packets, acks, sweeps, registers and pipeline, where no ack of one key, any one, is
// marked. Packets of this key that have an entry are sent in their cycle, whatever marks the other keys and the class channels get.
// Two sets of two ways and two class channels.

module flow_victim (
    input logic                            clk_i,
    input logic                     [47:0] cycle_i,
    input tilefly_pkg::cfg_t               cfg_i,
    input logic                            on_i,
    input logic                            live_i,
    input logic                            valid_i,
    input logic                            enters_i,
    input tilefly_pkg::header_t            header_i,
    input logic                      [1:0] packet_i,
    input logic                      [6:0] cells_i,
    input logic                            decides_i,
    input logic                      [5:0] port_to_i,
    input logic                      [5:0] pair_port_i,
    input logic                     [13:0] came_via_i,
    input logic                      [5:0] out_port_i,
    input logic                      [3:0] out_lane_i,
    input logic                            home_i,
    input tilefly_pkg::ack_t               ack_i,
    input logic [tilefly_flows_pkg::KEY_W-1:0] victim_i
);

  localparam int KeyW = tilefly_flows_pkg::KEY_W;
  localparam int Entries = 4;

  logic started_q = 1'b0;
  logic [KeyW-1:0] victim_q;  // chosen once
  always @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!started_q) victim_q <= victim_i;
  end

  logic held, sent_by_class, full, go_valid;
  logic [10:0] channel;

  tilefly_flow_channels #(
      .SetBits  (1),
      .Ways     (2),
      .SweepBits(2),
      .Classes  (2),
      .Packets  (4)
  ) u_channels (
      .clk_i,
      .rst_ni      (started_q),
      .cycle_i,
      .port_i      (6'd0),
      .cfg_i,
      .on_i,
      .live_i,
      .valid_i,
      .enters_i,
      .header_i,
      .packet_i,
      .cells_i,
      .decides_i,
      .port_to_i,
      .pair_port_i,
      .came_via_i,
      .out_port_i,
      .out_lane_i,
      .held_o      (held),
      .by_class_o  (sent_by_class),
      .full_o      (full),
      .channel_o   (channel),
      .go_valid_o  (go_valid),
      .home_i,
      .ack_i
  );

  (* hierconn *) wire [KeyW-1:0] \u_channels.u_table.key_mem[0] , \u_channels.u_table.key_mem[1] ;
  (* hierconn *) wire [KeyW-1:0] \u_channels.u_table.key_mem[2] , \u_channels.u_table.key_mem[3] ;
  (* hierconn *) wire [1:0] \u_channels.u_table.used_mem[0] , \u_channels.u_table.used_mem[1] ;
  (* hierconn *) wire [3:0] \u_channels.u_states.flags_mem[0] , \u_channels.u_states.flags_mem[1] ;
  (* hierconn *) wire [3:0] \u_channels.u_states.flags_mem[2] , \u_channels.u_states.flags_mem[3] ;
  (* hierconn *) wire [tilefly_flows_pkg::WINDOW_W-1:0] \u_channels.u_states.held_mem[0] , \u_channels.u_states.held_mem[1] ;
  (* hierconn *) wire [tilefly_flows_pkg::WINDOW_W-1:0] \u_channels.u_states.held_mem[2] , \u_channels.u_states.held_mem[3] ;

  logic [KeyW*Entries-1:0] keys;
  logic [Entries-1:0] used, throttled, holds;
  assign keys = {
    \u_channels.u_table.key_mem[3] , \u_channels.u_table.key_mem[2] , \u_channels.u_table.key_mem[1] , \u_channels.u_table.key_mem[0]
  };
  assign used = {\u_channels.u_table.used_mem[1] , \u_channels.u_table.used_mem[0] };
  assign throttled = {
    \u_channels.u_states.flags_mem[3] [2], \u_channels.u_states.flags_mem[2] [2], \u_channels.u_states.flags_mem[1] [2],
    \u_channels.u_states.flags_mem[0] [2]
  };
  assign holds = {
    \u_channels.u_states.held_mem[3] != '0, \u_channels.u_states.held_mem[2] != '0, \u_channels.u_states.held_mem[1] != '0,
    \u_channels.u_states.held_mem[0] != '0
  };

  logic comes, has_entry, in_set, goes_on;
  assign comes = on_i && valid_i && enters_i && header_i.hop == '0 && header_i.dst != '1 && header_i.kind != tilefly_pkg::KIND_RED &&
      {header_i.tc, header_i.dst} == victim_q;
  always_comb begin
    has_entry = 1'b0;
    in_set    = 1'b1;
    goes_on   = 1'b1;
    for (int e = 0; e < Entries; e++) begin
      if (used[e] && ^keys[KeyW*e+:KeyW] != (e >= 2)) in_set = 1'b0;
      if (used[e] && keys[KeyW*e+:KeyW] == victim_q) begin
        has_entry = 1'b1;
        if (throttled[e] || holds[e]) goes_on = 1'b0;
      end
    end
  end

  always_comb begin
    ENV_unmarked : assume (!(home_i && !ack_i.by_class && {ack_i.tc, ack_i.dst} == victim_q && ack_i.mark));
    COV_unmarked : cover (started_q && home_i && !ack_i.by_class && {ack_i.tc, ack_i.dst} == victim_q && has_entry);
    if (started_q) begin
      victim_is_sent : assert (!(comes && has_entry) || !held);
      held_by_class_alone : assert (!(comes && held) || (full && channel >= 11'(Entries)));
      // What is what.
      victims_go_on : assert (goes_on);
      key_in_its_set : assert (in_set);
    end
    COV_beside : cover (started_q && comes && has_entry && (throttled & used & holds) != '0);
    COV_full : cover (started_q && comes && sent_by_class);
    COV_release : cover (started_q && comes && has_entry && go_valid);
  end

endmodule
