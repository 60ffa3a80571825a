// SPDX-License-Identifier: Apache-2.0
// The way of a launch up to the collect lanes: short operations and notices that may go, the choice among all candidates, and the
// words that the launch begins with. Manual: docs/blocks/reduction.md, "CFU: launches", docs/blocks/reduction-trees.md,
// "Short operations".
// Latency: the decision is combinational on the state; word k of a launch of cycle t is on `words_o` in t + 1 + k. Throughput: a launch
// a cycle. Handshake: none.
//
//   short reports -> engines --\
//   notices ------------------> choice -> launch -> words of a collect lane
//   segments, credits, room ---/

module tilefly_red_launch_path #(
    /// ports
    parameter int Ports = tilefly_pkg::PORTS,
    /// groups
    parameter int Groups = tilefly_pkg::RED_GROUPS,
    /// bits of a collect word
    parameter int WordW = tilefly_pkg::RED_COLLECT_W
) (
    /// clock
    input  logic                          clk_i,
    /// synchronous reset, active low
    input  logic                          rst_ni,
    /// number of the current cycle
    input  logic [                  47:0] cycle_i,
    /// groups whose short operations are forgotten
    input  logic [            Groups-1:0] clear_i,
    /// the group is valid
    input  logic [            Groups-1:0] valid_i,
    /// the group is at the root
    input  logic [            Groups-1:0] root_i,
    /// the group is of small operands
    input  logic [            Groups-1:0] small_i,
    /// timeout of the group
    input  logic [         Groups*32-1:0] timeout_i,
    /// children of the group
    input  logic [      Groups*Ports-1:0] children_i,
    /// those of the children that are nodes
    input  logic [      Groups*Ports-1:0] nodes_i,
    /// parent of the group, a mask
    input  logic [      Groups*Ports-1:0] parent_i,
    /// states of the groups
    /* verilator lint_off UNUSEDSIGNAL */  // one record for all
    input  tilefly_red_pkg::groups_t      groups_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// slot s belongs to a group
    input  logic [                   1:0] used_i,
    /// the slot is bound
    input  logic [                   1:0] bound_i,
    /// group of the slot
    input  logic [                   5:0] slot_group_i,
    /// tag by which the slot is bound
    input  logic [                   7:0] slot_tag_i,
    /// ports that are enabled and whose link works
    input  logic [             Ports-1:0] live_i,
    /// ports with a segment or a result of slot s, in bits [s*Ports +: Ports]
    input  logic [           2*Ports-1:0] segment_i,
    /// those of these ports whose sender wants the result
    input  logic [             Ports-1:0] wants_i,
    /// those of these ports whose segment or result is the last of an operation
    input  logic [             Ports-1:0] ends_i,
    /// ports with a CREDIT of slot s
    input  logic [           2*Ports-1:0] credit_i,
    /// count that the CREDIT says: bit b of all ports in [b*Ports +: Ports]
    input  logic [           8*Ports-1:0] counts_i,
    /// ports with a short operation of group g, in bits [g*Ports +: Ports]
    input  logic [      Groups*Ports-1:0] short_i,
    /// ports with a short operation of engine e, in bits [e*Ports +: Ports]
    input  logic [           8*Ports-1:0] engine_i,
    /// ports with room that became free, of return lane l (red_lane_e) in bits [l*Ports +: Ports]
    input  logic [           3*Ports-1:0] free_i,
    /// number of these cells: bit b of all ports in [b*Ports +: Ports]
    input  logic [           7*Ports-1:0] free_cells_i,
    /// a short launch ends
    input  logic                          end_i,
    /// {group, engine} of the short launch
    input  logic [                   5:0] end_index_i,
    /// the short launch arms its engine
    input  logic                          arm_i,
    /// room that a launch did not need comes back
    input  logic                          return_i,
    /// return lane to which room comes back (red_lane_e)
    input  logic [                   1:0] return_lane_i,
    /// number of cells that come back
    input  logic [                   6:0] return_cells_i,
    /// ports at which they come back
    input  logic [             Ports-1:0] return_mask_i,
    /// a launch
    output logic                          launch_o,
    /// what is launched
    output tilefly_red_pkg::launch_t      what_o,
    /// ports that the packet of the launch is for
    output logic [             Ports-1:0] mask_o,
    /// of a stream: the last segment of an operation
    output logic                          final_o,
    /// some candidate is eligible
    output logic                          eligible_o,
    /// nothing of an operation of slot s is under way
    output logic [                   1:0] idle_o,
    /// groups with a child's short operation
    output logic [            Groups-1:0] pending_o,
    /// groups with a short operation from either side, or with a short operation on the ring lanes
    output logic [            Groups-1:0] engaged_o,
    /// groups of which a child's short operation has waited too long
    output logic [            Groups-1:0] overdue_o,
    /// groups with a short operation of a port that is not in the tree
    output logic [            Groups-1:0] stray_o,
    /// the first cycle in which a short operation will have waited too long; all ones: none
    output logic [                  47:0] wake_at_o,
    /// words that both half rings begin with, {DOWN, UP} (flops)
    output logic [           2*WordW-1:0] words_o,
    /// a word is on an output
    output logic                          busy_o
);

  localparam int Slots = tilefly_pkg::RED_SLOTS;

  // Short operations.
  logic [2:0] candidate;
  logic [1:0] engine_ok, launch_engine;
  logic [11:0] engines;
  logic [2*Ports-1:0] engine_parts, engine_mask;
  logic [Ports-1:0] short_room;

  tilefly_red_engines u_engines (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .short_i,
      .engine_i,
      .deaf_i      (groups_i.stale),
      .clear_i,
      .live_i      (valid_i & ~groups_i.failing),
      .root_i,
      .small_i,
      .children_i,
      .parent_i,
      .timeout_i,
      .room_i      (short_room),
      .ok_o        (engine_ok),
      .engine_o    (engines),
      .parts_o     (engine_parts),
      .mask_o      (engine_mask),
      .launch_i    (launch_engine),
      .end_i,
      .end_group_i (end_index_i[5:3]),
      .arm_i,
      .arm_engine_i(end_index_i),
      .pending_o,
      .used_o      (engaged_o),
      .expired_o   (overdue_o),
      .stray_o,
      .wake_at_o
  );

  // Notices.
  logic tells;
  logic [Groups-1:0] notice_ok;
  logic [Ports-1:0] notice_mask, peers;
  logic [2:0] notice_group, notice_next, notice_pointer_q;

  always_comb begin
    notice_ok = '0;
    peers     = '0;
    if (groups_i.notice != '0) begin
      for (int g = 0; g < Groups; g++) begin
        peers = (children_i[g*Ports+:Ports] | parent_i[g*Ports+:Ports]) & live_i;
        notice_ok[g] = groups_i.notice[g] && valid_i[g] && (peers & ~short_room) == '0;
      end
    end
  end

  tilefly_rr_arbiter #(
      .N(Groups)
  ) u_notice (
      .req_i    (notice_ok),
      .pointer_i(notice_pointer_q),
      /* verilator lint_off PINCONNECTEMPTY */  // the winner is wanted as a number
      .grant_o  (),
      /* verilator lint_on PINCONNECTEMPTY */
      .index_o  (notice_group),
      .next_o   (notice_next)
  );
  assign notice_mask = (children_i[32'(notice_group)*Ports+:Ports] | parent_i[32'(notice_group)*Ports+:Ports]) & live_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) notice_pointer_q <= '0;
    else if (tells) notice_pointer_q <= notice_next;
  end

  // The slots that are in use, with their groups' trees.
  logic [Slots-1:0] slot_active, slot_valid, slot_root;
  logic [Slots*Ports-1:0] slot_children, slot_nodes, slot_parent;
  logic [2:0] of_slot;

  always_comb begin
    slot_active   = '0;
    slot_valid    = '0;
    slot_root     = '0;
    slot_children = '0;
    slot_nodes    = '0;
    slot_parent   = '0;
    of_slot       = '0;
    for (int s = 0; s < Slots; s++) begin
      of_slot = slot_group_i[3*s+:3];
      if (used_i[s]) begin
        slot_active[s]                = groups_i.states[3*of_slot+:3] == tilefly_pkg::RED_STATE_ACTIVE;
        slot_valid[s]                 = valid_i[of_slot];
        slot_root[s]                  = root_i[of_slot];
        slot_children[s*Ports+:Ports] = children_i[32'(of_slot)*Ports+:Ports];
        slot_nodes[s*Ports+:Ports]    = nodes_i[32'(of_slot)*Ports+:Ports];
        slot_parent[s*Ports+:Ports]   = parent_i[32'(of_slot)*Ports+:Ports];
      end
    end
  end

  // The choice.
  logic launch;
  logic [Ports-1:0] parts;
  logic [15:0] seq;

  tilefly_red_launch u_launch (
      .clk_i,
      .rst_ni,
      .segment_i,
      .wants_i,
      .ends_i,
      .credit_i,
      .counts_i,
      .free_i,
      .free_cells_i,
      .bound_i,
      .active_i     (slot_active),
      .valid_i      (slot_valid),
      .root_i       (slot_root),
      .children_i   (slot_children),
      .nodes_i      (slot_nodes),
      .parent_i     (slot_parent),
      .brief_i      ({notice_ok != '0, engine_ok}),
      .brief_mask_i ({notice_mask, engine_mask}),
      .short_room_o (short_room),
      .launch_o     (launch),
      .candidate_o  (candidate),
      .mask_o,
      .seq_o        (seq),
      .final_o,
      .eligible_o,
      .idle_o,
      .return_i,
      .return_lane_i,
      .return_cells_i,
      .return_mask_i
  );

  // What is launched: its ports, and what names it.
  logic stream, down, slot;
  logic [2:0] group;
  logic [5:0] index;
  assign stream = tilefly_red_pkg::is_stream(candidate);
  assign down   = tilefly_red_pkg::goes_down(candidate);
  assign slot   = tilefly_red_pkg::slot_of(candidate);
  assign tells  = launch && candidate == tilefly_pkg::RED_CANDIDATE_NOTICE;
  assign launch_engine = {launch && candidate == tilefly_pkg::RED_CANDIDATE_SHORT_DOWN,
                          launch && candidate == tilefly_pkg::RED_CANDIDATE_SHORT_UP};

  always_comb begin
    parts = '0;
    index = '0;
    group = '0;
    if (launch) begin
      case (candidate)
        tilefly_pkg::RED_CANDIDATE_SHORT_UP: {index, parts} = {engines[5:0], engine_parts[Ports-1:0]};
        tilefly_pkg::RED_CANDIDATE_SHORT_DOWN: {index, parts} = {engines[11:6], engine_parts[2*Ports-1:Ports]};
        tilefly_pkg::RED_CANDIDATE_NOTICE: index = {notice_group, 3'd0};
        tilefly_pkg::RED_CANDIDATE_UP_0, tilefly_pkg::RED_CANDIDATE_UP_1:
        {index, parts} = {5'd0, slot, slot_children[32'(slot)*Ports+:Ports]};
        default: {index, parts} = {5'd0, slot, slot_parent[32'(slot)*Ports+:Ports]};
      endcase
      group = stream ? slot_group_i[3*slot+:3] : index[5:3];
    end
  end

  assign launch_o = launch;
  always_comb begin
    what_o.candidate = candidate;
    what_o.index     = index;
    what_o.group     = group;
    what_o.root      = root_i[group];
    what_o.is_small  = small_i[group];
    what_o.seq       = seq;
    what_o.tag       = stream ? slot_tag_i[4*slot+:4] : groups_i.tags[4*group+:4];
    what_o.code      = groups_i.codes[4*group+:4];
  end

  // Its words.
  logic [1:0] starts_busy;

  generate
    for (genvar ring_lane = 0; ring_lane < 2; ring_lane++) begin : gen_ring_lane
      tilefly_red_starter u_starter (
          .clk_i,
          .rst_ni,
          .launch_i(launch && !tells && (ring_lane == 1) == down),
          .brief_i (!stream),
          .index_i (index),
          .ports_i (64'(parts)),
          .word_o  (words_o[ring_lane*WordW+:WordW]),
          .busy_o  (starts_busy[ring_lane])
      );
    end
  endgenerate

  assign busy_o = starts_busy != '0;

endmodule
