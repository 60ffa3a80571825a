// SPDX-License-Identifier: Apache-2.0
// Admission to the input buffer, and the account of its cells. Manual: docs/blocks/ingress.md, "Admission".
// Latency: a packet is admitted or dropped in the cycle a0 + 4 in which its first word comes from the MAC; the
// descriptor enters the pipeline in a + 4. Throughput: as the MAC. Handshake: valid only.
//
// A packet that is cut through enters the pipeline with its first word, one that is stored and forwarded with its end.
// A bare frame does not say its length: an MTU is reserved for it until its end.

module tilefly_admission #(
    /// sources that release packets
    parameter int Sources = tilefly_ingress_pkg::RELEASES,
    /// bits of a cell's number; a packet has the number of its first cell
    parameter int CellW = tilefly_pkg::CELL_INDEX_W
) (
    /// clock
    input  logic                                   clk_i,
    /// synchronous reset, active low
    input  logic                                   rst_ni,
    /// mode of the port
    /* verilator lint_off UNUSEDSIGNAL */  // not every field of the mode matters here
    input  tilefly_pkg::port_mode_t                mode_i,
    /// word from the MAC
    input  tilefly_ingress_pkg::rx_t               rx_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// bytes of the word
    input  logic                           [255:0] data_i,
    /// number of a packet that starts in this cycle
    input  logic                       [CellW-1:0] first_i,
    /// own address: group 9, switch 5
    input  logic                            [13:0] own_address_i,
    /// a class of the port is lossy: a packet that enters counts in the share of its class
    input  logic                                   lossy_i,
    /// cells no longer accounted, source s in bits [s*7 +: 7]
    input  logic                   [Sources*7-1:0] released_i,
    /// store the word
    output logic                                   store_o,
    /// a packet that is cut through was admitted
    output logic                                   cut_through_o,
    /// the current packet is for the reduction port
    output logic                                   taken_o,
    /// the current packet ends: all of it is stored
    output logic                                   closes_o,
    /// number of the packet
    output logic                       [CellW-1:0] packet_o,
    /// the packet was cut through and ended badly
    output logic                                   bad_o,
    /// a packet is in progress (flop)
    output logic                                   open_o,
    /// number of the packet (flop)
    output logic                       [CellW-1:0] open_packet_o,
    /// a packet enters the pipeline
    output logic                                   enters_o,
    /// descriptor of the packet
    output tilefly_ingress_pkg::descriptor_t       descriptor_o,
    /// the input buffer is full: the packet is dropped
    output logic                                   full_o,
    /// cells accounted, as committed
    output logic                            [11:0] used_o
);

  localparam int Cells = tilefly_pkg::CELLS;
  localparam logic [6:0] MtuCells = 7'(tilefly_pkg::MTU_CELLS);

  logic [11:0] used_q;
  logic open_q;  // the current packet was admitted and has not ended
  logic cut_through_q;
  logic [CellW-1:0] packet_q;
  logic taken_q;  // the reduction port takes it
  logic [255:0] word_q;  // its first word
  logic [6:0] cells_q;  // its cells, when the header says so

  logic [6:0] reserve;
  logic admits, cut_through, closes, good_bare, enters;
  logic [6:0] cells;
  assign reserve = rx_i.enh ? rx_i.cells : MtuCells;
  assign admits = rx_i.sop && 13'(used_q) + 13'(reserve) <= 13'(Cells);
  assign cut_through = rx_i.sop ? mode_i.cut_through && rx_i.enh : cut_through_q;
  assign closes = rx_i.ends && (rx_i.sop ? admits : open_q);
  assign cells = !rx_i.enh ? tilefly_ingress_pkg::cells_of(rx_i.len) : rx_i.sop ? rx_i.cells : cells_q;
  assign good_bare = closes && !rx_i.enh && rx_i.status == tilefly_pkg::DROP_NONE;
  assign enters = cut_through ? admits : closes;

  /* verilator lint_off UNUSEDSIGNAL */  // four fields say who takes the packet
  tilefly_pkg::header_t header;
  /* verilator lint_on UNUSEDSIGNAL */
  logic taken;
  assign header = data_i[127:0];
  assign taken = !rx_i.sop ? taken_q : rx_i.enh && tilefly_pkg::RED_PRESENT != 0 && header.kind == tilefly_pkg::KIND_RED &&
      header.an && header.dst[19:6] == own_address_i;

  always_comb begin
    descriptor_o = '0;
    if (enters) begin
      descriptor_o.cells       = cells;
      descriptor_o.len         = rx_i.len;
      descriptor_o.reserved    = !rx_i.enh && !good_bare;
      descriptor_o.shares      = lossy_i;
      if (!cut_through && rx_i.status != tilefly_pkg::DROP_NONE) descriptor_o.reason = rx_i.status;
      else if (taken) descriptor_o.reason = tilefly_pkg::DROP_RED;
      descriptor_o.cut_through = cut_through;
      descriptor_o.enh         = rx_i.enh;
      descriptor_o.trust       = mode_i.trust;
      descriptor_o.default_tc  = mode_i.default_tc;
      descriptor_o.in_class    = mode_i.pclass;
      descriptor_o.word        = rx_i.sop ? data_i : word_q;
    end
  end

  logic [12:0] used_d;
  always_comb begin
    used_d = 13'(used_q);
    for (int s = 0; s < Sources; s++) used_d = used_d - 13'(released_i[s*7+:7]);
    if (admits) used_d = used_d + 13'(reserve);
    if (good_bare) used_d = used_d + 13'(cells) - 13'(MtuCells);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q <= '0;
      open_q <= 1'b0;
    end else begin
      used_q <= used_d[11:0];
      if (rx_i.sop) open_q <= admits && !rx_i.ends;
      else if (rx_i.ends) open_q <= 1'b0;
    end
    if (admits) begin
      cut_through_q <= cut_through;
      taken_q       <= taken;
      packet_q      <= first_i;
      word_q        <= data_i;
      cells_q       <= rx_i.cells;
    end
  end

  assign store_o       = rx_i.take && (rx_i.sop ? admits : open_q);
  assign cut_through_o = admits && cut_through;
  assign taken_o       = taken;
  assign closes_o      = closes;
  assign packet_o      = rx_i.sop ? first_i : packet_q;
  assign bad_o         = cut_through && rx_i.status != tilefly_pkg::DROP_NONE;
  assign open_o        = open_q;
  assign open_packet_o = packet_q;
  assign enters_o      = enters;
  assign full_o        = rx_i.sop && !admits;
  assign used_o        = used_q;

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ING_1_used : assert (used_d <= 13'(Cells));
    end
  end

endmodule
