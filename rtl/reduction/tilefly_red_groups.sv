// SPDX-License-Identifier: Apache-2.0
// States of the reduction groups: locks, slots, failures, notices. Manual: docs/blocks/reduction-trees.md, "States", "Failure".
// Latency: the answer to a lock is combinational on the state; an end, a launch and a failure are events of their cycle. Throughput: an
// end, a launch, a failure of each group a cycle. Handshake: none.

module tilefly_red_groups #(
    /// groups
    parameter int Groups = tilefly_pkg::RED_GROUPS
) (
    /// clock
    input  logic                  clk_i,
    /// synchronous reset, active low
    input  logic                  rst_ni,
    /// number of the current cycle
    input  logic [          47:0] cycle_i,
    /// TREE of these groups is written
    input  logic [    Groups-1:0] tree_written_i,
    /// groups at the root
    input  logic [    Groups-1:0] root_i,
    /// groups of small operands
    input  logic [    Groups-1:0] small_i,
    /// timeouts of the groups
    input  logic [ Groups*32-1:0] timeout_i,
    /// a launch
    input  logic                  launch_i,
    /// what is launched (red_candidate_e)
    input  logic [           2:0] candidate_i,
    /// group of the launch
    input  logic [           2:0] launch_group_i,
    /// of a stream: the last segment of an operation
    input  logic                  final_i,
    /// a segment or a result of slot s came
    input  logic [           1:0] segment_i,
    /// nothing of an operation of slot s is under way
    input  logic [           1:0] idle_i,
    /// a short launch ends: {down, up}
    input  logic [           1:0] ends_i,
    /// group of the short launch
    input  logic [           2:0] ends_group_i,
    /// collect word of the short launch's parts
    /* verilator lint_off UNUSEDSIGNAL */  // operands are in its packet
    input  tilefly_pkg::red_collect_t ends_word_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// groups that fail
    input  logic [    Groups-1:0] fails_i,
    /// codes of the groups that fail
    input  logic [  Groups*4-1:0] codes_i,
    /// a lock, or the end of a lock, goes up: code of the answer
    output logic [           3:0] answer_o,
    /// the group's tag after it
    output logic [           3:0] answer_tag_o,
    /// the parent has a lock that nobody asked for
    output logic [    Groups-1:0] unbound_o,
    /// states of the groups, red_state_e
    output logic [  Groups*3-1:0] states_o,
    /// tags of the groups' locks
    output logic [  Groups*4-1:0] tags_o,
    /// codes of the groups' last failures
    output logic [  Groups*4-1:0] codes_o,
    /// groups whose peers are to be told
    output logic [    Groups-1:0] notice_o,
    /// groups of which a part did not come in time
    output logic [    Groups-1:0] expired_o,
    /// slot s belongs to a group
    output logic [           1:0] used_o,
    /// the slot is bound
    output logic [           1:0] bound_o,
    /// the group of slot s
    output logic [           5:0] slot_group_o,
    /// the tag that slot s is bound by
    output logic [           7:0] slot_tag_o,
    /// a binding is new (flop)
    output logic                  change_o,
    /// short entries of a group become invalid (flop)
    output logic                  clear_o,
    /// the group (flop)
    output logic [           2:0] clear_group_o,
    /// register STATUS of group `status_group_i`
    output logic [          63:0] status_o,
    /// that group
    input  logic [           2:0] status_group_i,
    /// the first cycle in which a part will be late; all ones: none
    output logic [          47:0] wake_at_o,
    /// no state changes by time alone before that
    output logic                  quiescent_o
);

  localparam int Slots = tilefly_pkg::RED_SLOTS;
  localparam logic [47:0] Home = 48'(tilefly_pkg::RED_HOME);
  localparam logic [2:0] Lock = 3'(tilefly_pkg::RED_ACTION_LOCK), Unlock = 3'(tilefly_pkg::RED_ACTION_UNLOCK);

  // Groups.
  logic [2:0] state_q[Groups];
  logic [3:0] code_q[Groups];
  logic [3:0] tag_q[Groups];
  logic [15:0] left_q[Groups];
  logic [31:0] fails_q[Groups];
  logic [47:0] last_q[Groups];  // last launch
  logic [Groups-1:0] notice_q, limited_q, launched_q;  // limited: the lock is for some operations; launched: ever
  // Slots.
  logic [1:0] used_q, bound_q, slot_launched_q;
  logic [2:0] slot_group_q[Slots];
  logic [3:0] slot_tag_q[Slots];
  logic [47:0] since_q[Slots];  // what a part is waited for from
  logic [47:0] slot_last_q[Slots];
  logic change_q, clear_q;
  logic [2:0] clear_group_q;

  // Each group's slot.
  logic [Groups-1:0] has_slot, slot_of, idle, idle_state, locking, active, drain, failing;
  always_comb begin
    has_slot = '0;
    slot_of  = '0;
    idle     = '0;
    for (int g = 0; g < Groups; g++) begin
      for (int s = 0; s < Slots; s++) begin
        if (used_q[s] && slot_group_q[s] == 3'(g)) begin
          has_slot[g] = 1'b1;
          slot_of[g]  = 1'(s);
          idle[g]     = idle_i[s];
        end
      end
      idle_state[g] = state_q[g] == tilefly_pkg::RED_STATE_IDLE;
      locking[g]    = state_q[g] == tilefly_pkg::RED_STATE_LOCKING;
      active[g]     = state_q[g] == tilefly_pkg::RED_STATE_ACTIVE;
      drain[g]      = state_q[g] == tilefly_pkg::RED_STATE_DRAIN;
      failing[g]    = state_q[g] == tilefly_pkg::RED_STATE_FAILING;
    end
  end

  // What a lock, or its end, that goes up is answered.
  logic free_slot, lock_up, unlock_up, lock_down, unlock_down, ok_up, ok_down;
  assign free_slot   = used_q[0];  // the lowest; there is none when both are used
  assign lock_up     = ends_i[0] && ends_word_i.action == Lock;
  assign unlock_up   = ends_i[0] && ends_word_i.action == Unlock;
  assign lock_down   = ends_i[1] && ends_word_i.action == Lock;
  assign unlock_down = ends_i[1] && ends_word_i.action == Unlock;
  assign ok_up       = answer_o == tilefly_pkg::RED_CODE_OK;
  assign ok_down     = ends_word_i.code == tilefly_pkg::RED_CODE_OK;

  always_comb begin
    answer_o     = tilefly_pkg::RED_CODE_OK;
    answer_tag_o = tag_q[ends_group_i];
    if (lock_up || unlock_up) begin
      if (ends_word_i.mismatch) answer_o = tilefly_pkg::RED_CODE_MISMATCH;
      else if (ends_word_i.code != tilefly_pkg::RED_CODE_OK) answer_o = ends_word_i.code;
      else if (lock_up && !(idle_state[ends_group_i] && !small_i[ends_group_i] && used_q != '1)) answer_o = tilefly_pkg::RED_CODE_BUSY;
      else if (unlock_up && !(active[ends_group_i] && idle[ends_group_i])) answer_o = tilefly_pkg::RED_CODE_BUSY;
      if (lock_up && answer_o == tilefly_pkg::RED_CODE_OK && root_i[ends_group_i]) answer_tag_o = tag_q[ends_group_i] + 4'd1;
    end
  end

  // Transitions of each group, but for failures, which prevail.
  logic [Groups-1:0] here, takes, wins, refused, unlocked, completes, runs_out, drained, healed, gives;
  logic stream, tells, completed;
  assign stream    = launch_i && tilefly_red_pkg::is_stream(candidate_i);
  assign tells      = launch_i && candidate_i == tilefly_pkg::RED_CANDIDATE_NOTICE;
  assign completed = stream && final_i && (tilefly_red_pkg::goes_down(candidate_i) || root_i[launch_group_i]);

  always_comb begin
    here      = ends_i != '0 ? Groups'(1) << ends_group_i : '0;
    takes     = lock_up && ok_up ? here : '0;
    wins      = (lock_up && ok_up ? here & root_i : '0) | (lock_down && ok_down ? here & locking : '0);
    refused   = lock_down && !ok_down ? here & locking : '0;
    unbound_o = lock_down && ok_down ? here & ~locking : '0;
    unlocked  = (unlock_up && ok_up ? here & root_i : '0) | (unlock_down && ok_down ? here & active : '0);
    completes = completed ? (Groups'(1) << launch_group_i) & active & limited_q : '0;
    runs_out  = '0;
    drained   = '0;
    healed    = '0;
    for (int g = 0; g < Groups; g++) begin
      if (completes[g]) runs_out[g] = left_q[g] == 16'd1;
      if (drain[g]) drained[g] = !slot_launched_q[slot_of[g]] || cycle_i >= slot_last_q[slot_of[g]] + Home;
      if (failing[g]) healed[g] = !notice_q[g] && (!launched_q[g] || cycle_i >= last_q[g] + Home);
    end
  end
  assign gives = (refused | drained | healed) & ~fails_i;

  always_ff @(posedge clk_i) begin
    for (int g = 0; g < Groups; g++) begin
      if (!rst_ni) begin
        state_q[g] <= tilefly_pkg::RED_STATE_IDLE;
        code_q[g]  <= '0;
        tag_q[g]   <= '0;
        left_q[g]  <= '0;
        fails_q[g] <= '0;
      end else begin
        if (fails_i[g]) state_q[g] <= tilefly_pkg::RED_STATE_FAILING;
        else if (wins[g]) state_q[g] <= tilefly_pkg::RED_STATE_ACTIVE;
        else if (takes[g]) state_q[g] <= tilefly_pkg::RED_STATE_LOCKING;
        else if (unlocked[g] || runs_out[g]) state_q[g] <= tilefly_pkg::RED_STATE_DRAIN;
        else if (gives[g]) state_q[g] <= tilefly_pkg::RED_STATE_IDLE;
        if (fails_i[g]) begin
          code_q[g]  <= codes_i[4*g+:4];
          fails_q[g] <= fails_q[g] + 32'd1;
        end
        if (tree_written_i[g]) tag_q[g] <= '0;
        else if (wins[g] && !fails_i[g]) tag_q[g] <= root_i[g] ? tag_q[g] + 4'd1 : ends_word_i.tag;
        if (wins[g] && !fails_i[g]) left_q[g] <= ends_word_i.count;
        else if (completes[g] && !fails_i[g]) left_q[g] <= left_q[g] - 16'd1;
      end
      if (wins[g]) limited_q[g] <= ends_word_i.count != '0;
      if (launch_i && launch_group_i == 3'(g)) last_q[g] <= cycle_i;
    end
    if (!rst_ni) begin
      notice_q   <= '0;
      launched_q <= '0;
    end else begin
      notice_q <= (notice_q & ~(tells ? Groups'(1) << launch_group_i : '0)) | fails_i;
      if (launch_i) launched_q[launch_group_i] <= 1'b1;
    end
  end

  // Slots. The group that a failure hits keeps the slot it has, and takes none.
  logic [1:0] slot_takes, slot_wins, slot_gives, slot_launch;
  always_comb begin
    for (int s = 0; s < Slots; s++) begin
      slot_takes[s]  = (takes & ~fails_i) != '0 && free_slot == 1'(s);
      slot_wins[s]   = slot_takes[s] ? (wins & ~fails_i) != '0 : used_q[s] && wins[slot_group_q[s]] && !fails_i[slot_group_q[s]];
      slot_gives[s]  = used_q[s] && gives[slot_group_q[s]];
      slot_launch[s] = stream && tilefly_red_pkg::slot_of(candidate_i) == 1'(s);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q          <= '0;
      bound_q         <= '0;
      slot_launched_q <= '0;
      change_q        <= 1'b0;
      clear_q         <= 1'b0;
    end else begin
      used_q          <= (used_q | slot_takes) & ~slot_gives;
      bound_q         <= (bound_q | slot_wins) & ~slot_gives;
      slot_launched_q <= slot_launched_q | slot_launch;
      change_q        <= slot_wins != '0 || (slot_gives & bound_q) != '0;
      clear_q         <= (healed & ~fails_i) != '0;
    end
    for (int s = 0; s < Slots; s++) begin
      if (slot_takes[s]) slot_group_q[s] <= ends_group_i;
      if (slot_wins[s]) slot_tag_q[s] <= root_i[ends_group_i] ? answer_tag_o : ends_word_i.tag;
      if (slot_takes[s] || slot_wins[s] || segment_i[s] || slot_launch[s]) since_q[s] <= cycle_i;
      if (slot_launch[s]) slot_last_q[s] <= cycle_i;
    end
    for (int g = 0; g < Groups; g++) begin
      if (healed[g]) clear_group_q <= 3'(g);
    end
  end

  // Parts that did not come in time.
  logic [47:0] deadline;
  logic [2:0] waiting;
  always_comb begin
    expired_o = '0;
    wake_at_o = '1;
    deadline  = '0;
    waiting   = '0;
    for (int s = 0; s < Slots; s++) begin
      waiting = slot_group_q[s];
      if (used_q[s] && timeout_i[32*waiting+:32] != '0 && (locking[waiting] || (active[waiting] && !idle_i[s]))) begin
        deadline = since_q[s] + 48'(timeout_i[32*waiting+:32]);
        if (cycle_i >= deadline) expired_o[waiting] = 1'b1;
        else if (deadline < wake_at_o) wake_at_o = deadline;
      end
    end
  end

  always_comb begin
    for (int g = 0; g < Groups; g++) begin
      states_o[3*g+:3] = state_q[g];
      tags_o[4*g+:4]   = tag_q[g];
      codes_o[4*g+:4]  = code_q[g];
    end
  end
  assign notice_o      = notice_q;
  assign used_o        = used_q;
  assign bound_o       = bound_q;
  assign slot_group_o  = {slot_group_q[1], slot_group_q[0]};
  assign slot_tag_o    = {slot_tag_q[1], slot_tag_q[0]};
  assign change_o      = change_q;
  assign clear_o       = clear_q;
  assign clear_group_o = clear_group_q;
  tilefly_pkg::group_status_t status;
  always_comb begin
    status.state    = state_q[status_group_i];
    status.slot     = has_slot[status_group_i] && slot_of[status_group_i];
    status.tag      = tag_q[status_group_i];
    status.code     = code_q[status_group_i];
    status.left     = left_q[status_group_i];
    status.failures = fails_q[status_group_i];
  end
  assign status_o = tilefly_pkg::put_group_status(status);
  assign quiescent_o = (drain | (failing & ~notice_q)) == '0 && !change_q && !clear_q && expired_o == '0;

  // Assertions.
  logic [Groups-1:0] holds;
  always_comb begin
    for (int g = 0; g < Groups; g++) holds[g] = locking[g] || active[g] || drain[g];
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      TREE_1 : assert ((used_q != '1 || slot_group_q[0] != slot_group_q[1]) && (slot_takes & used_q) == '0);
      TREE_2 : assert ((idle_state & has_slot) == '0 && (holds & ~has_slot) == '0);
    end
  end
`ifndef SYNTHESIS
`ifndef FORMAL
  // How long a state may last: LOCKING its timeout; DRAIN, and FAILING when the peers are told, until all launches are
  // over.
  logic [47:0] began_q[Groups];  // cycle of the event that began the state, or of the notice
  logic [Groups-1:0] events, ending, over, over_q;  // over_q: the state was over a cycle ago
  always_comb begin
    events = fails_i | wins | takes | unlocked | runs_out | gives;
    if (tells) events[launch_group_i] = 1'b1;
    for (int g = 0; g < Groups; g++) begin
      ending[g] = locking[g] ? timeout_i[32*g+:32] != '0 : drain[g] || (failing[g] && !notice_q[g]);
      over[g]   = ending[g] && cycle_i >= began_q[g] + (locking[g] ? 48'(timeout_i[32*g+:32]) : Home);
    end
  end
  always_ff @(posedge clk_i) begin
    over_q <= rst_ni ? over : '0;
    for (int g = 0; g < Groups; g++) begin
      if (events[g]) began_q[g] <= cycle_i;
    end
    if (rst_ni) TREE_2_ends : assert ((over_q & ending) == '0);
  end
`endif
`endif

endmodule
