// SPDX-License-Identifier: Apache-2.0
// Two-level arbiters of the profiles' sizes side by side, for the conformance test: arbiter a's requesters are bits
// 64*a and up, row by row.

module hier_arbiters #(
    /// arbiters
    parameter int Count = 4
) (
    /// clock
    input  logic                clk_i,
    /// synchronous reset, active low
    input  logic                rst_ni,
    /// requesters
    input  logic [64*Count-1:0] req_i,
    /// the choice is used
    input  logic [   Count-1:0] taken_i,
    /// winners, one-hot
    output logic [64*Count-1:0] grant_o
);

  // Rows and inputs of a row, as in hier_arbiter_rtl_test.cc: 2 x 4, 2 x 8, 4 x 16 and, no profile's, 3 x 5.
  function automatic integer rows_of(input integer a);
    rows_of = a == 2 ? 4 : a == 3 ? 3 : 2;
  endfunction
  function automatic integer inputs_of(input integer a);
    inputs_of = a == 0 ? 4 : a == 1 ? 8 : a == 2 ? 16 : 5;
  endfunction

  generate
    for (genvar a = 0; a < Count; a++) begin : gen_arbiter
      localparam int Requesters = rows_of(a) * inputs_of(a);
      logic [Requesters-1:0] grant;

      tilefly_hier_arbiter #(
          .Rows     (rows_of(a)),
          .RowInputs(inputs_of(a))
      ) u_arbiter (
          .clk_i,
          .rst_ni,
          .req_i  (req_i[64*a+:Requesters]),
          .taken_i(taken_i[a]),
          .grant_o(grant)
      );

      assign grant_o[64*a+:64] = 64'(grant);
    end
  endgenerate

endmodule
