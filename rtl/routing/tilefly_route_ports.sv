// SPDX-License-Identifier: Apache-2.0
// Candidates of a routed packet: up to four ports, out of the sets of ports that lead to its targets and are not down.
// Manual: docs/blocks/routing.md, "Choice"; docs/blocks/link_retry.md, "Link down".
// Combinational; everything is of a packet of which this is cycle a + 16. Candidates: minimal 0, minimal 1, non-minimal 0,
// non-minimal 1; element i of W bits is bits [i*W +: W].

module tilefly_route_ports #(
    /// bits of a port's number
    parameter int PortW = $clog2(tilefly_pkg::PORTS)
) (
    /// there is a routed packet; all results are zero otherwise
    input  logic                              valid_i,
    /// what is known of the packet's route
    /* verilator lint_off UNUSEDSIGNAL */  // three fields matter here
    input  tilefly_routing_pkg::plan_t        plan_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// ports towards the packet's target, and towards two drawn targets or the destination behind a via
    input  logic [3*tilefly_pkg::PORTS-1:0]   masks_i,
    /// ports that are down
    input  logic   [tilefly_pkg::PORTS-1:0]   down_i,
    /// draws of the ports
    input  logic                       [31:0] ra_i,
    /// hash that chooses the port in modes that do not draw
    input  logic                        [7:0] h_i,
    /// hash that chooses the port of an ordered packet that may not choose
    input  logic                        [7:0] hp_i,
    /// the packet is ordered and begins at an edge port: the port of hp is wanted
    input  logic                              paired_i,
    /// candidates that there are
    output logic                        [3:0] candidates_o,
    /// ports of the candidates
    output logic                [4*PortW-1:0] ports_o,
    /// port that hp chooses
    output logic                  [PortW-1:0] pair_port_o,
    /// the packet gives up its via, and goes to its destination
    output logic                              gives_up_o,
    /// sets of ports that the candidates were chosen from: minimal, non-minimal 0, non-minimal 1
    output logic [3*tilefly_pkg::PORTS-1:0]   chosen_from_o
);

  localparam int Ports = tilefly_pkg::PORTS;

  logic [Ports-1:0] minimal, drawn_0, drawn_1;
  always_comb begin
    minimal      = '0;
    drawn_0      = '0;
    drawn_1      = '0;
    candidates_o = '0;
    ports_o      = '0;
    pair_port_o  = '0;
    gives_up_o   = 1'b0;
    if (valid_i) begin
      minimal = masks_i[Ports-1:0] & ~down_i;
      if (plan_i.gives_up && minimal == '0 && masks_i[Ports-1:0] != '0) begin
        gives_up_o = 1'b1;
        minimal    = masks_i[2*Ports-1:Ports] & ~down_i;
      end
      if (plan_i.drawn[0]) drawn_0 = masks_i[2*Ports-1:Ports] & ~down_i;
      if (plan_i.drawn[1]) drawn_1 = masks_i[3*Ports-1:2*Ports] & ~down_i;
      if (minimal != '0) begin
        if (paired_i) pair_port_o = PortW'(tilefly_routing_pkg::choose(hp_i, 64'(minimal)));
        candidates_o[3] = drawn_1 != '0;
        candidates_o[2] = drawn_0 != '0;
        candidates_o[1] = plan_i.adaptive;
        candidates_o[0] = plan_i.adaptive || !candidates_o[2];  // a hash takes the non-minimal path where there is one
        ports_o[0+:PortW] = PortW'(tilefly_routing_pkg::choose(plan_i.adaptive ? ra_i[7:0] : h_i, 64'(minimal)));
        if (candidates_o[1]) ports_o[PortW+:PortW] = PortW'(tilefly_routing_pkg::choose(ra_i[15:8], 64'(minimal)));
        if (candidates_o[2]) begin
          ports_o[2*PortW+:PortW] = PortW'(tilefly_routing_pkg::choose(plan_i.adaptive ? ra_i[23:16] : h_i, 64'(drawn_0)));
        end
        if (candidates_o[3]) ports_o[3*PortW+:PortW] = PortW'(tilefly_routing_pkg::choose(ra_i[31:24], 64'(drawn_1)));
      end
    end
  end

  assign chosen_from_o = {drawn_1, drawn_0, minimal};

endmodule
