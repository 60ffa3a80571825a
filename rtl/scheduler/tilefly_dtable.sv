// SPDX-License-Identifier: Apache-2.0
// Entries of one output's Deficit Table: two banks of {class, weight}, one in use and one to be written, and the search for
// the next entry of a set of classes. Manual: docs/blocks/scheduler.md.
// Latency: the search is combinational; a write or a change of places in cycle t (an event of t) is seen from t + 1.
// Throughput: one search, one write a cycle. The contents survive reset, then bank 0 is in use.
// For every class there is the mask of its entries: a search takes the masks of its classes together and looks for a bit.

module tilefly_dtable #(
    /// entries of a bank
    parameter int Entries = tilefly_pkg::DTABLE_ENTRIES,
    /// classes
    parameter int Classes = tilefly_pkg::CLASSES,
    /// bits of a weight
    parameter int WeightW = 12,
    /// weight of every entry at power-up, cells
    parameter int PowerUpWeight = 2 * tilefly_pkg::MTU_CELLS,
    /// bits of an entry's number
    parameter int EntryW = $clog2(Entries),
    /// bits of a class's number
    parameter int ClassW = $clog2(Classes)
) (
    /// clock
    input  logic               clk_i,
    /// synchronous reset, active low
    input  logic               rst_ni,
    /// write an entry of the bank not in use
    input  logic               write_i,
    /// the entry
    input  logic [ EntryW-1:0] write_entry_i,
    /// class of the entry
    input  logic [ ClassW-1:0] write_class_i,
    /// weight of the entry, cells; 0: the entry is empty
    input  logic [WeightW-1:0] write_weight_i,
    /// the banks change places
    input  logic               swap_i,
    /// classes that some entry of the bank in use serves
    output logic [Classes-1:0] served_o,
    /// classes of which the next entry is wanted; zero: none
    input  logic [Classes-1:0] search_i,
    /// entry after which the search begins, and with which it ends
    input  logic [ EntryW-1:0] after_i,
    /// the entry found; 0 when none was wanted
    output logic [ EntryW-1:0] entry_o,
    /// class of the entry
    output logic [ ClassW-1:0] class_o,
    /// weight of the entry
    output logic [WeightW-1:0] weight_o
);

  localparam logic [EntryW-1:0] Last = EntryW'(Entries - 1);
  localparam int EntryBits = ClassW + WeightW;

  logic bank_q;
  logic [EntryBits-1:0] entries_q[2**(EntryW+1)];  // {bank, entry}: {class, weight}
  logic [Entries-1:0] masks_q[2**(ClassW+1)];      // {bank, class}: the entries that serve the class

  initial begin
    for (int i = 0; i < 2 ** (EntryW + 1); i++) begin
      entries_q[i] = {ClassW'((i % (2 ** EntryW)) % Classes), WeightW'(PowerUpWeight)};
    end
    for (int c = 0; c < 2 ** (ClassW + 1); c++) begin
      for (int e = 0; e < Entries; e++) masks_q[c][e] = e % Classes == c % (2 ** ClassW);
    end
  end

  always_comb begin
    for (int c = 0; c < Classes; c++) served_o[c] = masks_q[{bank_q, ClassW'(c)}] != '0;
  end

  // Search: a round-robin choice among the entries of the classes.
  logic [Entries-1:0] serving;
  logic [EntryW-1:0] first, found;

  always_comb begin
    serving = '0;
    if (search_i != '0) begin
      for (int c = 0; c < Classes; c++) begin
        if (search_i[c]) serving = serving | masks_q[{bank_q, ClassW'(c)}];
      end
    end
  end
  assign first = after_i == Last ? '0 : after_i + 1'b1;

  tilefly_rr_arbiter #(
      .N(Entries)
  ) u_next (
      .req_i    (serving),
      .pointer_i(first),
      /* verilator lint_off PINCONNECTEMPTY */  // the winner is wanted as a number, and its user keeps the place
      .grant_o  (),
      .next_o   (),
      /* verilator lint_on PINCONNECTEMPTY */
      .index_o  (found)
  );

  assign entry_o = found;
  assign {class_o, weight_o} = entries_q[{bank_q, found}];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) bank_q <= 1'b0;
    else if (swap_i) bank_q <= !bank_q;
    if (write_i) begin
      entries_q[{!bank_q, write_entry_i}] <= {write_class_i, write_weight_i};
      for (int c = 0; c < Classes; c++) begin
        masks_q[{!bank_q, ClassW'(c)}][write_entry_i] <= write_weight_i != '0 && write_class_i == ClassW'(c);
      end
    end
  end

endmodule
