// SPDX-License-Identifier: Apache-2.0
// Queue stage: makes queue entries of packets, one for each copy. Manual: docs/blocks/ingress.md, "Queue stage".
// Latency: a packet that enters in cycle t is served by decisions q >= t + 1; the entry is on the outputs (flops) in
// q + 1. Throughput: one entry a cycle. Handshake: valid only; the fifo holds every packet there can be.
// A replicated packet's copies are made in ascending order of the ports. The first takes the packet's own entry, each
// further one a copy entry; when none is free the stage waits.

module tilefly_queue_stage #(
    /// bits of a packet's number
    parameter int PacketW = tilefly_pkg::CELL_INDEX_W,
    /// bits of an entry's number
    parameter int EntryW = $clog2(tilefly_pkg::CELLS + tilefly_pkg::COPY_ENTRIES),
    /// bits of a queue's number, {output, VL}
    parameter int QueueW = $clog2(tilefly_pkg::PORTS) + 4
) (
    /// clock
    input  logic                             clk_i,
    /// synchronous reset, active low
    input  logic                             rst_ni,
    /// a packet enters
    input  logic                             enters_i,
    /// number of the packet
    input  logic               [PacketW-1:0] packet_i,
    /// cells of the packet
    input  logic               [        6:0] cells_i,
    /// the packet was taken back: its first copy has been counted
    input  logic                             again_i,
    /// where the packet goes
    /* verilator lint_off UNUSEDSIGNAL */  // the header is stored elsewhere
    input  tilefly_ingress_pkg::route_t      route_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// a packet that a flow channel has held enters; none enters beside it
    /* verilator lint_off UNUSEDSIGNAL */  // the bits of its header are for the reader
    input  tilefly_flows_pkg::release_t      go_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// a copy's entry is freed: the copy is sent, it is taken back and ends
    input  logic               [        1:0] free_i,
    /// entry that leaves, source s in bits [s*EntryW +: EntryW]; of copies the copy entry is freed
    input  logic               [2*EntryW-1:0] free_entry_i,
    /// an entry is queued
    output logic                             valid_o,
    /// the entry is the first of its packet, which is counted now
    output logic                             first_o,
    /// number of the entry: the packet's own number, or from CELLS on the number of a copy
    output logic               [ EntryW-1:0] entry_o,
    /// number of the entry's packet
    output logic               [PacketW-1:0] packet_o,
    /// cells of the entry's packet
    output logic               [        6:0] cells_o,
    /// queue of the entry
    output logic               [ QueueW-1:0] queue_o,
    /// nothing inside
    output logic                             quiescent_o
);

  localparam int Ports = tilefly_pkg::PORTS;
  localparam int PortW = $clog2(Ports);
  localparam int FirstCopy = tilefly_pkg::CELLS;
  localparam int CopyW = $clog2(tilefly_pkg::COPY_ENTRIES);
  localparam int Width = PacketW + 8 + 16 + 3 * Ports;

  logic [PacketW-1:0] packet;
  logic [6:0] cells;
  logic [15:0] vls;
  logic [2*Ports-1:0] out_class;
  logic [Ports-1:0] ports;
  logic empty, serves, is_last, pop, again;

  // What enters, from the pipeline or from a flow channel.
  logic [Width-1:0] entering;
  always_comb begin
    entering = {packet_i, cells_i, again_i, route_i.vls, route_i.out_class[2*Ports-1:0], route_i.ports[Ports-1:0]};
    if (go_i.valid) entering = {go_i.packet[PacketW-1:0], go_i.cells, 1'b0, {4{go_i.lane}}, {(2 * Ports) {1'b0}}, Ports'(1) << go_i.port};
  end

  tilefly_fifo #(
      .Width(Width),
      .Depth(tilefly_pkg::CELLS)
  ) u_packets (
      .clk_i,
      .rst_ni,
      .push_i (enters_i || go_i.valid),
      .data_i (entering),
      .pop_i  (pop),
      .head_o ({packet, cells, again, vls, out_class, ports}),
      .empty_o(empty),
      /* verilator lint_off PINCONNECTEMPTY */  // each packet has a cell, and there is room for all cells
      .full_o ()
      /* verilator lint_on PINCONNECTEMPTY */
  );

  logic started_q;  // the head's first copy is made
  logic [Ports-1:0] remaining_q;  // ports still to come, once started
  logic copy_free;
  logic [CopyW-1:0] copy;

  logic [EntryW-1:0] freed, freed_back;
  assign {freed_back, freed} = free_entry_i;

  assign serves = !empty && (!started_q || copy_free);
  assign pop = serves && is_last;

  tilefly_copy_pool u_copies (
      .clk_i,
      .rst_ni,
      .take_i (serves && started_q),
      .any_o  (copy_free),
      .index_o(copy),
      .free_i ({free_i[1] && freed_back >= EntryW'(FirstCopy), free_i[0] && freed >= EntryW'(FirstCopy)}),
      .index_i({CopyW'(freed_back - EntryW'(FirstCopy)), CopyW'(freed - EntryW'(FirstCopy))})
  );

  // The lowest port that remains, and its virtual lane
  logic [Ports-1:0] remaining, lowest;
  logic [PortW-1:0] port;
  logic [1:0] port_class;
  logic [3:0] vl;
  always_comb begin
    remaining = '0;
    lowest = '0;
    port = '0;
    port_class = '0;
    vl = '0;
    is_last = 1'b0;
    if (!empty) begin
      remaining = started_q ? remaining_q : ports;
      lowest = remaining & (~remaining + 1'b1);
      is_last = remaining == lowest;
      port = PortW'(tilefly_ingress_pkg::number_of(64'(lowest)));
      port_class = out_class[{port, 1'b0}+:2];
      vl = vls[{port_class, 2'b00}+:4];
    end
  end

  logic valid_q, first_q;
  logic [EntryW-1:0] entry_q;
  logic [PacketW-1:0] packet_q;
  logic [6:0] cells_q;
  logic [QueueW-1:0] queue_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      started_q <= 1'b0;
      valid_q   <= 1'b0;
    end else begin
      if (serves) started_q <= !is_last;
      valid_q <= serves;
    end
    if (serves) begin
      remaining_q <= remaining & ~lowest;
      first_q     <= !started_q && !again;
      entry_q     <= started_q ? EntryW'(FirstCopy) + EntryW'(copy) : EntryW'(packet);
      packet_q    <= packet;
      cells_q     <= cells;
      queue_q     <= {port, vl};
    end
  end

  assign valid_o     = valid_q;
  assign first_o     = first_q;
  assign entry_o     = entry_q;
  assign packet_o    = packet_q;
  assign cells_o     = cells_q;
  assign queue_o     = queue_q;
  assign quiescent_o = empty && !valid_q;

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      FLOW_9_stage : assert (!(enters_i && go_i.valid));
    end
  end

endmodule
