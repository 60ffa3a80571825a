// SPDX-License-Identifier: Apache-2.0
// Input buffer: words in, 48 B cells out. Manual: docs/blocks/ingress.md, "Stored form".
// Latency: a word stored in cycle t = c + 4 can be read (`read_i`) from t + 1 on; its cell is on `cell_o` (flops) one
// cycle after the read, so that it can leave from c + 6 on. Throughput: one word and one cell a cycle. Handshake: none.
//
// A cell is three granules of 16 bytes, each in a bank of its own. A word fills two granules that follow each other,
// possibly in two cells. Granule 0 of a packet is its header: a packet with header starts there, a bare frame after it.

module tilefly_input_buffer #(
    /// sources that release packets
    parameter int Sources = tilefly_ingress_pkg::RELEASES,
    /// bits of a cell's number
    parameter int CellW = tilefly_pkg::CELL_INDEX_W
) (
    /// clock
    input  logic               clk_i,
    /// synchronous reset, active low
    input  logic               rst_ni,
    /// store a word
    input  logic               store_i,
    /// the word is the first of its packet
    input  logic               sop_i,
    /// the packet has the internal header
    input  logic               enh_i,
    /// the upper half is in use
    input  logic               upper_i,
    /// the word's bytes
    input  logic [      255:0] data_i,
    /// first cell of a packet that starts in this cycle
    output logic [  CellW-1:0] first_o,
    /// last cell of the packet as of this cycle
    output logic [  CellW-1:0] last_o,
    /// release a packet, one bit a source
    input  logic [Sources-1:0] release_i,
    /// first cell of the packet, source s in bits [s*CellW +: CellW]
    input  logic [Sources*CellW-1:0] release_first_i,
    /// last cell of the packet, source s in bits [s*CellW +: CellW]
    input  logic [Sources*CellW-1:0] release_last_i,
    /// number of cells of the packet, source s in bits [s*7 +: 7]
    input  logic [Sources*7-1:0] release_cells_i,
    /// read a cell
    input  logic               read_i,
    /// the cell to read
    input  logic [  CellW-1:0] at_i,
    /// the cell that follows that cell in its packet
    output logic [  CellW-1:0] next_o,
    /// the cell read in the cycle before
    output logic [      383:0] cell_o,
    /// no cell is in use
    output logic               all_free_o
);

  localparam int Cells = tilefly_pkg::CELLS;

  logic [127:0] bank0_mem[Cells];
  logic [127:0] bank1_mem[Cells];
  logic [127:0] bank2_mem[Cells];
  logic [383:0] cell_q;

  logic [CellW-1:0] number_q;  // cell of the last granule stored
  logic [1:0] granule_q;  // the next word's lower granule in its cell
  logic [1:0] granule;
  logic [CellW-1:0] fresh, low_cell, high_cell;
  logic take, low_fresh;

  assign granule = sop_i ? (enh_i ? 2'd0 : 2'd1) : granule_q;
  assign low_fresh = sop_i || granule == 2'd0;
  assign take = store_i && (low_fresh || (granule == 2'd2 && upper_i));
  assign low_cell = low_fresh ? fresh : number_q;
  assign high_cell = (granule == 2'd2) ? fresh : low_cell;

  assign first_o = fresh;
  assign last_o = take ? fresh : number_q;

  tilefly_cell_pool u_pool (
      .clk_i,
      .rst_ni,
      .take_i    (take),
      .follows_i (!sop_i),
      .previous_i(number_q),
      .cell_o    (fresh),
      .release_i,
      .first_i   (release_first_i),
      .last_i    (release_last_i),
      .cells_i   (release_cells_i),
      .at_i,
      .next_o,
      .all_free_o
  );

  logic [127:0] low, high;
  assign {high, low} = data_i;

  always_ff @(posedge clk_i) begin
    if (store_i) begin
      number_q <= last_o;
      granule_q     <= (granule == 2'd0) ? 2'd2 : granule - 2'd1;
      if (granule == 2'd0) bank0_mem[low_cell] <= low;
      if (granule == 2'd2 && upper_i) bank0_mem[high_cell] <= high;
      if (granule == 2'd1) bank1_mem[low_cell] <= low;
      if (granule == 2'd0 && upper_i) bank1_mem[high_cell] <= high;
      if (granule == 2'd2) bank2_mem[low_cell] <= low;
      if (granule == 2'd1 && upper_i) bank2_mem[high_cell] <= high;
    end
    if (read_i) cell_q <= {bank2_mem[at_i], bank1_mem[at_i], bank0_mem[at_i]};
  end

  assign cell_o = cell_q;

endmodule
