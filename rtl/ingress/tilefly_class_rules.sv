// SPDX-License-Identifier: Apache-2.0
// What a port asks of the packets of a class that come in, and gives to its bare frames: CLASS.MTU and CLASS.ROUTING. Manual:
// docs/blocks/ingress.md, "Descriptor pipeline".
// Latency: the answer is combinational on the registers; a write that is on `cfg_i` in cycle t counts from t + 1.

module tilefly_class_rules (
    /// clock
    input  logic              clk_i,
    /// synchronous reset, active low
    input  logic              rst_ni,
    /// number of this port
    input  logic        [5:0] port_i,
    /// register bus, delayed as the packets that ask
    input  tilefly_pkg::cfg_t cfg_i,
    /// class asked for
    input  logic        [2:0] tc_i,
    /// most cells of a packet; 0: no limit
    output logic        [6:0] mtu_o,
    /// {ordered, route_mode_e}
    output logic        [3:0] routing_o
);

  localparam int Classes = tilefly_pkg::CLASSES;
  localparam logic [6:0] AllPorts = 7'd127;

  logic [6:0] mtu_q[Classes];
  logic [3:0] routing_q[Classes];

  logic write;
  tilefly_pkg::class_index_t index;
  tilefly_pkg::class_mtu_t mtu;
  tilefly_pkg::class_routing_t routing;
  assign index   = tilefly_pkg::get_class_index(cfg_i.index);
  assign mtu     = tilefly_pkg::get_class_mtu(cfg_i.data);
  assign routing = tilefly_pkg::get_class_routing(cfg_i.data);
  assign write = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_CLASS &&
      (cfg_i.port == {1'b0, port_i} || cfg_i.port == AllPorts) && index.tc < 8'(Classes);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int c = 0; c < Classes; c++) begin
        mtu_q[c]     <= '0;
        routing_q[c] <= '0;
      end
    end else if (write) begin
      if (index.which == tilefly_pkg::CLASS_REG_MTU) mtu_q[3'(index.tc)] <= mtu.cells;
      if (index.which == tilefly_pkg::CLASS_REG_ROUTING) routing_q[3'(index.tc)] <= routing;
    end
  end

  assign mtu_o     = mtu_q[tc_i];
  assign routing_o = routing_q[tc_i];

endmodule
