// SPDX-License-Identifier: Apache-2.0
// Queue entries for the further copies of replicated packets. Manual: docs/blocks/ingress.md, "Queue stage".
// Latency: an entry freed in cycle t can be taken from t + 1 on. Throughput: one taken, one freed a cycle.
// Handshake: the user takes only when `any_o`. Entries never used since reset are handed out in order.

module tilefly_copy_pool #(
    /// entries
    parameter int Entries = tilefly_pkg::COPY_ENTRIES,
    /// bits of an entry's number
    parameter int IndexW = $clog2(Entries)
) (
    /// clock
    input  logic              clk_i,
    /// synchronous reset, active low
    input  logic              rst_ni,
    /// take `index_o`
    input  logic              take_i,
    /// an entry is free
    output logic              any_o,
    /// the free entry
    output logic [IndexW-1:0] index_o,
    /// free an entry
    input  logic              free_i,
    /// the entry to free
    input  logic [IndexW-1:0] index_i
);

  localparam int CountW = $clog2(Entries + 1);

  logic [CountW-1:0] fresh_q;  // first entry never used
  logic [IndexW-1:0] freed;
  logic none_freed;

  tilefly_fifo #(
      .Width(IndexW),
      .Depth(Entries)
  ) u_freed (
      .clk_i,
      .rst_ni,
      .push_i (free_i),
      .data_i (index_i),
      .pop_i  (take_i && !none_freed),
      .head_o (freed),
      .empty_o(none_freed),
      /* verilator lint_off PINCONNECTEMPTY */  // there is room for every entry
      .full_o ()
      /* verilator lint_on PINCONNECTEMPTY */
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) fresh_q <= '0;
    else if (take_i && none_freed) fresh_q <= fresh_q + 1'b1;
  end

  assign any_o   = !none_freed || fresh_q != CountW'(Entries);
  assign index_o = none_freed ? IndexW'(fresh_q) : freed;

endmodule
