// SPDX-License-Identifier: Apache-2.0
// tilefly_flow_channels with any packets, acks and registers: a key is in use at most once, and in its set (FLOW-5); a channel is at most
// once in each fifo, and its flags say whether it is (FLOW-6); the fifos have room. The asserts `..._is` say what is where.

module flow_once (
    input logic       clk_i,
    input logic       valid_i,
    input logic       other_i,
    input logic [2:0] key_i,
    input logic       home_i,
    input logic       mark_i,
    input logic [2:0] share_i,
    input logic       by_class_i,
    input logic       gen_i,
    input logic [2:0] ack_key_i,
    input logic [1:0] ack_cells_i
);

  logic started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;

  logic room, held, go;
  logic [91:0] keys;
  logic [3:0] used;
  logic [23:0] flags;
  logic [17:0] held_cells, ready;
  logic [7:0] tell;
  logic [2:0] ready_read, ready_write, ready_count, tell_count;
  logic [1:0] tell_read, tell_write;

  flow_small u_small (
      .clk_i,
      .rst_ni       (started_q),
      .valid_i,
      .other_i,
      .key_i,
      .home_i,
      .mark_i,
      .share_i,
      .by_class_i,
      .gen_i,
      .ack_key_i,
      .ack_cells_i,
      .room_o       (room),
      .held_o       (held),
      .go_o         (go),
      .keys_o       (keys),
      .used_o       (used),
      .flags_o      (flags),
      .held_cells_o (held_cells),
      .ready_o      (ready),
      .tell_o       (tell),
      .ready_read_o (ready_read),
      .ready_write_o(ready_write),
      .ready_count_o(ready_count),
      .tell_read_o  (tell_read),
      .tell_write_o (tell_write),
      .tell_count_o (tell_count)
  );

  // How often each channel is in the fifos, and whether its flags say so. What is written of an entry that is not in use does not count.
  logic keys_once, in_set, ready_once, tell_once, ready_said, tell_said, ready_holds, names;
  logic [2:0] times_ready, times_tell, at;
  logic in_use;
  always_comb begin
    keys_once   = 1'b1;
    in_set      = 1'b1;
    ready_once  = 1'b1;
    tell_once   = 1'b1;
    ready_said  = 1'b1;
    tell_said   = 1'b1;
    ready_holds = 1'b1;
    names       = 1'b1;
    times_ready = '0;
    times_tell  = '0;
    at          = '0;
    in_use      = 1'b0;
    for (int e = 0; e < 4; e++) begin
      if (used[e] && ^keys[23*e+:23] != (e >= 2)) in_set = 1'b0;
      for (int o = 0; o < e; o++) begin
        if (used[e] && used[o] && keys[23*e+:23] == keys[23*o+:23]) keys_once = 1'b0;
      end
    end
    for (int c = 0; c < 6; c++) begin
      in_use      = c >= 4 || used[c%4];
      times_ready = '0;
      times_tell  = '0;
      at          = ready_read;
      for (int i = 0; i < 6; i++) begin
        if (3'(i) < ready_count && ready[3*at+:3] == 3'(c)) times_ready = times_ready + 3'd1;
        if (3'(i) < ready_count && ready[3*at+:3] > 3'd5) names = 1'b0;
        at = at == 3'd5 ? '0 : at + 3'd1;
      end
      for (int i = 0; i < 4; i++) begin
        at = 3'(2'(tell_read + 2'(i)));
        if (3'(i) < tell_count && 3'(tell[2*at+:2]) == 3'(c)) times_tell = times_tell + 3'd1;
      end
      if (times_ready > 3'd1) ready_once = 1'b0;
      if (times_tell > 3'd1) tell_once = 1'b0;
      if ((times_ready != '0) != (in_use && flags[4*c+1])) ready_said = 1'b0;
      if ((times_tell != '0) != (in_use && flags[4*c])) tell_said = 1'b0;
      if (in_use && flags[4*c+1] && held_cells[3*c+:3] == '0) ready_holds = 1'b0;
    end
  end

  always_comb begin
    ENV_room : assume (!valid_i || room);
    COV_room : cover (started_q && valid_i && held && go);
    if (started_q) begin
      key_once : assert (keys_once);
      key_in_its_set : assert (in_set);
      once_ready : assert (ready_once);
      once_told_of : assert (tell_once);
      flag_of_ready : assert (ready_said);
      flag_of_tell : assert (tell_said);
      ready_fits : assert (ready_count <= 3'd6);
      tell_fits : assert (tell_count <= 3'd4);
      ready_is : assert (ready_holds);
      names_are : assert (names);
      places_are : assert (ready_read < 3'd6 && ready_write == 3'((4'(ready_read) + 4'(ready_count)) % 4'd6) &&
                           tell_write == 2'(tell_read + tell_count[1:0]));
    end
    COV_two_told_of : cover (started_q && used == '1 && tell_count == 3'd2);
  end

endmodule
