// SPDX-License-Identifier: Apache-2.0
// Makes the acks of the packets that an edge port delivers. Manual: docs/blocks/acks.md, "Made".
// Latency: the ack of a packet is on the outputs (combinational) in the cycle in which its last word is read. Throughput: a packet
// a cycle. Handshake: valid only; takes are as far apart as the words of the packets.
//
//   cycle   x       x + 1   x + 2 ...     e            x': a further take, x' >= e - 1
//           taken   next    being sent    made
//
// An idle port, and one that is no edge port of the ack network, keeps nothing.

module tilefly_ack_maker (
    /// clock
    input  logic                           clk_i,
    /// synchronous reset, active low
    input  logic                           rst_ni,
    /// the port is an edge port of the ack network
    input  logic                           edge_i,
    /// the port has flow channels, too: the ack says of which its packet is
    input  logic                           flows_i,
    /// the link takes a packet
    input  logic                           take_i,
    /// header of the packet, as it leaves
    /* verilator lint_off UNUSEDSIGNAL */  // an ack needs what leads back
    input  tilefly_pkg::header_t           header_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// the last word of the packet that is being sent is read
    input  logic                           release_i,
    /// cells of the packet that is being sent
    input  logic                    [ 6:0] cells_i,
    /// the words of the packet are sent
    input  logic                           sent_i,
    /// the packet is damaged
    input  logic                           bad_i,
    /// load of this output
    input  logic                    [11:0] load_i,
    /// an ack is made
    output logic                           made_o,
    /// port of this switch by which the ack goes
    output logic                    [ 5:0] dst_o,
    /// the ack, without mark and share
    output tilefly_pkg::ack_t              ack_o,
    /// lane by which its packet left
    output logic                    [ 3:0] vl_o,
    /// source of its packet
    output logic                    [19:0] src_o,
    /// no ack is made for a packet, because it has no way back
    output logic                           bad_ack_o
);

  localparam logic [19:0] Replicated = 20'hfffff;

  // What an ack needs of its packet's header.
  typedef struct packed {
    logic        single;  // not replicated, and no reduction packet
    logic [3:0]  hop;     // switches passed, this one included
    logic [9:0]  flow;
    logic [19:0] src;
    logic [29:0] path;
    logic [3:0]  vl;
    logic        by_class;
    logic        gen;
    logic [2:0]  tc;
    logic [19:0] dst;
  } origin_t;

  // A packet taken in x waits one cycle, in which the last word of the packet before may still be read.
  logic taken_q;
  origin_t next_q, sent_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) taken_q <= 1'b0;
    else taken_q <= take_i && edge_i;
    if (take_i && edge_i) begin
      next_q <= {
        header_i.dst != Replicated && header_i.kind != tilefly_pkg::KIND_RED, header_i.hop, header_i.flow, header_i.src, header_i.path,
        header_i.vl, header_i.an, header_i.gen, header_i.tc, header_i.dst
      };
    end
    if (taken_q) sent_q <= next_q;
  end

  logic due;
  logic [3:0] passed;  // switches before this one
  assign due = release_i && edge_i && sent_i && !bad_i && sent_q.single;

  always_comb begin
    passed    = '0;
    made_o    = 1'b0;
    bad_ack_o = 1'b0;
    dst_o     = '0;
    ack_o     = '0;
    if (due) begin
      passed      = sent_q.hop - 4'd1;
      ack_o.load  = load_i;
      ack_o.flow  = sent_q.flow;
      ack_o.cells = cells_i;
      ack_o.hops  = passed[2:0];
      ack_o.port  = sent_q.src[5:0];
      ack_o.path  = sent_q.path;
      if (flows_i) {ack_o.by_class, ack_o.gen, ack_o.tc, ack_o.dst} = {sent_q.by_class, sent_q.gen, sent_q.tc, sent_q.dst};
      dst_o       = tilefly_acks_pkg::port_back(ack_o.hops, ack_o.port, ack_o.path);
      made_o      = !passed[3] && tilefly_acks_pkg::has_way(ack_o.hops, dst_o);
      bad_ack_o   = !made_o;
    end
  end

  assign vl_o  = sent_q.vl;
  assign src_o = sent_q.src;

  // Assertions: the packet whose last word is read is the one whose header was kept, and it is acknowledged once.
`ifndef SYNTHESIS
  logic open_q;  // sent_q is of a packet that is being sent
  logic [12:0] next_len_q, len_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) open_q <= 1'b0;
    else if (taken_q) open_q <= 1'b1;
    else if (release_i) open_q <= 1'b0;
    if (take_i && edge_i) next_len_q <= header_i.len;
    if (taken_q) len_q <= next_len_q;
    if (rst_ni) begin
      ACK_1 : assert (!made_o || (open_q && cells_i == tilefly_ingress_pkg::cells_of(len_q)));
      ACK_1_waits : assert (!taken_q || !open_q || release_i);
    end
  end
`endif

endmodule
