// SPDX-License-Identifier: Apache-2.0
// Draws of a port: which packets are routed, and the random numbers and hashes that each of them gets. Manual:
// docs/blocks/routing.md, "Draws".
// Latency: a packet that is shown in its cycle a + 7 has its numbers (flops) in a + 12 and a + 14. Throughput: one packet a
// cycle. Handshake: valid only. Each multiplication has a cycle of its own:
//
//   a + 7    a + 8      a + 9   a + 10  a + 11  a + 12  a + 13  a + 14
//   routed?  number k   ra, rb  ra, rb          rb              ra
//            hf         hf      hf      hf      hf, h   h       h, hp

module tilefly_route_draw (
    /// clock
    input  logic                             clk_i,
    /// synchronous reset, active low
    input  logic                             rst_ni,
    /// number of the port
    input  logic                       [5:0] port_i,
    /// register bus: a write is an event of this cycle
    input  tilefly_pkg::cfg_t                cfg_i,
    /// the port is an edge port of the ack network: ordered packets that begin here need hp
    input  logic                             edge_i,
    /// a packet of which this is cycle a + 7
    input  logic                             valid_i,
    /// the packet
    /* verilator lint_off UNUSEDSIGNAL */  // one descriptor for the whole pipeline
    input  tilefly_ingress_pkg::descriptor_t descriptor_i,
    /// what the parser found in a bare frame
    input  tilefly_ingress_pkg::parsed_t     parsed_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// own address of the packet of which this is cycle a + 12
    input  logic                      [13:0] own_address_i,
    /// a packet of which this is cycle a + 12 is routed
    output logic                             routed_o,
    /// rb of that packet
    output logic                      [31:0] rb_o,
    /// hf of that packet
    output logic                      [31:0] hf_o,
    /// ra of the packet of which this is cycle a + 14
    output logic                      [31:0] ra_o,
    /// h of that packet, lowest byte
    output logic                       [7:0] h_o,
    /// hp of that packet, lowest byte, when the packet may need it
    output logic                       [7:0] hp_o,
    /// nothing under way but packets
    output logic                             quiescent_o
);

  localparam logic [19:0] Replicated = 20'hfffff;
  localparam logic [3:0] HopLimit = 4'(tilefly_pkg::HOP_LIMIT);

  logic [13:0] own_address;
  logic [31:0] key;

  tilefly_route_key u_key (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .own_address_o(own_address),
      .key_o        (key),
      .quiescent_o
  );

  // a + 7: whether the packet goes to another switch, and what its hash is of
  /* verilator lint_off UNUSEDSIGNAL */  // the fields that are hashed
  tilefly_pkg::header_t header;
  /* verilator lint_on UNUSEDSIGNAL */
  logic routed, paired;  // paired: its hp differs from h, and may be needed
  logic [9:0] flow;
  logic [19:0] src, dst;
  assign header = descriptor_i.word[127:0];

  always_comb begin
    routed = 1'b0;
    paired = 1'b0;
    flow = '0;
    src = '0;
    dst = '0;
    if (valid_i && descriptor_i.reason == tilefly_pkg::DROP_NONE) begin
      if (descriptor_i.enh) begin
        if (header.mode != tilefly_pkg::ROUTE_MODE_IN_ORDER) flow = header.flow;
        src = header.src;
        dst = header.dst;
        routed = header.hop < HopLimit && dst != Replicated && dst[19:6] != own_address;
        paired = routed && edge_i && header.ordered && header.hop == 4'd0 && flow != '0;
      end else begin
        src = {own_address, port_i};
        dst = parsed_i.mac[19:0];
        routed = parsed_i.algorithmic && dst[19:6] != own_address;
      end
    end
  end

  logic [5:0] routed_q;  // bit i: a routed packet of which this is cycle a + 8 + i
  logic [30:0] drawn_q;  // modulo 2^31: twice that is what counts
  logic [31:0] count_q, ra_half_q, rb_half_q, ra_q, rb_q, ra2_q, rb2_q, ra3_q, ra4_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      routed_q <= '0;
      drawn_q  <= '0;
    end else begin
      routed_q <= {routed_q[4:0], routed};
      if (routed_q[0]) drawn_q <= drawn_q + 31'd1;
    end
    if (routed_q[0]) count_q <= key + {drawn_q, 1'b0};
    if (routed_q[1]) begin
      ra_half_q <= tilefly_routing_pkg::first_half(count_q);
      rb_half_q <= tilefly_routing_pkg::first_half(count_q + 32'd1);
    end
    if (routed_q[2]) begin
      ra_q <= tilefly_routing_pkg::second_half(ra_half_q);
      rb_q <= tilefly_routing_pkg::second_half(rb_half_q);
    end
    if (routed_q[3]) begin
      ra2_q <= ra_q;
      rb2_q <= rb_q;
    end
    if (routed_q[4]) ra3_q <= ra2_q;
    if (routed_q[5]) ra4_q <= ra3_q;
  end

  // Hashes: of the flow, and of the pair as if its flow were 0.
  logic pair_hashed;
  logic [7:0] h, pair_h;

  /* verilator lint_off PINCONNECTEMPTY */  // a flow's hash is there when routed_o says; a pair has no hf
  tilefly_route_hash u_flow_hash (
      .clk_i,
      .rst_ni,
      .valid_i(routed),
      .flow_i (flow),
      .src_i  (src),
      .dst_i  (dst),
      .own_address_i,
      .hf_o,
      .valid_o(),
      .h_o    (h)
  );

  tilefly_route_hash u_pair_hash (
      .clk_i,
      .rst_ni,
      .valid_i(paired),
      .flow_i ('0),
      .src_i  (src),
      .dst_i  (dst),
      .own_address_i,
      .hf_o   (),
      .valid_o(pair_hashed),
      .h_o    (pair_h)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  assign routed_o = routed_q[4];
  assign rb_o     = rb2_q;
  assign ra_o     = ra4_q;
  assign h_o      = h;
  assign hp_o     = pair_hashed ? pair_h : h;

endmodule
