// SPDX-License-Identifier: Apache-2.0
// The table VL_CLASS, kept the way the scheduler asks: for each class the mask of its lanes.
// Manual: docs/blocks/egress.md, docs/blocks/switch.md.
// Latency: a write that is on `cfg_i` in cycle t (an event of t) is on the output (flops) from t + 1. The contents survive
// reset; at power-up lane v has class v & 7.

module tilefly_class_lanes (
    /// clock
    input  logic                                             clk_i,
    /* verilator lint_off UNUSEDSIGNAL */  // the table is the same at every port
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t                                cfg_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// lanes of class c in bits [c*VLS +: VLS]
    output logic [tilefly_pkg::CLASSES*tilefly_pkg::VLS-1:0] lanes_o
);

  localparam int Vls = tilefly_pkg::VLS;
  localparam int Classes = tilefly_pkg::CLASSES;
  localparam int ClassW = $clog2(Classes);

  function automatic [Classes*Vls-1:0] power_up(input integer first_lane);
    power_up = '0;
    for (int v = first_lane; v < Vls; v++) power_up[(v%Classes)*Vls+v] = 1'b1;
  endfunction

  logic [Classes*Vls-1:0] lanes_q;
  initial lanes_q = power_up(0);

  logic write;
  tilefly_pkg::table_class_t written;
  assign written = tilefly_pkg::get_table_class(cfg_i.data);
  assign write = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_VL_CLASS && cfg_i.index < 11'(Vls);

  always_ff @(posedge clk_i) begin
    if (write) begin
      for (int c = 0; c < Classes; c++) begin
        for (int v = 0; v < Vls; v++) begin
          if (cfg_i.index == 11'(v)) lanes_q[c*Vls+v] <= written.tc == ClassW'(c);
        end
      end
    end
  end

  assign lanes_o = lanes_q;

endmodule
