// SPDX-License-Identifier: Apache-2.0
// FLOW-5: tilefly_flow_table with any packets, acks and entries that become free: a key is in use at most once, and in its set. An ack finds
// the entry that has its key, that of the cycle's packet too, and none else.

module flow_keys (
    input logic                                clk_i,
    input logic                                find_i,
    input logic [tilefly_flows_pkg::KEY_W-1:0] key_i,
    input logic                                take_i,
    input logic                                ack_i,
    input logic [tilefly_flows_pkg::KEY_W-1:0] ack_key_i,
    input logic                          [1:0] sweep_entry_i,
    input logic                          [1:0] tell_entry_i,
    input logic                          [1:0] free_i,
    input logic                          [3:0] free_entry_i
);

  localparam int KEY_W = tilefly_flows_pkg::KEY_W;

  logic started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;

  logic found, room, ack_found, swept, empty;
  logic [1:0] entry, ack_entry;
  logic [KEY_W-1:0] tell_key;

  tilefly_flow_table #(
      .SetBits(1),
      .Ways   (2),
      .Frees  (2)
  ) u_table (
      .clk_i,
      .rst_ni       (started_q),
      .clear_i      (1'b0),
      .find_i,
      .find_key_i   (key_i),
      .found_o      (found),
      .room_o       (room),
      .entry_o      (entry),
      .take_i,
      .ack_i,
      .ack_key_i,
      .ack_found_o  (ack_found),
      .ack_entry_o  (ack_entry),
      .sweep_entry_i,
      .sweep_used_o (swept),
      .tell_i       (1'b1),
      .tell_entry_i,
      .tell_key_o   (tell_key),
      .free_i,
      .free_entry_i,
      .empty_o      (empty)
  );

  (* hierconn *) wire [KEY_W-1:0] \u_table.key_mem[0] , \u_table.key_mem[1] , \u_table.key_mem[2] , \u_table.key_mem[3] ;
  (* hierconn *) wire [1:0] \u_table.used_mem[0] , \u_table.used_mem[1] ;
  (* hierconn *) wire [1:0] \u_table.known_q ;
  (* hierconn *) wire [2:0] \u_table.count_q ;
  logic [4*KEY_W-1:0] keys;
  logic [3:0] used, with_taken;
  assign keys       = {\u_table.key_mem[3] , \u_table.key_mem[2] , \u_table.key_mem[1] , \u_table.key_mem[0] };
  assign used       = {\u_table.known_q [1] ? \u_table.used_mem[1] : 2'b00, \u_table.known_q [0] ? \u_table.used_mem[0] : 2'b00};
  assign with_taken = used | (take_i ? 4'd1 << entry : 4'd0);

  logic once, in_set, acks_key;
  logic [2:0] count;
  always_comb begin
    once     = 1'b1;
    in_set   = 1'b1;
    acks_key = 1'b0;
    count    = '0;
    for (int e = 0; e < 4; e++) begin
      count = count + 3'(used[e]);
      if (used[e] && ^keys[KEY_W*e+:KEY_W] != (e >= 2)) in_set = 1'b0;
      if (used[e] && keys[KEY_W*e+:KEY_W] == ack_key_i) acks_key = 1'b1;
      for (int o = 0; o < e; o++) begin
        if (used[e] && used[o] && keys[KEY_W*e+:KEY_W] == keys[KEY_W*o+:KEY_W]) once = 1'b0;
      end
    end
  end

  always_comb begin
    // Users take what is free, and free what is in use, once.
    ENV_take : assume (!take_i || (find_i && !found && room));
    COV_take : cover (started_q && take_i && entry == 2'd3);
    ENV_free : assume ((!free_i[0] || with_taken[free_entry_i[1:0]]) && (!free_i[1] || with_taken[free_entry_i[3:2]]) &&
                       (free_i != 2'd3 || free_entry_i[1:0] != free_entry_i[3:2]));
    COV_free : cover (started_q && free_i == 2'd3 && take_i && free_entry_i[1:0] == entry && used[1:0] == '1);
    if (started_q) begin
      key_once : assert (once);
      key_in_its_set : assert (in_set);
      free_when_taken : assert (!take_i || !used[entry]);
      ack_finds : assert (!ack_i || ack_found == (acks_key || (take_i && ack_key_i == key_i)));
      ack_finds_its : assert (!ack_i || !ack_found || (take_i && ack_entry == entry ? ack_key_i == key_i :
                                                       used[ack_entry] && keys[KEY_W*ack_entry+:KEY_W] == ack_key_i));
      count_is : assert (\u_table.count_q == count);
    end
    COV_full : cover (started_q && used == '1 && find_i && !found && ack_i && ack_found);
  end

endmodule
