// SPDX-License-Identifier: Apache-2.0
// FLOW-6: tilefly_flow_settle and its fifos with any steps: a channel is at most once in each fifo, its flags say whether it is, and the fifos
// have room; a channel that holds packets and may send is ready (the half of FLOW-3 that is settled here).
// Two entries and a class channel; the steps are a packet, a release, an ack or a sweep, and the telling of the NIC. They may leave any
// cells, window and throttle; packets held come by the packet alone and go by the release alone; flags are cleared by those who pop.

module flow_once (
    input logic       clk_i,
    input logic [3:0] step_i,
    input logic [7:0] channel_i,
    input logic [3:0] asks_i,
    // what the steps leave
    input logic [3:0] throttled_i,
    input logic [3:0] begins_i,
    input logic [7:0] cells_i,
    input logic [7:0] window_i,
    input logic       adds_i,
    input logic       last_i
);

  localparam int StateW = tilefly_flows_pkg::CHANNEL_W;
  localparam logic [1:0] ClassChannel = 2'd2;

  logic started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;

  logic [2:0] used_q, ready_q, tell_q, holds_q;  // by channel; the class channel is always in use
  logic [2:0] throttled_q, sends_q;  // as the latest step has left it
  logic ready_empty, tell_empty, tell_head;
  logic [1:0] ready_head;
  logic [3:0] step, frees;
  logic [7:0] channel;
  logic [4*StateW-1:0] states, settled;
  logic pops, tells;
  assign pops  = step_i[1] && !ready_empty;
  assign tells = step_i[3] && !tell_empty;

  // Steps one after the other, each on what those before it have left.
  logic [3:0] asks;  // the NIC is told of entries
  logic [2:0] ready_now, tell_now, holds_now, used_now;
  logic [1:0] at;
  tilefly_flows_pkg::channel_t state;
  always_comb begin
    ready_now = ready_q;
    tell_now  = tell_q;
    holds_now = holds_q;
    used_now  = used_q;
    step      = '0;
    asks      = '0;
    channel   = '0;
    states    = '0;
    at        = '0;
    state     = '0;
    for (int s = 0; s < 4; s++) begin
      at = s == 1 ? ready_head : s == 3 ? {1'b0, tell_head} : channel_i[2*s+:2];
      step[s] = s == 1 ? pops : s == 3 ? tells : step_i[s] && at <= ClassChannel && (s == 0 || used_now[at]);
      if (step[s]) begin
        ready_now[at] = ready_now[at] && used_now[at];
        tell_now[at]  = tell_now[at] && used_now[at];
        holds_now[at] = holds_now[at] && used_now[at];
        used_now[at] = 1'b1;
        if (s == 0 && adds_i) holds_now[at] = 1'b1;
        if (s == 1) ready_now[at] = 1'b0;
        if (s == 1 && last_i) holds_now[at] = 1'b0;
        if (s == 3) tell_now[at] = 1'b0;
        state           = '0;
        state.ready     = ready_now[at];
        state.tell      = tell_now[at];
        state.held      = 3'(holds_now[at]);
        state.throttled = throttled_i[s];
        state.begins    = begins_i[s];
        state.cells     = 3'(cells_i[2*s+:2]);
        state.window    = 3'(window_i[2*s+:2]);
        channel[2*s+:2] = at;
        asks[s] = asks_i[s] && s != 3 && at != ClassChannel;
        states[StateW*s+:StateW] = state;
      end
    end
  end

  tilefly_flow_settle #(
      .Steps  (4),
      .EntryW (1),
      .Classes(1)
  ) u_settle (
      .clk_i,
      .rst_ni       (started_q),
      .clear_i      (1'b0),
      .step_i       (step),
      .channel_i    (channel),
      .state_i      (states),
      .tell_i       (asks),
      .state_o      (settled),
      .free_o       (frees),
      .ready_pop_i  (pops),
      .ready_o      (ready_head),
      .ready_empty_o(ready_empty),
      .tell_pop_i   (tells),
      .tell_o       (tell_head),
      .tell_empty_o (tell_empty)
  );

  logic [2:0] used_d, ready_d, tell_d, holds_d, throttled_d, sends_d;
  tilefly_flows_pkg::channel_t left;
  always_comb begin
    {used_d, ready_d, tell_d, holds_d, throttled_d, sends_d} = {used_now, ready_q, tell_q, holds_q, throttled_q, sends_q};
    left = '0;
    for (int s = 0; s < 4; s++) begin
      if (step[s]) begin
        left = settled[StateW*s+:StateW];
        ready_d[channel[2*s+:2]]     = left.ready;
        tell_d[channel[2*s+:2]]      = left.tell;
        holds_d[channel[2*s+:2]]     = left.held != '0;
        throttled_d[channel[2*s+:2]] = left.throttled;
        sends_d[channel[2*s+:2]]     = !(left.throttled || left.begins) || left.cells == '0 || left.cells < left.window;
      end
    end
    for (int s = 0; s < 4; s++) begin
      if (frees[s]) used_d[channel[2*s+:2]] = 1'b0;
    end
  end
  always @(posedge clk_i) begin
    {used_q, ready_q, tell_q, holds_q, throttled_q, sends_q} <= {used_d, ready_d, tell_d, holds_d, throttled_d, sends_d};
    if (!started_q) {used_q, ready_q, tell_q, holds_q, throttled_q, sends_q} <= {3'b100, 15'd0};
  end

  (* hierconn *) wire [1:0] \u_settle.u_ready.mem[0] , \u_settle.u_ready.mem[1] , \u_settle.u_ready.mem[2] ;
  (* hierconn *) wire [1:0] \u_settle.u_ready.read_q , \u_settle.u_ready.write_q , \u_settle.u_ready.count_q ;
  (* hierconn *) wire \u_settle.u_tell.mem[0] , \u_settle.u_tell.mem[1] , \u_settle.u_tell.read_q , \u_settle.u_tell.write_q ;
  (* hierconn *) wire [1:0] \u_settle.u_tell.count_q ;

  // How often each channel is in the fifos.
  logic once, flags, names, ready_all;
  logic [1:0] times_ready, times_tell, slot;
  logic [5:0] ready_mem;
  logic [1:0] tell_mem;
  logic place;
  logic [2:0] ahead;
  assign ahead = 3'(\u_settle.u_ready.read_q ) + 3'(\u_settle.u_ready.count_q );
  assign ready_mem = {\u_settle.u_ready.mem[2] , \u_settle.u_ready.mem[1] , \u_settle.u_ready.mem[0] };
  assign tell_mem  = {\u_settle.u_tell.mem[1] , \u_settle.u_tell.mem[0] };
  always_comb begin
    once        = 1'b1;
    flags       = 1'b1;
    names       = 1'b1;
    ready_all   = 1'b1;
    times_ready = '0;
    times_tell  = '0;
    slot        = '0;
    place       = 1'b0;
    for (int c = 0; c < 3; c++) begin
      times_ready = '0;
      times_tell  = '0;
      slot        = \u_settle.u_ready.read_q ;
      for (int i = 0; i < 3; i++) begin
        if (i < 32'(\u_settle.u_ready.count_q )) begin
          if (32'(ready_mem[2*slot+:2]) == c) times_ready = times_ready + 2'd1;
          if (ready_mem[2*slot+:2] > ClassChannel) names = 1'b0;
        end
        slot = slot == 2'd2 ? '0 : slot + 2'd1;
      end
      for (int i = 0; i < 2; i++) begin
        place = \u_settle.u_tell.read_q ^ (i == 1);
        if (i < 32'(\u_settle.u_tell.count_q ) && 32'(tell_mem[place]) == c) times_tell = times_tell + 2'd1;
      end
      if (times_ready > 2'd1 || times_tell > 2'd1) once = 1'b0;
      if ((times_ready == 2'd1) != (used_q[c] && ready_q[c]) || (times_tell == 2'd1) != (used_q[c] && tell_q[c])) flags = 1'b0;
      if (used_q[c] && (ready_q[c] && !holds_q[c])) ready_all = 1'b0;
      if (used_q[c] && holds_q[c] && sends_q[c] && !ready_q[c]) ready_all = 1'b0;
    end
  end

  always_comb begin
    if (started_q) begin
      at_most_once : assert (once);
      flags_say_so : assert (flags);
      who_holds_and_may_send_is_ready : assert (ready_all);
      ready_fits : assert (\u_settle.u_ready.count_q <= 2'd3);
      tell_fits : assert (\u_settle.u_tell.count_q <= 2'd2);
      names_are : assert (names && used_q[2]);
      places_are : assert (\u_settle.u_ready.read_q < 2'd3 &&
                           (3'(\u_settle.u_ready.write_q ) == ahead || 3'(\u_settle.u_ready.write_q ) + 3'd3 == ahead) &&
                           \u_settle.u_ready.write_q < 2'd3 &&
                           \u_settle.u_tell.write_q == (\u_settle.u_tell.read_q ^ \u_settle.u_tell.count_q [0]));
    end
    COV_all : cover (started_q && \u_settle.u_ready.count_q == 2'd3 && \u_settle.u_tell.count_q == 2'd2 && pops && tells);
    COV_again : cover (started_q && pops && ready_d[ready_head] && used_d[ready_head] && frees != '0);
  end

endmodule
