// SPDX-License-Identifier: Apache-2.0
// FLOW-1: each ack takes cells of its own generation, not more than there are; cells in flight never grow but by a packet sent; and they
// are exactly those sent and not acknowledged as long as no generation is lost and no ack is for more than its generation has.

module flow_books (
    input logic       clk_i,
    input logic       send_i,
    input logic       home_i,
    input logic       mark_i,
    input logic       gen_i,
    input logic [1:0] ack_cells_i,
    input logic [2:0] share_i,
    input logic [2:0] full_i,
    input logic [2:0] grow_i,
    input logic [1:0] idle_i
);

  logic started_q = 1'b0;
  logic acts, lost;
  logic [1:0] place;
  tilefly_flows_pkg::channel_t state, sent, acked, swept;

  flow_one u_one (
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

  logic [3:0] own_q[2];  // cells in flight by the bit of their generation
  logic [3:0] own_sent[2], own_acked[2];
  logic [4:0] out_q, out;  // sent and not acknowledged
  logic exact_q;  // nothing was lost, and no ack was for more than there is
  logic takes_more;
  always_comb begin
    own_sent[0]  = own_q[0] + 4'(send_i && !state.gen);
    own_sent[1]  = own_q[1] + 4'(send_i && state.gen);
    own_acked[0] = own_sent[0];
    own_acked[1] = own_sent[1];
    takes_more   = home_i && 4'(ack_cells_i) > own_sent[gen_i];
    if (home_i) own_acked[gen_i] = takes_more ? '0 : own_sent[gen_i] - 4'(ack_cells_i);
    out = out_q + 5'(send_i) - (home_i ? 5'(ack_cells_i) : '0);
  end

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    own_q[0]  <= own_acked[0];
    own_q[1]  <= own_acked[1];
    if (lost) own_q[!acked.gen] <= '0;
    out_q   <= out;
    exact_q <= exact_q && !lost && !takes_more;
    if (!started_q) begin
      own_q[0] <= '0;
      own_q[1] <= '0;
      out_q    <= '0;
      exact_q  <= 1'b1;
    end
  end

  always_comb begin
    ENV_fits : assume (!send_i || state.cells != '1);
    COV_fits : cover (started_q && send_i && state.cells == 3'd3);
    if (started_q) begin
      present_is : assert (4'(state.cells) == own_q[state.gen]);
      before_is : assert (4'(state.old) == own_q[!state.gen]);
      only_packets_add : assert (4'(swept.cells) + 4'(swept.old) <= 4'(state.cells) + 4'(state.old) + 4'(send_i));
      exact : assert (!exact_q || 5'(state.cells) + 5'(state.old) == out_q);
    end
    COV_lost : cover (started_q && lost && acts);
    COV_late : cover (started_q && acts && gen_i != state.gen && state.cells != '0 && exact_q);
    COV_more : cover (started_q && takes_more && acts);
  end

endmodule
