// SPDX-License-Identifier: Apache-2.0
// Queue entries for the further copies of replicated packets. Manual: docs/blocks/ingress.md, "Queue stage".
// Latency: an entry freed in cycle t can be taken from t + 1 on. Throughput: one taken, two freed a cycle: of a copy that is sent,
// of one that is taken back.
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
    /// free an entry, one bit a source
    input  logic [       1:0] free_i,
    /// the entry to free, source s in bits [s*IndexW +: IndexW]
    input  logic [2*IndexW-1:0] index_i
);

  localparam int CountW = $clog2(Entries + 1);

  logic [CountW-1:0] fresh_q;  // first entry never used
  logic [IndexW-1:0] freed, freed_back;
  logic none_freed, none_freed_back;

  /* verilator lint_off PINCONNECTEMPTY */  // there is room for every entry
  tilefly_fifo #(
      .Width(IndexW),
      .Depth(Entries)
  ) u_freed (
      .clk_i,
      .rst_ni,
      .push_i (free_i[0]),
      .data_i (index_i[0+:IndexW]),
      .pop_i  (take_i && !none_freed),
      .head_o (freed),
      .empty_o(none_freed),
      .full_o ()
  );

  tilefly_fifo #(
      .Width(IndexW),
      .Depth(Entries)
  ) u_freed_back (
      .clk_i,
      .rst_ni,
      .push_i (free_i[1]),
      .data_i (index_i[IndexW+:IndexW]),
      .pop_i  (take_i && none_freed && !none_freed_back),
      .head_o (freed_back),
      .empty_o(none_freed_back),
      .full_o ()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  always_ff @(posedge clk_i) begin
    if (!rst_ni) fresh_q <= '0;
    else if (take_i && none_freed && none_freed_back) fresh_q <= fresh_q + 1'b1;
  end

  assign any_o   = !none_freed || !none_freed_back || fresh_q != CountW'(Entries);
  assign index_o = !none_freed ? freed : !none_freed_back ? freed_back : IndexW'(fresh_q);

endmodule
