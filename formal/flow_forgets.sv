// SPDX-License-Identifier: Apache-2.0
// FLOW-11: a cell, any one, that is not acknowledged is forgotten not before L sweeps of 4 cycles after it was sent. The cell is forgotten
// before 2 L sweeps are over since it was sent, or since an ack last took cells of the generation before the present one, whatever other
// packets are sent. When acks have taken all of its generation, the cell is not followed any more.

module flow_forgets #(
    parameter int Deadline = 2,
    /// 1: a bound that is too small by one cycle
    parameter int Tighter  = 0
) (
    input logic       clk_i,
    input logic       send_i,
    input logic       home_i,
    input logic       mark_i,
    input logic       gen_i,
    input logic [1:0] ack_cells_i,
    input logic [2:0] share_i,
    input logic [2:0] full_i,
    input logic [2:0] grow_i,
    input logic [1:0] idle_i,
    /// the cell that is sent is the one that is followed
    input logic       follow_i
);

  localparam int Sweep = 4;
  localparam int Bound = 2 * Deadline * Sweep - 1 - Tighter;

  logic started_q = 1'b0;
  logic acts, lost;
  logic [1:0] place;
  tilefly_flows_pkg::channel_t state, sent, acked, swept;

  flow_one #(
      .Deadline(Deadline)
  ) u_one (
      .clk_i,
      .rst_ni (started_q),
      .send_i,
      .home_i,
      .mark_i,
      .gen_i,
      .ack_cells_i,
      .share_i,
      .full_i,
      .grow_i,
      .idle_i,
      .place_o(place),
      .state_o(state),
      .sent_o (sent),
      .acked_o(acked),
      .swept_o(swept),
      .acts_o (acts),
      .lost_o (lost)
  );

  logic follows_q, turned_q;  // a cell is followed; it is in the older generation
  logic gen_q;  // in which it was sent
  logic [5:0] total_q;  // cycles since it was sent, at most 63
  logic [5:0] time_q;  // cycles since then, or since the deadline began anew
  logic [3:0] sweeps_q;  // in this time, that of the cycle included
  logic [1:0] from_q;  // place in which this time began
  logic begins, follows, turned, turns, ends, anew;
  assign begins  = !follows_q && follow_i && send_i;
  assign follows = follows_q || begins;
  assign turned  = follows_q && turned_q;
  assign turns   = place == '0 && swept.gen != state.gen;
  assign ends    = follows && turned && turns;
  assign anew    = begins || acked.old != sent.old;

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    follows_q <= started_q && follows && !ends;
    turned_q  <= turned || turns;
    if (begins) total_q <= 6'd1;
    else if (total_q != '1) total_q <= total_q + 6'd1;
    time_q    <= anew ? 6'd1 : time_q + 6'd1;
    sweeps_q  <= (anew ? '0 : sweeps_q) + 4'(place == '0);
    if (begins) gen_q <= state.gen;
    if (anew) from_q <= place;
  end

  always_comb begin
    ENV_fits : assume (!send_i || state.cells != '1);
    COV_fits : cover (started_q && send_i && state.cells == 3'd3);
    if (started_q) begin
      not_too_early : assert (!(ends && lost) || (follows_q ? 32'(total_q) : 0) >= Deadline * Sweep);
      in_time : assert (!follows_q || 32'(time_q) <= Bound);
      // What is what.
      age_is : assert (32'(state.age) < Deadline);
      time_is : assert (!follows_q || 6'(sweeps_q) * 6'd4 + 6'(2'(-from_q)) == time_q + 6'(2'(-place)));
      first_is : assert (!follows_q || turned_q || (state.gen == gen_q && 4'(state.age) >= sweeps_q));
      second_is : assert (!follows_q || !turned_q || (state.gen != gen_q && 32'(sweeps_q) <= 32'(state.age) + Deadline));
      total_is : assert (!follows_q || !turned_q || 32'(total_q) > Sweep * 32'(state.age) + 32'(2'(place - 2'd1)));
    end
    COV_forgotten : cover (started_q && ends && lost && acts);
    COV_taken : cover (started_q && ends && !lost);
    COV_latest : cover (started_q && ends && lost && 32'(time_q) == 2 * Deadline * Sweep - 1);
    COV_anew : cover (started_q && ends && lost && 32'(total_q) > 2 * Deadline * Sweep);
  end

endmodule
