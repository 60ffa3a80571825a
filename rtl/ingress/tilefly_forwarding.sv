// SPDX-License-Identifier: Apache-2.0
// Forwarding: finds out where a packet goes, and whether it goes there; else its cells are released. Manual:
// docs/blocks/ingress.md, "Descriptor pipeline", "Class shares".
// Latency: a packet that enters in cycle a + 4 is queued, or dropped, in a + 18. Throughput: one packet a cycle.
// Handshake: valid only.
//
//   descriptor -> pipeline -> class shares -> queued
//                     +-----------+-> discard -> released

module tilefly_forwarding #(
    /// bits of a packet's number
    parameter int PacketW = tilefly_pkg::CELL_INDEX_W
) (
    /// clock
    input  logic                                       clk_i,
    /// synchronous reset, active low
    input  logic                                       rst_ni,
    /// number of the current cycle
    input  logic                                [47:0] cycle_i,
    /// number of this port
    input  logic                                 [5:0] port_i,
    /// register bus: a write is an event of this cycle
    input  tilefly_pkg::cfg_t                          cfg_i,
    /// a packet enters
    input  logic                                       enters_i,
    /// packet that arrives now, and that enters or ends
    input  logic                         [PacketW-1:0] packet_i,
    /// its descriptor
    input  tilefly_ingress_pkg::descriptor_t           descriptor_i,
    /// it ends
    input  logic                                       closes_i,
    /// its last cell
    input  logic                         [PacketW-1:0] closes_last_i,
    /// a packet is in progress
    input  logic                                       open_i,
    /// its number
    input  logic                         [PacketW-1:0] open_packet_i,
    /// look-up request, in a + 10, questions to the route tables, in a + 13 (flops)
    output tilefly_ingress_pkg::lk_req_t               lk_req_o,
    /// their answers, in a + 12 and a + 14
    input  tilefly_ingress_pkg::lk_rsp_t               lk_rsp_i,
    /// loads of all ports as they are shown now
    input  logic           [12*tilefly_pkg::PORTS-1:0] loads_i,
    /// a class of the port is lossy
    output logic                                       lossy_o,
    /// a packet is to be queued
    output logic                                       queues_o,
    /// its number
    output logic                         [PacketW-1:0] packet_o,
    /// its cells
    output logic                                 [6:0] cells_o,
    /// they count in its class's share
    output logic                                       shares_o,
    /// where it goes
    output tilefly_ingress_pkg::route_t                route_o,
    /// a dropped packet is released, and its drop counted
    output tilefly_ingress_pkg::release_t              discarded_o,
    /// drop_e
    output logic                                 [3:0] discard_reason_o,
    /* verilator lint_off UNUSEDSIGNAL */  // only its share matters here
    /// a packet that was sent is released
    input  tilefly_ingress_pkg::release_t              sent_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// cells of the input buffer in use
    input  logic                                [11:0] used_i,
    /// nothing inside
    output logic                                       quiescent_o
);

  logic leaves, reserved, forwards, class_full, pipe_quiescent, discard_quiescent;
  /* verilator lint_off UNUSEDSIGNAL */  // only lane and class matter here
  tilefly_pkg::header_t header;
  /* verilator lint_on UNUSEDSIGNAL */

  tilefly_ingress_pipe u_pipe (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .port_i,
      .cfg_i,
      .enters_i,
      .packet_i,
      .descriptor_i,
      .lk_req_o,
      .lk_rsp_i,
      .loads_i,
      .valid_o    (leaves),
      .packet_o,
      .cells_o,
      .reserved_o (reserved),
      .shares_o,
      .route_o,
      .quiescent_o(pipe_quiescent)
  );

  assign header = route_o.header;
  assign forwards = leaves && route_o.reason == tilefly_pkg::DROP_NONE;
  assign queues_o = forwards && !class_full;

  tilefly_class_shares u_class_shares (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .lossy_o,
      .enters_i      (forwards && shares_o),
      .tc_i          (header.tc),
      .cells_i       (cells_o),
      .full_o        (class_full),
      .leaves_i      (sent_i.shares),
      .leaves_tc_i   (sent_i.tc),
      .leaves_cells_i(sent_i.cells),
      .used_i
  );

  tilefly_discard u_discard (
      .clk_i,
      .rst_ni,
      .closes_i,
      .closes_packet_i(packet_i),
      .closes_last_i,
      .open_i,
      .open_packet_i,
      .drop_i         (leaves && !queues_o),
      .packet_i       (packet_o),
      .cells_i        (cells_o),
      .reserved_i     (reserved),
      .vl_i           (header.vl),
      .reason_i       (class_full ? tilefly_pkg::DROP_CLASS_FULL : route_o.reason),
      .release_o      (discarded_o),
      .reason_o       (discard_reason_o),
      .quiescent_o    (discard_quiescent)
  );

  assign quiescent_o = pipe_quiescent && discard_quiescent;

endmodule
