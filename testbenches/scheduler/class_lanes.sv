// SPDX-License-Identifier: Apache-2.0
// tilefly_class_lanes with the reset input that the test's driver expects; the table itself has none.

module class_lanes (
    /// clock
    input  logic                                             clk_i,
    /// synchronous reset, active low: for the test's driver
    input  logic                                             rst_ni,
    /// register bus
    input  tilefly_pkg::cfg_t                                cfg_i,
    /// lanes of class c in bits [c*VLS +: VLS]
    output logic [tilefly_pkg::CLASSES*tilefly_pkg::VLS-1:0] lanes_o
);

  tilefly_class_lanes u_lanes (
      .clk_i,
      .cfg_i,
      .lanes_o
  );

endmodule
