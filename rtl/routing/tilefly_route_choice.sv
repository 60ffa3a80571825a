// SPDX-License-Identifier: Apache-2.0
// Choice of a routed packet's output: up to four candidates, the one of the lowest cost. Manual: docs/blocks/routing.md,
// "Choice".
// Latency: a packet that comes in its cycle a + 14 leaves in a + 18 (flops). Throughput: one packet a cycle. Handshake: valid
// only. Packets that are not routed go along unchanged.
//
//   a + 14      a + 15   a + 16        a + 17  a + 18
//   candidates  lengths  loads, costs  lowest  leaves

module tilefly_route_choice (
    /// clock
    input  logic                                clk_i,
    /// synchronous reset, active low
    input  logic                                rst_ni,
    /// a packet comes
    input  logic                                valid_i,
    /// where the packet goes; the output of a packet that is routed is not chosen yet
    input  tilefly_ingress_pkg::route_t         route_i,
    /// what is known of the packet's route
    input  tilefly_routing_pkg::plan_t          plan_i,
    /// answers of the route tables: ports towards the packet's target, and towards two drawn targets
    input  logic                        [191:0] masks_i,
    /// draws of the ports
    input  logic                         [31:0] ra_i,
    /// hash that chooses the port in modes that do not draw
    input  logic                          [7:0] h_i,
    /// hash that chooses the port of an ordered packet that may not choose
    input  logic                          [7:0] hp_i,
    /// the port is an edge port of the ack network
    input  logic                                edge_i,
    /// loads of all ports as they are shown now, port p in bits [12*p +: 12]; from bit 12*PORTS on, the ports that are down
    input  logic [13*tilefly_pkg::PORTS-1:0]    loads_i,
    /// a packet leaves
    output logic                                valid_o,
    /// where the packet goes
    output tilefly_ingress_pkg::route_t         route_o,
    /// nothing inside
    output logic                                quiescent_o
);

  localparam int Ports = tilefly_pkg::PORTS;
  localparam int PortW = $clog2(Ports);
  localparam int RouteW = tilefly_ingress_pkg::ROUTE_W;

  // Candidates: minimal 0, minimal 1, non-minimal 0, non-minimal 1. Element i of W bits is bits [i*W +: W].

  // a + 14: ports
  logic [63:0] minimal, drawn_0, drawn_1;
  logic [3:0] candidates;
  logic [4*PortW-1:0] ports;
  logic [PortW-1:0] pair_port;
  /* verilator lint_off UNUSEDSIGNAL */  // two fields matter here
  tilefly_pkg::header_t came;
  /* verilator lint_on UNUSEDSIGNAL */
  assign came = route_i.header;
  always_comb begin
    minimal = '0;
    drawn_0 = '0;
    drawn_1 = '0;
    candidates = '0;
    ports = '0;
    pair_port = '0;
    if (valid_i && plan_i.routed) begin
      minimal = masks_i[63:0] & plan_i.enabled;
      if (plan_i.drawn[0]) drawn_0 = masks_i[127:64] & plan_i.enabled;
      if (plan_i.drawn[1]) drawn_1 = masks_i[191:128] & plan_i.enabled;
      if (minimal != '0) begin
        if (edge_i && came.ordered && came.hop == 4'd0) pair_port = PortW'(tilefly_routing_pkg::choose(hp_i, minimal));
        candidates[3] = drawn_1 != '0;
        candidates[2] = drawn_0 != '0;
        candidates[1] = plan_i.adaptive;
        candidates[0] = plan_i.adaptive || !candidates[2];  // a hash takes the non-minimal path where there is one
        ports[0+:PortW] = PortW'(tilefly_routing_pkg::choose(plan_i.adaptive ? ra_i[7:0] : h_i, minimal));
        if (candidates[1]) ports[PortW+:PortW] = PortW'(tilefly_routing_pkg::choose(ra_i[15:8], minimal));
        if (candidates[2]) begin
          ports[2*PortW+:PortW] = PortW'(tilefly_routing_pkg::choose(plan_i.adaptive ? ra_i[23:16] : h_i, drawn_0));
        end
        if (candidates[3]) ports[3*PortW+:PortW] = PortW'(tilefly_routing_pkg::choose(ra_i[31:24], drawn_1));
      end
    end
  end

  logic [2:0] valid_q;  // bit i: a routed packet of which this is cycle a + 15 + i
  logic [4*PortW-1:0] ports15_q, ports16_q, ports17_q;
  logic [PortW-1:0] pair15_q, pair16_q, pair17_q;
  logic [3:0] candidates15_q, candidates16_q, candidates17_q;
  /* verilator lint_off UNUSEDSIGNAL */  // each stage uses its part
  tilefly_routing_pkg::plan_t plan15_q, plan16_q, plan17_q;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [2*Ports-1:0] class15_q;
  logic [15:0] lengths, lengths16_q;
  logic [4*17-1:0] costs, costs17_q;

  // a + 15: lengths, by the class of the candidate's port
  always_comb begin
    lengths = '0;
    if (valid_q[0]) begin
      for (int i = 0; i < 4; i++) begin
        lengths[4*i+:4] = plan15_q.lengths[{i >= 2, class15_q[2*ports15_q[i*PortW+:PortW]+:2], 2'b00}+:4];
      end
    end
  end

  // a + 16: costs
  always_comb begin
    costs = '0;
    if (valid_q[1]) begin
      for (int i = 0; i < 4; i++) begin
        costs[17*i+:17] = 17'(loads_i[12*ports16_q[i*PortW+:PortW]+:12]) * 17'(lengths16_q[4*i+:4]);
        if (i >= 2) costs[17*i+:17] = costs[17*i+:17] + 17'(plan16_q.bias);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[1:0], valid_i && plan_i.routed};
    if (valid_i && plan_i.routed) begin
      ports15_q      <= ports;
      pair15_q       <= pair_port;
      candidates15_q <= candidates;
      plan15_q       <= plan_i;
      class15_q      <= route_i.out_class[2*Ports-1:0];
    end
    if (valid_q[0]) begin
      ports16_q      <= ports15_q;
      pair16_q       <= pair15_q;
      candidates16_q <= candidates15_q;
      plan16_q       <= plan15_q;
      lengths16_q    <= lengths;
    end
    if (valid_q[1]) begin
      ports17_q      <= ports16_q;
      pair17_q       <= pair16_q;
      candidates17_q <= candidates16_q;
      plan17_q       <= plan16_q;
      costs17_q      <= costs;
    end
  end

  // a + 17: the lowest cost; of equal ones the first. Joined with the rest of the route, which waited.
  logic late_valid, routes_busy;
  logic [RouteW-1:0] late_route;

  tilefly_delay_line #(
      .Width(RouteW),
      .Depth(3)
  ) u_routes (
      .clk_i,
      .rst_ni,
      .valid_i,
      .data_i (route_i),
      .valid_o(late_valid),
      .data_o (late_route),
      .busy_o (routes_busy)
  );

  logic [1:0] best;
  logic [16:0] cost;
  logic [5:0] port;
  tilefly_ingress_pkg::route_t route;
  tilefly_pkg::header_t header;

  always_comb begin
    best = '0;
    cost = '1;
    port = '0;
    route = late_route;
    header = route.header;
    if (valid_q[2]) begin
      for (int i = 3; i >= 0; i--) begin
        if (candidates17_q[i] && costs17_q[17*i+:17] <= cost) begin
          best = 2'(i);
          cost = costs17_q[17*i+:17];
        end
      end
      port = 6'(ports17_q[best*PortW+:PortW]);
      route.port = port;
      route.pair_port = 6'(pair17_q);
      route.came_via = header.via;
      if (best[1]) begin
        header.via = plan17_q.vias[14*best[0]+:14];
        header.via_valid = 1'b1;
      end
      route.ports = 64'd1 << port;
      route.copies = 7'd1;
      route.header = header;
      route.decides = plan17_q.decides;
      route.nonminimal = best[1];
      if (candidates17_q == '0) route.reason = tilefly_pkg::DROP_NO_ROUTE;
    end
  end

  logic leaves_q;
  tilefly_ingress_pkg::route_t route_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) leaves_q <= 1'b0;
    else leaves_q <= late_valid;
    if (late_valid) route_q <= route;
  end

  assign valid_o     = leaves_q;
  assign route_o     = route_q;
  assign quiescent_o = !routes_busy && !leaves_q;

  // Assertions. The masks go along for them alone.
  logic [3*Ports-1:0] masks15_q, masks16_q, masks17_q;
  always_ff @(posedge clk_i) begin
    if (valid_i && plan_i.routed) masks15_q <= {drawn_1[Ports-1:0], drawn_0[Ports-1:0], minimal[Ports-1:0]};
    if (valid_q[0]) masks16_q <= masks15_q;
    if (valid_q[1]) masks17_q <= masks16_q;
    if (rst_ni && valid_q[2]) begin
      ROUTE_1 : assert (route.reason == tilefly_pkg::DROP_NO_ROUTE ||
                        masks17_q[(best[1] ? Ports * (32'(best[0]) + 1) : 0) + 32'(port)]);
      ROUTE_2 : assert (!header.via_valid || plan17_q.came_via || plan17_q.decides);
    end
  end

endmodule
