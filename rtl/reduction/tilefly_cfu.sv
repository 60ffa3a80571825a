// SPDX-License-Identifier: Apache-2.0
// Central unit of the reduction ring: launches, the step where the half rings meet, packets of the results, groups. Manual:
// docs/blocks/reduction.md, docs/blocks/reduction-trees.md.
// Latency: a launch of cycle t has word k on `collect_o` in t + 1 + k, its words meet 6 cycles for each tile later, word j of its packet
// is on `return_o` RED_DELAY + j after t. Throughput: a launch a cycle, a word a cycle and ring lane. Handshake: valid only.
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
    /// reports of the reduction ports (red_report_t)
    input  logic [Ports*tilefly_pkg::RED_REPORT_W-1:0] reports_i,
    /// collect words of the half rings: {half 1, half 0} x {DOWN, UP}
    input  logic [                        4*WordW-1:0] collect_i,
    /// collect words that both half rings begin with, {DOWN, UP} (flops)
    output logic [                        2*WordW-1:0] collect_o,
    /// return lanes {S, D, U}
    output logic [   3*tilefly_pkg::RED_RETURN_W-1:0] return_o,
    /// commands to all reduction ports (red_cmd_t, flops)
    output logic [          tilefly_pkg::RED_CMD_W-1:0] cmd_o,
    /// answer to a register read: STATUS (read_answer_t)
    output logic [     tilefly_pkg::READ_ANSWER_W-1:0] rdata_o,
    /// observation (cfu_obs_t)
    output logic [          tilefly_pkg::CFU_OBS_W-1:0] obs_o,
    /// with idle inputs nothing here will change before `wake_at_o`
    output logic                                       quiescent_o,
    /// cycle at which the CFU wants to be evaluated again; all ones: never
    output logic [                               47:0] wake_at_o
);

  localparam int Groups = tilefly_pkg::RED_GROUPS;
  localparam int QuietW = $clog2(tilefly_pkg::RED_HOME + 2);

  // Registers.
  tilefly_pkg::cfg_t cfg;
  logic cfg_busy;
  logic [Groups-1:0] tree_written, valid, root, smalls;
  logic [Groups*32-1:0] timeout;
  logic [Groups*Ports-1:0] children, nodes, parent;
  logic [63:0] status;
  tilefly_pkg::read_answer_t status_read;
  logic [2:0] status_group;

  tilefly_cfg_line u_cfg (
      .clk_i,
      .rst_ni,
      .cfg_i,
      .cfg_o (cfg),
      .busy_o(cfg_busy)
  );

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
      .parent_o      (parent),
      .status_group_o(status_group),
      .status_i      (status),
      .rdata_o       (status_read)
  );

  assign rdata_o = status_read;

  // What the ports report now: ports as bits of masks.
  tilefly_red_pkg::groups_t groups;
  logic some_report;
  logic [Ports-1:0] live, wanted, final_ones;
  logic [2*Ports-1:0] segments, credits;
  logic [3*Ports-1:0] frees;
  logic [7*Ports-1:0] free_cells;
  logic [8*Ports-1:0] credit_counts, short_engines;
  logic [Groups*Ports-1:0] shorts;
  logic [Groups*16-1:0] reported;
  logic [Groups-1:0] pending, engaged, overdue, strays, fails, mismatched;

  tilefly_red_reports u_reports (
      .reports_i,
      .look_i   ((groups.locked | pending | groups.notice) != '0),
      .hears_i  (groups.awake | engaged),
      .some_o   (some_report),
      .live_o   (live),
      .segment_o(segments),
      .wants_o  (wanted),
      .ends_o   (final_ones),
      .credit_o (credits),
      .counts_o (credit_counts),
      .short_o  (shorts),
      .engine_o (short_engines),
      .codes_o  (reported),
      .free_o   (frees),
      .cells_o  (free_cells)
  );

  // Groups and slots.
  tilefly_red_pkg::launch_t what;
  tilefly_pkg::red_collect_t ends_word;
  logic launch, is_final, slots_quiescent, arms;
  logic [1:0] idle, short_ends;
  logic [1:0] used, bound;
  logic [5:0] slot_group, ends_index;
  logic [7:0] slot_tag;
  logic [3:0] answer, answer_tag;
  logic [47:0] slots_wake, launches_wake;

  tilefly_red_slots u_slots (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .tree_written_i(tree_written),
      .root_i        (root),
      .small_i       (smalls),
      .timeout_i     (timeout),
      .tree_i        (children | parent),
      .reported_i    (reported),
      .segment_i     (segments),
      .live_i        (live),
      .launch_i      (launch),
      .what_i        (what),
      .final_i       (is_final),
      .idle_i        (idle),
      .pending_i     (pending),
      .overdue_i     (overdue),
      .stray_i       (strays),
      .mismatched_i  (mismatched),
      .ends_i        (short_ends),
      .ends_group_i  (ends_index[5:3]),
      .ends_word_i   (ends_word),
      .answer_o      (answer),
      .answer_tag_o  (answer_tag),
      .used_o        (used),
      .bound_o       (bound),
      .slot_group_o  (slot_group),
      .slot_tag_o    (slot_tag),
      .groups_o      (groups),
      .fails_o       (fails),
      .cmd_o,
      .status_o      (status),
      .status_group_i(status_group),
      .wake_at_o     (slots_wake),
      .quiescent_o   (slots_quiescent)
  );

  // Launches.
  logic eligible, starts_busy, returns;
  logic [1:0] returns_lane;
  logic [6:0] returns_cells;
  logic [Ports-1:0] mask, returns_mask;

  tilefly_red_launch_path u_launches (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .clear_i       (tree_written | fails),
      .valid_i       (valid),
      .root_i        (root),
      .small_i       (smalls),
      .timeout_i     (timeout),
      .children_i    (children),
      .nodes_i       (nodes),
      .parent_i      (parent),
      .groups_i      (groups),
      .used_i        (used),
      .bound_i       (bound),
      .slot_group_i  (slot_group),
      .slot_tag_i    (slot_tag),
      .live_i        (live),
      .segment_i     (segments),
      .wants_i       (wanted),
      .ends_i        (final_ones),
      .credit_i      (credits),
      .counts_i      (credit_counts),
      .short_i       (shorts),
      .engine_i      (short_engines),
      .free_i        (frees),
      .free_cells_i  (free_cells),
      .end_i         (short_ends != '0),
      .end_index_i   (ends_index),
      .arm_i         (arms),
      .return_i      (returns),
      .return_lane_i (returns_lane),
      .return_cells_i(returns_cells),
      .return_mask_i (returns_mask),
      .launch_o      (launch),
      .what_o        (what),
      .mask_o        (mask),
      .final_o       (is_final),
      .eligible_o    (eligible),
      .idle_o        (idle),
      .pending_o     (pending),
      .engaged_o     (engaged),
      .overdue_o     (overdue),
      .stray_o       (strays),
      .wake_at_o     (launches_wake),
      .words_o       (collect_o),
      .busy_o        (starts_busy)
  );

  // Where the half rings meet.
  /* verilator lint_off UNUSEDSIGNAL */  // what names the launch is looked at
  tilefly_pkg::red_collect_t half0, half0_down, half1;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [1:0] step_small, step_busy;
  logic [2*WordW-1:0] met;

  assign {half0_down, half0} = collect_i[2*WordW-1:0];
  assign half1 = collect_i[2*WordW+:WordW];
  assign step_small = {half0_down.brief && smalls[half0_down.index[5:3]], half0.brief && smalls[half0.index[5:3]]};

  generate
    for (genvar ring_lane = 0; ring_lane < 2; ring_lane++) begin : gen_ring_lane
      tilefly_red_step #(
          .Combines(ring_lane == 0)
      ) u_step (
          .clk_i,
          .rst_ni,
          .word_i (collect_i[ring_lane*WordW+:WordW]),
          .other_i(collect_i[(2+ring_lane)*WordW+:WordW]),
          .small_i(step_small[ring_lane]),
          /* verilator lint_off PINCONNECTEMPTY */  // the other half's word is here: no part is asked for
          .index_o(),
          /* verilator lint_on PINCONNECTEMPTY */
          .word_o (met[ring_lane*WordW+:WordW]),
          .busy_o (step_busy[ring_lane])
      );
    end
  endgenerate

  // Ends: packets, room that comes back, locks.
  logic ends_quiescent;

  tilefly_red_ends u_ends (
      .clk_i,
      .rst_ni,
      .valid_i       (launch),
      .launch_i      (what),
      .mask_i        (mask),
      .tags_i        (groups.tags),
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

  tilefly_cfu_observer u_observer (
      .clk_i,
      .rst_ni,
      .launch_i    (launch),
      .what_i      (what),
      .half0_i     (half0),
      .half1_i     (half1),
      .used_i      (used),
      .slot_group_i(slot_group),
      .states_i    (groups.states),
      .obs_o
  );

  // Quiet: nothing was launched for so long that all of it is over.
  logic [QuietW-1:0] quiet_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) quiet_q <= '0;
    else if (launch) quiet_q <= QuietW'(tilefly_pkg::RED_HOME + 1);
    else if (quiet_q != '0) quiet_q <= quiet_q - 1'b1;
  end

  assign quiescent_o = !some_report && !eligible && quiet_q == '0 && !cfg_busy && !status_read.valid && slots_quiescent && ends_quiescent &&
      step_busy == '0 && !starts_busy;
  assign wake_at_o = launches_wake < slots_wake ? launches_wake : slots_wake;

endmodule
