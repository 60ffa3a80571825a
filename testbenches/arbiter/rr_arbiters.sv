// SPDX-License-Identifier: Apache-2.0
// Round-robin arbiters of several sizes side by side, for the conformance test: arbiter a's signals are slice a of each
// port, 16 requesters and 4 bits of an index wide whatever its size.

module rr_arbiters #(
    /// arbiters
    parameter int Count = 6
) (
    /// clock, for the test's driver
    input  logic                clk_i,
    /// reset, for the test's driver
    input  logic                rst_ni,
    /// requesters
    input  logic [16*Count-1:0] req_i,
    /// pointers
    input  logic [ 4*Count-1:0] pointer_i,
    /// winners, one-hot
    output logic [16*Count-1:0] grant_o,
    /// winners' numbers
    output logic [ 4*Count-1:0] index_o,
    /// pointers after the choice
    output logic [ 4*Count-1:0] next_o
);

  // 1, 2, 3, 4, 8 and 16 requesters: the same as in rr_arbiter_rtl_test.cc.
  function automatic integer size_of(input integer a);
    case (a)
      0: size_of = 1;
      1: size_of = 2;
      2: size_of = 3;
      3: size_of = 4;
      4: size_of = 8;
      default: size_of = 16;
    endcase
  endfunction
  function automatic integer index_width(input integer n);
    index_width = n > 1 ? $clog2(n) : 1;
  endfunction

  generate
    for (genvar a = 0; a < Count; a++) begin : gen_arbiter
      logic [size_of(a)-1:0] grant;
      logic [index_width(size_of(a))-1:0] index, next;

      tilefly_rr_arbiter #(
          .N(size_of(a))
      ) u_arbiter (
          .req_i    (req_i[16*a+:size_of(a)]),
          .pointer_i(pointer_i[4*a+:index_width(size_of(a))]),
          .grant_o  (grant),
          .index_o  (index),
          .next_o   (next)
      );

      assign grant_o[16*a+:16] = 16'(grant);
      assign index_o[4*a+:4] = 4'(index);
      assign next_o[4*a+:4] = 4'(next);
    end
  endgenerate

endmodule
