// SPDX-License-Identifier: Apache-2.0
// tilefly_flow_channels with any packets, acks and registers: a key is in use at most once, and in its set (FLOW-5); a channel is at most
// once in each fifo, and its flags say whether it is (FLOW-6); no fifo overflows, and none gives what is not in it.

module flow_once (
    input logic       clk_i,
    input logic       valid_i,
    input logic       passes_i,
    input logic [2:0] dst_i,
    input logic       home_i,
    input logic       mark_i,
    input logic       by_class_i,
    input logic       gen_i,
    input logic [2:0] ack_dst_i,
    input logic [1:0] ack_cells_i,
    input logic [2:0] share_i
);

  logic started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;

  logic room, held, go;

  flow_small u_small (
      .clk_i,
      .rst_ni(started_q),
      .valid_i,
      .passes_i,
      .dst_i,
      .home_i,
      .mark_i,
      .by_class_i,
      .gen_i,
      .ack_dst_i,
      .ack_cells_i,
      .share_i,
      .room_o(room),
      .held_o(held),
      .go_o  (go)
  );

  // What is in the table and in the fifos.
  (* hierconn *) wire [22:0] \u_small.u_channels.u_table.key_mem[0] , \u_small.u_channels.u_table.key_mem[1] ;
  (* hierconn *) wire [22:0] \u_small.u_channels.u_table.key_mem[2] , \u_small.u_channels.u_table.key_mem[3] ;
  (* hierconn *) wire [1:0] \u_small.u_channels.u_table.used_mem[0] , \u_small.u_channels.u_table.used_mem[1] ;
  (* hierconn *) wire [2:0] \u_small.u_channels.u_settle.u_ready.mem[0] , \u_small.u_channels.u_settle.u_ready.mem[1] ;
  (* hierconn *) wire [2:0] \u_small.u_channels.u_settle.u_ready.mem[2] , \u_small.u_channels.u_settle.u_ready.mem[3] ;
  (* hierconn *) wire [2:0] \u_small.u_channels.u_settle.u_ready.mem[4] , \u_small.u_channels.u_settle.u_ready.mem[5] ;
  (* hierconn *) wire [2:0] \u_small.u_channels.u_settle.u_ready.read_q , \u_small.u_channels.u_settle.u_ready.count_q ;
  (* hierconn *) wire [1:0] \u_small.u_channels.u_settle.u_tell.mem[0] , \u_small.u_channels.u_settle.u_tell.mem[1] ;
  (* hierconn *) wire [1:0] \u_small.u_channels.u_settle.u_tell.mem[2] , \u_small.u_channels.u_settle.u_tell.mem[3] ;
  (* hierconn *) wire [1:0] \u_small.u_channels.u_settle.u_tell.read_q ;
  (* hierconn *) wire [2:0] \u_small.u_channels.u_settle.u_tell.count_q ;
  (* hierconn *) wire [3:0] \u_small.u_channels.u_states.flags_mem[0] , \u_small.u_channels.u_states.flags_mem[1] ;
  (* hierconn *) wire [3:0] \u_small.u_channels.u_states.flags_mem[2] , \u_small.u_channels.u_states.flags_mem[3] ;
  (* hierconn *) wire [3:0] \u_small.u_channels.u_states.flags_mem[4] , \u_small.u_channels.u_states.flags_mem[5] ;

  logic [91:0] keys;
  logic [3:0] used;
  logic [17:0] ready;
  logic [7:0] tell;
  logic [23:0] flags;
  assign keys  = {\u_small.u_channels.u_table.key_mem[3] , \u_small.u_channels.u_table.key_mem[2] ,
                  \u_small.u_channels.u_table.key_mem[1] , \u_small.u_channels.u_table.key_mem[0] };
  assign used  = {\u_small.u_channels.u_table.used_mem[1] , \u_small.u_channels.u_table.used_mem[0] };
  assign ready = {\u_small.u_channels.u_settle.u_ready.mem[5] , \u_small.u_channels.u_settle.u_ready.mem[4] ,
                  \u_small.u_channels.u_settle.u_ready.mem[3] , \u_small.u_channels.u_settle.u_ready.mem[2] ,
                  \u_small.u_channels.u_settle.u_ready.mem[1] , \u_small.u_channels.u_settle.u_ready.mem[0] };
  assign tell  = {\u_small.u_channels.u_settle.u_tell.mem[3] , \u_small.u_channels.u_settle.u_tell.mem[2] ,
                  \u_small.u_channels.u_settle.u_tell.mem[1] , \u_small.u_channels.u_settle.u_tell.mem[0] };
  assign flags = {\u_small.u_channels.u_states.flags_mem[5] , \u_small.u_channels.u_states.flags_mem[4] ,
                  \u_small.u_channels.u_states.flags_mem[3] , \u_small.u_channels.u_states.flags_mem[2] ,
                  \u_small.u_channels.u_states.flags_mem[1] , \u_small.u_channels.u_states.flags_mem[0] };

  // How often each channel is in the fifos, and whether its flags say so. Flags of an entry that is not in use do not count.
  logic keys_once, in_set, ready_once, tell_once, ready_flags, tell_flags;
  logic [2:0] times_ready, times_tell, at;
  always_comb begin
    keys_once   = 1'b1;
    in_set      = 1'b1;
    ready_once  = 1'b1;
    tell_once   = 1'b1;
    ready_flags = 1'b1;
    tell_flags  = 1'b1;
    times_ready = '0;
    times_tell  = '0;
    at          = '0;
    for (int e = 0; e < 4; e++) begin
      if (used[e] && ^keys[23*e+:23] != (e >= 2)) in_set = 1'b0;
      for (int o = 0; o < e; o++) begin
        if (used[e] && used[o] && keys[23*e+:23] == keys[23*o+:23]) keys_once = 1'b0;
      end
    end
    for (int c = 0; c < 6; c++) begin
      times_ready = '0;
      times_tell  = '0;
      at          = \u_small.u_channels.u_settle.u_ready.read_q ;
      for (int i = 0; i < 6; i++) begin
        if (3'(i) < \u_small.u_channels.u_settle.u_ready.count_q && ready[3*at+:3] == 3'(c)) times_ready = times_ready + 3'd1;
        at = at == 3'd5 ? '0 : at + 3'd1;
      end
      for (int i = 0; i < 4; i++) begin
        at = 3'(2'(\u_small.u_channels.u_settle.u_tell.read_q + 2'(i)));
        if (3'(i) < \u_small.u_channels.u_settle.u_tell.count_q && 3'(tell[2*at+:2]) == 3'(c)) times_tell = times_tell + 3'd1;
      end
      if (times_ready > 3'd1) ready_once = 1'b0;
      if (times_tell > 3'd1) tell_once = 1'b0;
      if (times_ready != '0 ? !(c >= 4 || used[c[1:0]]) || !flags[4*c+1] : (c >= 4 || used[c[1:0]]) && flags[4*c+1]) ready_flags = 1'b0;
      if (c < 4 && (times_tell != '0 ? !used[c[1:0]] || !flags[4*c] : used[c[1:0]] && flags[4*c])) tell_flags = 1'b0;
    end
  end

  always_comb begin
    ENV_room : assume (!valid_i || room);
    COV_room : cover (started_q && valid_i && held && !go);
    if (started_q) begin
      key_once : assert (keys_once);
      key_in_its_set : assert (in_set);
      once_ready : assert (ready_once);
      once_told_of : assert (tell_once);
      flag_of_ready : assert (ready_flags);
      flag_of_tell : assert (tell_flags);
      ready_fits : assert (\u_small.u_channels.u_settle.u_ready.count_q <= 3'd6);
      tell_fits : assert (\u_small.u_channels.u_settle.u_tell.count_q <= 3'd4);
    end
    COV_full : cover (started_q && used == '1 && by_class_i && home_i && \u_small.u_channels.u_settle.u_tell.count_q == 3'd2);
  end

endmodule
