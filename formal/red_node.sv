// SPDX-License-Identifier: Apache-2.0
// A switch of a reduction tree with one group, as far as locks go: the CFU's reports, engines, causes and groups, wired as there, and in
// place of its ring a delay. Port 0 leads to the other switch, port 1 to one more child, which asks for a lock when it has the answer to
// its last one, was told of a failure, or gave up. Its engine 0 has locks only. Time may go by as fast as it likes, so a group that fails
// heals sooner or later; no part is ever late.

module red_node #(
    /// it is the root: the other switch is a child; else its parent
    parameter bit Root  = 1'b0,
    /// cycles from a launch to its packet
    parameter int Delay = 2
) (
    input  logic       clk_i,
    input  logic       rst_ni,
    /// what has been launched is long over
    input  logic       late_i,
    /// the other switch's packet: LOCK or its answer, whose code is not OK; FAIL
    input  logic       far_lock_i,
    input  logic       far_busy_i,
    input  logic       far_fail_i,
    /// the other child's LOCK
    input  logic       near_lock_i,
    /// something makes the group fail, with any code: the other child gives up
    input  logic       breaks_i,
    input  logic [3:0] code_i,
    /// what goes when it may: short up, short down, notice
    input  logic [2:0] go_i,
    /// of a lock that ends: the parts disagree; code of the other child
    input  logic       differ_i,
    input  logic [3:0] near_code_i,
    /// a packet to the other switch: LOCK or its answer, whose code is not OK; FAIL
    output logic       lock_o,
    output logic       busy_o,
    output logic       fail_o,
    /// state of the group
    output logic [2:0] state_o,
    /// a packet of the other switch waits, or one to it
    output logic       waits_o,
    /// a launch is on the ring lanes
    output logic       going_o,
    /// FAIL came then, and nothing else of the group was here
    output logic       fail_on_ring_o
);

  localparam logic [1:0] Far = 2'b01, Near = 2'b10;
  localparam logic [1:0] Children = Root ? Far | Near : Near;
  localparam logic [1:0] Parent = Root ? 2'b00 : Far;
  localparam logic [1:0] Up = 2'd0, Down = 2'd1, Notice = 2'd2;
  localparam int EntryW = 3;  // {busy, kind}

  // The entry of the port to the other switch: it is free with its launch, or when the group is cleared. The other child waits.
  logic entry_q, entry_busy_q, far_short, far_taken, clear, asked_q, near_short;
  assign far_short  = far_lock_i && !entry_q;
  assign near_short = near_lock_i && !asked_q;

  // Reports.
  tilefly_pkg::red_report_t far, near;
  logic [1:0] live, wants, ends, shorts;
  logic [3:0] segments, credits;
  logic [15:0] counts, engines, reported;
  logic [5:0] frees;
  logic [13:0] cells;
  logic some_report;
  logic awake, failing, locked, stale, notice, engaged, pending, stray, unbound, fails;
  logic [3:0] fail_code;

  always_comb begin
    far      = '0;
    near     = '0;
    far.live = 1'b1;
    near.live = 1'b1;
    if (far_fail_i) begin
      far.ev   = tilefly_pkg::RED_EV_FAILED;
      far.code = tilefly_pkg::RED_CODE_LEFT;
    end else if (far_short) far.ev = tilefly_pkg::RED_EV_SHORT;
    else if (far_lock_i) begin
      far.ev   = tilefly_pkg::RED_EV_ERROR;
      far.code = tilefly_pkg::RED_CODE_ORDER;
    end
    if (breaks_i) begin
      near.ev   = tilefly_pkg::RED_EV_ERROR;
      near.code = code_i;
    end else if (near_short) near.ev = tilefly_pkg::RED_EV_SHORT;
  end

  tilefly_red_reports #(
      .Ports (2),
      .Groups(1)
  ) u_reports (
      .reports_i({near, far}),
      .look_i   (1'b1),
      .hears_i  (awake || engaged),
      .some_o   (some_report),
      .live_o   (live),
      .segment_o(segments),
      .wants_o  (wants),
      .ends_o   (ends),
      .credit_o (credits),
      .counts_o (counts),
      .short_o  (shorts),
      .engine_o (engines),
      .codes_o  (reported),
      .free_o   (frees),
      .cells_o  (cells)
  );

  // Launches, and their ends.
  logic [1:0] engine_ok, launch, ended;
  logic [11:0] engine_numbers;
  logic [3:0] parts, mask;
  logic launch_notice, launched;
  logic [47:0] engines_wake;
  logic expired;
  logic [Delay-1:0] valid_q;
  logic [Delay*EntryW-1:0] ring_lane_q;
  logic [EntryW-1:0] leaving;
  logic ends_now;

  assign launch        = engine_ok & go_i[1:0] & (engine_ok[0] && go_i[0] ? 2'b01 : 2'b11);
  assign launch_notice = notice && go_i[2] && launch == '0;
  assign launched      = launch != '0 || launch_notice;
  assign far_taken     = Root ? launch[0] : launch[1];
  assign leaving       = ring_lane_q[(Delay-1)*EntryW+:EntryW];
  assign ends_now      = valid_q[Delay-1];
  assign ended         = {ends_now && leaving[1:0] == Down, ends_now && leaving[1:0] == Up};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[Delay-2:0], launched};
    ring_lane_q <= {ring_lane_q[(Delay-1)*EntryW-1:0], far_taken && entry_busy_q, launch_notice ? Notice : launch[1] ? Down : Up};
    if (!rst_ni) ring_lane_q <= '0;
    if (!rst_ni) entry_q <= 1'b0;
    else entry_q <= (entry_q && !far_taken || far_short) && !clear;
    if (far_short) entry_busy_q <= far_busy_i;
    else if (!rst_ni || far_taken || clear) entry_busy_q <= 1'b0;
    if (!rst_ni || breaks_i || fail_o || ended[Root ? 0 : 1]) asked_q <= 1'b0;
    else if (near_short) asked_q <= 1'b1;
  end

  tilefly_red_engines #(
      .Ports (2),
      .Groups(1)
  ) u_engines (
      .clk_i,
      .rst_ni,
      .cycle_i     ('0),
      .short_i     (shorts),
      .engine_i    (engines),
      .deaf_i      (stale),
      .clear_i     (fails),
      .live_i      (!failing),
      .root_i      (Root),
      .small_i     (1'b0),
      .children_i  (Children),
      .parent_i    (Parent),
      .timeout_i   ('0),
      .room_i      ('1),
      .ok_o        (engine_ok),
      .engine_o    (engine_numbers),
      .parts_o     (parts),
      .mask_o      (mask),
      .launch_i    (launch),
      .end_i       (ended != '0),
      .end_group_i (3'd0),
      .arm_i       (1'b0),
      .arm_engine_i('0),
      .pending_o   (pending),
      .used_o      (engaged),
      .expired_o   (expired),
      .stray_o     (stray),
      .wake_at_o   (engines_wake)
  );

  tilefly_red_causes #(
      .Ports (2),
      .Groups(1)
  ) u_causes (
      .reported_i  (reported),
      .segment_i   (segments),
      .live_i      (live),
      .failing_i   (failing),
      .locked_i    (locked),
      .bound_i     (2'b00),
      .slot_group_i('0),
      .tree_i      (Children | Parent),
      .slot_tree_i ('1),
      .pending_i   (pending),
      .stray_i     (stray),
      .expired_i   (expired),
      .mismatch_i  (1'b0),
      .unbound_i   (unbound && !stale),
      .fails_o     (fails),
      .codes_o     (fail_code)
  );

  // The group.
  tilefly_pkg::red_collect_t word;
  logic [3:0] answer, answer_tag, tag, code;
  logic [1:0] used, bound;
  logic [5:0] slot_group;
  logic [7:0] slot_tag;
  logic [2:0] clear_group;
  logic [63:0] status;
  logic [47:0] groups_wake;
  logic change, late_part, groups_quiescent;

  always_comb begin
    word = '0;
    word.valid    = ends_now;
    word.action   = 3'(tilefly_pkg::RED_ACTION_LOCK);
    word.mismatch = ended[0] && differ_i;
    word.code     = ended[0] ? near_code_i | {3'd0, leaving[2]} : {3'd0, leaving[2]};
  end

  tilefly_red_groups #(
      .Groups(1)
  ) u_groups (
      .clk_i,
      .rst_ni,
      .cycle_i       ({7'd0, late_i, 40'd0}),
      .tree_written_i(1'b0),
      .root_i        (Root),
      .small_i       (1'b0),
      .timeout_i     ('0),
      .launch_i      (launched),
      .candidate_i   (launch_notice ? tilefly_pkg::RED_CANDIDATE_NOTICE :
                       launch[1] ? tilefly_pkg::RED_CANDIDATE_SHORT_DOWN : tilefly_pkg::RED_CANDIDATE_SHORT_UP),
      .launch_group_i(3'd0),
      .final_i       (1'b0),
      .segment_i     (2'b00),
      .idle_i        (2'b11),
      .ends_i        (ended),
      .ends_group_i  (3'd0),
      .ends_word_i   (word),
      .fails_i       (fails),
      .codes_i       (fail_code),
      .answer_o      (answer),
      .answer_tag_o  (answer_tag),
      .unbound_o     (unbound),
      .states_o      (state_o),
      .tags_o        (tag),
      .codes_o       (code),
      .notice_o      (notice),
      .expired_o     (late_part),
      .used_o        (used),
      .bound_o       (bound),
      .slot_group_o  (slot_group),
      .slot_tag_o    (slot_tag),
      .change_o      (change),
      .clear_o       (clear),
      .clear_group_o (clear_group),
      .status_o      (status),
      .status_group_i(3'd0),
      .wake_at_o     (groups_wake),
      .quiescent_o   (groups_quiescent)
  );
  assign awake   = state_o != tilefly_pkg::RED_STATE_IDLE;
  assign failing = state_o == tilefly_pkg::RED_STATE_FAILING;
  assign locked  = state_o == tilefly_pkg::RED_STATE_LOCKING || state_o == tilefly_pkg::RED_STATE_ACTIVE;
  assign stale   = failing || clear;

  // What goes to the other switch: of the root the answer, else what goes up.
  assign lock_o  = ended[0];
  assign busy_o  = answer != tilefly_pkg::RED_CODE_OK;
  assign fail_o  = ends_now && leaving[1:0] == Notice;
  assign waits_o = entry_q || notice || valid_q != '0;
  assign going_o = valid_q != '0;
  assign fail_on_ring_o = far_fail_i && !awake && !pending && !entry_q && valid_q != '0;

endmodule
