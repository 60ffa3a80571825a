// SPDX-License-Identifier: Apache-2.0
// Virtual output queues of an input port with what feeds them and what asks for them. Manual: docs/blocks/ingress.md.
// Latency: a packet that enters in cycle t is queued at t + 2 the earliest, and requested at t + 3. Throughput: one
// entry, one request, one credit and one grant a cycle. Handshake: requests by credits (law 7).

module tilefly_ingress_queues #(
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
    /// the packet was taken back
    input  logic                             again_i,
    /// where the packet goes
    input  tilefly_ingress_pkg::route_t      route_i,
    /// a packet that a flow channel has held enters; none enters beside it
    input  tilefly_flows_pkg::release_t      go_i,
    /// a copy is gone
    input  logic                             gone_i,
    /// entry of the copy
    input  logic               [ EntryW-1:0] gone_entry_i,
    /// the entry that is granted is a copy that is taken back, and ends
    input  logic                             ends_i,
    /// a request credit arrives
    input  logic                             credit_i,
    /// queue of the request credit
    input  logic               [ QueueW-1:0] credit_queue_i,
    /// a grant arrives, also one that takes a packet back
    input  logic                             grant_i,
    /// queue of the grant
    input  logic               [ QueueW-1:0] grant_queue_i,
    /// a packet's first copy is queued for the first time
    output logic                             first_copy_o,
    /// a packet is requested
    output logic                             pop_o,
    /// queue of the packet
    output logic               [ QueueW-1:0] pop_queue_o,
    /// cells of the packet
    output logic               [        6:0] pop_cells_o,
    /// the queue has further unrequested packets
    output logic                             pop_more_o,
    /// entry that is granted
    output logic               [ EntryW-1:0] grant_entry_o,
    /// number of the granted packet
    output logic               [PacketW-1:0] grant_packet_o,
    /// cells of the granted packet
    output logic               [        6:0] grant_cells_o,
    /// nothing is on its way into a queue, and none is ready
    output logic                             quiescent_o
);

  logic queued, queued_first_copy, queued_first, stage_quiescent, requester_quiescent;
  logic [EntryW-1:0] queued_entry;
  logic [PacketW-1:0] queued_packet;
  logic [6:0] queued_cells;
  logic [QueueW-1:0] queued_queue;

  tilefly_queue_stage u_stage (
      .clk_i,
      .rst_ni,
      .enters_i,
      .packet_i,
      .cells_i,
      .again_i,
      .route_i,
      .go_i,
      .free_i      ({ends_i, gone_i}),
      .free_entry_i({grant_entry_o, gone_entry_i}),
      .valid_o     (queued),
      .first_o     (queued_first_copy),
      .entry_o     (queued_entry),
      .packet_o    (queued_packet),
      .cells_o     (queued_cells),
      .queue_o     (queued_queue),
      .quiescent_o (stage_quiescent)
  );

  tilefly_requester u_requester (
      .clk_i,
      .rst_ni,
      .credit_i,
      .credit_queue_i,
      .queued_i      (queued),
      .queued_queue_i(queued_queue),
      .queued_first_o(queued_first),
      .pop_o,
      .pop_queue_o,
      .pop_more_o,
      .quiescent_o   (requester_quiescent)
  );

  tilefly_voq u_voq (
      .clk_i,
      .rst_ni,
      .append_i       (queued),
      .append_queue_i (queued_queue),
      .append_entry_i (queued_entry),
      .append_packet_i(queued_packet),
      .append_cells_i (queued_cells),
      .append_first_i (queued_first),
      .request_i      (pop_o),
      .request_queue_i(pop_queue_o),
      .request_more_i (pop_more_o),
      .request_cells_o(pop_cells_o),
      .grant_i,
      .grant_queue_i,
      .grant_entry_o,
      .grant_packet_o,
      .grant_cells_o
  );

  assign first_copy_o = queued && queued_first_copy;
  assign quiescent_o  = stage_quiescent && requester_quiescent;

endmodule
