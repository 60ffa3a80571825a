// SPDX-License-Identifier: Apache-2.0
// Observation record of the CFU: events of the previous cycle, zero unless they happened, and the states of the slots.
// Manual: docs/blocks/reduction.md. Latency: 1 for events, 0 for states.

module tilefly_cfu_observer #(
    /// groups
    parameter int Groups = tilefly_pkg::RED_GROUPS,
    /// bits of a collect word
    parameter int WordW = tilefly_pkg::RED_COLLECT_W
) (
    /// clock
    input  logic                              clk_i,
    /// synchronous reset, active low
    input  logic                              rst_ni,
    /// something is launched
    input  logic                              launch_i,
    /// what is launched
    /* verilator lint_off UNUSEDSIGNAL */  // what names the launch
    input  tilefly_red_pkg::launch_t          what_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// words that meet, ring lane UP (red_collect_t)
    input  logic [                 WordW-1:0] half0_i,
    input  logic [                 WordW-1:0] half1_i,
    /// slots that are in use
    input  logic [                       1:0] used_i,
    /// groups of these slots
    input  logic [                       5:0] slot_group_i,
    /// states of the groups, group g in bits [g*3 +: 3]
    input  logic [              3*Groups-1:0] states_i,
    /// the record (cfu_obs_t)
    output logic [tilefly_pkg::CFU_OBS_W-1:0] obs_o
);

  tilefly_pkg::cfu_obs_t obs_q, obs_d, obs;
  /* verilator lint_off UNUSEDSIGNAL */  // only first words, and of these what disagrees, are of interest
  tilefly_pkg::red_collect_t half0, half1, meeting;
  /* verilator lint_on UNUSEDSIGNAL */
  assign half0 = half0_i;
  assign half1 = half1_i;

  /* verilator lint_off PINCONNECTEMPTY */  // only what disagrees is of interest
  tilefly_red_merge u_meeting (
      .word_i    (half0),
      .other_i   (half1),
      .word_o    (meeting),
      .overflow_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  always_comb begin
    obs_d = '0;
    if (launch_i) begin
      obs_d.launch_valid  = 1'b1;
      obs_d.launch_number = what_i.candidate;
      obs_d.launch_index  = what_i.candidate == tilefly_pkg::RED_CANDIDATE_NOTICE ? {3'd0, what_i.group} : what_i.index;
    end
    if (half0.valid && half0.first) begin
      obs_d.meet_valid    = 1'b1;
      obs_d.meet_brief    = half0.brief;
      obs_d.meet_index    = half0.index;
      obs_d.meet_operands = {half1.used, half0.used};
      obs_d.meet_mismatch = meeting.mismatch;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) obs_q <= '0;
    else obs_q <= obs_d;
  end
  always_comb begin
    obs = obs_q;
    if (used_i[0]) obs.slot0_state = states_i[3*slot_group_i[2:0]+:3];
    if (used_i[1]) obs.slot1_state = states_i[3*slot_group_i[5:3]+:3];
  end
  assign obs_o = obs;

endmodule
