// SPDX-License-Identifier: Apache-2.0
// Where a port's frames go whose destination is not known: PORT.FLOOD_UNKNOWN, FLOOD_BROADCAST, FLOOD_MULTICAST. Manual:
// docs/blocks/switch.md, docs/reference/registers.md.
// Latency: a write that is on `cfg_i` in cycle t (an event of t) is on the outputs (flops) from t + 1.

module tilefly_port_floods (
    /// clock
    input  logic                          clk_i,
    /// synchronous reset, active low
    input  logic                          rst_ni,
    /// number of this port
    input  logic                    [5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t             cfg_i,
    /// ports that frames to an unknown unicast address go to
    output logic [tilefly_pkg::PORTS-1:0] unknown_o,
    /// ports that broadcasts go to
    output logic [tilefly_pkg::PORTS-1:0] broadcast_o,
    /// ports that frames to an unknown multicast address go to
    output logic [tilefly_pkg::PORTS-1:0] multicast_o
);

  localparam int Ports = tilefly_pkg::PORTS;
  localparam logic [6:0] AllPorts = 7'd127;

  logic [Ports-1:0] unknown_q, broadcast_q, multicast_q;
  logic write;
  assign write = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_PORT &&
      (cfg_i.port == {1'b0, port_i} || cfg_i.port == AllPorts);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      unknown_q   <= '0;
      broadcast_q <= '0;
      multicast_q <= '0;
    end else if (write) begin
      case (cfg_i.index)
        11'(tilefly_pkg::PORT_REG_FLOOD_UNKNOWN): unknown_q <= Ports'(cfg_i.data);
        11'(tilefly_pkg::PORT_REG_FLOOD_BROADCAST): broadcast_q <= Ports'(cfg_i.data);
        11'(tilefly_pkg::PORT_REG_FLOOD_MULTICAST): multicast_q <= Ports'(cfg_i.data);
        default: ;
      endcase
    end
  end

  assign unknown_o   = unknown_q;
  assign broadcast_o = broadcast_q;
  assign multicast_o = multicast_q;

endmodule
