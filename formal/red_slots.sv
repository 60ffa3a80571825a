// SPDX-License-Identifier: Apache-2.0
// Slots and states of the groups of one switch, whatever is launched, reported and told by other switches: TREE-1; a slot is reserved or
// bound for a group whose state says so, and for no other (TREE-2); the parent's answer ends LOCKING; with a timeout of n a group that was
// let in in cycle t is LOCKING until t + n at the latest; DRAIN and, when its peers are told, FAILING end with the last launch's time; each
// failure makes one notice (TREE-3). Which group is watched is left open. Made small: three groups for the two slots, one port beside each
// tree, timeouts below 4, all over after RED_HOME = 3 cycles.

module red_slots #(
    /// groups
    parameter int Groups = 3,
    /// the bound of LOCKING is made tighter by this many cycles
    parameter int Tighter = 0
) (
    input logic                 clk_i,
    input logic                 launch_i,
    input logic [          2:0] candidate_i,
    input logic [          2:0] launch_group_i,
    input logic                 final_i,
    /// a segment of slot s comes, from a port of the tree or of none
    input logic [          1:0] segment_i,
    input logic                 stranger_i,
    /// nothing of an operation of slot s is under way
    input logic [          1:0] idle_i,
    /// a short launch ends: {down, up}, its group, what its parts say
    input logic [          1:0] ends_i,
    input logic [          2:0] ends_group_i,
    input logic [          2:0] action_i,
    input logic [          3:0] code_i,
    input logic                 mismatch_i,
    input logic [         15:0] count_i,
    input logic [          3:0] tag_i,
    /// codes that are reported, a bit for each; other causes
    input logic [Groups*16-1:0] reported_i,
    input logic [   Groups-1:0] pending_i,
    input logic [   Groups-1:0] stray_i,
    input logic [   Groups-1:0] overdue_i,
    input logic [   Groups-1:0] differs_i,
    input logic                 live_i,
    input logic [   Groups-1:0] tree_written_i
);

  localparam int Home = tilefly_pkg::RED_HOME;

  // The registers are written while a group is IDLE.
  (* anyconst *) logic [Groups*2-1:0] cycles;
  (* anyconst *) logic [Groups-1:0] root, smalls;
  logic [Groups*32-1:0] timeout;
  always_comb begin
    for (int g = 0; g < Groups; g++) timeout[32*g+:32] = 32'(cycles[2*g+:2]);
  end

  logic started_q = 1'b0;
  logic [47:0] cycle_q = '0;
  always @(posedge clk_i) begin
    started_q <= 1'b1;
    cycle_q   <= cycle_q + 48'd1;
  end

  logic [Groups*3-1:0] states;
  logic [Groups*4-1:0] tags, codes, fail_codes;
  logic [Groups-1:0] notice, expired, unbound, fails, failing, locked, stale;
  logic [1:0] used, bound;
  logic [5:0] slot_group;
  logic [7:0] slot_tag;
  logic [3:0] answer, answer_tag;
  logic [2:0] clear_group;
  logic [47:0] wake_at;
  logic [63:0] status;
  logic change, clear, quiescent;

  tilefly_pkg::red_collect_t word;
  always_comb begin
    word = '0;
    word.action   = action_i;
    word.code     = code_i;
    word.mismatch = mismatch_i;
    word.count    = count_i;
    word.tag      = tag_i;
  end

  tilefly_red_causes #(
      .Ports (1),
      .Groups(Groups)
  ) u_causes (
      .reported_i,
      .segment_i   (segment_i),
      .live_i,
      .failing_i   (failing),
      .locked_i    (locked),
      .bound_i     (bound),
      .slot_group_i(slot_group),
      .tree_i      ('1),
      .slot_tree_i ({2{!stranger_i}}),
      .pending_i,
      .stray_i,
      .expired_i   (overdue_i | expired),
      .mismatch_i  (differs_i),
      .unbound_i   (unbound & ~stale),
      .fails_o     (fails),
      .codes_o     (fail_codes)
  );

  tilefly_red_groups #(
      .Groups(Groups)
  ) u_groups (
      .clk_i,
      .rst_ni        (started_q),
      .cycle_i       (cycle_q),
      .tree_written_i,
      .root_i        (root),
      .small_i       (smalls),
      .timeout_i     (timeout),
      .launch_i,
      .candidate_i,
      .launch_group_i,
      .final_i,
      .segment_i     (bound & segment_i),
      .idle_i,
      .ends_i,
      .ends_group_i,
      .ends_word_i   (word),
      .fails_i       (fails),
      .codes_i       (fail_codes),
      .answer_o      (answer),
      .answer_tag_o  (answer_tag),
      .unbound_o     (unbound),
      .states_o      (states),
      .tags_o        (tags),
      .codes_o       (codes),
      .notice_o      (notice),
      .expired_o     (expired),
      .used_o        (used),
      .bound_o       (bound),
      .slot_group_o  (slot_group),
      .slot_tag_o    (slot_tag),
      .change_o      (change),
      .clear_o       (clear),
      .clear_group_o (clear_group),
      .status_o      (status),
      .status_group_i(3'd0),
      .wake_at_o     (wake_at),
      .quiescent_o   (quiescent)
  );

  (* hierconn *) wire [47:0] \u_groups.since_q[0] , \u_groups.since_q[1] , \u_groups.slot_last_q[0] , \u_groups.slot_last_q[1] ;
  (* hierconn *) wire [47:0] \u_groups.last_q[0] , \u_groups.last_q[1] , \u_groups.last_q[2] ;
  (* hierconn *) wire [31:0] \u_groups.fails_q[0] , \u_groups.fails_q[1] , \u_groups.fails_q[2] ;
  (* hierconn *) wire [1:0] \u_groups.slot_launched_q ;
  (* hierconn *) wire [2:0] \u_groups.launched_q ;
  (* anyconst *) logic [1:0] watched;
  wire [2*48-1:0] waits_since = {\u_groups.since_q[1] , \u_groups.since_q[0] };
  wire [2*48-1:0] slot_last = {\u_groups.slot_last_q[1] , \u_groups.slot_last_q[0] };
  wire [3*48-1:0] all_last = {\u_groups.last_q[2] , \u_groups.last_q[1] , \u_groups.last_q[0] };
  wire [3*32-1:0] all_failures = {\u_groups.fails_q[2] , \u_groups.fails_q[1] , \u_groups.fails_q[0] };
  wire [47:0] last = all_last[watched*48+:48];
  wire [31:0] failures = all_failures[watched*32+:32];
  wire [2:0] state = states[watched*3+:3];
  wire [31:0] patience = timeout[watched*32+:32];

  // Since when the watched group is in its state, when its peers were last told, and how often; the parent's answer came for it.
  logic [2:0] before_q;
  logic answered_q, granted_q;
  logic [47:0] since_q, since, told_q;
  logic [31:0] notices_q;
  assign since = state != before_q ? cycle_q - 48'd1 : since_q;
  always @(posedge clk_i) begin
    before_q <= state;
    since_q  <= since;
    if (launch_i && candidate_i == tilefly_pkg::RED_CANDIDATE_NOTICE && launch_group_i == {1'b0, watched}) begin
      told_q    <= cycle_q;
      notices_q <= notices_q + 32'd1;
    end
    answered_q <= ends_i[1] && ends_group_i == {1'b0, watched} && action_i == 3'(tilefly_pkg::RED_ACTION_LOCK) && locking[watched];
    granted_q  <= code_i == tilefly_pkg::RED_CODE_OK;
    if (!started_q) begin
      before_q   <= '0;
      notices_q  <= '0;
      answered_q <= 1'b0;
    end
  end

  // States of all groups, and the slots that they have.
  logic [Groups-1:0] idle, locking, active, drain, has, has_bound, unknown;
  logic slot;
  assign slot = candidate_i == tilefly_pkg::RED_CANDIDATE_UP_1 || candidate_i == tilefly_pkg::RED_CANDIDATE_DOWN_1;
  logic [1:0] nobodys, hasty, other_since;
  logic [2:0] group;

  always_comb begin
    has         = '0;
    has_bound   = '0;
    nobodys     = '0;
    other_since = '0;
    group       = '0;
    for (int g = 0; g < Groups; g++) begin
      idle[g]    = states[3*g+:3] == tilefly_pkg::RED_STATE_IDLE;
      locking[g] = states[3*g+:3] == tilefly_pkg::RED_STATE_LOCKING;
      active[g]  = states[3*g+:3] == tilefly_pkg::RED_STATE_ACTIVE;
      drain[g]   = states[3*g+:3] == tilefly_pkg::RED_STATE_DRAIN;
      failing[g] = states[3*g+:3] == tilefly_pkg::RED_STATE_FAILING;
      unknown[g] = states[3*g+:3] > tilefly_pkg::RED_STATE_FAILING;
    end
    locked = locking | active;
    stale  = failing;
    if (clear) stale[clear_group] = 1'b1;
    for (int s = 0; s < 2; s++) begin
      group    = slot_group[3*s+:3];
      hasty[s] = \u_groups.slot_launched_q [s] && slot_last[48*s+:48] >= cycle_q;
      if (used[s]) begin
        nobodys[s] = group >= 3'(Groups) || idle[group];
        for (int g = 0; g < Groups; g++) begin
          if (group == 3'(g)) begin
            has[g]       = 1'b1;
            has_bound[g] = bound[s];
          end
        end
        if (group == {1'b0, watched}) begin
          other_since[s] = locking[watched] && waits_since[48*s+:48] != since;
          if (drain[watched] && \u_groups.slot_launched_q [s] && slot_last[48*s+:48] > since) hasty[s] = 1'b1;
        end
      end
    end
  end

  // Times of the watched one.
  logic late, drains_on, fails_on, other_last, lost;
  assign late      = locking[watched] && patience != '0 && cycle_q + 48'(Tighter) > since + 48'(patience);
  assign drains_on = drain[watched] && cycle_q > since + 48'(Home);
  assign fails_on  = failing[watched] && !notice[watched] && cycle_q > told_q + 48'(Home);
  assign other_last = failing[watched] && !notice[watched] && !(\u_groups.launched_q [watched] && last == told_q && told_q < cycle_q);
  assign lost = failures != notices_q + 32'(notice[watched]) || !idle[watched] && since >= cycle_q;

  always_comb begin
    ENV_watched : assume (watched < Groups);
    COV_watched : cover (started_q && watched == Groups - 1 && locking[watched]);
    ENV_clock : assume (cycle_q < 48'h8000_0000_0000);
    COV_clock : cover (started_q && cycle_q == 48'd2);
    ENV_group : assume (launch_group_i < 3'(Groups) && ends_group_i < 3'(Groups) && ends_i != 2'b11);
    COV_group : cover (started_q && launch_i && launch_group_i == 3'd2 && ends_i != '0 && ends_group_i == 3'd1);
    // Who is launched: a stream of a slot whose group is ACTIVE, a short operation of a group that is not FAILING, a notice that is due.
    ENV_stream : assume (!launch_i || candidate_i > tilefly_pkg::RED_CANDIDATE_DOWN_1 || bound[slot] && slot_group[3*slot+:3] == launch_group_i &&
        active[launch_group_i]);
    COV_stream : cover (started_q && launch_i && candidate_i == tilefly_pkg::RED_CANDIDATE_DOWN_1 && final_i);
    ENV_short : assume (!launch_i || candidate_i < tilefly_pkg::RED_CANDIDATE_SHORT_UP ||
        (candidate_i == tilefly_pkg::RED_CANDIDATE_NOTICE ? notice[launch_group_i] : !failing[launch_group_i]));
    COV_short : cover (started_q && launch_i && candidate_i == tilefly_pkg::RED_CANDIDATE_NOTICE);
    ENV_candidate : assume (candidate_i <= tilefly_pkg::RED_CANDIDATE_NOTICE);
    COV_candidate : cover (started_q && launch_i && candidate_i == tilefly_pkg::RED_CANDIDATE_SHORT_DOWN);
    if (started_q) begin
      two_of_one : assert (used != '1 || slot_group[2:0] != slot_group[5:3]);
      for_somebody : assert (nobodys == '0 && (bound & ~used) == '0 && unknown == '0 && (notice & ~failing) == '0);
      as_the_state_says : assert ((idle & has) == '0 && ((locking | active | drain) & ~has) == '0 && (locking & has_bound) == '0 &&
          ((active | drain) & ~has_bound) == '0);
      let_go_in_time : assert (!late);
      answer_counts : assert (!answered_q || failing[watched] || (granted_q ? active[watched] : idle[watched]));
      drain_ends : assert (!drains_on);
      failing_ends : assert (!fails_on);
      one_notice_each : assert (!lost);
      counts_from_its_begin : assert (other_since == '0 && !other_last && hasty == '0);
    end
    COV_no_slot_left : cover (started_q && used == '1 && ends_i[0] && action_i == 3'(tilefly_pkg::RED_ACTION_LOCK) &&
        answer == tilefly_pkg::RED_CODE_BUSY && idle[ends_group_i]);
    COV_in_time : cover (started_q && expired != '0 && locking != '0);
    COV_refused : cover (started_q && answered_q && !granted_q && idle[watched]);
    COV_drained : cover (started_q && before_q == tilefly_pkg::RED_STATE_DRAIN && idle[watched]);
    COV_torn_down : cover (started_q && before_q == tilefly_pkg::RED_STATE_FAILING && idle[watched]);
  end

endmodule
