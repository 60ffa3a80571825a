// SPDX-License-Identifier: Apache-2.0
// Descriptor pipeline of an input port: parse, look up, classify, route. Manual: docs/blocks/ingress.md.
// Latency: a packet that enters in cycle a + 4 leaves in a + 18, whatever it is. Throughput: one packet a cycle.
// Handshake: valid only.
//
//   a + 4      a + 7         a + 10            a + 12            a + 14       a + 16  a + 18
//   descriptor | parse, draw | look-up request | answer, targets | candidates | costs | leaves
//
// A descriptor stays where it was written, in a ring addressed by the cycle's number; only valid bits move.

module tilefly_ingress_pipe #(
    /// bits of a packet's number
    parameter int PacketW = tilefly_pkg::CELL_INDEX_W
) (
    /// clock
    input  logic                                                          clk_i,
    /// synchronous reset, active low
    input  logic                                                          rst_ni,
    /// number of the current cycle
    /* verilator lint_off UNUSEDSIGNAL */  // the ring's slots are named by its low bits
    input  logic                            [                       47:0] cycle_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// number of this port
    input  logic                            [                        5:0] port_i,
    /// register bus: a write is an event of this cycle
    input  tilefly_pkg::cfg_t                                             cfg_i,
    /// the port is an edge port of the ack network
    input  logic                                                          edge_i,
    /// a packet enters
    input  logic                                                          enters_i,
    /// number of the packet
    input  logic                            [                PacketW-1:0] packet_i,
    /// descriptor of the packet
    input  tilefly_ingress_pkg::descriptor_t                              descriptor_i,
    /// look-up request, in a + 10, questions to the route tables, in a + 13 (flops)
    output tilefly_ingress_pkg::lk_req_t                                  lk_req_o,
    /// answers to these, in a + 12 and a + 14
    input  tilefly_ingress_pkg::lk_rsp_t                                  lk_rsp_i,
    /// loads of all ports, and the ports that are down, as they are shown now
    input  logic                            [13*tilefly_pkg::PORTS-1:0]   loads_i,
    /// a packet leaves
    output logic                                                          valid_o,
    /// number of the packet
    output logic                            [                PacketW-1:0] packet_o,
    /// cells of the packet
    output logic                            [                        6:0] cells_o,
    /// an MTU is still accounted for the packet
    output logic                                                          reserved_o,
    /// the cells of the packet count in the share of its class
    output logic                                                          shares_o,
    /// the packet was taken back, and has been counted
    output logic                                                          again_o,
    /// where the packet goes
    output tilefly_ingress_pkg::route_t                                   route_o,
    /// ports that are down, as the packet saw them
    output logic                            [   tilefly_pkg::PORTS-1:0]   down_o,
    /// nothing inside
    output logic                                                          quiescent_o
);

  localparam int DescriptorW = tilefly_ingress_pkg::DESCRIPTOR_W;
  // Cycles of a packet in the pipeline, as bits of valid_q: bit 0 is cycle a + 5.
  localparam int First = 5;
  localparam int Draw = 7 - First;
  localparam int Ask = 9 - First;
  localparam int Route = 12 - First;
  localparam int Leave = 18 - First;

  logic [Leave:0] valid_q;
  logic [DescriptorW-1:0] descriptor_mem[16];
  logic [PacketW-1:0] packet_mem[16];
  logic [3:0] slot;
  assign slot = cycle_i[3:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[Leave-1:0], enters_i};
    if (enters_i) begin
      descriptor_mem[slot] <= descriptor_i;
      packet_mem[slot]     <= packet_i;
    end
  end

  // a + 9: what to look up
  /* verilator lint_off UNUSEDSIGNAL */  // a stage looks at its part of the descriptor
  tilefly_ingress_pkg::descriptor_t draw, ask, route, leave;
  tilefly_pkg::header_t ask_header;
  tilefly_ingress_pkg::parsed_t draw_parsed, ask_parsed;
  /* verilator lint_on UNUSEDSIGNAL */
  tilefly_ingress_pkg::parsed_t route_parsed;
  tilefly_ingress_pkg::lk_req_t lk_req_q, lk_req_d;
  assign ask = descriptor_mem[slot-4'(Ask+1)];
  assign ask_header = ask.word[127:0];

  tilefly_parser u_ask_parser (
      .valid_i (valid_q[Ask] && !ask.enh),
      .bytes_i (ask.word[159:0]),
      .parsed_o(ask_parsed)
  );

  always_comb begin
    lk_req_d = '0;
    if (valid_q[Ask]) begin
      lk_req_d.valid    = 1'b1;
      lk_req_d.mac      = ask_parsed.mac;
      lk_req_d.use_dscp = ask.trust == tilefly_pkg::TRUST_DSCP && ask_parsed.ip;
      lk_req_d.dscp     = ask_parsed.dscp;
      lk_req_d.use_pcp  = ask_parsed.vlan &&
          (ask.trust == tilefly_pkg::TRUST_PCP || ask.trust == tilefly_pkg::TRUST_DSCP);
      lk_req_d.pcp      = ask_parsed.pcp;
      lk_req_d.tc       = ask.enh ? ask_header.tc : ask.default_tc;
      lk_req_d.vl_in    = ask.enh ? ask_header.vl : 4'd0;
      lk_req_d.in_class = ask.in_class;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) lk_req_q <= '0;
    else if (valid_q[Ask]) lk_req_q <= lk_req_d;
    else lk_req_q.valid <= 1'b0;
  end

  logic [2:0] route_ask;
  logic [29:0] route_questions;
  always_comb begin
    lk_req_o = lk_req_q;
    lk_req_o.ask = route_ask;
    lk_req_o.questions = route_questions;
  end

  // a + 12: where it goes. Flood masks and rules of classes are registers of this port: writes come eight cycles later here.
  logic write8, writes_busy;
  logic [tilefly_pkg::CFG_W-1:0] late_cfg;
  tilefly_pkg::cfg_t cfg8;

  tilefly_delay_line #(
      .Width(tilefly_pkg::CFG_W),
      .Depth(8)
  ) u_writes (
      .clk_i,
      .rst_ni,
      .valid_i(cfg_i.valid && !cfg_i.read &&
               (cfg_i.space == tilefly_pkg::CFG_PORT || cfg_i.space == tilefly_pkg::CFG_CLASS)),
      .data_i (cfg_i),
      .valid_o(write8),
      .data_o (late_cfg),
      .busy_o (writes_busy)
  );
  always_comb begin
    cfg8 = late_cfg;
    cfg8.valid = write8;
  end

  logic [tilefly_pkg::PORTS-1:0] flood_unknown, flood_broadcast, flood_multicast;

  tilefly_port_floods u_floods (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i      (cfg8),
      .unknown_o  (flood_unknown),
      .broadcast_o(flood_broadcast),
      .multicast_o(flood_multicast)
  );

  logic [6:0] class_mtu;
  logic [3:0] class_routing;

  tilefly_class_rules u_class_rules (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i    (cfg8),
      .tc_i     (lk_rsp_i.tc),
      .mtu_o    (class_mtu),
      .routing_o(class_routing)
  );

  assign draw  = descriptor_mem[slot-4'(Draw+1)];
  assign route = descriptor_mem[slot-4'(Route+1)];

  tilefly_parser u_draw_parser (
      .valid_i (valid_q[Draw] && !draw.enh),
      .bytes_i (draw.word[159:0]),
      .parsed_o(draw_parsed)
  );

  tilefly_parser u_route_parser (
      .valid_i (valid_q[Route] && !route.enh),
      .bytes_i (route.word[159:0]),
      .parsed_o(route_parsed)
  );

  logic routing_quiescent;

  tilefly_routing u_routing (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .edge_i,
      .draw_valid_i     (valid_q[Draw]),
      .draw_descriptor_i(draw),
      .draw_parsed_i    (draw_parsed),
      .valid_i          (valid_q[Route]),
      .descriptor_i     (route),
      .parsed_i         (route_parsed),
      .lookup_i         (lk_rsp_i),
      .class_mtu_i      (class_mtu),
      .class_routing_i  (class_routing),
      .flood_unknown_i  (flood_unknown),
      .flood_broadcast_i(flood_broadcast),
      .flood_multicast_i(flood_multicast),
      .loads_i,
      .ask_o            (route_ask),
      .questions_o      (route_questions),
      .valid_o,
      .route_o,
      .down_o,
      .quiescent_o      (routing_quiescent)
  );

  assign leave       = descriptor_mem[slot-4'(Leave+1)];
  assign packet_o    = packet_mem[slot-4'(Leave+1)];
  assign cells_o     = leave.cells;
  assign reserved_o  = leave.reserved;
  assign shares_o    = leave.shares;
  assign again_o     = leave.again;
  assign quiescent_o = valid_q == '0 && !lk_req_q.valid && !writes_busy && routing_quiescent;

endmodule
