// SPDX-License-Identifier: Apache-2.0
// Releases packets that leave the input without a copy that is sent: those that the pipeline drops, and replicated packets whose last
// copy was taken back. Manual: docs/blocks/ingress.md, "A packet that is dropped"; docs/blocks/link_retry.md, "Taken back".
// Latency: a packet is released in the cycle in which it is dropped, or in which its last copy ends; one that is cut through not
// before a_last + 6. Throughput: a packet of each kind a cycle. Handshake: valid only; no more than one packet arrives at a time, so
// none comes that has to wait while one is waited for.

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
    /// the cells of the packet are in its class's account
    input  logic                          shares_i,
    /// class of the packet
    input  logic            [        2:0] tc_i,
    /// drop_e
    input  logic            [        3:0] reason_i,
    /* verilator lint_off UNUSEDSIGNAL */  // its last cell is known here
    /// a packet ends because its last copy was taken back
    input  tilefly_ingress_pkg::release_t ended_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// packets that are released: dropped now, waited for, ended now
    output tilefly_ingress_pkg::release_t dropped_o,
    output tilefly_ingress_pkg::release_t waited_o,
    output tilefly_ingress_pkg::release_t ended_o,
    /// the drop of the packet that is dropped, that was waited for, is counted
    output logic                          dropped_counts_o,
    output logic                          waited_counts_o,
    /// drop_e of the packet that was waited for
    output logic            [        3:0] waited_reason_o,
    /// no packet is waited for
    output logic                          quiescent_o
);

  localparam int Cells = tilefly_pkg::CELLS;
  localparam logic [6:0] MtuCells = 7'(tilefly_pkg::MTU_CELLS);

  logic [PacketW-1:0] last_mem[Cells];  // last cell, by packet
  logic used_mem[Cells];  // of a reduction packet that was taken: it was used
  logic closed_q;  // a packet ended in the cycle before
  logic [PacketW-1:0] closed_packet_q;

  // The packet that is waited for, because it is still arriving.
  logic waits_q;
  /* verilator lint_off UNUSEDSIGNAL */  // its last cell is known when it has arrived
  tilefly_ingress_pkg::release_t waiting_q;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [3:0] reason_q;  // drop_e; NONE of a packet that ended

  function automatic logic is(input logic valid, input [PacketW-1:0] arriving, input [11:0] packet);
    is = valid && 12'(arriving) == packet;
  endfunction

  tilefly_ingress_pkg::release_t dropped, ended, waited;
  logic dropped_arrives, ended_arrives, waited_arrives;
  always_comb begin
    dropped         = '0;
    dropped_arrives = 1'b0;
    if (drop_i) begin
      dropped.valid   = 1'b1;
      dropped.first   = 12'(packet_i);
      dropped.cells   = cells_i;
      dropped.used    = reserved_i ? MtuCells : cells_i;
      dropped.vl      = vl_i;
      dropped.shares  = shares_i;
      dropped.tc      = tc_i;
      dropped_arrives = is(open_i, open_packet_i, dropped.first) || is(closed_q, closed_packet_q, dropped.first);
    end
  end
  always_comb begin
    ended         = '0;
    ended_arrives = 1'b0;
    if (ended_i.valid) begin
      ended         = ended_i;
      ended_arrives = is(open_i, open_packet_i, ended.first) || is(closed_q, closed_packet_q, ended.first);
    end
  end
  always_comb begin
    waited         = '0;
    waited_arrives = 1'b0;
    if (waits_q) begin
      waited         = waiting_q;
      waited_arrives = is(open_i, open_packet_i, waited.first) || is(closed_q, closed_packet_q, waited.first);
    end
  end

  // What does not arrive any more is released, with its last cell.
  always_comb begin
    dropped_o        = '0;
    dropped_counts_o = 1'b0;
    if (dropped.valid && !dropped_arrives) begin
      dropped_o        = dropped;
      dropped_o.last   = 12'(last_mem[packet_i]);
      dropped_counts_o = reason_i != tilefly_pkg::DROP_RED || !used_mem[packet_i];
    end
  end
  always_comb begin
    ended_o = '0;
    if (ended.valid && !ended_arrives) begin
      ended_o      = ended;
      ended_o.last = 12'(last_mem[ended.first[PacketW-1:0]]);
    end
  end
  always_comb begin
    waited_o        = '0;
    waited_counts_o = 1'b0;
    if (waited.valid && !waited_arrives) begin
      waited_o        = waited;
      waited_o.last   = 12'(last_mem[waited.first[PacketW-1:0]]);
      waited_counts_o = reason_q != tilefly_pkg::DROP_NONE &&
          (reason_q != tilefly_pkg::DROP_RED || !used_mem[waited.first[PacketW-1:0]]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      closed_q <= 1'b0;
      waits_q  <= 1'b0;
    end else begin
      closed_q <= closes_i;
      waits_q  <= dropped_arrives || ended_arrives || waited_arrives;
    end
    if (dropped_arrives) begin
      waiting_q <= dropped;
      reason_q  <= reason_i;
    end else if (ended_arrives) begin
      waiting_q <= ended;
      reason_q  <= tilefly_pkg::DROP_NONE;
    end
    if (closes_i) begin
      closed_packet_q           <= closes_packet_i;
      last_mem[closes_packet_i] <= closes_last_i;
      used_mem[closes_packet_i] <= closes_used_i;
    end
  end

  assign waited_reason_o = reason_q;
  assign quiescent_o     = !waits_q && !closed_q;

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ING_1_discard : assert (32'(dropped_arrives) + 32'(ended_arrives) + 32'(waited_arrives) < 2);
    end
  end

endmodule
