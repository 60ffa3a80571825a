// SPDX-License-Identifier: Apache-2.0
// Which launch goes: what is known of the ports' segments, credits and room, and the choice among the candidates. Manual:
// docs/blocks/reduction.md, "CFU: launches".
// Latency: the decision is combinational on the state; it is an event of its cycle, as is a report that stands. Throughput: a launch
// a cycle. Handshake: none; who may go goes.

module tilefly_red_launch #(
    /// ports
    parameter int Ports = tilefly_pkg::PORTS
) (
    /// clock
    input  logic                                   clk_i,
    /// synchronous reset, active low
    input  logic                                   rst_ni,
    /// ports with a segment or a result of slot s, in bits [s*Ports +: Ports]
    input  logic [                    2*Ports-1:0] segment_i,
    /// those of these ports whose sender wants the result
    input  logic [                      Ports-1:0] wants_i,
    /// those of these ports whose segment or result is the last of an operation
    input  logic [                      Ports-1:0] ends_i,
    /// ports with a CREDIT of slot s
    input  logic [                    2*Ports-1:0] credit_i,
    /// count that the CREDIT says: bit b of all ports in [b*Ports +: Ports]
    input  logic [                    8*Ports-1:0] counts_i,
    /// ports with room that became free, of return lane U, D, S in bits [l*Ports +: Ports]
    input  logic [                    3*Ports-1:0] free_i,
    /// number of these cells: bit b of all ports in [b*Ports +: Ports]
    input  logic [                    7*Ports-1:0] free_cells_i,
    /// slot s is bound; else its state is 0
    input  logic [                            1:0] bound_i,
    /// the group of slot s is ACTIVE
    input  logic [                            1:0] active_i,
    /// the group of slot s is valid
    input  logic [                            1:0] valid_i,
    /// the group of slot s is at the root
    input  logic [                            1:0] root_i,
    /// children of the slots' groups
    input  logic [                    2*Ports-1:0] children_i,
    /// those of these children that are nodes
    input  logic [                    2*Ports-1:0] nodes_i,
    /// parents of the slots' groups, masks
    input  logic [                    2*Ports-1:0] parent_i,
    /// short up, short down, notice: eligible
    input  logic [                            2:0] brief_i,
    /// ports that the packets of these candidates are for
    input  logic [                    3*Ports-1:0] brief_mask_i,
    /// ports with room for a short packet
    output logic [                      Ports-1:0] short_room_o,
    /// a launch
    output logic                                   launch_o,
    /// what is launched (red_candidate_e)
    output logic [                            2:0] candidate_o,
    /// ports that the packet of the launch is for
    output logic [                      Ports-1:0] mask_o,
    /// number of the segment or result of a stream
    output logic [                           15:0] seq_o,
    /// the segment or result is the last of its operation
    output logic                                   final_o,
    /// some candidate is eligible
    output logic                                   eligible_o,
    /// nothing of an operation of slot s is under way
    output logic [                            1:0] idle_o,
    /// room that a launch did not need comes back
    input  logic                                   return_i,
    /// return lane to which room comes back (red_lane_e)
    input  logic [                            1:0] return_lane_i,
    /// number of cells that come back
    input  logic [                            6:0] return_cells_i,
    /// ports at which they come back
    input  logic [                      Ports-1:0] return_mask_i
);

  localparam int Slots = tilefly_pkg::RED_SLOTS;
  localparam int Returns = 3;  // red_lane_e
  localparam int ReturnU = 32'(tilefly_pkg::RED_LANE_U), ReturnD = 32'(tilefly_pkg::RED_LANE_D), ReturnS = 32'(tilefly_pkg::RED_LANE_S);
  localparam int Candidates = 7;  // red_candidate_e
  // Ring lanes as bits: UP, DOWN, U, D, S.
  localparam logic [4:0] Up = 5'd1, Down = 5'd2, U = 5'd4 << ReturnU, D = 5'd4 << ReturnD, S = 5'd4 << ReturnS;

  logic [15:0] ups_q[Slots];
  logic [15:0] downs_q[Slots];
  logic [Slots-1:0] in_op_q;
  logic [Ports-1:0] members_q[Slots];  // who gets the results
  logic [7:0] busy_q[5];  // cycles until a ring lane's next launch
  logic [2:0] pointer_q;

  // What is known of the ports: segments and credits of slot s in bits [s*Ports +: Ports], room of the return lanes.
  logic [Slots*Ports-1:0] up_here, up_wants, up_ends, down_here, down_ends, up_credit, down_credit;
  logic [Returns*Ports-1:0] takes, room;
  logic [4:0] ring_lanes_taken;

  generate
    for (genvar s = 0; s < Slots; s++) begin : gen_slot
      tilefly_red_arrivals #(
          .Ports(Ports)
      ) u_arrivals (
          .clk_i,
          .rst_ni,
          .bound_i    (bound_i[s]),
          .segment_i  (segment_i[s*Ports+:Ports]),
          .wants_i,
          .ends_i,
          .ups_i      (ups_q[s]),
          .downs_i    (downs_q[s]),
          .up_here_o  (up_here[s*Ports+:Ports]),
          .up_wants_o (up_wants[s*Ports+:Ports]),
          .up_ends_o  (up_ends[s*Ports+:Ports]),
          .down_here_o(down_here[s*Ports+:Ports]),
          .down_ends_o(down_ends[s*Ports+:Ports])
      );

      tilefly_red_credits #(
          .Ports(Ports)
      ) u_credits (
          .clk_i,
          .rst_ni,
          .bound_i      (bound_i[s]),
          .credit_i     (credit_i[s*Ports+:Ports]),
          .counts_i,
          .ups_i        (ups_q[s]),
          .downs_i      (downs_q[s]),
          .up_credit_o  (up_credit[s*Ports+:Ports]),
          .down_credit_o(down_credit[s*Ports+:Ports])
      );
    end

    for (genvar l = 0; l < Returns; l++) begin : gen_ring_lane
      assign takes[l*Ports+:Ports] = ring_lanes_taken[2+l] ? mask_o : '0;

      tilefly_red_room #(
          .Ports(Ports),
          .Room (l == ReturnS ? tilefly_pkg::RED_SHORT_ROOM : tilefly_pkg::RED_ROOM),
          .Cells(l == ReturnS ? tilefly_pkg::RED_SHORT_CELLS : tilefly_pkg::RED_CELLS)
      ) u_room (
          .clk_i,
          .rst_ni,
          .take_i        (takes[l*Ports+:Ports]),
          .return_i      (return_i && return_lane_i == 2'(l) ? return_mask_i : '0),
          .return_cells_i,
          .free_i        (free_i[l*Ports+:Ports]),
          .free_cells_i,
          .room_o        (room[l*Ports+:Ports])
      );
    end
  endgenerate
  assign short_room_o = room[ReturnS*Ports+:Ports];

  // Streams.
  logic [Ports-1:0] children, nodes, parent, up_room, down_room;
  logic [Ports-1:0] up_members[Slots], up_mask[Slots], down_mask[Slots];
  logic [Slots-1:0] up_ok, down_ok, up_final, down_final, results_home;
  assign up_room   = room[ReturnU*Ports+:Ports];
  assign down_room = room[Ports+:Ports];

  always_comb begin
    up_ok        = '0;
    down_ok      = '0;
    up_final     = '0;
    down_final   = '0;
    idle_o       = '0;
    results_home = '0;
    children     = '0;
    nodes        = '0;
    parent       = '0;
    for (int s = 0; s < Slots; s++) begin
      up_members[s] = '0;
      up_mask[s]    = '0;
      down_mask[s]  = '0;
      if (active_i[s]) begin
        children = children_i[s*Ports+:Ports];
        nodes    = nodes_i[s*Ports+:Ports];
        parent   = parent_i[s*Ports+:Ports];
        results_home[s] = root_i[s] || downs_q[s] == ups_q[s];
        idle_o[s]       = !in_op_q[s] && (up_here[s*Ports+:Ports] & children) == '0 && results_home[s];
        up_final[s]     = (up_ends[s*Ports+:Ports] & children) != '0;
        down_final[s]   = (down_ends[s*Ports+:Ports] & parent) != '0;
        up_members[s]   = in_op_q[s] ? members_q[s] : nodes | (children & up_wants[s*Ports+:Ports]);
        if (!root_i[s]) up_mask[s] = parent;
        else up_mask[s] = up_final[s] ? children : up_members[s];
        down_mask[s] = down_final[s] ? children : members_q[s];
        up_ok[s] = valid_i[s] && (children & ~up_here[s*Ports+:Ports]) == '0;
        if (root_i[s]) up_ok[s] = up_ok[s] && (up_mask[s] & ~down_room) == '0 && (nodes & ~up_credit[s*Ports+:Ports]) == '0;
        else up_ok[s] = up_ok[s] && (in_op_q[s] || downs_q[s] == ups_q[s]) && (parent & ~(up_room & up_credit[s*Ports+:Ports])) == '0;
        down_ok[s] = !root_i[s] && (parent & down_here[s*Ports+:Ports]) != '0 && (down_mask[s] & ~down_room) == '0 &&
            (nodes & ~down_credit[s*Ports+:Ports]) == '0;
      end
    end
  end

  // The choice: in turn from the pointer on; who waits for a ring lane is not overtaken there.
  logic [Candidates-1:0] eligible;
  logic [4:0] ring_lanes[Candidates];
  logic [4:0] taken, held;
  logic [2:0] at;
  logic up, down, slot;
  logic [1:0] brief;

  always_comb begin
    eligible = {brief_i, down_ok, up_ok};
    ring_lanes[tilefly_pkg::RED_CANDIDATE_UP_0]       = Up | (root_i[0] ? D : U);
    ring_lanes[tilefly_pkg::RED_CANDIDATE_UP_1]       = Up | (root_i[1] ? D : U);
    ring_lanes[tilefly_pkg::RED_CANDIDATE_DOWN_0]     = Down | D;
    ring_lanes[tilefly_pkg::RED_CANDIDATE_DOWN_1]     = Down | D;
    ring_lanes[tilefly_pkg::RED_CANDIDATE_SHORT_UP]   = Up | S;
    ring_lanes[tilefly_pkg::RED_CANDIDATE_SHORT_DOWN] = Down | S;
    ring_lanes[tilefly_pkg::RED_CANDIDATE_NOTICE]     = S;
    for (int l = 0; l < 5; l++) held[l] = busy_q[l] != '0;
  end

  always_comb begin
    launch_o    = 1'b0;
    candidate_o = '0;
    taken       = '0;
    at          = '0;
    if (eligible != '0) begin
      taken = held;
      for (int i = 0; i < Candidates; i++) begin
        at = 32'(pointer_q) + i >= Candidates ? 3'(32'(pointer_q) + i - Candidates) : 3'(32'(pointer_q) + i);
        if (eligible[at] && !launch_o) begin
          if ((taken & ring_lanes[at]) == '0) begin
            launch_o    = 1'b1;
            candidate_o = at;
          end
          taken = taken | ring_lanes[at];
        end
      end
    end
  end

  assign eligible_o = eligible != '0;
  assign up   = launch_o && tilefly_red_pkg::is_stream(candidate_o) && !tilefly_red_pkg::goes_down(candidate_o);
  assign down = launch_o && tilefly_red_pkg::is_stream(candidate_o) && tilefly_red_pkg::goes_down(candidate_o);
  assign slot = tilefly_red_pkg::slot_of(candidate_o);
  assign brief = 2'(candidate_o - tilefly_pkg::RED_CANDIDATE_SHORT_UP);

  always_comb begin
    mask_o  = '0;
    seq_o   = '0;
    final_o = 1'b0;
    if (up) {mask_o, seq_o, final_o} = {up_mask[slot], ups_q[slot], up_final[slot]};
    else if (down) {mask_o, seq_o, final_o} = {down_mask[slot], downs_q[slot], down_final[slot]};
    else if (launch_o) mask_o = brief_mask_i[32'(brief)*Ports+:Ports];
  end

  // Ring lanes, slots.
  assign ring_lanes_taken = launch_o ? ring_lanes[candidate_o] : '0;

  always_ff @(posedge clk_i) begin
    for (int l = 0; l < 5; l++) begin
      if (!rst_ni) busy_q[l] <= '0;
      else if (ring_lanes_taken[l]) busy_q[l] <= up || down ? 8'(tilefly_pkg::RED_STREAM - 1) : 8'(tilefly_pkg::RED_SHORT - 1);
      else if (held[l]) busy_q[l] <= busy_q[l] - 8'd1;
    end
    if (!rst_ni) pointer_q <= '0;
    else if (launch_o) pointer_q <= candidate_o == tilefly_pkg::RED_CANDIDATE_NOTICE ? 3'd0 : candidate_o + 3'd1;
    for (int s = 0; s < Slots; s++) begin
      if (!rst_ni || !bound_i[s]) begin
        ups_q[s]     <= '0;
        downs_q[s]   <= '0;
        in_op_q[s]   <= 1'b0;
        members_q[s] <= '0;
      end else if (up && slot == 1'(s)) begin
        ups_q[s]     <= ups_q[s] + 16'd1;
        in_op_q[s]   <= !up_final[s];
        members_q[s] <= up_members[s];
      end else if (down && slot == 1'(s)) downs_q[s] <= downs_q[s] + 16'd1;
    end
  end

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      RED_3 : assert ((ring_lanes_taken & held) == '0);
      RED_5 : assert (!up || in_op_q[slot] || results_home[slot]);
    end
  end
`ifndef SYNTHESIS
`ifndef FORMAL
  // Books beside `in_op_q`, `ups_q` and `downs_q`: the last segment of an operation was not launched; results that were
  // not.
  logic [Slots-1:0] inside_q;
  logic [15:0] owed_q[Slots];
  always_ff @(posedge clk_i) begin
    for (int s = 0; s < Slots; s++) begin
      if (!rst_ni || !bound_i[s]) begin
        inside_q[s] <= 1'b0;
        owed_q[s]   <= '0;
      end else if (up && slot == 1'(s)) begin
        inside_q[s] <= !final_o;
        owed_q[s]   <= owed_q[s] + 16'd1;
      end else if (down && slot == 1'(s)) owed_q[s] <= owed_q[s] - 16'd1;
    end
    if (rst_ni) RED_5_owed : assert (!up || inside_q[slot] || root_i[slot] || owed_q[slot] == '0);
  end
`endif
`endif

endmodule
