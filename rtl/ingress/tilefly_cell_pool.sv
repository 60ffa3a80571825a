// SPDX-License-Identifier: Apache-2.0
// Cells of the input buffer: who is free, and which cell of a packet follows which. Manual: docs/blocks/ingress.md.
// Latency: combinational answers from flops and the link memory; changes count from the next cycle on. Throughput: one
// cell taken, a packet of each source released a cycle. Handshake: none; the user accounts cells and never takes one too many.
//
// A packet's cells are a chain, and so are the free ones: releasing a packet hangs its whole chain on the end of the
// free one. Cells that were never used since reset are handed out in order, when the free chain is empty.

module tilefly_cell_pool #(
    /// sources that release packets
    parameter int Sources = tilefly_ingress_pkg::RELEASES,
    /// bits of a cell's number
    parameter int CellW = tilefly_pkg::CELL_INDEX_W
) (
    /// clock
    input  logic                     clk_i,
    /// synchronous reset, active low
    input  logic                     rst_ni,
    /// take `cell_o`
    input  logic                     take_i,
    /// the cell follows `previous_i` in its packet
    input  logic                     follows_i,
    /// the packet's cell before it
    input  logic         [CellW-1:0] previous_i,
    /// cell that is taken next
    output logic         [CellW-1:0] cell_o,
    /// release a packet, one bit a source
    input  logic       [Sources-1:0] release_i,
    /// first cell of the packet, source s in bits [s*CellW +: CellW]
    input  logic [Sources*CellW-1:0] first_i,
    /// last cell of the packet, source s in bits [s*CellW +: CellW]
    input  logic [Sources*CellW-1:0] last_i,
    /// number of cells of the packet, source s in bits [s*7 +: 7]
    input  logic     [Sources*7-1:0] cells_i,
    /// a cell of a packet
    input  logic         [CellW-1:0] at_i,
    /// the cell that follows that cell, also when it is taken in this cycle
    output logic         [CellW-1:0] next_o,
    /// no cell is taken
    output logic                     all_free_o
);

  localparam int Cells = tilefly_pkg::CELLS;
  localparam int CountW = $clog2(Cells + 1);

  logic [CellW-1:0] next_mem[Cells];
  logic [CellW-1:0] head_q, tail_q;  // free chain
  logic [CountW-1:0] chained_q;  // its cells
  logic [CountW-1:0] fresh_q;  // first cell never used

  logic chain_empty, take_chained, drains;
  assign chain_empty = chained_q == '0;
  assign take_chained = take_i && !chain_empty;
  assign drains = chain_empty || (take_chained && chained_q == CountW'(1));  // of what is committed nothing is left
  assign cell_o = chain_empty ? CellW'(fresh_q) : head_q;

  // Packets of one cycle become one chain, in the order of the sources: a packet's chain is hung on the one before it.
  logic [CountW-1:0] released;
  logic [CellW-1:0] first, last;
  logic [Sources-1:0] hangs;  // the packet follows another one
  logic [Sources*CellW-1:0] behind;  // last cell of that one
  always_comb begin
    released = '0;
    first    = '0;
    last     = '0;
    hangs    = '0;
    behind   = '0;
    if (release_i != '0) begin
      for (int s = 0; s < Sources; s++) begin
        if (release_i[s]) begin
          if (released == '0) first = first_i[s*CellW+:CellW];
          else hangs[s] = 1'b1;
          behind[s*CellW+:CellW] = last;
          last     = last_i[s*CellW+:CellW];
          released = released + CountW'(cells_i[s*7+:7]);
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q    <= '0;
      tail_q    <= '0;
      chained_q <= '0;
      fresh_q   <= '0;
    end else begin
      if (take_i && chain_empty) fresh_q <= fresh_q + 1'b1;
      if (take_i || release_i != '0) chained_q <= chained_q + released - CountW'(take_chained);
      if (drains && release_i != '0) head_q <= first;
      else if (take_chained) head_q <= next_mem[head_q];
      if (release_i != '0) tail_q <= last;
    end
    if (release_i != '0 && !drains) next_mem[tail_q] <= first;
    for (int s = 1; s < Sources; s++) if (hangs[s]) next_mem[behind[s*CellW+:CellW]] <= first_i[s*CellW+:CellW];
    if (take_i && follows_i) next_mem[previous_i] <= cell_o;
  end

  // A cell may be asked for in the very cycle in which it is taken.
  assign next_o = (take_i && follows_i && previous_i == at_i) ? cell_o : next_mem[at_i];
  assign all_free_o = fresh_q == chained_q;

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ING_1_take : assert (!(take_i && chain_empty && fresh_q == CountW'(Cells)));
    end
  end

endmodule
