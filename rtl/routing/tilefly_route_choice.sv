// SPDX-License-Identifier: Apache-2.0
// Choice of a routed packet's output: up to four candidates, the one of the lowest cost. Manual: docs/blocks/routing.md,
// "Choice". No packet goes to a port that is down: docs/blocks/link_retry.md, "Link down".
// Latency: a packet that comes in its cycle a + 14 leaves in a + 18 (flops). Throughput: one packet a cycle. Handshake: valid
// only. Packets that are not routed go along; they lose the ports that are down.
//
//   a + 14  a + 15  a + 16             a + 17                  a + 18
//   masks           candidates, loads  lengths, costs, lowest  leaves

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
    /* verilator lint_off UNUSEDSIGNAL */  // sets of ports have 64 bits
    /// answers of the route tables: ports towards the packet's target, and towards two drawn targets or the destination
    input  logic                        [191:0] masks_i,
    /* verilator lint_on UNUSEDSIGNAL */
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
    /// ports that are down, as the packet saw them
    output logic    [tilefly_pkg::PORTS-1:0]    down_o,
    /// nothing inside
    output logic                                quiescent_o
);

  localparam int Ports = tilefly_pkg::PORTS;
  localparam int PortW = $clog2(Ports);
  localparam int RouteW = tilefly_ingress_pkg::ROUTE_W;
  localparam int Down = 12 * Ports;  // where the ports that are down begin

  // a + 14, a + 15: masks, and what draws from them
  logic [2:0] valid_q;  // bit i: a routed packet of which this is cycle a + 15 + i
  logic [1:0] any_q;  // bit i: a packet, routed or not, of which this is cycle a + 15 + i
  logic [3*Ports-1:0] masks, masks15_q, masks16_q;
  logic [31:0] ra15_q, ra16_q;
  logic [7:0] h15_q, h16_q, hp15_q, hp16_q;
  logic paired15_q, paired16_q;
  /* verilator lint_off UNUSEDSIGNAL */  // each stage uses its part
  tilefly_routing_pkg::plan_t plan15_q, plan16_q, plan17_q;
  tilefly_pkg::header_t came;  // two fields matter here
  /* verilator lint_on UNUSEDSIGNAL */
  assign came = route_i.header;
  always_comb begin
    masks = '0;
    if (valid_i && plan_i.routed) begin
      masks = {masks_i[128+:Ports], masks_i[64+:Ports], masks_i[0+:Ports]} & {3{plan_i.enabled[Ports-1:0]}};
    end
  end

  // a + 16: candidates, and their loads
  logic [3:0] candidates, candidates17_q;
  logic [4*PortW-1:0] ports, ports17_q;
  logic [PortW-1:0] pair_port, pair17_q;
  logic gives_up, gives17_q;
  logic [3*Ports-1:0] chosen_from, masks17_q;
  logic [4*12-1:0] loads, loads17_q;
  logic [Ports-1:0] down17_q, down18_q;

  tilefly_route_ports u_ports (
      .valid_i      (valid_q[1]),
      .plan_i       (plan16_q),
      .masks_i      (masks16_q),
      .down_i       (loads_i[Down+:Ports]),
      .ra_i         (ra16_q),
      .h_i          (h16_q),
      .hp_i         (hp16_q),
      .paired_i     (paired16_q),
      .candidates_o (candidates),
      .ports_o      (ports),
      .pair_port_o  (pair_port),
      .gives_up_o   (gives_up),
      .chosen_from_o(chosen_from)
  );

  always_comb begin
    loads = '0;
    if (valid_q[1]) begin
      for (int i = 0; i < 4; i++) loads[12*i+:12] = loads_i[12*ports[i*PortW+:PortW]+:12];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      any_q   <= '0;
    end else begin
      valid_q <= {valid_q[1:0], valid_i && plan_i.routed};
      any_q   <= {any_q[0], valid_i};
    end
    if (valid_i && plan_i.routed) begin
      masks15_q  <= masks;
      plan15_q   <= plan_i;
      ra15_q     <= ra_i;
      h15_q      <= h_i;
      hp15_q     <= hp_i;
      paired15_q <= edge_i && came.ordered && came.hop == 4'd0;
    end
    if (valid_q[0]) begin
      masks16_q  <= masks15_q;
      plan16_q   <= plan15_q;
      ra16_q     <= ra15_q;
      h16_q      <= h15_q;
      hp16_q     <= hp15_q;
      paired16_q <= paired15_q;
    end
    if (valid_q[1]) begin
      ports17_q      <= ports;
      pair17_q       <= pair_port;
      candidates17_q <= candidates;
      gives17_q      <= gives_up;
      loads17_q      <= loads;
      plan17_q       <= plan16_q;
    end
    if (any_q[1]) down17_q <= loads_i[Down+:Ports];
  end

  // a + 17: costs, and the lowest; of equal ones the first. Joined with the rest of the route, which waited.
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
  logic [3:0] length;
  logic [16:0] cost;
  logic [4*17-1:0] costs;
  logic [5:0] port;
  logic [Ports-1:0] left;  // ports of a packet that is not routed, without those that are down
  tilefly_ingress_pkg::route_t route;
  tilefly_pkg::header_t header;

  always_comb begin
    best = '0;
    length = '0;
    cost = '1;
    costs = '0;
    port = '0;
    left = '0;
    route = late_route;
    header = route.header;
    if (late_valid && !valid_q[2]) begin
      left = route.ports[Ports-1:0] & ~down17_q;
      if (left != route.ports[Ports-1:0]) begin
        route.ports  = 64'(left);
        route.copies = tilefly_ingress_pkg::count_ones(64'(left));
        if (left == '0) route.reason = tilefly_pkg::DROP_NO_ROUTE;
      end
    end
    if (valid_q[2]) begin
      for (int i = 0; i < 4; i++) begin
        length = plan17_q.lengths[{i >= 2, route.out_class[2*ports17_q[i*PortW+:PortW]+:2], 2'b00}+:4];
        costs[17*i+:17] = 17'(loads17_q[12*i+:12]) * 17'(length);
        if (i >= 2) costs[17*i+:17] = costs[17*i+:17] + 17'(plan17_q.bias);
      end
      for (int i = 3; i >= 0; i--) begin
        if (candidates17_q[i] && costs[17*i+:17] <= cost) begin
          best = 2'(i);
          cost = costs[17*i+:17];
        end
      end
      port = 6'(ports17_q[best*PortW+:PortW]);
      route.port = port;
      route.pair_port = 6'(pair17_q);
      if (gives17_q) header.via_valid = 1'b0;
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
    if (late_valid) begin
      route_q  <= route;
      down18_q <= down17_q;
    end
  end

  assign valid_o     = leaves_q;
  assign route_o     = route_q;
  assign down_o      = down18_q;
  assign quiescent_o = !routes_busy && !leaves_q;

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (valid_q[1]) masks17_q <= chosen_from;
    if (rst_ni && valid_q[2]) begin
      ROUTE_1 : assert (route.reason == tilefly_pkg::DROP_NO_ROUTE ||
                        masks17_q[(best[1] ? Ports * (32'(best[0]) + 1) : 0) + 32'(port)]);
      ROUTE_2 : assert (!header.via_valid || plan17_q.came_via || plan17_q.decides);
    end
  end

endmodule
