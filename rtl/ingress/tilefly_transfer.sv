// SPDX-License-Identifier: Apache-2.0
// Transfer of granted packets: the list of grants, and the reader that sends what is picked from it. Manual:
// docs/blocks/ingress.md, "Grants and transfer".
// Latency: a grant that arrives in cycle t can be picked in p >= t + 1; cell j leaves in p + 4 + j. Throughput: a grant, and a
// cell, a cycle. Handshake: valid only; the list holds every entry there can be.
//
//   grant -> grant list -pick-> reader <- input buffer
//                                  +----> row bus of data, release

module tilefly_transfer #(
    /// bits of a packet's number
    parameter int PacketW = tilefly_pkg::CELL_INDEX_W,
    /// bits of an entry's number
    parameter int EntryW = $clog2(tilefly_pkg::CELLS + tilefly_pkg::COPY_ENTRIES),
    /// bits of a queue's number, {output, VL}
    parameter int QueueW = $clog2(tilefly_pkg::PORTS) + 4
) (
    /// clock
    input  logic                                     clk_i,
    /// synchronous reset, active low
    input  logic                                     rst_ni,
    /// number of the current cycle
    input  logic                        [      47:0] cycle_i,
    /// number of this port
    input  logic                        [       5:0] port_i,
    /// SerDes lanes of the port: how fast a packet arrives
    input  logic                        [       2:0] serdes_lanes_i,
    /// packet that arrives now
    input  logic                       [PacketW-1:0] arriving_i,
    /// the packet was admitted to be cut through
    input  logic                                     cut_through_i,
    /// bytes of the packet's frame
    input  logic                        [      12:0] len_i,
    /// cells of the packet
    input  logic                        [       6:0] cells_i,
    /// the packet ends
    input  logic                                     closes_i,
    /// the packet was cut through and ended badly
    input  logic                                     closes_bad_i,
    /// the port has flow channels
    input  logic                                     flows_i,
    /// a packet enters the queue stage, or is held in front of it
    input  logic                                     queues_i,
    /// number of the packet
    input  logic                       [PacketW-1:0] queues_packet_i,
    /// where the packet goes
    /* verilator lint_off UNUSEDSIGNAL */  // only copies, header and via matter here
    input  tilefly_ingress_pkg::route_t              queues_route_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// the cells of the packet count in the share of its class
    input  logic                                     queues_shares_i,
    /// the packet was taken back: the flow channels know it
    input  logic                                     queues_again_i,
    /// a packet that was held enters the queue stage
    input  tilefly_flows_pkg::release_t              go_i,
    /// a grant arrives, or a grant that takes a packet back
    input  logic                                     grant_i,
    input  logic                                     taken_i,
    /// entry of the granted packet
    input  logic                       [ EntryW-1:0] grant_entry_i,
    /// number of the granted packet
    input  logic                       [PacketW-1:0] grant_packet_i,
    /// cells of the granted packet
    input  logic                        [       6:0] grant_cells_i,
    /// queue of the granted packet
    input  logic                       [ QueueW-1:0] grant_queue_i,
    /// the packet that is taken back is a copy of a replicated one, which ends
    output logic                                     ends_o,
    /// with this copy the whole packet ends; its last cell is not known here
    output tilefly_ingress_pkg::release_t            ended_o,
    /// look-up of a packet that was taken back: do it
    input  logic                                     again_i,
    /// number of the packet
    input  logic                       [PacketW-1:0] again_packet_i,
    /// header of the packet, with via as it came
    output tilefly_pkg::header_t                     again_header_o,
    /// the cells of the packet count in the share of its class
    output logic                                     again_shares_o,
    /// a packet was picked in the cycle before
    output logic                                     pick_o,
    /// cells of the picked packet
    output logic                        [       6:0] pick_cells_o,
    /// queue of the picked packet
    output logic                       [ QueueW-1:0] pick_queue_o,
    /// read a cell
    output logic                                     read_o,
    /// the cell to read
    output logic                       [PacketW-1:0] at_o,
    /// the cell that follows that cell
    input  logic                       [PacketW-1:0] next_i,
    /// the cell read in the cycle before
    input  logic                        [     383:0] cell_i,
    /// a copy is gone
    output logic                                     gone_o,
    /// entry of the copy
    output logic                       [ EntryW-1:0] gone_entry_o,
    /// with this copy the whole packet is gone
    output tilefly_ingress_pkg::release_t            release_o,
    /// row bus: a cell is valid (flop)
    output logic                                     dat_valid_o,
    /// output of the cell (flop)
    output logic                        [       5:0] dat_dst_o,
    /// the cell (flop)
    output tilefly_pkg::cell_t                       dat_o,
    /// nothing inside
    output logic                                     quiescent_o
);

  // Written apart from golden/common/stage_times.h, on purpose: each is judged by the other.
  localparam int WriteCycles = 4;  // from the wire to the admission

  logic list_quiescent, reader_quiescent;
  logic [EntryW-1:0] pick_entry;
  logic [PacketW-1:0] pick_packet;
  logic [47:0] pick_from;

  always_comb begin
    pick_from = '0;
    if (cut_through_i) begin
      pick_from = cycle_i - 48'(WriteCycles) + 48'(tilefly_ingress_pkg::pick_offset(len_i, cells_i, serdes_lanes_i));
    end
  end

  tilefly_grant_list u_list (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .arrives_i  (cut_through_i),
      .arriving_i,
      .pick_from_i(pick_from),
      .grant_i,
      .entry_i    (grant_entry_i),
      .packet_i   (grant_packet_i),
      .cells_i    (grant_cells_i),
      .queue_i    (grant_queue_i),
      .pick_o,
      .entry_o    (pick_entry),
      .packet_o   (pick_packet),
      .cells_o    (pick_cells_o),
      .queue_o    (pick_queue_o),
      .quiescent_o(list_quiescent)
  );

  tilefly_reader u_reader (
      .clk_i,
      .rst_ni,
      .port_i,
      .flows_i,
      .stored_i       (queues_i),
      .stored_packet_i(queues_packet_i),
      .stored_copies_i(queues_route_i.copies),
      .stored_header_i(queues_route_i.header),
      .stored_came_i  ({queues_route_i.came_to_via, queues_route_i.came_via}),
      .stored_shares_i(queues_shares_i),
      .stored_again_i (queues_again_i),
      .go_i,
      .closes_i,
      .closes_packet_i(arriving_i),
      .closes_bad_i,
      .pick_i         (pick_o),
      .pick_entry_i   (pick_entry),
      .pick_packet_i  (pick_packet),
      .pick_cells_i   (pick_cells_o),
      .pick_queue_i   (pick_queue_o),
      .taken_i,
      .taken_packet_i (grant_packet_i),
      .taken_cells_i  (grant_cells_i),
      .ends_o,
      .ended_o,
      .again_i,
      .again_packet_i,
      .again_header_o,
      .again_shares_o,
      .read_o,
      .at_o,
      .next_i,
      .cell_i,
      .gone_o,
      .gone_entry_o,
      .release_o,
      .dat_valid_o,
      .dat_dst_o,
      .dat_o,
      .quiescent_o    (reader_quiescent)
  );

  assign quiescent_o = list_quiescent && reader_quiescent;

endmodule
