// SPDX-License-Identifier: Apache-2.0
// Output buffer of one port: a write bank per row, filled in parallel, under one count of free cells; and the order in which
// the link takes the packets. Manual: docs/blocks/egress.md, "Output buffer".
// Latency: a packet whose first cell arrives in cycle A (an event of A) can be taken from A + 1; the two cells asked for in cycle t are
// on `cells_o` (flops) in t + 1. Throughput: one cell a row and cycle in, two cells a cycle out. Handshake: the grants
// reserve the room beforehand, so arrivals are never refused.

module tilefly_output_buffer (
    /// clock
    input  logic                                            clk_i,
    /// synchronous reset, active low
    input  logic                                            rst_ni,
    /// a cell arrives from row r
    input  logic [                   tilefly_pkg::OUT_ROWS-1:0] cell_valid_i,
    /// cells, row r in bits [r*CELL_W +: CELL_W]
    input  logic [tilefly_pkg::OUT_ROWS*tilefly_pkg::CELL_W-1:0] cell_i,
    /// the cell that arrives from row r is the first of a packet
    output logic [                   tilefly_pkg::OUT_ROWS-1:0] first_o,
    /// cells of those packets, row r in bits [r*7 +: 7]
    output logic [                 tilefly_pkg::OUT_ROWS*7-1:0] first_cells_o,
    /// a grant takes room
    input  logic                                            reserve_i,
    /// number of cells that the grant takes
    input  logic [                                     6:0] reserve_cells_i,
    /// a packet's last word was read: the room of the packet is free
    input  logic                                            release_i,
    /// number of cells of that packet
    input  logic [                                     6:0] release_cells_i,
    /// cells free
    output logic [                                     8:0] room_o,
    /// the link can take a packet
    output logic                                            ready_o,
    /// row of the bank in which that packet is
    output logic [           $clog2(tilefly_pkg::OUT_ROWS)-1:0] row_o,
    /// slot of the packet's first cell in the bank
    output logic [                                     8:0] slot_o,
    /// kind of the packet, kind_e
    output logic [                                     2:0] kind_o,
    /// bytes of the packet's frame
    output logic [                                    12:0] len_o,
    /// header of the packet
    output tilefly_pkg::header_t                            header_o,
    /// the link takes the packet
    input  logic                                            take_i,
    /// cells of the packet
    input  logic [                                     6:0] take_cells_i,
    /// read two cells
    input  logic                                            read_i,
    /// row of the bank from which the cells are read
    input  logic [           $clog2(tilefly_pkg::OUT_ROWS)-1:0] read_row_i,
    /// slot of the first cell
    input  logic [                                     8:0] read_slot_i,
    /// slot of the packet's last cell
    input  logic [                                     8:0] last_slot_i,
    /// the packet's last cell says that the packet is damaged (combinational on the read inputs)
    output logic                                            bad_o,
    /// the first cell and two granules of the second, read in the cycle before
    output logic [                                   639:0] cells_o,
    /// no packet waits to be taken
    output logic                                            empty_o
);

  localparam int Rows = tilefly_pkg::OUT_ROWS;
  localparam int Cells = tilefly_pkg::OBUF_CELLS;
  localparam int CellW = tilefly_pkg::CELL_W;
  localparam int DataW = 384;  // 48 bytes, the least significant field of a cell
  localparam int RowW = $clog2(Rows);
  localparam int SlotW = 9;
  localparam int LastSlot = Cells - 1;

  function automatic [SlotW-1:0] successor(input [SlotW-1:0] slot);
    successor = slot == LastSlot[SlotW-1:0] ? '0 : slot + 1'b1;
  endfunction
  function automatic [SlotW-1:0] advanced(input [SlotW-1:0] slot, input [6:0] cells);
    advanced = {1'b0, slot} + {3'b0, cells} >= Cells[SlotW:0] ? slot + {2'b0, cells} - Cells[SlotW-1:0] : slot + {2'b0, cells};
  endfunction

  // Write side. Bank r is the entries {r, slot}: every row writes only its own.
  logic [DataW-1:0] mem[Rows*2**SlotW];
  logic damaged[Rows*2**SlotW];
  logic [SlotW-1:0] write_q[Rows];
  logic [Rows-1:0] last, bad;
  /* verilator lint_off UNUSEDSIGNAL */  // not every field matters here
  tilefly_pkg::cell_t arriving;
  /* verilator lint_on UNUSEDSIGNAL */
  tilefly_pkg::header_t header;

  always_comb begin
    arriving      = '0;
    first_o       = '0;
    first_cells_o = '0;
    last          = '0;
    bad           = '0;
    for (int r = 0; r < Rows; r++) begin
      if (cell_valid_i[r]) begin
        arriving = cell_i[r*CellW+:CellW];
        first_o[r] = arriving.sop;
        if (arriving.sop) first_cells_o[r*7+:7] = arriving.cells;
        last[r] = arriving.eop;
        bad[r]  = arriving.bad;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int r = 0; r < Rows; r++) begin
      if (!rst_ni) write_q[r] <= '0;
      else if (cell_valid_i[r]) write_q[r] <= successor(write_q[r]);
      if (cell_valid_i[r]) begin
        mem[{RowW'(r), write_q[r]}]     <= cell_i[r*CellW+:DataW];
        damaged[{RowW'(r), write_q[r]}] <= bad[r];
      end
    end
  end

  // Order of the packets: one entry for each cycle with first cells, the rows they came from. The link takes the oldest
  // entry's rows one after the other, round-robin.
  logic [Rows-1:0] oldest, taken_q, waiting, row_winner;
  logic [RowW-1:0] pointer_q, pointer_next, row;
  logic [SlotW-1:0] head_q[Rows];
  logic order_empty, order_pop;

  tilefly_fifo #(
      .Width(Rows),
      .Depth(Cells)
  ) u_order (
      .clk_i,
      .rst_ni,
      .push_i (first_o != '0),
      .data_i (first_o),
      .pop_i  (order_pop),
      .head_o (oldest),
      .empty_o(order_empty),
      /* verilator lint_off PINCONNECTEMPTY */  // room keeps it from ever being full
      .full_o ()
      /* verilator lint_on PINCONNECTEMPTY */
  );

  assign waiting = order_empty ? '0 : oldest & ~taken_q;

  tilefly_rr_arbiter #(
      .N(Rows)
  ) u_row (
      .req_i    (waiting),
      .pointer_i(pointer_q),
      .grant_o  (row_winner),
      .index_o  (row),
      .next_o   (pointer_next)
  );

  assign order_pop = take_i && waiting == row_winner;
  assign ready_o   = !order_empty;
  assign row_o     = row;
  assign empty_o   = order_empty;

  always_comb begin
    slot_o = '0;
    header = '0;
    if (!order_empty) begin
      slot_o = head_q[row];
      header = mem[{row, slot_o}][tilefly_pkg::HEADER_W-1:0];
    end
  end
  assign kind_o = header.kind;
  assign len_o  = header.len;
  assign header_o = header;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      taken_q   <= '0;
      pointer_q <= '0;
      for (int r = 0; r < Rows; r++) head_q[r] <= '0;
    end else if (take_i) begin
      taken_q     <= order_pop ? '0 : taken_q | row_winner;
      pointer_q   <= pointer_next;
      head_q[row] <= advanced(slot_o, take_cells_i);
    end
  end

  // Read side.
  logic [639:0] cells_q;
  assign bad_o = read_i && damaged[{read_row_i, last_slot_i}];
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      cells_q <= {mem[{read_row_i, successor(read_slot_i)}][255:0], mem[{read_row_i, read_slot_i}]};
    end
  end
  assign cells_o = cells_q;

  // Room.
  logic [SlotW-1:0] room_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) room_q <= Cells[SlotW-1:0];
    else if (reserve_i || release_i) begin
      room_q <= room_q - (reserve_i ? SlotW'(reserve_cells_i) : '0) + (release_i ? SlotW'(release_cells_i) : '0);
    end
  end
  assign room_o = room_q;

  // Assertions.
`ifndef SYNTHESIS
  logic [6:0] left_q[Rows];  // cells still to come of the packet that is arriving
  logic [Rows-1:0] gap, arrival_open;
  always_comb begin
    gap    = '0;
    arrival_open = '0;
    for (int r = 0; r < Rows; r++) begin
      arrival_open[r] = left_q[r] != '0;
      gap[r] = arrival_open[r] ? !(cell_valid_i[r] && !first_o[r] && last[r] == (left_q[r] == 7'd1)) :
          cell_valid_i[r] && !(first_o[r] && last[r] == (first_cells_o[r*7+:7] == 7'd1));
    end
  end
  always_ff @(posedge clk_i) begin
    for (int r = 0; r < Rows; r++) begin
      if (!rst_ni) left_q[r] <= '0;
      else if (cell_valid_i[r]) left_q[r] <= (first_o[r] ? first_cells_o[r*7+:7] : left_q[r]) - 1'b1;
    end
    if (rst_ni) begin
      /* verilator lint_off CMPCONST */  // constant where the limit fills its bits
      EGR_1 : assert (room_q <= Cells[SlotW-1:0]);
      /* verilator lint_on CMPCONST */
      EGR_3 : assert (gap == '0);
      EGR_5 : assert (!(read_i && arrival_open[read_row_i] && read_slot_i == write_q[read_row_i]));
    end
  end
  final begin
    if (rst_ni && $test$plusargs("tilefly_drained") != 0) EGR_1_drained : assert (room_q == Cells[SlotW-1:0]);
  end
`endif

endmodule
