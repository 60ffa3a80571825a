// SPDX-License-Identifier: Apache-2.0
// ARB-3 of tilefly_rr_arbiter with the pointer that docs/blocks/arbiter.md gives its user: a requester that keeps
// requesting is granted within N used grants. Which one is watched is left open.

module rr_turns #(
    /// requesters
    parameter int N = 5,
    /// the bound is made tighter by this many grants
    parameter int Tighter = 0,
    /// bits of an index
    parameter int IndexW = $clog2(N)
) (
    input logic         clk_i,
    input logic [N-1:0] req_i,
    input logic         used_i
);

  (* anyconst *) logic [IndexW-1:0] watched;
  logic started_q = 1'b0;
  logic [IndexW-1:0] pointer_q, next;
  logic [N-1:0] grant;
  logic [IndexW:0] others_q;  // grants that others got while the watched one kept requesting

  tilefly_rr_arbiter #(
      .N(N)
  ) u_arbiter (
      .req_i,
      .pointer_i(pointer_q),
      .grant_o  (grant),
      .index_o  (),
      .next_o   (next)
  );

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    if (used_i && grant != '0) pointer_q <= next;
    if (!req_i[watched] || (used_i && grant[watched])) others_q <= '0;
    else if (used_i && grant != '0) others_q <= others_q + 1'b1;
    if (!started_q) begin
      pointer_q <= '0;
      others_q  <= '0;
    end
  end

  always_comb begin
    ENV_watched : assume (watched < N);
    COV_watched : cover (started_q && watched == N - 1 && req_i[watched] && used_i && grant[watched]);
    if (started_q) begin
      within_n_grants : assert (others_q < N - Tighter);
      pointer_in_range : assert (pointer_q < N);
    end
    COV_bound_reached : cover (started_q && others_q == N - 1 && used_i && grant[watched]);
  end

endmodule
