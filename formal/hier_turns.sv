// SPDX-License-Identifier: Apache-2.0
// ARB-3 of tilefly_hier_arbiter as a whole: an input that keeps requesting is granted within Rows * RowInputs used
// grants, whatever the others do. Which one is watched is left open.

module hier_turns #(
    /// rows
    parameter int Rows = 2,
    /// inputs of a row
    parameter int RowInputs = 3,
    /// the bound is made tighter by this many grants
    parameter int Tighter = 0,
    /// requesters
    parameter int N = Rows * RowInputs,
    /// bits of a requester's number
    parameter int IndexW = $clog2(N)
) (
    input logic         clk_i,
    input logic [N-1:0] req_i,
    input logic         taken_i
);

  (* anyconst *) logic [IndexW-1:0] watched;
  logic started_q = 1'b0;
  logic [N-1:0] grant;
  logic [IndexW:0] others_q;  // grants that others got while the watched one kept requesting

  tilefly_hier_arbiter #(
      .Rows     (Rows),
      .RowInputs(RowInputs)
  ) u_arbiter (
      .clk_i,
      .rst_ni (started_q),
      .req_i,
      .taken_i,
      .grant_o(grant)
  );

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!req_i[watched] || (taken_i && grant[watched])) others_q <= '0;
    else if (taken_i && grant != '0) others_q <= others_q + 1'b1;
    if (!started_q) others_q <= '0;
  end

  always_comb begin
    ENV_watched : assume (watched < N);
    COV_watched : cover (started_q && watched == N - 1 && taken_i && grant[watched]);
    if (started_q) within_n_grants : assert (others_q < N - Tighter);
    COV_bound_reached : cover (started_q && others_q == N - 1 && taken_i && grant[watched]);
  end

endmodule
