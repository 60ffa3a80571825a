// SPDX-License-Identifier: Apache-2.0
// Central unit of the reduction ring: launches, the step where the half rings meet, packets of the results, groups. Manual:
// docs/blocks/reduction.md, docs/blocks/reduction-trees.md.
// Latency: a launch of cycle t has word k on `collect_o` in t + 1 + k, its words meet 6 cycles for each tile later, word j of its packet
// is on `return_o` RED_DELAY + j after t. Throughput: a launch a cycle, a word a cycle and lane. Handshake: valid only.
//
//   reports -> launches, engines, groups -> collect_o ... tiles ... collect_i -> step -> packets -> return_o
//                     |                                                           |
//                     +-- what was launched ------------------------------------> + -> ends: groups, room

module tilefly_cfu #(
    /// ports
    parameter int Ports = tilefly_pkg::PORTS,
    /// bits of a collect word
    parameter int WordW = tilefly_pkg::RED_COLLECT_W
) (
    /// clock
    input  logic                                       clk_i,
    /// synchronous reset, active low
    input  logic                                       rst_ni,
    /// number of the current cycle
    input  logic [                               47:0] cycle_i,
    /// register bus (cfg_t)
    input  logic [             tilefly_pkg::CFG_W-1:0] cfg_i,
    /// what the reduction ports say (red_report_t)
    input  logic [Ports*tilefly_pkg::RED_REPORT_W-1:0] reports_i,
    /// collect words of the half rings: {half 1, half 0} x {DOWN, UP}
    input  logic [                        4*WordW-1:0] collect_i,
    /// collect words that both half rings begin with, {DOWN, UP} (flops)
    output logic [                        2*WordW-1:0] collect_o,
    /// return lanes {S, D, U}
    output logic [   3*tilefly_pkg::RED_RETURN_W-1:0] return_o,
    /// what all reduction ports are told (red_cmd_t, flops)
    output logic [          tilefly_pkg::RED_CMD_W-1:0] cmd_o,
    /// answer to a register read: {valid, STATUS}
    output logic [                               64:0] rdata_o,
    /// observation (cfu_obs_t)
    output logic [          tilefly_pkg::CFU_OBS_W-1:0] obs_o,
    /// with idle inputs nothing here will change before `wake_at_o`
    output logic                                       quiescent_o,
    /// cycle at which it wants to be evaluated again; all ones: never
    output logic [                               47:0] wake_at_o
);

  localparam int Groups = tilefly_pkg::RED_GROUPS;
  localparam int QuietW = $clog2(tilefly_pkg::RED_HOME + 2);

  tilefly_pkg::cfg_t cfg;
  logic cfg_busy;

  tilefly_cfg_line u_cfg (
      .clk_i,
      .rst_ni,
      .cfg_i,
      .cfg_o (cfg),
      .busy_o(cfg_busy)
  );

  logic [Groups-1:0] tree_written, valid, root, smalls;
  logic [Groups*32-1:0] timeout;
  logic [Groups*Ports-1:0] children, nodes, parent;

  tilefly_red_regs u_regs (
      .clk_i,
      .rst_ni,
      .cfg_i         (cfg),
      .tree_written_o(tree_written),
      .valid_o       (valid),
      .root_o        (root),
      .small_o       (smalls),
      .timeout_o     (timeout),
      .children_o    (children),
      .nodes_o       (nodes),
      .parent_o      (parent)
  );

  // What the ports report now: ports as bits of masks.
  logic some_report;
  logic [Ports-1:0] live, wanted, final_ones;
  logic [2*Ports-1:0] segments, credits;
  logic [3*Ports-1:0] frees;
  logic [7*Ports-1:0] free_cells;
  logic [8*Ports-1:0] credit_counts, short_engines;
  logic [Groups*Ports-1:0] shorts;
  logic [Groups*16-1:0] reported;
  logic [Groups-1:0] awake, failing, locked, notice, late_parts, unbound, fails, stale, pending, engaged, overdue, strays, mismatched;

  tilefly_red_reports u_reports (
      .reports_i,
      .look_i    ((locked | pending | notice) != '0),
      .hears_i   (awake | engaged),
      .some_o    (some_report),
      .live_o    (live),
      .segment_o (segments),
      .wants_o   (wanted),
      .ends_o    (final_ones),
      .credit_o  (credits),
      .counts_o  (credit_counts),
      .short_o   (shorts),
      .engine_o  (short_engines),
      .codes_o   (reported),
      .free_o    (frees),
      .cells_o   (free_cells)
  );

  // Groups, and the failures that hit them.
  logic [Groups*3-1:0] states;
  logic [Groups*4-1:0] tags, codes, fail_codes;
  logic [1:0] used, bound, active;
  logic [5:0] slot_group;
  logic [7:0] slot_tag;
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

  // Slots as the launches see them.
  logic [1:0] slot_root, slot_valid;
  logic [2*Ports-1:0] slot_children, slot_nodes, slot_parent;
  logic [2:0] group_of_slot;

  always_comb begin
    slot_root     = '0;
    slot_children = '0;
    slot_nodes    = '0;
    slot_parent   = '0;
    active        = '0;
    slot_valid    = '0;
    group_of_slot = '0;
    for (int s = 0; s < 2; s++) begin
      group_of_slot = slot_group[3*s+:3];
      if (used[s]) begin
        active[s]                      = states[3*group_of_slot+:3] == tilefly_pkg::RED_STATE_ACTIVE;
        slot_valid[s]                  = valid[group_of_slot];
        slot_root[s]                   = root[group_of_slot];
        slot_children[s*Ports+:Ports]  = children[32'(group_of_slot)*Ports+:Ports];
        slot_nodes[s*Ports+:Ports]     = nodes[32'(group_of_slot)*Ports+:Ports];
        slot_parent[s*Ports+:Ports]    = parent[32'(group_of_slot)*Ports+:Ports];
      end
    end
  end

  // Short operations and notices.
  logic [1:0] engine_ok, launch_engine, short_ends, slots_idle;
  logic [11:0] engines;
  logic [2*Ports-1:0] engine_parts, engine_mask;
  logic [Ports-1:0] short_room, notice_mask, told;
  logic [47:0] engines_wake, groups_wake;
  logic arms;
  logic [5:0] ends_index;
  logic [Groups-1:0] notice_ok;
  logic [2:0] notice_group, notice_next, notice_pointer_q;

  tilefly_red_engines u_engines (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .short_i      (shorts),
      .engine_i     (short_engines),
      .deaf_i       (stale),
      .clear_i      (tree_written | fails),
      .live_i       (valid & ~failing),
      .root_i       (root),
      .small_i      (smalls),
      .children_i   (children),
      .parent_i     (parent),
      .timeout_i    (timeout),
      .room_i       (short_room),
      .ok_o         (engine_ok),
      .engine_o     (engines),
      .parts_o      (engine_parts),
      .mask_o       (engine_mask),
      .launch_i     (launch_engine),
      .end_i        (short_ends != '0),
      .end_group_i  (ends_index[5:3]),
      .arm_i        (arms),
      .arm_engine_i (ends_index),
      .pending_o    (pending),
      .used_o       (engaged),
      .expired_o    (overdue),
      .stray_o      (strays),
      .wake_at_o    (engines_wake)
  );

  always_comb begin
    notice_ok = '0;
    told      = '0;
    if (notice != '0) begin
      for (int g = 0; g < Groups; g++) begin
        told = (children[g*Ports+:Ports] | parent[g*Ports+:Ports]) & live;
        notice_ok[g] = notice[g] && valid[g] && (told & ~short_room) == '0;
      end
    end
  end

  tilefly_rr_arbiter #(
      .N(Groups)
  ) u_notice (
      .req_i    (notice_ok),
      .pointer_i(notice_pointer_q),
      /* verilator lint_off PINCONNECTEMPTY */
      .grant_o  (),
      /* verilator lint_on PINCONNECTEMPTY */
      .index_o  (notice_group),
      .next_o   (notice_next)
  );
  assign notice_mask = (children[32'(notice_group)*Ports+:Ports] | parent[32'(notice_group)*Ports+:Ports]) & live;

  // Launches.
  logic launch, stream, down, slot, tells, final_segment, eligible, returns;
  logic [2:0] candidate, launch_group;
  logic [Ports-1:0] mask, parts, returns_mask;
  logic [15:0] seq;
  logic [5:0] index;
  logic [1:0] returns_lane;
  logic [6:0] returns_cells;

  tilefly_red_launch u_launch (
      .clk_i,
      .rst_ni,
      .segment_i     (segments),
      .wants_i       (wanted),
      .ends_i        (final_ones),
      .credit_i      (credits),
      .counts_i      (credit_counts),
      .free_i        (frees),
      .free_cells_i  (free_cells),
      .bound_i       (bound),
      .active_i      (active),
      .valid_i       (slot_valid),
      .root_i        (slot_root),
      .children_i    (slot_children),
      .nodes_i       (slot_nodes),
      .parent_i      (slot_parent),
      .brief_i       ({notice_ok != '0, engine_ok}),
      .brief_mask_i  ({notice_mask, engine_mask}),
      .short_room_o  (short_room),
      .launch_o      (launch),
      .candidate_o   (candidate),
      .mask_o        (mask),
      .seq_o         (seq),
      .final_o       (final_segment),
      .eligible_o    (eligible),
      .idle_o        (slots_idle),
      .return_i      (returns),
      .return_lane_i (returns_lane),
      .return_cells_i(returns_cells),
      .return_mask_i (returns_mask)
  );

  assign stream = tilefly_red_pkg::is_stream(candidate);
  assign down   = tilefly_red_pkg::goes_down(candidate);
  assign slot   = tilefly_red_pkg::slot_of(candidate);
  assign tells  = launch && candidate == tilefly_pkg::RED_CANDIDATE_NOTICE;
  assign launch_engine = {launch && candidate == tilefly_pkg::RED_CANDIDATE_SHORT_DOWN,
                          launch && candidate == tilefly_pkg::RED_CANDIDATE_SHORT_UP};

  always_comb begin
    parts        = '0;
    index        = '0;
    launch_group = '0;
    if (launch) begin
      case (candidate)
        tilefly_pkg::RED_CANDIDATE_SHORT_UP: {index, parts} = {engines[5:0], engine_parts[Ports-1:0]};
        tilefly_pkg::RED_CANDIDATE_SHORT_DOWN: {index, parts} = {engines[11:6], engine_parts[2*Ports-1:Ports]};
        tilefly_pkg::RED_CANDIDATE_NOTICE: index = {notice_group, 3'd0};
        tilefly_pkg::RED_CANDIDATE_UP_0, tilefly_pkg::RED_CANDIDATE_UP_1:
        {index, parts} = {5'd0, slot, slot_children[32'(slot)*Ports+:Ports]};
        default: {index, parts} = {5'd0, slot, slot_parent[32'(slot)*Ports+:Ports]};
      endcase
      launch_group = stream ? slot_group[3*slot+:3] : index[5:3];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) notice_pointer_q <= '0;
    else if (tells) notice_pointer_q <= notice_next;
  end

  // What is told to the ports.
  tilefly_pkg::red_cmd_t cmd;
  logic told_launch_q, told_down_q, told_slot_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {told_launch_q, told_down_q, told_slot_q} <= '0;
    else {told_launch_q, told_down_q, told_slot_q} <= launch && stream ? {1'b1, down, slot} : 3'd0;
  end
  always_comb begin
    cmd = '0;
    cmd.launch      = told_launch_q;
    cmd.launch_down = told_down_q;
    cmd.launch_slot = told_slot_q;
    cmd.change      = change;
    cmd.clear       = clear;
    if (clear) cmd.clear_group = clear_group;
    if (bound[0]) {cmd.bind0_valid, cmd.bind0_group, cmd.bind0_tag} = {1'b1, slot_group[2:0], slot_tag[3:0]};
    if (bound[1]) {cmd.bind1_valid, cmd.bind1_group, cmd.bind1_tag} = {1'b1, slot_group[5:3], slot_tag[7:4]};
  end
  assign cmd_o = cmd;

  // Collect lanes: what a launch begins with, and where the half rings meet.
  /* verilator lint_off UNUSEDSIGNAL */  // what names the launch is looked at
  tilefly_pkg::red_collect_t half0, half0_down, half1;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [1:0] step_small, step_busy, starts_busy;
  logic [2*WordW-1:0] met;

  assign {half0_down, half0} = collect_i[2*WordW-1:0];
  assign half1 = collect_i[2*WordW+:WordW];
  assign step_small = {half0_down.brief && smalls[half0_down.index[5:3]], half0.brief && smalls[half0.index[5:3]]};

  generate
    for (genvar lane = 0; lane < 2; lane++) begin : gen_lane
      tilefly_red_starter u_starter (
          .clk_i,
          .rst_ni,
          .launch_i(launch && !tells && (lane == 1) == down),
          .brief_i (!stream),
          .index_i (index),
          .ports_i (64'(parts)),
          .word_o  (collect_o[lane*WordW+:WordW]),
          .busy_o  (starts_busy[lane])
      );

      /* verilator lint_off PINCONNECTEMPTY */
      tilefly_red_step #(
          .Combines(lane == 0)
      ) u_step (
          .clk_i,
          .rst_ni,
          .word_i (collect_i[lane*WordW+:WordW]),
          .other_i(collect_i[(2+lane)*WordW+:WordW]),
          .small_i(step_small[lane]),
          .index_o(),
          .word_o (met[lane*WordW+:WordW]),
          .busy_o (step_busy[lane])
      );
      /* verilator lint_on PINCONNECTEMPTY */
    end
  endgenerate

  // Ends: packets, room that comes back, locks.
  logic ends_quiescent;
  tilefly_pkg::red_collect_t ends_word;
  logic [3:0] answer, answer_tag;

  tilefly_red_ends u_ends (
      .clk_i,
      .rst_ni,
      .launch_i      (launch),
      .candidate_i   (candidate),
      .index_i       (index),
      .group_i       (launch_group),
      .root_i        (root[launch_group]),
      .small_i       (smalls[launch_group]),
      .seq_i         (seq),
      .tag_i         (stream ? slot_tag[4*slot+:4] : tags[4*launch_group+:4]),
      .code_i        (codes[4*launch_group+:4]),
      .mask_i        (mask),
      .tags_i        (tags),
      .words_i       (met),
      .answer_i      (answer),
      .answer_tag_i  (answer_tag),
      .short_ends_o  (short_ends),
      .index_o       (ends_index),
      .word_o        (ends_word),
      .arms_o        (arms),
      .mismatched_o  (mismatched),
      .return_o      (returns),
      .return_lane_o (returns_lane),
      .return_cells_o(returns_cells),
      .return_mask_o (returns_mask),
      .words_o       (return_o),
      .quiescent_o   (ends_quiescent)
  );

  tilefly_red_causes u_causes (
      .reported_i   (reported),
      .segment_i    (segments),
      .live_i       (live),
      .failing_i    (failing),
      .locked_i     (locked),
      .bound_i      (bound),
      .slot_group_i (slot_group),
      .tree_i       (children | parent),
      .slot_tree_i  (slot_children | slot_parent),
      .pending_i    (pending),
      .stray_i      (strays),
      .expired_i    (overdue | late_parts),
      .mismatch_i   (mismatched),
      .unbound_i    (unbound & ~stale),
      .fails_o      (fails),
      .codes_o      (fail_codes)
  );

  logic [63:0] status;
  logic [2:0] status_group;
  tilefly_pkg::group_index_t cfg_index;
  assign cfg_index    = tilefly_pkg::get_group_index(cfg.index);
  assign status_group = 3'(cfg_index.group);

  tilefly_red_groups u_groups (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .tree_written_i(tree_written),
      .root_i        (root),
      .small_i       (smalls),
      .timeout_i     (timeout),
      .launch_i      (launch),
      .candidate_i   (candidate),
      .launch_group_i(launch_group),
      .final_i       (final_segment),
      .segment_i     (bound & {segments[2*Ports-1:Ports] != '0, segments[Ports-1:0] != '0}),
      .idle_i        (slots_idle),
      .ends_i        (short_ends),
      .ends_group_i  (ends_index[5:3]),
      .ends_word_i   (ends_word),
      .fails_i       (fails),
      .codes_i       (fail_codes),
      .answer_o      (answer),
      .answer_tag_o  (answer_tag),
      .unbound_o     (unbound),
      .states_o      (states),
      .tags_o        (tags),
      .codes_o       (codes),
      .notice_o      (notice),
      .expired_o     (late_parts),
      .used_o        (used),
      .bound_o       (bound),
      .slot_group_o  (slot_group),
      .slot_tag_o    (slot_tag),
      .change_o      (change),
      .clear_o       (clear),
      .clear_group_o (clear_group),
      .status_o      (status),
      .status_group_i(status_group),
      .wake_at_o     (groups_wake),
      .quiescent_o   (groups_quiescent)
  );

  // STATUS.
  logic reads, read_q;
  logic [63:0] read_data_q;
  assign reads = cfg.valid && cfg.read && cfg.space == tilefly_pkg::CFG_RED && cfg_index.group < 7'(Groups) &&
      cfg_index.which == tilefly_pkg::RED_REG_STATUS;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) read_q <= 1'b0;
    else read_q <= reads;
    if (reads) read_data_q <= status;
  end
  assign rdata_o = read_q ? {1'b1, read_data_q} : '0;

  tilefly_cfu_observer u_observer (
      .clk_i,
      .rst_ni,
      .launch_i    (launch),
      .candidate_i (candidate),
      .index_i     (tells ? {3'd0, notice_group} : index),
      .half0_i     (half0),
      .half1_i     (half1),
      .used_i      (used),
      .slot_group_i(slot_group),
      .states_i    (states),
      .obs_o
  );

  // Quiet: nothing was launched for so long that all of it is over.
  logic [QuietW-1:0] quiet_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) quiet_q <= '0;
    else if (launch) quiet_q <= QuietW'(tilefly_pkg::RED_HOME + 1);
    else if (quiet_q != '0) quiet_q <= quiet_q - 1'b1;
  end

  assign quiescent_o = !some_report && !eligible && quiet_q == '0 && !cfg_busy && !read_q && groups_quiescent && fails == '0 &&
      ends_quiescent && step_busy == '0 && starts_busy == '0;
  assign wake_at_o = engines_wake < groups_wake ? engines_wake : groups_wake;

endmodule
