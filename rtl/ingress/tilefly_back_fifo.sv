// SPDX-License-Identifier: Apache-2.0
// Entry of the descriptor pipeline: packets of the MAC, and in free cycles packets that were taken back from an output whose link
// is down. Those wait here, and pass the pipeline a second time. Manual: docs/blocks/link_retry.md, "Taken back".
// Latency: a packet that joins in cycle t enters the pipeline in t + 2 the earliest. Throughput: one packet a cycle. Handshake: valid
// only; a packet of the MAC goes first, and the fifo holds every packet there can be.
//
//   MAC ---------------------------------------> pipeline
//   grant with `reroute` -> back fifo -(free)-----^

module tilefly_back_fifo #(
    /// bits of a packet's number
    parameter int PacketW = tilefly_pkg::CELL_INDEX_W
) (
    /// clock
    input  logic                             clk_i,
    /// synchronous reset, active low
    input  logic                             rst_ni,
    /// a packet of the MAC enters the pipeline
    input  logic                             enters_i,
    /// number of the packet
    input  logic               [PacketW-1:0] packet_i,
    /// descriptor of the packet
    input  tilefly_ingress_pkg::descriptor_t descriptor_i,
    /// a packet is taken back
    input  logic                             joins_i,
    /// number of the packet
    input  logic               [PacketW-1:0] joins_packet_i,
    /// look-up of the oldest packet that was taken back: do it
    output logic                             look_o,
    /// number of the packet
    output logic               [PacketW-1:0] head_o,
    /// stored header of that packet, with via as it came
    input  tilefly_pkg::header_t             head_header_i,
    /// the cells of that packet count in the share of its class
    input  logic                             head_shares_i,
    /// class of the port
    input  logic                       [1:0] in_class_i,
    /// a packet enters the pipeline
    output logic                             enters_o,
    /// number of the packet
    output logic               [PacketW-1:0] packet_o,
    /// descriptor of the packet
    output tilefly_ingress_pkg::descriptor_t descriptor_o,
    /// no packet waits
    output logic                             quiescent_o
);

  localparam int Packets = tilefly_pkg::CELLS;

  logic empty, leaves, joins_q;
  logic [PacketW-1:0] head, joins_packet_q;
  assign leaves = !empty && !enters_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) joins_q <= 1'b0;
    else joins_q <= joins_i;
    if (joins_i) joins_packet_q <= joins_packet_i;
  end

  tilefly_fifo #(
      .Width(PacketW),
      .Depth(Packets)
  ) u_packets (
      .clk_i,
      .rst_ni,
      .push_i (joins_q),
      .data_i (joins_packet_q),
      .pop_i  (leaves),
      .head_o (head),
      .empty_o(empty),
      /* verilator lint_off PINCONNECTEMPTY */  // each packet has a cell, and there is room for all cells
      .full_o ()
      /* verilator lint_on PINCONNECTEMPTY */
  );

  always_comb begin
    descriptor_o = descriptor_i;
    if (leaves) begin
      descriptor_o          = '0;
      descriptor_o.cells    = tilefly_ingress_pkg::cells_of(head_header_i.len);
      descriptor_o.len      = head_header_i.len;
      descriptor_o.shares   = head_shares_i;
      descriptor_o.again    = 1'b1;
      descriptor_o.enh      = 1'b1;
      descriptor_o.in_class = in_class_i;
      descriptor_o.word     = 256'(head_header_i);
    end
  end

  assign look_o      = !empty;
  assign head_o      = head;
  assign enters_o    = enters_i || leaves;
  assign packet_o    = leaves ? head : packet_i;
  assign quiescent_o = empty && !joins_q;

  // Assertions: a packet is taken back once before it passes the pipeline again.
`ifndef SYNTHESIS
  /* verilator tracing_off */
  logic [Packets-1:0] inside_q;
  /* verilator tracing_on */
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      inside_q <= '0;
    end else begin
      if (leaves) inside_q[head] <= 1'b0;
      if (joins_i) inside_q[joins_packet_i] <= 1'b1;
    end
    if (rst_ni) begin
      ING_4_joins : assert (!(joins_i && inside_q[joins_packet_i]));
      ING_4_leaves : assert (!(leaves && !inside_q[head]));
    end
  end
  final begin
    if (rst_ni && $test$plusargs("tilefly_drained") != 0) ING_4_drained : assert (quiescent_o && inside_q == '0);
  end
`endif

endmodule
