// SPDX-License-Identifier: Apache-2.0
// Who has the slots of the CFU: the groups' states and what changes them, the slots with the trees of their groups, and what all
// reduction ports are told of them. Manual: docs/blocks/reduction-trees.md, "States", "Failure".
// Latency: a launch, an end, a report of cycle t are events of t; the answer to a lock is combinational. Throughput: one of each a cycle.
// Handshake: none.
//
//   reports, short operations --> causes --> fails --+--> groups --> slots, states
//   launches, ends ----------------------------------+           \-> commands to the ports

module tilefly_red_slots #(
    /// ports
    parameter int Ports = tilefly_pkg::PORTS,
    /// groups
    parameter int Groups = tilefly_pkg::RED_GROUPS
) (
    /// clock
    input  logic                      clk_i,
    /// synchronous reset, active low
    input  logic                      rst_ni,
    /// number of the current cycle
    input  logic [              47:0] cycle_i,
    /// TREE of these groups is written
    input  logic [        Groups-1:0] tree_written_i,
    /// groups at the root
    input  logic [        Groups-1:0] root_i,
    /// groups of small operands
    input  logic [        Groups-1:0] small_i,
    /// timeouts of the groups
    input  logic [     Groups*32-1:0] timeout_i,
    /// ports of their trees
    input  logic [  Groups*Ports-1:0] tree_i,
    /// codes that the ports report of group g, a bit for each, in bits [g*16 +: 16]
    input  logic [     Groups*16-1:0] reported_i,
    /// ports with a segment or a result of slot s, in bits [s*Ports +: Ports]
    input  logic [       2*Ports-1:0] segment_i,
    /// ports that are enabled and whose link works
    input  logic [         Ports-1:0] live_i,
    /// a launch
    input  logic                      launch_i,
    /// what is launched
    /* verilator lint_off UNUSEDSIGNAL */  // candidate and group matter here
    input  tilefly_red_pkg::launch_t  what_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// of a stream: the last segment of an operation
    input  logic                      final_i,
    /// nothing of an operation of slot s is under way
    input  logic [               1:0] idle_i,
    /// groups with a child's short operation
    input  logic [        Groups-1:0] pending_i,
    /// groups of which a child's short operation has waited too long
    input  logic [        Groups-1:0] overdue_i,
    /// groups with a short operation of a port that is not in the tree
    input  logic [        Groups-1:0] stray_i,
    /// the parts of a stream of these groups disagree
    input  logic [        Groups-1:0] mismatched_i,
    /// a short launch ends: {down, up}
    input  logic [               1:0] ends_i,
    /// group of the short launch
    input  logic [               2:0] ends_group_i,
    /// collect word of the short launch's parts
    input  tilefly_pkg::red_collect_t ends_word_i,
    /// a lock, or the end of a lock, goes up: code of the answer
    output logic [               3:0] answer_o,
    /// the group's tag after it
    output logic [               3:0] answer_tag_o,
    /// slot s belongs to a group
    output logic [               1:0] used_o,
    /// the slot is bound
    output logic [               1:0] bound_o,
    /// group of the slot
    output logic [               5:0] slot_group_o,
    /// tag by which the slot is bound
    output logic [               7:0] slot_tag_o,
    /// the groups
    output tilefly_red_pkg::groups_t  groups_o,
    /// groups that fail
    output logic [        Groups-1:0] fails_o,
    /// what all reduction ports are told (flops)
    output tilefly_pkg::red_cmd_t     cmd_o,
    /// register STATUS of group `status_group_i`
    output logic [              63:0] status_o,
    /// that group
    input  logic [               2:0] status_group_i,
    /// the first cycle in which a part will be late; all ones: none
    output logic [              47:0] wake_at_o,
    /// nothing here changes by time alone before that
    output logic                      quiescent_o
);

  localparam int Slots = tilefly_pkg::RED_SLOTS;

  logic [Groups*3-1:0] states;
  logic [Groups*4-1:0] tags, codes, fail_codes;
  logic [Groups-1:0] awake, failing, locked, stale, notice, late_parts, unbound;
  logic change, clear, groups_quiescent;
  logic [2:0] clear_group;

  always_comb begin
    for (int g = 0; g < Groups; g++) begin
      awake[g]   = states[3*g+:3] != tilefly_pkg::RED_STATE_IDLE;
      failing[g] = states[3*g+:3] == tilefly_pkg::RED_STATE_FAILING;
      locked[g]  = states[3*g+:3] == tilefly_pkg::RED_STATE_LOCKING || states[3*g+:3] == tilefly_pkg::RED_STATE_ACTIVE;
    end
    stale = failing;
    if (clear) stale[clear_group] = 1'b1;
  end

  // Slots with a segment, and the ports of their groups' trees.
  logic [Slots-1:0] comes;
  logic [Slots*Ports-1:0] slot_tree;

  always_comb begin
    for (int s = 0; s < Slots; s++) begin
      comes[s] = bound_o[s] && segment_i[s*Ports+:Ports] != '0;
      slot_tree[s*Ports+:Ports] = tree_i[32'(slot_group_o[3*s+:3])*Ports+:Ports];
    end
  end

  tilefly_red_causes u_causes (
      .reported_i,
      .segment_i,
      .live_i,
      .failing_i   (failing),
      .locked_i    (locked),
      .bound_i     (bound_o),
      .slot_group_i(slot_group_o),
      .tree_i,
      .slot_tree_i (slot_tree),
      .pending_i,
      .stray_i,
      .expired_i   (overdue_i | late_parts),
      .mismatch_i  (mismatched_i),
      .unbound_i   (unbound & ~stale),
      .fails_o,
      .codes_o     (fail_codes)
  );

  tilefly_red_groups u_groups (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .tree_written_i,
      .root_i,
      .small_i,
      .timeout_i,
      .launch_i,
      .candidate_i   (what_i.candidate),
      .launch_group_i(what_i.group),
      .final_i,
      .segment_i     (comes),
      .idle_i,
      .ends_i,
      .ends_group_i,
      .ends_word_i,
      .fails_i       (fails_o),
      .codes_i       (fail_codes),
      .answer_o,
      .answer_tag_o,
      .unbound_o     (unbound),
      .states_o      (states),
      .tags_o        (tags),
      .codes_o       (codes),
      .notice_o      (notice),
      .expired_o     (late_parts),
      .used_o,
      .bound_o,
      .slot_group_o,
      .slot_tag_o,
      .change_o      (change),
      .clear_o       (clear),
      .clear_group_o (clear_group),
      .status_o,
      .status_group_i,
      .wake_at_o,
      .quiescent_o   (groups_quiescent)
  );

  assign groups_o    = {states, tags, codes, awake, failing, locked, stale, notice};
  assign quiescent_o = groups_quiescent && fails_o == '0;

  // What is told to the ports.
  logic told_launch_q, told_down_q, told_slot_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {told_launch_q, told_down_q, told_slot_q} <= '0;
    else if (launch_i && tilefly_red_pkg::is_stream(what_i.candidate)) begin
      told_launch_q <= 1'b1;
      told_down_q   <= tilefly_red_pkg::goes_down(what_i.candidate);
      told_slot_q   <= tilefly_red_pkg::slot_of(what_i.candidate);
    end else {told_launch_q, told_down_q, told_slot_q} <= '0;
  end
  always_comb begin
    cmd_o = '0;
    cmd_o.launch      = told_launch_q;
    cmd_o.launch_down = told_down_q;
    cmd_o.launch_slot = told_slot_q;
    cmd_o.change      = change;
    cmd_o.clear       = clear;
    if (clear) cmd_o.clear_group = clear_group;
    if (bound_o[0]) {cmd_o.bind0_valid, cmd_o.bind0_group, cmd_o.bind0_tag} = {1'b1, slot_group_o[2:0], slot_tag_o[3:0]};
    if (bound_o[1]) {cmd_o.bind1_valid, cmd_o.bind1_group, cmd_o.bind1_tag} = {1'b1, slot_group_o[5:3], slot_tag_o[7:4]};
  end

endmodule
