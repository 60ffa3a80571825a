// SPDX-License-Identifier: Apache-2.0
// Round-robin choice: the first requester at or after the pointer, wrapping. Manual: docs/blocks/arbiter.md.
// Combinational; the pointer is a register of the user, who loads `next_o` in a cycle in which the choice is used.

module tilefly_rr_arbiter #(
    /// requesters
    parameter int N = 4,
    /// bits of an index
    parameter int IndexW = N > 1 ? $clog2(N) : 1
) (
    /// requesters
    input  logic [     N-1:0] req_i,
    /// the pointer: the requester that is looked at first
    input  logic [IndexW-1:0] pointer_i,
    /// the winner, one-hot; zero when nobody requests
    output logic [     N-1:0] grant_o,
    /// the winner's number; zero when nobody requests
    output logic [IndexW-1:0] index_o,
    /// the pointer after the choice was used: winner + 1
    output logic [IndexW-1:0] next_o
);

  localparam int Last = N - 1;

  // For each bit b of a number, the requesters whose number has it set, in bits [b*N +: N].
  function automatic [IndexW*N-1:0] numbers_by_bit(input integer zero);
    for (int b = 0; b < IndexW; b++) begin
      for (int i = 0; i < N; i++) numbers_by_bit[b*N+i] = ((i >> b) & 1) != zero;
    end
  endfunction
  localparam logic [IndexW*N-1:0] NumbersByBit = numbers_by_bit(0);

  logic [N-1:0] from_pointer, looked_at;

  // Nothing is worked out while nobody requests: most arbiters of a switch are idle in most cycles.
  always_comb begin
    from_pointer = '0;
    looked_at    = '0;
    grant_o      = '0;
    index_o      = '0;
    next_o       = '0;
    if (req_i != '0) begin
      from_pointer = req_i & ({N{1'b1}} << pointer_i);
      looked_at    = (from_pointer != '0) ? from_pointer : req_i;
      grant_o      = looked_at & (~looked_at + 1'b1);
      for (int b = 0; b < IndexW; b++) index_o[b] = (grant_o & NumbersByBit[b*N+:N]) != '0;
      next_o = (index_o == Last[IndexW-1:0]) ? '0 : index_o + 1'b1;
    end
  end

  // Assertions.
  always_comb begin
    if (req_i != '0) begin
      ARB_1 : assert ((grant_o & (grant_o - 1'b1)) == '0 && (grant_o & ~req_i) == '0);
      ARB_2 : assert (grant_o != '0);
    end
  end

endmodule
