// SPDX-License-Identifier: Apache-2.0
// tilefly_rr_arbiter's choice is the one of docs/blocks/arbiter.md, for every request and pointer.

module rr_choice #(
    /// requesters
    parameter int N = 5,
    /// bits of an index
    parameter int IndexW = $clog2(N)
) (
    input logic [     N-1:0] req_i,
    input logic [IndexW-1:0] pointer_i
);

  logic [N-1:0] grant;
  logic [IndexW-1:0] index, next;

  tilefly_rr_arbiter #(
      .N(N)
  ) u_arbiter (
      .req_i,
      .pointer_i,
      .grant_o(grant),
      .index_o(index),
      .next_o (next)
  );

  // The page, read once more: candidates one after the other, from the pointer on.
  logic found;
  logic [IndexW-1:0] winner;
  always_comb begin
    found  = 1'b0;
    winner = '0;
    for (int i = 0; i < 2 * N; i++) begin
      if (!found && i >= pointer_i && i < pointer_i + N && req_i[i%N]) begin
        found  = 1'b1;
        winner = i % N;
      end
    end
  end

  always_comb begin
    ENV_pointer : assume (pointer_i < N);
    COV_pointer : cover (pointer_i == N - 1);

    one_hot : assert ((grant & (grant - 1'b1)) == '0);
    no_grant_without_request : assert ((grant & ~req_i) == '0);
    somebody : assert ((grant != '0) == (req_i != '0));
    first_after_pointer : assert (!found || (grant[winner] && index == winner));
    pointer_after_winner : assert (!found || next == (winner == N - 1 ? '0 : winner + 1'b1));

    COV_wraps : cover (found && winner < pointer_i);
    COV_nobody : cover (!found);
  end

endmodule
