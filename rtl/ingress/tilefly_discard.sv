// SPDX-License-Identifier: Apache-2.0
// Releases packets that the pipeline drops. Manual: docs/blocks/ingress.md, "Dropped here".
// Latency: a packet dropped in cycle a + 18 is released in that cycle, one that is cut through not before a_last + 6.
// Throughput: one packet a cycle. Handshake: valid only; packets come in the order in which they ended, so that none
// comes while one is still waited for.

module tilefly_discard #(
    /// bits of a packet's number
    parameter int PacketW = tilefly_pkg::CELL_INDEX_W
) (
    /// clock
    input  logic                          clk_i,
    /// synchronous reset, active low
    input  logic                          rst_ni,
    /// a packet ends
    input  logic                          closes_i,
    /// number of the packet
    input  logic            [PacketW-1:0] closes_packet_i,
    /// last cell of the packet
    input  logic            [PacketW-1:0] closes_last_i,
    /// the packet is a reduction packet that was used here
    input  logic                          closes_used_i,
    /// a packet is in progress
    input  logic                          open_i,
    /// number of the packet
    input  logic            [PacketW-1:0] open_packet_i,
    /// a packet is dropped
    input  logic                          drop_i,
    /// number of the packet
    input  logic            [PacketW-1:0] packet_i,
    /// cells of the packet
    input  logic            [        6:0] cells_i,
    /// an MTU, instead of these cells, is in use for the packet
    input  logic                          reserved_i,
    /// virtual lane on which the packet came
    input  logic            [        3:0] vl_i,
    /// drop_e
    input  logic            [        3:0] reason_i,
    /// a packet is released
    output tilefly_ingress_pkg::release_t release_o,
    /// the drop of the packet is counted
    output logic                          counts_o,
    /// drop_e
    output logic            [        3:0] reason_o,
    /// no packet is waited for
    output logic                          quiescent_o
);

  localparam int Cells = tilefly_pkg::CELLS;
  localparam logic [6:0] MtuCells = 7'(tilefly_pkg::MTU_CELLS);

  logic [PacketW-1:0] last_mem[Cells];  // last cell, by packet
  logic used_mem[Cells];  // of a reduction packet that was taken: it was used
  logic closed_q;  // a packet ended in the cycle before
  logic [PacketW-1:0] closed_packet_q;
  logic waits_q;  // a dropped packet is still arriving
  logic [PacketW-1:0] packet_q;
  logic [6:0] cells_q;
  logic [3:0] vl_q, reason_q;

  logic [PacketW-1:0] packet;
  logic arriving;
  assign packet = waits_q ? packet_q : packet_i;
  assign arriving = (open_i && open_packet_i == packet) || (closed_q && closed_packet_q == packet);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      closed_q <= 1'b0;
      waits_q  <= 1'b0;
    end else begin
      closed_q <= closes_i;
      if (drop_i || waits_q) waits_q <= arriving;
    end
    if (closes_i) begin
      closed_packet_q           <= closes_packet_i;
      last_mem[closes_packet_i] <= closes_last_i;
      used_mem[closes_packet_i] <= closes_used_i;
    end
    if (drop_i) begin
      packet_q <= packet_i;
      cells_q  <= cells_i;
      vl_q     <= vl_i;
      reason_q <= reason_i;
    end
  end

  always_comb begin
    release_o = '0;
    counts_o  = 1'b0;
    release_o.valid = (drop_i || waits_q) && !arriving;
    if (release_o.valid) begin
      release_o.first = 12'(packet);
      release_o.last  = 12'(last_mem[packet]);
      release_o.cells = waits_q ? cells_q : cells_i;
      release_o.used  = !waits_q && reserved_i ? MtuCells : release_o.cells;
      release_o.vl    = waits_q ? vl_q : vl_i;
      counts_o        = reason_o != tilefly_pkg::DROP_RED || !used_mem[packet];
    end
  end

  assign reason_o    = waits_q ? reason_q : reason_i;
  assign quiescent_o = !waits_q && !closed_q;

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ING_1_discard : assert (!(drop_i && waits_q));
    end
  end

endmodule
