// SPDX-License-Identifier: Apache-2.0
// Two-level round-robin arbiter: a choice among the inputs of each row, then a choice among the rows.
// Manual: docs/blocks/arbiter.md.
// Latency: the choice is combinational on the requests and the pointers. Throughput: one grant a cycle.
// Handshake: a choice counts, and moves the pointers of the winning row and of the top, when `taken_i` is set.

module tilefly_hier_arbiter #(
    /// rows
    parameter int Rows = 4,
    /// inputs of a row
    parameter int RowInputs = 16
) (
    /// clock
    input  logic                      clk_i,
    /// synchronous reset, active low
    input  logic                      rst_ni,
    /// requesters, row r in bits [r*RowInputs +: RowInputs]
    input  logic [Rows*RowInputs-1:0] req_i,
    /// the choice is used in this cycle
    input  logic                      taken_i,
    /// the winner, one-hot; zero when nobody requests
    output logic [Rows*RowInputs-1:0] grant_o
);

  localparam int RowW = Rows > 1 ? $clog2(Rows) : 1;
  localparam int InputW = RowInputs > 1 ? $clog2(RowInputs) : 1;

  logic [Rows-1:0] row_requests, row_wins;
  logic [RowW-1:0] row_pointer_q, row_next;

  tilefly_rr_arbiter #(
      .N(Rows)
  ) u_top (
      .req_i    (row_requests),
      .pointer_i(row_pointer_q),
      .grant_o  (row_wins),
      /* verilator lint_off PINCONNECTEMPTY */  // the winner is wanted one-hot
      .index_o  (),
      /* verilator lint_on PINCONNECTEMPTY */
      .next_o   (row_next)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) row_pointer_q <= '0;
    else if (taken_i && row_requests != '0) row_pointer_q <= row_next;
  end

  generate
    for (genvar r = 0; r < Rows; r++) begin : gen_row
      logic [RowInputs-1:0] wins;
      logic [InputW-1:0] pointer_q, next;

      tilefly_rr_arbiter #(
          .N(RowInputs)
      ) u_row (
          .req_i    (req_i[r*RowInputs+:RowInputs]),
          .pointer_i(pointer_q),
          .grant_o  (wins),
          /* verilator lint_off PINCONNECTEMPTY */  // the winner is wanted one-hot
          .index_o  (),
          /* verilator lint_on PINCONNECTEMPTY */
          .next_o   (next)
      );

      assign row_requests[r] = req_i[r*RowInputs+:RowInputs] != '0;
      assign grant_o[r*RowInputs+:RowInputs] = row_wins[r] ? wins : '0;

      always_ff @(posedge clk_i) begin
        if (!rst_ni) pointer_q <= '0;
        else if (taken_i && row_wins[r]) pointer_q <= next;
      end
    end
  endgenerate

  // Assertions.
  always_comb begin
    ARB_1 : assert ((grant_o & (grant_o - 1'b1)) == '0 && (grant_o & ~req_i) == '0);
    ARB_2 : assert (req_i == '0 || grant_o != '0);
  end

endmodule
