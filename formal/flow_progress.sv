// SPDX-License-Identifier: Apache-2.0
// FLOW-9: at most one packet a cycle enters the queue stage, and a release waits at most one cycle. If the pipeline
// leaves one cycle in two free, a channel that holds packets, any one, releases its first packet within 2 L sweeps of 4
// cycles and two cycles for each channel, whatever acks come, or none. The time begins anew when an ack takes some but
// not all cells of the channel's older generation. L is the longest deadline that a sweep can count; the registers may
// change in any cycle.
// A held packet waits for the deadline of the cells in flight first, and then for its channel's turn in the ready fifo.

module flow_progress (
    input logic                    clk_i,
    input tilefly_pkg::cfg_t       cfg_i,
    input logic                    live_i,
    input logic                    valid_i,
    input logic                    enters_i,
    input logic                    again_i,
    input tilefly_pkg::header_t    header_i,
    input logic              [1:0] packet_i,
    input logic              [6:0] cells_i,
    input logic                    decides_i,
    input logic             [13:0] came_via_i,
    input logic                    home_i,
    input tilefly_pkg::ack_t       ack_i,
    /// the channel that is followed
    input logic              [2:0] watch_i
);

  localparam int KeyW = tilefly_flows_pkg::KEY_W;
  localparam int CountW = tilefly_flows_pkg::COUNT_W;
  localparam int TimeW = tilefly_flows_pkg::TIME_W;
  localparam int WindowW = tilefly_flows_pkg::WINDOW_W;
  localparam int Channels = 6;
  localparam int Sweep = 4;
  localparam int Deadline = 2 ** TimeW - 1;  // L
  localparam int Forgotten = 2 * Deadline * Sweep;
  localparam int Bound = Forgotten + 2 * Channels;

  logic started_q = 1'b0;
  logic [1:0] place_q;  // of the sweep
  logic [2:0] watch_q;  // chosen once
  logic held, full, go_valid, pops;
  logic [2:0] channel, go_channel, first_place;
  logic [KeyW-1:0] key, ack_key;
  logic [4*KeyW-1:0] keys;
  logic [5:0] used, gens, limited, ready, pending;
  logic [6*CountW-1:0] cells, old;
  logic [6*TimeW-1:0] age;
  logic [6*WindowW-1:0] window, holds;
  logic [17:0] line;
  tilefly_pkg::flow_channel_t registers;

  flow_port u_port (
      .clk_i,
      .rst_ni      (started_q),
      .place_i     (place_q),
      .cfg_i,
      .on_i        (1'b1),
      .live_i,
      .valid_i,
      .enters_i,
      .again_i,
      .header_i,
      .packet_i,
      .cells_i,
      .decides_i,
      .came_via_i,
      .home_i,
      .ack_i,
      .held_o      (held),
      .full_o      (full),
      .channel_o   (channel),
      .go_channel_o(go_channel),
      .go_valid_o  (go_valid),
      .pops_o      (pops),
      .key_o       (key),
      .ack_key_o   (ack_key),
      .keys_o      (keys),
      .used_o      (used),
      .gen_o       (gens),
      .limited_o   (limited),
      .ready_o     (ready),
      .cells_o     (cells),
      .old_o       (old),
      .age_o       (age),
      .window_o    (window),
      .holds_o     (holds),
      .pending_o   (pending),
      .line_o      (line),
      .first_o     (first_place),
      .register_o  (registers)
  );

  // The channel that is followed: what it has, and its turn in the ready fifo.
  logic waits, flies, old_flies, new_flies, gen_is;
  logic [TimeW-1:0] age_is;
  logic [2:0] turn;
  logic [WindowW-1:0] held_before;  // cells held by the channel that holds the cycle's packet
  always_comb begin
    {waits, old_flies, new_flies, gen_is, age_is, held_before} = '0;
    for (int c = 0; c < Channels; c++) begin
      if (32'(watch_q) == c) begin
        waits     = used[c] && holds[WindowW*c+:WindowW] != '0;
        new_flies = cells[CountW*c+:CountW] != '0;
        old_flies = old[CountW*c+:CountW] != '0;
        gen_is    = gens[c];
        age_is    = age[TimeW*c+:TimeW];
      end
      if (32'(channel) == c) held_before = holds[WindowW*c+:WindowW];
    end
    flies = old_flies || new_flies;
    turn  = 3'd7;
    for (int i = 0; i < Channels; i++) begin
      if (pending[i] && line[3*i+:3] == watch_q) begin
        turn = 3'(i) - first_place + (i < 32'(first_place) ? 3'(Channels) : '0);
      end
    end
  end

  // Cycles until the sweeps have forgotten all that is in flight: sweeps that it takes, and the first of them.
  logic [5:0] old_sweeps, sweeps, first, to_go;
  assign old_sweeps = 32'(age_is) >= Deadline ? 6'd1 : 6'(Deadline) - 6'(age_is);
  assign sweeps     = !old_flies ? 6'(Deadline) + 6'd1 : old_sweeps + (new_flies ? 6'(Deadline) : '0);
  assign first      = 6'(2'(watch_q[1:0] - place_q));
  assign to_go      = first + 6'(Sweep) * (sweeps - 6'd1) + 6'd1;

  logic piped, piped_q, late, late_q, goes;
  logic [5:0] wait_q, waited;  // cycles since the first packet is the first, or since the deadline began anew
  logic anew, gen_q, old_flies_q, swept_q;
  logic [TimeW-1:0] age_q;
  // A sweep makes the generation older, whatever an ack of the cycle does before.
  assign anew   = old_flies && old_flies_q && gen_is == gen_q && 3'(age_is) < 3'(age_q) + 3'(swept_q);
  assign waited = anew ? '0 : wait_q;
  assign piped = valid_i && enters_i && !held;
  assign late  = pending != '0 && !pops;
  assign goes  = go_valid && go_channel == watch_q;

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    place_q   <= place_q + 2'd1;
    piped_q   <= started_q && piped;
    late_q    <= started_q && late;
    wait_q    <= started_q && waits && !goes ? waited + 6'd1 : '0;
    gen_q       <= gen_is;
    age_q       <= age_is;
    old_flies_q <= old_flies;
    swept_q     <= place_q == watch_q[1:0];
    if (!started_q) watch_q <= 32'(watch_i) < Channels ? watch_i : '0;
  end

  always_comb begin
    ENV_fits : assume (!held || (cells_i != '0 && 8'(held_before) + 8'(cells_i) <= 8'(2 ** WindowW - 1)));
    COV_fits : cover (started_q && held && held_before != '0 && 8'(held_before) + 8'(cells_i) == 8'(2 ** WindowW - 1));
    ENV_half : assume (!started_q || !piped || !piped_q);
    COV_half : cover (started_q && late && piped);
    if (started_q) begin
      one_enters : assert (!(piped && go_valid));
      waits_one_cycle : assert (!(late && late_q));
      in_time : assert (32'(waited) < Bound);
      // What is what.
      watched_is : assert (32'(watch_q) < Channels);
      waits_alone : assert (waits || waited == '0);
      late_is : assert (!late_q || piped_q);
      forgets_in_time : assert (!waits || !flies || 32'(waited) + 32'(to_go) <= Forgotten);
      turn_comes : assert (!waits || flies || 32'(waited) + 2 * 32'(turn) + 2 <= Bound + 32'(piped_q));
    end
    COV_released : cover (started_q && goes && wait_q != '0 && piped_q);
    COV_anew : cover (started_q && waits && anew && wait_q > 6'(Sweep));
    COV_forgotten : cover (started_q && goes && !flies && 32'(wait_q) > Sweep);
  end

endmodule
