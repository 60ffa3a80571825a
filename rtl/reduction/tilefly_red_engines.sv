// SPDX-License-Identifier: Apache-2.0
// Short operations that the switch waits for: who is there, group by group and engine by engine, and which may go. Manual:
// docs/blocks/reduction-trees.md, "Short operations", "Small-operand engine".
// Latency: decisions are combinational on the state; a report that stands, a launch and an end are events of their cycle. Throughput: a
// report a port, a launch a cycle. Handshake: none.

module tilefly_red_engines #(
    /// ports
    parameter int Ports = tilefly_pkg::PORTS,
    /// groups
    parameter int Groups = tilefly_pkg::RED_GROUPS,
    /// engines of all groups: {group, engine}
    parameter int Engines = 8 * Groups
) (
    /// clock
    input  logic                                       clk_i,
    /// synchronous reset, active low
    input  logic                                       rst_ni,
    /// number of the current cycle
    input  logic [                               47:0] cycle_i,
    /// ports with a short operation of group g, in bits [g*Ports +: Ports]
    input  logic [                   Groups*Ports-1:0] short_i,
    /// ports with a short operation of engine e, in bits [e*Ports +: Ports]
    input  logic [                        8*Ports-1:0] engine_i,
    /// reports and ends of these groups are too late
    input  logic [                         Groups-1:0] deaf_i,
    /// groups whose engines forget all
    input  logic [                         Groups-1:0] clear_i,
    /// groups that are valid and not FAILING
    input  logic [                         Groups-1:0] live_i,
    /// groups at the root
    input  logic [                         Groups-1:0] root_i,
    /// groups of small operands
    input  logic [                         Groups-1:0] small_i,
    /// children of the groups
    input  logic [                   Groups*Ports-1:0] children_i,
    /// parents of the groups, masks
    input  logic [                   Groups*Ports-1:0] parent_i,
    /// timeouts of the groups
    input  logic [                      Groups*32-1:0] timeout_i,
    /// ports with room for a short packet
    input  logic [                          Ports-1:0] room_i,
    /// {down, up}: an engine is eligible
    output logic [                                1:0] ok_o,
    /// numbers of the eligible engines, {group, engine}
    output logic [                               11:0] engine_o,
    /// ports that take part, of {down, up}
    output logic [                        2*Ports-1:0] parts_o,
    /// ports that the packet is for
    output logic [                        2*Ports-1:0] mask_o,
    /// {down, up}: the engine is launched
    input  logic [                                1:0] launch_i,
    /// a short launch ends
    input  logic                                       end_i,
    /// group of the launch
    input  logic [                                2:0] end_group_i,
    /// a short down ends that arms its engine
    input  logic                                       arm_i,
    /// the engine
    input  logic [                                5:0] arm_engine_i,
    /// groups with a child's operation
    output logic [                         Groups-1:0] pending_o,
    /// groups with an operation from either side, or with an operation on the ring lanes
    output logic [                         Groups-1:0] used_o,
    /// groups of which a child has waited too long
    output logic [                         Groups-1:0] expired_o,
    /// groups with a report of a port that is not in the tree
    output logic [                         Groups-1:0] stray_o,
    /// the first cycle in which a child will have waited too long; all ones: none
    output logic [                               47:0] wake_at_o
);

  localparam int EngineW = $clog2(Engines);
  localparam int GoingW = $clog2(tilefly_pkg::RED_DELAY / tilefly_pkg::RED_SHORT + 2);

  logic [Ports-1:0] have_q[Engines];
  logic [47:0] since_q[Engines];
  logic [Engines-1:0] some_q, back_q, armed_q;  // some_q: have is not 0
  logic [EngineW-1:0] up_pointer_q, down_pointer_q, up_next, down_next, up, down;
  logic [2:0] up_group, down_group;
  assign up_group   = 3'(up >> 3);
  assign down_group = 3'(down >> 3);

  // What is so of a group is so of its eight engines.
  function automatic [Engines-1:0] of_engines(input [Groups-1:0] groups);
    for (int g = 0; g < Groups; g++) of_engines[8*g+:8] = {8{groups[g]}};
  endfunction

  // Reports. A parent that stands among the children too is the parent.
  logic heard;
  logic [Groups*Ports-1:0] from_child, from_parent;

  always_comb begin
    heard       = short_i != '0;
    from_child  = '0;
    from_parent = '0;
    stray_o     = '0;
    if (heard) begin
      for (int g = 0; g < Groups; g++) begin
        if (!deaf_i[g]) begin
          from_parent[g*Ports+:Ports] = short_i[g*Ports+:Ports] & parent_i[g*Ports+:Ports];
          from_child[g*Ports+:Ports]  = short_i[g*Ports+:Ports] & ~parent_i[g*Ports+:Ports] & children_i[g*Ports+:Ports];
          stray_o[g] = (short_i[g*Ports+:Ports] & ~parent_i[g*Ports+:Ports] & ~children_i[g*Ports+:Ports]) != '0;
        end
      end
    end
  end

  // Who may go, who has waited too long.
  logic [Engines-1:0] up_ok, down_ok, overdue, complete;
  logic [Groups-1:0] up_room, down_room, some_here;
  logic [31:0] timeout;
  logic [47:0] deadline;

  always_comb begin
    pending_o = '0;
    some_here = '0;
    expired_o = '0;
    wake_at_o = '1;
    up_room   = '0;
    down_room = '0;
    up_ok     = '0;
    down_ok   = '0;
    overdue   = '0;
    complete  = '0;
    timeout   = '0;
    deadline  = '0;
    if (some_q != '0 || back_q != '0) begin
      for (int g = 0; g < Groups; g++) begin
        pending_o[g] = some_q[8*g+:8] != '0;
        some_here[g] = pending_o[g] || back_q[8*g+:8] != '0;
        down_room[g] = (children_i[g*Ports+:Ports] & ~room_i) == '0;
        up_room[g]   = root_i[g] ? down_room[g] : (parent_i[g*Ports+:Ports] & ~room_i) == '0;
        timeout      = timeout_i[g*32+:32];
        if (pending_o[g]) begin
          for (int e = 0; e < 8; e++) begin
            complete[8*g+e] = have_q[8*g+e] == children_i[g*Ports+:Ports];
            deadline        = since_q[8*g+e] + 48'(timeout);
            if (some_q[8*g+e] && timeout != '0) begin
              overdue[8*g+e] = cycle_i >= deadline;
              if (!overdue[8*g+e] && deadline < wake_at_o) wake_at_o = deadline;
            end
          end
        end
        expired_o[g] = overdue[8*g+:8] != '0 && !small_i[g];
      end
      up_ok   = some_q & of_engines(live_i & up_room) & (complete | of_engines(small_i) & (~armed_q | overdue));
      down_ok = back_q & of_engines(live_i & ~root_i & down_room);
    end
  end

  /* verilator lint_off PINCONNECTEMPTY */  // winners are wanted as numbers
  tilefly_rr_arbiter #(
      .N(Engines)
  ) u_up (
      .req_i    (up_ok),
      .pointer_i(up_pointer_q),
      .grant_o  (),
      .index_o  (up),
      .next_o   (up_next)
  );

  tilefly_rr_arbiter #(
      .N(Engines)
  ) u_down (
      .req_i    (down_ok),
      .pointer_i(down_pointer_q),
      .grant_o  (),
      .index_o  (down),
      .next_o   (down_next)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  assign ok_o     = {down_ok != '0, up_ok != '0};
  assign engine_o = {6'(down), 6'(up)};

  logic [Ports-1:0] up_children, up_parent, down_children, down_parent;
  always_comb begin
    up_children   = children_i[32'(up_group)*Ports+:Ports];
    up_parent     = parent_i[32'(up_group)*Ports+:Ports];
    down_children = children_i[32'(down_group)*Ports+:Ports];
    down_parent   = parent_i[32'(down_group)*Ports+:Ports];
  end
  assign parts_o = {down_parent, have_q[up]};
  assign mask_o  = {down_children, root_i[up_group] ? up_children : up_parent};

  // A launch takes what was there, a report of the same cycle is for the next one; a group that forgets forgets both.
  logic [Engines-1:0] launched_up, launched_down, begins, come, back, some_d, back_d, armed_d, forgotten;
  assign launched_up   = launch_i[0] ? Engines'(1) << up : '0;
  assign launched_down = launch_i[1] ? Engines'(1) << down : '0;
  assign begins        = ~some_q | launched_up;
  assign forgotten     = of_engines(clear_i);

  always_comb begin
    come = '0;
    back = '0;
    if (heard) begin
      for (int i = 0; i < Engines; i++) begin
        come[i] = (from_child[i/8*Ports+:Ports] & engine_i[i%8*Ports+:Ports]) != '0;
        back[i] = (from_parent[i/8*Ports+:Ports] & engine_i[i%8*Ports+:Ports]) != '0;
      end
    end
    some_d  = some_q & ~launched_up | come;
    back_d  = back_q & ~launched_down | back;
    armed_d = armed_q & ~launched_up;
    if (arm_i && !deaf_i[arm_engine_i[5:3]]) armed_d[arm_engine_i] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      some_q         <= '0;
      back_q         <= '0;
      armed_q        <= '0;
      up_pointer_q   <= '0;
      down_pointer_q <= '0;
    end else begin
      some_q  <= some_d & ~forgotten;
      back_q  <= back_d & ~forgotten;
      armed_q <= armed_d & ~forgotten;
      if (launch_i[0]) up_pointer_q <= up_next;
      if (launch_i[1]) down_pointer_q <= down_next;
    end
  end

  // Launches on the ring lanes: what they bring to the group is decided when they end.
  logic [GoingW-1:0] going_q[Groups];
  logic [Groups-1:0] starts, ends, going;

  always_comb begin
    starts = '0;
    ends   = '0;
    if (launch_i != '0) starts = Groups'(1) << (launch_i[0] ? up_group : down_group);
    if (end_i) ends = Groups'(1) << end_group_i;
    for (int g = 0; g < Groups; g++) going[g] = going_q[g] != '0;
  end
  assign used_o = some_here | going;

  always_ff @(posedge clk_i) begin
    for (int g = 0; g < Groups; g++) begin
      if (!rst_ni) going_q[g] <= '0;
      else if (starts[g] && !ends[g]) going_q[g] <= going_q[g] + 1'b1;
      else if (!starts[g] && ends[g]) going_q[g] <= going_q[g] - 1'b1;
    end
  end

  generate
    for (genvar i = 0; i < Engines; i++) begin : gen_engine
      always_ff @(posedge clk_i) begin
        if (come[i]) begin
          have_q[i] <= (begins[i] ? '0 : have_q[i]) | (from_child[i/8*Ports+:Ports] & engine_i[i%8*Ports+:Ports]);
          if (begins[i]) since_q[i] <= cycle_i;
        end
      end
    end
  endgenerate

endmodule
