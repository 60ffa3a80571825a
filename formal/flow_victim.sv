// SPDX-License-Identifier: Apache-2.0
// FLOW-7: a packet is held only behind other packets of its channel, or when the channel fills its window. A key of
// which no ack is marked, any one: its packets that have an entry are sent in their cycle, whatever marks the other
// keys and the class channels get. New entries have no first window: FLOW_CHANNEL.first is 0. Packets, acks, other
// registers and pipeline are any; flow channels may be switched off and on.

module flow_victim (
    input logic                    clk_i,
    input tilefly_pkg::cfg_t       cfg_i,
    input logic                    on_i,
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
    input logic              [1:0] place_i,
    /// the key
    input logic [tilefly_flows_pkg::KEY_W-1:0] victim_i
);

  localparam int KeyW = tilefly_flows_pkg::KEY_W;
  localparam int CountW = tilefly_flows_pkg::COUNT_W;
  localparam int WindowW = tilefly_flows_pkg::WINDOW_W;

  logic started_q = 1'b0;
  logic [KeyW-1:0] victim_q;  // chosen once
  always @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!started_q) victim_q <= victim_i;
  end

  logic held, full, go_valid, pops;
  logic [2:0] channel, go_channel, first_place;
  logic [KeyW-1:0] key, ack_key;
  logic [4*KeyW-1:0] keys;
  logic [5:0] used, gens, limited, ready, pending;
  logic [6*CountW-1:0] cells, old;
  logic [6*tilefly_flows_pkg::TIME_W-1:0] age;
  logic [6*WindowW-1:0] window, holds;
  logic [17:0] line;
  tilefly_pkg::flow_channel_t registers, written;
  assign written = tilefly_pkg::get_flow_channel(cfg_i.data);

  flow_port u_port (
      .clk_i,
      .rst_ni      (started_q),
      .place_i,
      .cfg_i,
      .on_i,
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

  // A packet of the key comes; whether it has an entry, and what the entry is like.
  logic comes, has_entry, in_set, goes_on, other_waits;
  assign comes = on_i && valid_i && enters_i && !again_i && header_i.hop == '0 &&
      header_i.kind != tilefly_pkg::KIND_RED && key == victim_q;
  always_comb begin
    has_entry   = 1'b0;
    in_set      = 1'b1;
    goes_on     = 1'b1;
    other_waits = 1'b0;
    for (int e = 0; e < 4; e++) begin
      if (used[e] && ^keys[KeyW*e+:KeyW] != (e >= 2)) in_set = 1'b0;
      if (used[e] && keys[KeyW*e+:KeyW] == victim_q) begin
        has_entry = 1'b1;
        if (limited[e] || holds[WindowW*e+:WindowW] != '0) goes_on = 1'b0;
      end else begin
        other_waits = other_waits || (used[e] && limited[e] && holds[WindowW*e+:WindowW] != '0);
      end
    end
  end

  // The channel of a packet that is held, as committed.
  logic held_used, held_limited;
  logic [CountW:0] held_flight;
  logic [WindowW-1:0] held_window, held_before;
  always_comb begin
    {held_used, held_limited, held_flight, held_window, held_before} = '0;
    for (int c = 0; c < 6; c++) begin
      if (32'(channel) == c) begin
        held_used      = used[c];
        held_limited   = limited[c];
        held_flight    = {1'b0, cells[CountW*c+:CountW]} + {1'b0, old[CountW*c+:CountW]};
        held_window    = window[WindowW*c+:WindowW];
        held_before    = holds[WindowW*c+:WindowW];
      end
    end
  end

  always_comb begin
    ENV_fits : assume (!held || (cells_i != '0 && 8'(held_before) + 8'(cells_i) <= 8'(2 ** WindowW - 1)));
    COV_fits : cover (started_q && held && held_before != '0 && 8'(held_before) + 8'(cells_i) == 8'(2 ** WindowW - 1));
    ENV_no_first_window : assume (written.first == '0);
    COV_no_first_window : cover (started_q && cfg_i.valid && cfg_i.data != '0);
    ENV_unmarked : assume (!(home_i && !ack_i.by_class && ack_key == victim_q && ack_i.mark));
    COV_unmarked : cover (started_q && home_i && !ack_i.by_class && ack_key == victim_q && has_entry);
    if (started_q) begin
      victim_is_sent : assert (!(comes && has_entry && held));
      held_by_class_alone : assert (!(comes && held) || (full && channel >= 3'd4));
      held_for_a_reason : assert (!held || (held_used && (held_before != '0 ||
                                  (held_limited && held_flight != '0 && held_flight >= (CountW + 1)'(held_window)))));
      // What is what.
      victims_go_on : assert (goes_on);
      no_first_window : assert (registers.first == '0);
      key_in_its_set : assert (in_set);
    end
    COV_beside : cover (started_q && comes && has_entry && other_waits);
    COV_held_by_class : cover (started_q && comes && held);
  end

endmodule
