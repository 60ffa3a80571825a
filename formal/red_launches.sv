// SPDX-License-Identifier: Apache-2.0
// tilefly_red_launch with the starters of the collect lanes, whatever comes and whatever trees there are: words of two launches never
// meet, on the collect lanes and, where packets are longer, on the return lanes (RED-3); an operation of a group begins only when all
// results of the one before have been launched, so that a group has one at a time (RED-5); a launch goes only where its return lane has
// room and only for ports whose segment is here. Made small: three ports, segments of two words, short operations of one.

module red_launches #(
    /// ports
    parameter int Ports = 3
) (
    input logic               clk_i,
    input logic [2*Ports-1:0] segment_i,
    input logic [  Ports-1:0] wants_i,
    input logic [  Ports-1:0] ends_i,
    input logic [2*Ports-1:0] credit_i,
    input logic [8*Ports-1:0] counts_i,
    input logic [3*Ports-1:0] free_i,
    input logic [7*Ports-1:0] free_cells_i,
    input logic [        1:0] bound_i,
    input logic [        1:0] active_i,
    input logic [        1:0] valid_i,
    /// short up, short down, notice, and their ports
    input logic [        2:0] brief_i,
    input logic [3*Ports-1:0] brief_mask_i,
    input logic               return_i,
    input logic [        1:0] return_lane_i,
    input logic [        6:0] return_cells_i,
    input logic [  Ports-1:0] return_mask_i
);

  // A packet has a header of 16 bytes, red_t of 16 and an FCS of 4 beside its data.
  localparam int PacketWords = (36 + 32 * tilefly_pkg::RED_WORDS + 31) / 32;
  localparam int ShortPacketWords = (36 + tilefly_pkg::RED_SHORT_BYTES + 31) / 32;

  // Trees are written while their groups are IDLE.
  (* anyconst *) logic [1:0] root;
  (* anyconst *) logic [2*Ports-1:0] children, nodes, parent;

  logic started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;

  logic launch, final_segment, eligible;
  logic [2:0] candidate;
  logic [Ports-1:0] mask, short_room;
  logic [15:0] seq;
  logic [1:0] idle, starts_busy;
  tilefly_pkg::red_collect_t up_word, down_word;

  tilefly_red_launch #(
      .Ports(Ports)
  ) u_launch (
      .clk_i,
      .rst_ni        (started_q),
      .segment_i,
      .wants_i,
      .ends_i,
      .credit_i,
      .counts_i,
      .free_i,
      .free_cells_i,
      .bound_i,
      .active_i,
      .valid_i,
      .root_i        (root),
      .children_i    (children),
      .nodes_i       (nodes),
      .parent_i      (parent),
      .brief_i,
      .brief_mask_i,
      .short_room_o  (short_room),
      .launch_o      (launch),
      .candidate_o   (candidate),
      .mask_o        (mask),
      .seq_o         (seq),
      .final_o       (final_segment),
      .eligible_o    (eligible),
      .idle_o        (idle),
      .return_i,
      .return_lane_i,
      .return_cells_i,
      .return_mask_i
  );

  // Ring lanes of a launch: {S, D, U, DOWN, UP}.
  logic stream, goes_down, slot, up, down;
  logic [4:0] ring_lanes;
  assign stream    = candidate <= tilefly_pkg::RED_CANDIDATE_DOWN_1;
  assign goes_down = candidate == tilefly_pkg::RED_CANDIDATE_DOWN_0 || candidate == tilefly_pkg::RED_CANDIDATE_DOWN_1 ||
      candidate == tilefly_pkg::RED_CANDIDATE_SHORT_DOWN;
  assign slot      = candidate == tilefly_pkg::RED_CANDIDATE_UP_1 || candidate == tilefly_pkg::RED_CANDIDATE_DOWN_1;
  assign up        = launch && candidate <= tilefly_pkg::RED_CANDIDATE_UP_1;
  assign down      = launch && stream && goes_down;
  always_comb begin
    ring_lanes = '0;
    if (launch) begin
      if (candidate != tilefly_pkg::RED_CANDIDATE_NOTICE) ring_lanes[goes_down] = 1'b1;
      if (!stream) ring_lanes[4] = 1'b1;
      else if (goes_down || root[slot]) ring_lanes[3] = 1'b1;
      else ring_lanes[2] = 1'b1;
    end
  end

  tilefly_red_starter u_up (
      .clk_i,
      .rst_ni  (started_q),
      .launch_i(ring_lanes[0]),
      .brief_i (!stream),
      .index_i ('0),
      .ports_i ('0),
      .word_o  (up_word),
      .busy_o  (starts_busy[0])
  );

  tilefly_red_starter u_down (
      .clk_i,
      .rst_ni  (started_q),
      .launch_i(ring_lanes[1]),
      .brief_i (!stream),
      .index_i ('0),
      .ports_i ('0),
      .word_o  (down_word),
      .busy_o  (starts_busy[1])
  );

  (* hierconn *) wire [7:0] \u_launch.busy_q[0] , \u_launch.busy_q[1] , \u_launch.busy_q[2] , \u_launch.busy_q[3] , \u_launch.busy_q[4] ;
  (* hierconn *) wire [7:0] \u_up.left_q , \u_down.left_q ;
  (* hierconn *) wire [15:0] \u_launch.ups_q[0] , \u_launch.ups_q[1] , \u_launch.downs_q[0] , \u_launch.downs_q[1] ;
  (* hierconn *) wire [1:0] \u_launch.in_op_q ;
  (* hierconn *) wire [3*Ports-1:0] \u_launch.room ;
  (* hierconn *) wire [2*Ports-1:0] \u_launch.up_here , \u_launch.down_here ;
  wire [23:0] busy = {\u_launch.busy_q[4] , \u_launch.busy_q[3] , \u_launch.busy_q[2] };
  wire [31:0] launched_up = {\u_launch.ups_q[1] , \u_launch.ups_q[0] };
  wire [31:0] launched_down = {\u_launch.downs_q[1] , \u_launch.downs_q[0] };

  // Words of the packets that are still to come on the return lanes; segments and results of each slot, and whether an operation is open.
  logic [23:0] left_q;
  logic [31:0] ups_q, downs_q;
  logic [1:0] open_q;
  always @(posedge clk_i) begin
    for (int l = 0; l < 3; l++) begin
      if (ring_lanes[2+l]) left_q[8*l+:8] <= stream ? 8'(PacketWords - 1) : 8'(ShortPacketWords - 1);
      else if (left_q[8*l+:8] != '0) left_q[8*l+:8] <= left_q[8*l+:8] - 8'd1;
    end
    for (int s = 0; s < 2; s++) begin
      if (up && slot == 1'(s)) begin
        ups_q[16*s+:16] <= ups_q[16*s+:16] + 16'd1;
        open_q[s]       <= !final_segment;
      end
      if (down && slot == 1'(s)) downs_q[16*s+:16] <= downs_q[16*s+:16] + 16'd1;
      if (!started_q || !bound_i[s]) begin
        ups_q[16*s+:16]   <= '0;
        downs_q[16*s+:16] <= '0;
        open_q[s]         <= 1'b0;
      end
    end
    if (!started_q) left_q <= '0;
  end

  logic met, two_operations, no_room, not_here;
  logic [1:0] odd_parent;
  always_comb begin
    met      = 1'b0;
    no_room  = 1'b0;
    for (int l = 0; l < 3; l++) begin
      if (ring_lanes[2+l] && left_q[8*l+:8] != '0) met = 1'b1;
      if (ring_lanes[2+l] && (mask & ~\u_launch.room [l*Ports+:Ports]) != '0) no_room = 1'b1;
    end
    two_operations = up && !root[slot] && !open_q[slot] && ups_q[16*slot+:16] != downs_q[16*slot+:16];
    not_here = up && (children[slot*Ports+:Ports] & ~\u_launch.up_here [slot*Ports+:Ports]) != '0 ||
        down && (parent[slot*Ports+:Ports] & ~\u_launch.down_here [slot*Ports+:Ports]) != '0;
    for (int s = 0; s < 2; s++) begin
      odd_parent[s] = (parent[s*Ports+:Ports] & (parent[s*Ports+:Ports] - 1'b1)) != '0 || root[s] != (parent[s*Ports+:Ports] == '0);
    end
  end

  always_comb begin
    ENV_trees : assume (odd_parent == '0 && (nodes & ~children) == '0);
    COV_trees : cover (started_q && up && !root[slot] && down_word.valid);
    ENV_active : assume ((active_i & ~bound_i) == '0);
    COV_active : cover (started_q && launch && stream && active_i == 2'b11);
    ENV_brief : assume ((!brief_i[0] || (brief_mask_i[Ports-1:0] & ~short_room) == '0) &&
        (!brief_i[1] || (brief_mask_i[Ports+:Ports] & ~short_room) == '0) && (!brief_i[2] || (brief_mask_i[2*Ports+:Ports] & ~short_room) == '0));
    COV_brief : cover (started_q && launch && candidate == tilefly_pkg::RED_CANDIDATE_NOTICE && mask == '1 && starts_busy != '0);
    if (started_q) begin
      words_apart : assert (!met);
      one_operation : assert (!two_operations);
      room_first : assert (!no_room);
      all_here : assert (!not_here);
      lanes_are_held : assert (left_q == busy && \u_up.left_q <= \u_launch.busy_q[0] && \u_down.left_q <= \u_launch.busy_q[1] );
      counts_agree : assert (ups_q == launched_up && downs_q == launched_down && open_q == \u_launch.in_op_q );
    end
    COV_second_segment : cover (started_q && up && open_q[slot] && !root[slot]);
    COV_second_operation : cover (started_q && up && !open_q[slot] && !root[slot] && downs_q[16*slot+:16] == 16'd1);
    COV_waits_for_results : cover (started_q && active_i[0] && valid_i[0] && !root[0] && !open_q[0] && ups_q[15:0] == 16'd1 &&
        downs_q[15:0] == '0 && children[Ports-1:0] != '0 && (children[Ports-1:0] & ~\u_launch.up_here [Ports-1:0]) == '0);
    COV_results_while_lanes_are_held : cover (started_q && launch && candidate == tilefly_pkg::RED_CANDIDATE_DOWN_0 && left_q[7:0] != '0);
  end

endmodule
