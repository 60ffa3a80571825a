// SPDX-License-Identifier: Apache-2.0
// Observation record of a reduction port: events of the previous cycle, zero unless they happened. Manual:
// docs/blocks/reduction.md, "Ports of the tile". Latency: 1.

module tilefly_red_observer (
    /// clock
    input  logic                                   clk_i,
    /// synchronous reset, active low
    input  logic                                   rst_ni,
    /// the first word of a launch passes the port's step, ring lane UP, DOWN
    input  logic [                            1:0] first_i,
    /// the launch is a short operation
    input  logic [                            1:0] brief_i,
    /// slot, or {group, engine}, 6 bits each
    input  logic [                           11:0] index_i,
    /// operands came with the word
    input  logic [                            1:0] used_i,
    /// the port takes part
    input  logic [                            1:0] part_i,
    /// the part of the port has operands
    input  logic [                            1:0] own_i,
    /// results that became complete, U, D, S
    input  logic [                            2:0] done_i,
    /// red_ev_e as it is reported now
    input  logic [                            2:0] ev_i,
    /// red_code_e as it is reported now
    input  logic [                            3:0] code_i,
    /// the record
    output tilefly_pkg::red_obs_t                  obs_o,
    /// nothing to show
    output logic                                   quiescent_o
);

  tilefly_pkg::red_obs_t obs_q, obs_d;

  // First words of the two ring lanes never pass in the same cycle: there is one launch a cycle. Of results that become complete together
  // the lowest ring lane is shown.
  always_comb begin
    obs_d = '0;
    for (int ring_lane = 0; ring_lane < 2; ring_lane++) begin
      if (first_i[ring_lane]) begin
        obs_d.step_valid    = 1'b1;
        obs_d.step_down     = ring_lane == 1;
        obs_d.step_brief    = brief_i[ring_lane];
        obs_d.step_index    = index_i[ring_lane*6+:6];
        obs_d.step_part     = part_i[ring_lane];
        obs_d.step_operands = {own_i[ring_lane], used_i[ring_lane]};
      end
    end
    if (done_i != '0) begin
      obs_d.done_valid = 1'b1;
      obs_d.done_lane  = done_i[0] ? 2'd0 : done_i[1] ? 2'd1 : 2'd2;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) obs_q <= '0;
    else if (obs_d != obs_q) obs_q <= obs_d;
  end

  always_comb begin
    obs_o      = obs_q;
    obs_o.ev   = ev_i;
    obs_o.code = code_i;
  end
  assign quiescent_o = obs_d == '0 && obs_q == '0;

endmodule
