// SPDX-License-Identifier: Apache-2.0
// The table VL_CLASS, kept the way the congestion meter asks: for each lane its class. Manual: docs/blocks/flow_channel.md,
// docs/blocks/switch.md.
// Latency: a write that is on `cfg_i` in cycle t (an event of t) is on the output (flops) from t + 1. The contents survive
// reset; at power-up lane v has class v & 7.

module tilefly_lane_classes (
    /// clock
    input  logic                          clk_i,
    /* verilator lint_off UNUSEDSIGNAL */  // the table is the same at every port
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t             cfg_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// class of lane v in bits [3*v +: 3]
    output logic [3*tilefly_pkg::VLS-1:0] classes_o
);

  localparam int Vls = tilefly_pkg::VLS;

  function automatic [3*Vls-1:0] power_up(input integer first_lane);
    power_up = '0;
    for (int v = first_lane; v < Vls; v++) power_up[3*v+:3] = 3'(v);
  endfunction

  logic [3*Vls-1:0] classes_q;
  initial classes_q = power_up(0);

  logic write;
  tilefly_pkg::table_class_t written;
  assign written = tilefly_pkg::get_table_class(cfg_i.data);
  assign write = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_VL_CLASS && cfg_i.index < 11'(Vls);

  always_ff @(posedge clk_i) begin
    if (write) begin
      for (int v = 0; v < Vls; v++) begin
        if (cfg_i.index == 11'(v)) classes_q[3*v+:3] <= written.tc;
      end
    end
  end

  assign classes_o = classes_q;

endmodule
