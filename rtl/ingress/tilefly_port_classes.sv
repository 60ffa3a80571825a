// SPDX-License-Identifier: Apache-2.0
// What routing must know of every port of the switch: whether it is enabled, and its class. Manual:
// docs/blocks/switch.md.
// Latency: a write that is on `cfg_i` in cycle t is on the outputs (flops) from t + 1.

module tilefly_port_classes (
    /// clock
    input  logic                            clk_i,
    /// synchronous reset, active low
    input  logic                            rst_ni,
    /// register bus: a write is an event of this cycle
    input  tilefly_pkg::cfg_t               cfg_i,
    /// enabled ports
    output logic [  tilefly_pkg::PORTS-1:0] enabled_o,
    /// class of port p in bits [2*p +: 2]
    output logic [2*tilefly_pkg::PORTS-1:0] out_class_o
);

  localparam int Ports = tilefly_pkg::PORTS;
  localparam int PortW = $clog2(Ports);
  localparam logic [6:0] AllPorts = 7'd127;

  logic [Ports-1:0] enabled_q;
  logic [2*Ports-1:0] out_class_q;

  /* verilator lint_off UNUSEDSIGNAL */  // of a port's mode only two fields matter here
  tilefly_pkg::port_mode_t reset_mode, mode;
  /* verilator lint_on UNUSEDSIGNAL */
  assign reset_mode = tilefly_pkg::PORT_MODE_RESET;
  assign mode = tilefly_pkg::get_port_mode(cfg_i.data);

  logic write;
  assign write = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_PORT &&
      cfg_i.index == 11'(tilefly_pkg::PORT_REG_MODE);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      enabled_q   <= {Ports{reset_mode.enable}};
      out_class_q <= {Ports{reset_mode.pclass}};
    end else if (write && cfg_i.port == AllPorts) begin
      enabled_q   <= {Ports{mode.enable}};
      out_class_q <= {Ports{mode.pclass}};
    end else if (write && cfg_i.port < 7'(Ports)) begin
      enabled_q[cfg_i.port[PortW-1:0]]          <= mode.enable;
      out_class_q[{cfg_i.port[PortW-1:0], 1'b0}+:2] <= mode.pclass;
    end
  end

  assign enabled_o   = enabled_q;
  assign out_class_o = out_class_q;

endmodule
