// SPDX-License-Identifier: Apache-2.0
// Routing of an input port: where each packet goes. Manual: docs/blocks/routing.md; for packets that go by no fabric
// address docs/blocks/ingress.md.
// Latency: a packet that is shown in its cycles a + 7 and a + 12 leaves in a + 18 (flops). Throughput: one packet a cycle.
// Handshake: valid only.
//
//   a + 7   a + 12               a + 13  a + 14                                     a + 18
//   draws   ports, or targets -> tables -> choice of an output that is not down     leaves

module tilefly_routing #(
    /// bits of the questions to the route tables
    parameter int QuestionsW = tilefly_routing_pkg::QUESTIONS * tilefly_routing_pkg::QUESTION_W
) (
    /// clock
    input  logic                                    clk_i,
    /// synchronous reset, active low
    input  logic                                    rst_ni,
    /// number of the ingress port
    input  logic                              [5:0] port_i,
    /// register bus: a write is an event of this cycle
    input  tilefly_pkg::cfg_t                       cfg_i,
    /// the port is an edge port of the ack network
    input  logic                                    edge_i,
    /// a packet of which this is cycle a + 7
    input  logic                                    draw_valid_i,
    /// the packet
    input  tilefly_ingress_pkg::descriptor_t        draw_descriptor_i,
    /// what the parser found in a bare frame
    input  tilefly_ingress_pkg::parsed_t            draw_parsed_i,
    /// a packet of which this is cycle a + 12
    input  logic                                    valid_i,
    /// the packet
    input  tilefly_ingress_pkg::descriptor_t        descriptor_i,
    /// what the parser found in a bare frame
    input  tilefly_ingress_pkg::parsed_t            parsed_i,
    /// answers of the tables for that frame, and to the questions of the cycle before
    input  tilefly_ingress_pkg::lk_rsp_t            lookup_i,
    /// most cells of a packet of the class; 0: no limit
    input  logic                              [6:0] class_mtu_i,
    /// header fields for a bare frame of the class: {ordered, route_mode_e}
    input  logic                              [3:0] class_routing_i,
    /// ports that frames to an unknown unicast address go to
    input  logic           [tilefly_pkg::PORTS-1:0] flood_unknown_i,
    /// ports that broadcasts go to
    input  logic           [tilefly_pkg::PORTS-1:0] flood_broadcast_i,
    /// ports that frames to an unknown multicast address go to
    input  logic           [tilefly_pkg::PORTS-1:0] flood_multicast_i,
    /// loads of all ports as they are shown now, port p in bits [12*p +: 12]; from bit 12*PORTS on, the ports that are down
    input  logic        [13*tilefly_pkg::PORTS-1:0] loads_i,
    /// questions to the route tables that are asked (flops)
    output logic [tilefly_routing_pkg::QUESTIONS-1:0] ask_o,
    /// the questions (flops)
    output logic                   [QuestionsW-1:0] questions_o,
    /// a packet leaves
    output logic                                    valid_o,
    /// where the packet goes
    output tilefly_ingress_pkg::route_t             route_o,
    /// ports that are down, as the packet saw them in its cycle a + 16
    output logic           [tilefly_pkg::PORTS-1:0] down_o,
    /// nothing inside but packets that are not yet in a + 14
    output logic                                    quiescent_o
);

  logic routed, draw_quiescent, ports_valid, choice_quiescent;
  logic [31:0] rb, hf, ra;
  logic [7:0] h, hp;
  tilefly_ingress_pkg::route_t ports;
  tilefly_routing_pkg::plan_t plan;

  tilefly_route_draw u_draw (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .edge_i,
      .valid_i      (draw_valid_i),
      .descriptor_i (draw_descriptor_i),
      .parsed_i     (draw_parsed_i),
      .own_address_i(lookup_i.own_address),
      .routed_o     (routed),
      .rb_o         (rb),
      .hf_o         (hf),
      .ra_o         (ra),
      .h_o          (h),
      .hp_o         (hp),
      .quiescent_o  (draw_quiescent)
  );

  tilefly_candidates u_candidates (
      .clk_i,
      .rst_ni,
      .port_i,
      .valid_i,
      .descriptor_i,
      .parsed_i,
      .lookup_i,
      .routed_i   (routed),
      .rb_i       (rb),
      .hf_i       (hf),
      .class_mtu_i,
      .class_routing_i,
      .flood_unknown_i,
      .flood_broadcast_i,
      .flood_multicast_i,
      .ask_o,
      .questions_o,
      .valid_o    (ports_valid),
      .route_o    (ports),
      .plan_o     (plan)
  );

  tilefly_route_choice u_choice (
      .clk_i,
      .rst_ni,
      .valid_i    (ports_valid),
      .route_i    (ports),
      .plan_i     (plan),
      .masks_i    (lookup_i.masks),
      .ra_i       (ra),
      .h_i        (h),
      .hp_i       (hp),
      .edge_i,
      .loads_i,
      .valid_o,
      .route_o,
      .down_o,
      .quiescent_o(choice_quiescent)
  );

  assign quiescent_o = draw_quiescent && choice_quiescent;

endmodule
